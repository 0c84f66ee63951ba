package server

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

// budget is the memory that the requests that are under way may take together, in bytes. It is an estimate, made
// before the memory is taken.
type budget struct {
	limit int64
	taken atomic.Int64
}

// What a request takes in memory, in bytes, measured with large requests.
const (
	// for a byte of its body: as it was sent, unpacked, as a tree of JSON, as documents, in the answer
	byteCost      = 8
	valueCost     = 512     // for a value of JSON, in the tree
	mentionCost   = 2 << 10 // for a mention that is linked
	candidateCost = 512     // for a candidate of a mention, in the answer
	evidenceCost  = 2 << 10 // for the evidence of a candidate
)

// reservation is the part of a budget that one request has. It is safe for concurrent use; nil has no limit.
type reservation struct {
	budget   *budget
	patience time.Duration // how long wait waits
	held     atomic.Int64
}

// take takes n bytes more. Its problem is 413 if the request can never have them, and else 503.
func (r *reservation) take(n int64) *Problem {
	if r == nil {
		return nil
	}
	limit := r.budget.limit
	if r.held.Load()+n > limit {
		return problem(http.StatusRequestEntityTooLarge,
			"the request takes more than %d bytes of memory; send less at once", limit)
	}
	for {
		taken := r.budget.taken.Load()
		if taken+n > limit {
			return retryLater(
				"the requests that are being answered take %d bytes of memory, and the limit is %d", taken, limit)
		}
		if r.budget.taken.CompareAndSwap(taken, taken+n) {
			r.held.Add(n)
			return nil
		}
	}
}

// memoryPoll is how often a stream that waits for memory asks for it.
const memoryPoll = 20 * time.Millisecond

// wait is take that waits for other requests, for as long as the reservation has patience or until done is closed.
func (r *reservation) wait(done <-chan struct{}, n int64) *Problem {
	p := r.take(n)
	if p == nil || r.patience == 0 {
		return p
	}
	late := time.After(r.patience)
	for ; p != nil && p.Status == http.StatusServiceUnavailable; p = r.take(n) {
		select {
		case <-time.After(memoryPoll):
		case <-done:
			return p
		case <-late:
			return p
		}
	}
	return p
}

// give gives back n bytes of those taken.
func (r *reservation) give(n int64) {
	r.held.Add(-n)
	r.budget.taken.Add(-n)
}

// release gives back all that was taken.
func (r *reservation) release() { r.give(r.held.Load()) }

type reservationKey struct{}

// withReservation returns a context of a request with its reservation.
func withReservation(ctx context.Context, r *reservation) context.Context {
	return context.WithValue(ctx, reservationKey{}, r)
}

// reservationOf returns the reservation of a request, or nil.
func reservationOf(ctx context.Context) *reservation {
	r, _ := ctx.Value(reservationKey{}).(*reservation)
	return r
}

// readAll is [io.ReadAll] that takes cost bytes for each byte before it makes room for it, and ends with ctx. The
// error may be a [*Problem].
func (r *reservation) readAll(ctx context.Context, reader io.Reader, cost int64) ([]byte, error) {
	const first = 512
	var data []byte
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(data) == cap(data) {
			size := max(first, 2*cap(data))
			if p := r.take(cost * int64(size-cap(data))); p != nil {
				return nil, p
			}
			grown := make([]byte, len(data), size)
			copy(grown, data)
			data = grown
		}
		n, err := reader.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
	}
}
