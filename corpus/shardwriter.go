package corpus

import (
	"context"

	"github.com/ctxnorm/ctxnorm/pubmed"
)

// shardWriter builds the chunks of a shard. While one chunk is being written, the next is collected. It belongs to the
// goroutine that reads the input file.
type shardWriter struct {
	*pipeline
	shard      *shard
	batches    chan<- batch
	beforeSend func() // called before a batch is sent

	current *chunkBuilder
	next    batch        // of records for current
	bytes   int          // of the texts of current
	written <-chan error // result of writing the previous chunk; nil if none is being written
}

// begin starts a chunk. firstRecord is the number of its first record in the file.
func (w *shardWriter) begin(firstRecord int) {
	w.current = newChunkBuilder(&w.settings, firstRecord)
	w.next, w.bytes = batch{to: w.current}, 0
}

// add adds a record to the current chunk, or to a new one if it is full.
func (w *shardWriter) add(ctx context.Context, rec *pubmed.Record) error {
	number := w.current.firstRecord + w.current.input.Records
	if w.current.input.Records == w.chunkRecords || w.bytes >= maxChunkBytes {
		if err := w.flush(ctx, nil); err != nil {
			return err
		}
		w.begin(number)
	}
	w.current.input.Records++
	if w.Exclude[rec.PMID] {
		w.current.input.Excluded++
		return nil
	}
	before := w.next.bytes
	w.next.add(rec, int32(number))
	w.bytes += w.next.bytes - before
	if w.next.bytes < batchBytes {
		return nil
	}
	return w.send(ctx)
}

// send sends the next batch to the workers.
func (w *shardWriter) send(ctx context.Context) error {
	w.beforeSend()
	w.current.pending.Add(1)
	select {
	case w.batches <- w.next:
		w.next = batch{to: w.current}
		return nil
	case <-ctx.Done():
		return ctx.Err() // no flush waits for the batch then
	}
}

// flush starts a goroutine that writes the current chunk once all its batches are tagged. It first waits for the
// previous chunk, so at most two are in memory.
func (w *shardWriter) flush(ctx context.Context, deleted []string) error {
	if err := w.send(ctx); err != nil {
		return err
	}
	if err := w.wait(); err != nil {
		return err
	}
	b, files := w.current, newChunkFiles(w.shard.base, w.shard.chunkCount)
	written := make(chan error, 1)
	go func() {
		b.pending.Wait()
		err := ctx.Err() // if ctx is done, the workers may have discarded batches
		if err == nil {
			err = b.write(files, deleted)
		}
		if err == nil {
			w.shard.input.add(&b.input)
			w.shard.chunkCount++
		}
		written <- err
	}()
	w.written = written
	return nil
}

// wait waits until the previous chunk is written.
func (w *shardWriter) wait() error {
	if w.written == nil {
		return nil
	}
	defer func() { w.written = nil }()
	return <-w.written
}

// add adds the counts of a chunk.
func (in *Input) add(chunk *Input) {
	in.Records += chunk.Records
	in.Excluded += chunk.Excluded
	in.Deletions += chunk.Deletions
	in.Sentences += chunk.Sentences
	in.Tagged += chunk.Tagged
	in.Mentions += chunk.Mentions
	in.Defined += chunk.Defined
	in.NIL += chunk.NIL
	in.Broken += chunk.Broken
	in.Problems = append(in.Problems, chunk.Problems[:min(len(chunk.Problems), maxProblems-len(in.Problems))]...)
}
