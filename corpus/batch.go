package corpus

import (
	"context"

	"ctxnorm"
	"ctxnorm/corpus/pubmed"
	"ctxnorm/segment"
)

// batchBytes is how much text is tagged at a time: enough that handing it over
// costs nothing, little enough that one file keeps all cores busy.
const batchBytes = 256 << 10

// batch is some records of one file on their way to a worker.
type batch struct {
	to      *gathering
	bytes   int // of text
	records []*pubmed.Record
	numbers []int32 // of the records, in the file
}

func (b *batch) add(rec *pubmed.Record, number int32) {
	b.records = append(b.records, rec)
	b.numbers = append(b.numbers, number)
	b.bytes += len(rec.Title)
	for _, s := range rec.Sections {
		b.bytes += len(s.Text)
	}
}

// work tags batches until there are no more.
func (t *tagging) work(ctx context.Context, batches <-chan batch) {
	w := worker{tagger: t.tagger, miner: t.miner, seed: t.settings.Seed}
	for b := range batches {
		if ctx.Err() == nil {
			w.tag(&b)
			b.to.add(w.records, w.findings, w.pairs)
			t.progress.tagged(w.records)
		}
		b.to.open.Done()
	}
}

// worker tags one batch after another in the same memory.
type worker struct {
	tagger   Tagger
	miner    Miner // or nil
	seed     uint64
	records  []record
	findings []finding
	mentions []ctxnorm.Mention // of all findings
	hashes   []uint64
	pairs    []minedPair
	section  []ctxnorm.Mention // of the section at hand, where they are in it
	found    []Pair            // in it
}

// minedPair is a pair and its record. It shares memory with the batch.
type minedPair struct {
	Pair
	record int32 // number in the file
	pmid   string
}

// finding is a sentence with mentions. It shares memory with the worker.
type finding struct {
	record   int32 // number in the file
	pmid     string
	section  string
	index    int
	text     string
	mentions []ctxnorm.Mention
	hashes   []uint64 // of the mentions' names
}

// tag fills w.records and w.findings from b.
func (w *worker) tag(b *batch) {
	clear(w.findings) // or they would hold the texts of the batch before
	clear(w.pairs)
	w.records, w.findings, w.mentions, w.hashes = w.records[:0], w.findings[:0], w.mentions[:0], w.hashes[:0]
	w.pairs = w.pairs[:0]
	for i, rec := range b.records {
		w.records = append(w.records, record{PMID: rec.PMID, Version: int32(rec.Version), Record: b.numbers[i]})
		w.tagSection(TitleSection, rec.Title)
		for _, s := range rec.Sections {
			label := s.Label
			if label == "" {
				label = AbstractSection
			}
			w.tagSection(label, s.Text)
		}
	}
}

// tagSection adds a section to the last record.
func (w *worker) tagSection(label, text string) {
	r := &w.records[len(w.records)-1]
	w.section = w.section[:0]
	for _, span := range segment.Sentences(text) {
		f := finding{record: r.Record, pmid: r.PMID, section: label, index: int(r.Sentences), text: span.Of(text)}
		r.Sentences++
		first := len(w.mentions)
		w.mentions = w.tagger.Tag(w.mentions, f.text)
		if f.mentions = w.mentions[first:]; len(f.mentions) == 0 {
			continue
		}
		for _, m := range f.mentions {
			w.hashes = append(w.hashes, sentenceHash(w.seed, f.pmid, f.index, m.Name))
			m.Start, m.End = m.Start+span.Start, m.End+span.Start
			w.section = append(w.section, m)
		}
		f.hashes = w.hashes[first:]
		r.Tagged++
		r.Mentions += int32(len(f.mentions))
		w.findings = append(w.findings, f)
	}
	if w.miner == nil {
		return
	}
	w.found = w.miner.Mine(w.found[:0], text, w.section)
	for _, p := range w.found {
		w.pairs = append(w.pairs, minedPair{p, r.Record, r.PMID})
	}
}
