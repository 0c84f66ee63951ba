package corpus

import "sync"

// progress adds up what readers and workers did and tells the caller.
type progress struct {
	mu   sync.Mutex
	tell func(Progress) // may be nil
	at   Progress
}

// begin starts a stage that reads total bytes of input.
func (p *progress) begin(stage Stage, total int64) {
	p.change(func(at *Progress) { at.Stage, at.Done, at.Total = stage, 0, total })
}

// read counts bytes of an input file.
func (p *progress) read(bytes int64) {
	p.change(func(at *Progress) { at.Done += bytes })
}

// tagged counts records that were read for the first time.
func (p *progress) tagged(records []record) {
	p.change(func(at *Progress) {
		if at.Stage != Reading {
			return
		}
		at.Records += int64(len(records))
		for i := range records {
			at.Sentences += int64(records[i].Tagged)
			at.Mentions += int64(records[i].Mentions)
		}
	})
}

// found counts an input file whose part was there.
func (p *progress) found(bytes int64, in *Input) {
	p.change(func(at *Progress) {
		at.Done += bytes
		if at.Stage != Reading {
			return
		}
		at.Records += int64(in.Records - in.Excluded)
		at.Sentences += int64(in.Tagged)
		at.Mentions += int64(in.Mentions)
	})
}

func (p *progress) change(f func(*Progress)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f(&p.at)
	if p.tell != nil {
		p.tell(p.at)
	}
}
