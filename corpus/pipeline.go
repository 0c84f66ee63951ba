package corpus

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/pubmed"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// task is an input file to build a shard of.
type task struct {
	*Options
	path   string
	size   int64
	format formats.Format
	name   string // for the identifiers of documents without one
}

// pipeline builds shards from input files:
//
//	file -> decompressor -> reader ->\              /-> worker ->\
//	file -> decompressor -> reader ->  > batches ->  -> worker -> > chunkBuilder -> files of the chunk
//
// There is one reader per file, and at most as many readers as workers. Readers parse while another goroutine
// decompresses ahead of them. Any worker splits and tags any batch, so the last or only file uses all workers.
// Decompressing is a fifth of the work and parsing another fifth: a single file keeps four cores busy, and as many
// files as cores keep all of them busy. The result of a chunkBuilder does not depend on the order of its batches.
type pipeline struct {
	*Options
	dir      string // folder of the shards
	lock     *artifact.Lock
	settings Settings
	tasks    []task
	progress *progress

	remaking sync.Mutex // held while Remade is called
	counted  sync.Map   // shards with records that are counted in progress
}

// run builds a shard for every task and returns them in the order of tasks.
func (p *pipeline) run(ctx context.Context) ([]*shard, error) {
	p.progress.begin("tagging", totalSize(p.tasks))
	batches := make(chan batch, p.Workers)
	shards := make([]*shard, len(p.tasks))
	readers, ctx := errgroup.WithContext(ctx)
	readers.SetLimit(p.Workers)
	var workers sync.WaitGroup
	for range p.Workers {
		workers.Go(func() { p.work(ctx, batches) })
	}
	for i := range p.tasks {
		readers.Go(func() error {
			var err error
			shards[i], err = p.shard(ctx, &p.tasks[i], batches)
			return err
		})
	}
	err := readers.Wait()
	close(batches)
	workers.Wait()
	return shards, err
}

// shard returns the shard of one file. It builds it unless it is complete already.
func (p *pipeline) shard(ctx context.Context, t *task, batches chan<- batch) (*shard, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	digest, err := artifact.DigestFile(t.path)
	if err != nil {
		return nil, err
	}
	base := filepath.Join(p.dir, shardKey(&p.settings, digest.SHA256, t))
	// Wait for another process or the reader of an equal file that is building this shard. Afterwards it is complete.
	lock, err := artifact.LockFolder(ctx, base, func(*files.LockedError) {})
	if err != nil {
		return nil, err
	}
	defer lock.Release()
	sh, err := openShard(ctx, base)
	if damaged, ok := errors.AsType[*files.DamagedError](err); ok {
		err = nil
		if p.Remade != nil {
			p.remaking.Lock()
			p.Remade(damaged)
			p.remaking.Unlock()
		}
	}
	if err != nil {
		return nil, err
	}
	_, counted := p.counted.LoadOrStore(base, true)
	if sh != nil {
		if in := &sh.input; !counted {
			p.progress.addTagged(in.Records-in.Excluded, in.Tagged, in.Mentions)
		}
		p.progress.addBytes(digest.Size)
	} else {
		sh = &shard{base: base, input: Input{SHA256: digest.SHA256, Bytes: digest.Size}}
		if err := p.build(ctx, t, sh, batches); err != nil {
			return nil, err
		}
	}
	sh.input.Name = filepath.Base(t.path) // files with equal content may have different names
	return sh, nil
}

// build reads one input file and writes its shard.
func (p *pipeline) build(ctx context.Context, t *task, sh *shard, batches chan<- batch) (err error) {
	r, err := p.openRecords(t)
	if err != nil {
		return err
	}
	defer r.Close() // there is nothing to flush
	reported := int64(0)
	w := &shardWriter{pipeline: p, shard: sh, batches: batches, beforeSend: func() {
		p.progress.addBytes(r.Position() - reported)
		reported = r.Position()
	}}
	w.begin(0)
	defer func() {
		if writeErr := w.wait(); err == nil {
			err = writeErr
		}
	}()
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		if broken, ok := errors.AsType[*pubmed.SyntaxError](err); ok {
			w.current.addBroken(Problem{Offset: broken.Offset, Reason: broken.Reason})
			continue
		}
		if broken, ok := errors.AsType[*brokenDocument](err); ok {
			w.current.addBroken(broken.Problem)
			continue
		}
		if err == nil {
			err = w.add(ctx, rec)
		}
		if err != nil {
			return err
		}
	}
	if err := w.flush(ctx, r.Deleted()); err != nil {
		return err
	}
	if err := w.wait(); err != nil {
		return err
	}
	p.progress.addBytes(sh.input.Bytes - reported)
	return sh.writeManifest()
}

// openRecords opens the reader of an input file.
func (p *pipeline) openRecords(t *task) (recordReader, error) {
	if t.format != formats.PubMed {
		options := t.Options.Options
		options.Format = t.format
		reader, err := formats.Open(t.path, options)
		if err != nil {
			return nil, err
		}
		return &documentReader{Reader: reader, task: t, seen: make(map[string]int)}, nil
	}
	r, err := p.open(t.path)
	if err != nil {
		return nil, err
	}
	r.SetLimits(p.Limits)
	if p.Workers > 1 {
		r.ReadAhead()
	}
	return r, nil
}
