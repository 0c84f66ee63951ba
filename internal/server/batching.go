package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/ctxnorm/ctxnorm/text"
)

// Batching configures how the queries of concurrent requests are encoded together.
type Batching struct {
	// Size is the number of queries at which a batch stops waiting for more; 1 encodes each call alone.
	Size int
	// Wait is the longest that a call waits for others when the encoder is idle. While the encoder is busy, calls
	// accumulate anyway.
	Wait time.Duration
}

// DefaultBatching is the recommended setting.
var DefaultBatching = Batching{Size: 64, Wait: 2 * time.Millisecond}

// batchingEncoder encodes the queries of concurrent calls together:
//
//	Encode ──┐                     ┌── vectors of the call
//	Encode ──┼─ calls ─▶ run ─▶ encoder ── …
//	Encode ──┘   one batch at a time
//
// The vector of a query does not depend on its batch (see [text.Encoder]), so neither do answers.
type batchingEncoder struct {
	text.Encoder
	batching Batching
	observe  func(queries, calls int) // called for each batch
	calls    chan *encodeCall         // closed by Close
	closed   chan struct{}            // closed when run has returned
}

// encodeCall is a pending call of Encode.
type encodeCall struct {
	ctx     context.Context
	queries []text.Query
	vectors []float32 // of the queries, once done is closed
	err     error
	done    chan struct{}
}

// newBatchingEncoder returns an encoder that must be closed after its last call. Closing it also closes the wrapped
// encoder.
func newBatchingEncoder(encoder text.Encoder, b Batching, observe func(queries, calls int)) *batchingEncoder {
	e := &batchingEncoder{encoder, b, observe, make(chan *encodeCall), make(chan struct{})}
	go e.run()
	return e
}

// Encode implements [text.Encoder]. It returns as soon as ctx is done, even if the batch continues for others.
func (e *batchingEncoder) Encode(ctx context.Context, dst []float32, queries []text.Query) error {
	if len(queries) == 0 {
		return nil
	}
	if len(dst) != len(queries)*e.Dim() {
		return fmt.Errorf("room for %d numbers, want %d for %d queries of %d", len(dst), len(queries)*e.Dim(),
			len(queries), e.Dim())
	}
	call := &encodeCall{ctx: ctx, queries: queries, done: make(chan struct{})}
	select {
	case e.calls <- call:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-call.done:
		copy(dst, call.vectors)
		return call.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close finishes the batches, then closes the encoder.
func (e *batchingEncoder) Close() error {
	close(e.calls)
	<-e.closed
	if closer, ok := e.Encoder.(io.Closer); ok {
		return closer.Close()
	}
	return nil
}

// run encodes batches until Close is called.
func (e *batchingEncoder) run() {
	defer close(e.closed)
	for first := range e.calls {
		e.encode(e.gather(first))
	}
}

// gather collects a batch that begins with the call first.
func (e *batchingEncoder) gather(first *encodeCall) []*encodeCall {
	calls, queries := []*encodeCall{first}, len(first.queries)
	waited := time.NewTimer(e.batching.Wait)
	defer waited.Stop()
	for queries < e.batching.Size {
		select {
		case call, isOpen := <-e.calls:
			if !isOpen {
				return calls
			}
			calls, queries = append(calls, call), queries+len(call.queries)
		case <-waited.C:
			return calls
		}
	}
	return calls
}

// encode encodes the calls of a batch that are not canceled. It stops once all of them are.
func (e *batchingEncoder) encode(calls []*encodeCall) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var waiting []*encodeCall
	var queries []text.Query
	for _, call := range calls {
		if call.ctx.Err() == nil {
			waiting, queries = append(waiting, call), append(queries, call.queries...)
		}
	}
	if len(waiting) == 0 {
		return
	}
	left := new(atomic.Int64) // calls that are not canceled
	left.Store(int64(len(waiting)))
	for _, call := range waiting {
		stop := context.AfterFunc(call.ctx, func() {
			if left.Add(-1) == 0 {
				cancel()
			}
		})
		defer stop()
	}
	e.observe(len(queries), len(waiting))
	dim := e.Dim()
	vectors := make([]float32, len(queries)*dim)
	err := noPanic(func() error { return e.Encoder.Encode(ctx, vectors, queries) })
	for _, call := range waiting {
		n := len(call.queries) * dim
		call.vectors, call.err, vectors = vectors[:n], err, vectors[n:]
		close(call.done)
	}
}

// noPanic calls do and returns a panic as an error. Outside the handler of a request, a panic would end the program.
func noPanic(do func() error) (err error) {
	debug.SetPanicOnFault(true)
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %s\n%s", panicText(cause), debug.Stack())
		}
	}()
	return do()
}

// panicText formats the cause of a panic for the log.
func panicText(cause any) string {
	err, _ := cause.(error)
	if fault := (interface{ Addr() uintptr })(nil); errors.As(err, &fault) {
		return fmt.Sprintf("a file of the model was cut while it was in use; replace the folder by renaming: %v", cause)
	}
	return fmt.Sprint(cause)
}
