package corpus

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"sync"

	"golang.org/x/sync/errgroup"

	"ctxnorm/corpus/pubmed"
)

// task is an input file to make a part of.
type task struct {
	path string
	size int64
	skip map[int32]bool // records to leave out
}

// tagging makes parts of input files:
//
//	file -> unpacker -> reader ->\              /-> worker ->\
//	file -> unpacker -> reader ->  > batches ->  -> worker -> > gathering of the file -> part
//
// Readers, one a file and as many as there are workers, parse what goroutines
// unpack ahead of them; the workers split and tag whatever comes, so that the
// last or only file has all of them. Unpacking is a fifth of the work and
// parsing a fifth: one file alone keeps four cores busy, as many files as there
// are cores all of them. What a gathering keeps does not depend on the order of its batches.
type tagging struct {
	dir      string // of the parts
	settings *Settings
	exclude  map[string]bool
	tagger   Tagger
	miner    Miner // or nil
	workers  int
	progress *progress
	open     func(path string) (io.ReadCloser, error) // os.Open but in tests

	mu     sync.Mutex
	claims map[string]*claim // by part: equal files make one
}

// claim is a part that is being made, or is there.
type claim struct {
	once sync.Once
	part *part
	err  error
}

// run makes a part of every task, in their order.
func (t *tagging) run(ctx context.Context, tasks []task) ([]*part, error) {
	t.claims = make(map[string]*claim)
	batches := make(chan batch, t.workers)
	parts := make([]*part, len(tasks))
	readers, ctx := errgroup.WithContext(ctx)
	readers.SetLimit(t.workers)
	var workers sync.WaitGroup
	for range t.workers {
		workers.Go(func() { t.work(ctx, batches) })
	}
	for i := range tasks {
		readers.Go(func() error {
			var err error
			parts[i], err = t.file(ctx, &tasks[i], batches)
			return err
		})
	}
	err := readers.Wait()
	close(batches)
	workers.Wait()
	if err != nil {
		return nil, err
	}
	return parts, nil
}

// file makes the part of one file, unless it is there.
func (t *tagging) file(ctx context.Context, f *task, batches chan<- batch) (*part, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	hash, size, err := hashFile(f.path)
	if err != nil {
		return nil, err
	}
	base := filepath.Join(t.dir, partKey(t.settings, hash, f.skip))
	t.mu.Lock()
	c := t.claims[base]
	if c == nil {
		c = new(claim)
		t.claims[base] = c
	}
	t.mu.Unlock()
	first := false
	c.once.Do(func() {
		first = true
		if c.part = openPart(base); c.part != nil {
			t.progress.found(size, &c.part.input)
			return
		}
		in := Input{SHA256: hash, Bytes: size}
		c.part, c.err = t.read(ctx, f, newGathering(t.settings, in, f.skip), base, batches)
	})
	if c.err != nil {
		return nil, c.err
	}
	if !first {
		t.progress.read(size)
	}
	p := *c.part
	p.input.Name = filepath.Base(f.path) // equal files may have several
	return &p, nil
}

// read reads one file into g and writes its part to base.
func (t *tagging) read(ctx context.Context, f *task, g *gathering, base string, batches chan<- batch) (*part, error) {
	file, err := t.open(f.path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var open sync.WaitGroup // batches that hold g
	defer open.Wait()
	r := pubmed.NewReader(file, f.path)
	if t.workers > 1 {
		r.Ahead()
	}
	defer r.Close() // which has nothing to flush
	reported := int64(0)
	next := batch{to: g, open: &open}
	send := func() error {
		t.progress.read(r.PackedOffset() - reported)
		reported = r.PackedOffset()
		open.Add(1)
		select {
		case batches <- next:
			next = batch{to: g, open: &open}
			return nil
		case <-ctx.Done():
			open.Done()
			return ctx.Err()
		}
	}
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		if broken, ok := errors.AsType[*pubmed.SyntaxError](err); ok {
			g.broken(broken.Offset, broken.Reason)
			continue
		}
		if err != nil {
			return nil, err
		}
		number := g.number(t.exclude[rec.PMID])
		if t.exclude[rec.PMID] {
			continue
		}
		if next.add(rec, number); next.bytes < batchBytes {
			continue
		}
		if err := send(); err != nil {
			return nil, err
		}
	}
	if err := send(); err != nil {
		return nil, err
	}
	open.Wait()
	if err := ctx.Err(); err != nil { // the workers may have thrown batches away
		return nil, err
	}
	t.progress.read(g.input.Bytes - reported)
	return g.finish(base, r.Deleted())
}
