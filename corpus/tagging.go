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
//	file -> unpacker -> reader ->  > batches ->  -> worker -> > gathering of a piece -> its files
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

	pieceRecords int // of a piece, at most

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
		c.part = &part{base: base, input: Input{SHA256: hash, Bytes: size}}
		c.err = t.read(ctx, f, c.part, batches)
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

// read reads one file and writes its part.
func (t *tagging) read(ctx context.Context, f *task, p *part, batches chan<- batch) (err error) {
	file, err := t.open(f.path)
	if err != nil {
		return err
	}
	defer file.Close()
	r := pubmed.NewReader(file, f.path)
	if t.workers > 1 {
		r.Ahead()
	}
	defer r.Close() // which has nothing to flush
	reported := int64(0)
	w := t.newPartWriter(p, f.skip, batches, func() {
		t.progress.read(r.PackedOffset() - reported)
		reported = r.PackedOffset()
	})
	defer func() {
		if unwritten := w.wait(); err == nil {
			err = unwritten
		}
	}()
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		if broken, ok := errors.AsType[*pubmed.SyntaxError](err); ok {
			w.at.broken(broken.Offset, broken.Reason)
			continue
		}
		if err == nil {
			err = w.add(ctx, rec)
		}
		if err != nil {
			return err
		}
	}
	if err := w.turn(ctx, r.Deleted()); err != nil {
		return err
	}
	if err := w.wait(); err != nil {
		return err
	}
	t.progress.read(p.input.Bytes - reported)
	return p.describe()
}
