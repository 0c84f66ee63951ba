package server

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/text"
)

// blockingEncoder encodes a batch only when it is told to proceed, and reports the batches.
type blockingEncoder struct {
	text.Encoder
	began   chan int // queries of each batch
	proceed chan error
}

func newBlockingEncoder() *blockingEncoder {
	return &blockingEncoder{fixtures.GutEncoder(), make(chan int), make(chan error)}
}

func (e *blockingEncoder) Encode(ctx context.Context, dst []float32, queries []text.Query) error {
	e.began <- len(queries)
	select {
	case err := <-e.proceed:
		if err != nil {
			return err
		}
	case <-ctx.Done():
		return ctx.Err()
	}
	return e.Encoder.Encode(ctx, dst, queries)
}

func ignore(int, int) {}

// gutQueries returns n random queries.
func gutQueries(r *rand.Rand, n int) []text.Query {
	words := fixtures.GutEncoder().Vocabulary
	queries := make([]text.Query, n)
	for i := range queries {
		name := make([]string, 1+r.IntN(4))
		for j := range name {
			name[j] = words[r.IntN(len(words))]
		}
		queries[i] = text.NameExemplar(strings.Join(name, " ")).Query
	}
	return queries
}

// TestBatchesEqualSingleCalls checks the contract of batching: concurrent calls get the same vectors as each would
// alone.
func TestBatchesEqualSingleCalls(t *testing.T) {
	plain := fixtures.GutEncoder()
	for _, b := range []Batching{{1, 0}, {4, 0}, {64, time.Millisecond}, {7, 100 * time.Microsecond}} {
		t.Run(fmt.Sprint(b), func(t *testing.T) {
			batches := 0
			e := newBatchingEncoder(plain, b, func(int, int) { batches++ })
			var clients sync.WaitGroup
			for client := range uint64(16) {
				clients.Go(func() {
					r := rand.New(rand.NewPCG(1, client))
					for range 20 {
						queries := gutQueries(r, r.IntN(9))
						got, want := make([]float32, len(queries)*e.Dim()), make([]float32, len(queries)*e.Dim())
						if err := errors.Join(e.Encode(t.Context(), got, queries), plain.Encode(t.Context(), want, queries)); err != nil {
							t.Error(err)
						}
						must.Equal(t, got, want, "client", client)
					}
				})
			}
			clients.Wait()
			must.Succeed(t, e.Close())
			if batches == 0 {
				t.Error("no batches")
			}
		})
	}
}

// TestCallsGather checks that calls accumulate for the next batch while one is encoded.
func TestCallsGather(t *testing.T) {
	inner := newBlockingEncoder()
	calls := make(chan int, 10)
	e := newBatchingEncoder(inner, Batching{Size: 6, Wait: time.Minute}, func(_, n int) { calls <- n })
	var clients sync.WaitGroup
	encode := func(n int) {
		clients.Go(func() {
			if err := e.Encode(t.Context(), make([]float32, n*e.Dim()), gutQueries(rand.New(rand.NewPCG(1, 1)), n)); err != nil {
				t.Error(err)
			}
		})
	}
	encode(6) // full at once
	must.Equal(t, <-inner.began, 6, "a batch of queries")
	for range 3 {
		encode(2) // full when all three are there
	}
	inner.proceed <- nil
	must.Equal(t, <-inner.began, 6, "a batch of queries")
	inner.proceed <- nil
	clients.Wait()
	if first, second := <-calls, <-calls; first != 1 || second != 3 {
		t.Errorf("batches of %d and %d calls, want 1 and 3", first, second)
	}
	must.Succeed(t, e.Close())
}

// TestBatchWaits checks that a call waits for others for the configured time, and not at all when the batch is full.
func TestBatchWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var batches []string
		e := newBatchingEncoder(fixtures.GutEncoder(), Batching{Size: 3, Wait: time.Second}, func(queries, calls int) {
			batches = append(batches, fmt.Sprintf("%v: %d of %d", time.Since(start), queries, calls))
		})
		var clients sync.WaitGroup
		for _, at := range []time.Duration{0, 900, 2000, 2100, 2200, 5000} { // milliseconds
			clients.Go(func() {
				time.Sleep(at * time.Millisecond)
				if err := e.Encode(t.Context(), make([]float32, e.Dim()), gutQueries(rand.New(rand.NewPCG(1, 1)), 1)); err != nil {
					t.Error(err)
				}
			})
		}
		clients.Wait()
		must.Succeed(t, e.Close())
		must.Equal(t, batches, []string{"1s: 2 of 2", "2.2s: 3 of 3", "6s: 1 of 1"}, "batches")
	})
}

// TestCanceledCalls checks that a canceled call returns at once while the others of its batch go on, and that the batch
// stops once all are canceled.
func TestCanceledCalls(t *testing.T) {
	inner := newBlockingEncoder()
	e := newBatchingEncoder(inner, Batching{Size: 2, Wait: time.Minute}, ignore)
	query := gutQueries(rand.New(rand.NewPCG(1, 1)), 1)
	encode := func(ctx context.Context) chan error {
		result := make(chan error, 1)
		go func() { result <- e.Encode(ctx, make([]float32, e.Dim()), query) }()
		return result
	}
	canceled, cancel := context.WithCancel(t.Context())
	first, second := encode(canceled), encode(t.Context())
	<-inner.began
	cancel()
	must.FailWith(t, <-first, context.Canceled)
	inner.proceed <- nil
	must.Succeed(t, <-second, "the call that goes on")

	canceled, cancel = context.WithCancel(t.Context())
	first, second = encode(canceled), encode(canceled)
	<-inner.began
	cancel()
	<-first
	<-second
	must.Succeed(t, e.Close()) // waits for the batch, which nothing unblocks
}

type panickingEncoder struct{ text.Encoder }

func (panickingEncoder) Encode(context.Context, []float32, []text.Query) error { panic("no vectors") }

// TestEncoderFails checks that an error or a panic of the encoder reaches all calls of its batch, and no later one.
func TestEncoderFails(t *testing.T) {
	query := gutQueries(rand.New(rand.NewPCG(1, 1)), 1)
	inner := newBlockingEncoder()
	e := newBatchingEncoder(inner, Batching{Size: 1}, ignore)
	result := make(chan error)
	for _, want := range []error{errors.New("broken"), nil} {
		go func() { result <- e.Encode(t.Context(), make([]float32, e.Dim()), query) }()
		<-inner.began
		inner.proceed <- want
		must.FailWith(t, <-result, want)
	}
	must.Succeed(t, e.Close())
	p := newBatchingEncoder(panickingEncoder{fixtures.GutEncoder()}, Batching{Size: 1}, ignore)
	for range 2 {
		if err := p.Encode(t.Context(), make([]float32, p.Dim()), query); err == nil || !strings.HasPrefix(err.Error(), "panic: no vectors") {
			t.Errorf("error %v, want the panic", err)
		}
	}
	must.Succeed(t, p.Close())
}
