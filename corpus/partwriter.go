package corpus

import (
	"context"

	"ctxnorm/corpus/pubmed"
)

// partWriter makes the pieces of a part, each written while the next is gathered. It is
// for the one goroutine that reads the file.
type partWriter struct {
	*tagging
	part    *part
	skip    map[int32]bool // records whose sentences do not count
	batches chan<- batch
	sending func() // called before a batch is sent

	at      *gathering   // the piece at hand
	next    batch        // on its way to it
	written <-chan error // of the piece before; nil where there is none
}

func (t *tagging) newPartWriter(p *part, skip map[int32]bool, batches chan<- batch, sending func()) *partWriter {
	w := &partWriter{tagging: t, part: p, skip: skip, batches: batches, sending: sending}
	w.begin(0)
	return w
}

// begin begins the piece whose first record has that number.
func (w *partWriter) begin(first int) {
	w.at = newGathering(w.settings, w.skip, first)
	w.next = batch{to: w.at}
}

// add takes a record, to a new piece where the one at hand is full.
func (w *partWriter) add(ctx context.Context, rec *pubmed.Record) error {
	if w.at.input.Records == w.pieceRecords {
		if err := w.turn(ctx, nil); err != nil {
			return err
		}
		w.begin(w.at.first + w.pieceRecords)
	}
	excluded := w.exclude[rec.PMID]
	number := w.at.number(excluded)
	if excluded {
		return nil
	}
	if w.next.add(rec, number); w.next.bytes < batchBytes {
		return nil
	}
	return w.send(ctx)
}

// send sends the batch at hand to the workers.
func (w *partWriter) send(ctx context.Context) error {
	w.sending()
	w.at.open.Add(1)
	select {
	case w.batches <- w.next:
		w.next = batch{to: w.at}
		return nil
	case <-ctx.Done():
		w.at.open.Done()
		return ctx.Err()
	}
}

// turn has the piece at hand written when its batches are there, and added to the part.
// There are two in memory at most: it waits for the one before.
func (w *partWriter) turn(ctx context.Context, deleted []string) error {
	if err := w.send(ctx); err != nil {
		return err
	}
	if err := w.wait(); err != nil {
		return err
	}
	g, files := w.at, filesOf(w.part.base, w.part.count)
	written := make(chan error, 1)
	go func() {
		g.open.Wait()
		err := ctx.Err() // the workers may have thrown batches away
		if err == nil {
			err = g.finish(files, deleted)
		}
		if err == nil {
			w.part.input.add(&g.input)
			w.part.count++
		}
		written <- err
	}()
	w.written = written
	return nil
}

// wait waits for the piece that is being written.
func (w *partWriter) wait() error {
	if w.written == nil {
		return nil
	}
	defer func() { w.written = nil }()
	return <-w.written
}

// add counts what was read of a piece of the file.
func (in *Input) add(piece *Input) {
	in.Records += piece.Records
	in.Excluded += piece.Excluded
	in.Deletions += piece.Deletions
	in.Sentences += piece.Sentences
	in.Tagged += piece.Tagged
	in.Mentions += piece.Mentions
	in.Broken += piece.Broken
	in.Problems = append(in.Problems, piece.Problems[:min(len(piece.Problems), maxProblems-len(in.Problems))]...)
}
