package server

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"golang.org/x/sync/semaphore"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// A stream is a request of NDJSON. It has one document a line in and out, in the same order, as "ctxnorm link" reads
// and writes them. The response begins before the request ends:
//
//	body ── readStream, a goroutine ──▶ items ──▶ link those that are there ──▶ lines, flushed
//
// A line that is not a document is answered by {"error": problem}. An error that ends a stream early is also sent as
// such a line, because the status code has already been sent.

// streamBatch is the largest number of documents that are linked together, in a stream or from the server's store.
const streamBatch = 64

// streamRequests is how many times the bytes and the time of an ordinary request a stream may take.
const streamRequests = 64

// streamItem is a line of a stream: a document, or the problem if it is not one.
type streamItem struct {
	record  *formats.Record
	problem *Problem
	size    int64 // bytes of the document
	last    bool  // nothing after it can be read
}

// streaming answers at most [Limits.Requests] streams at once. A stream takes a slot for each batch rather than for its
// whole duration, so that a slow client does not block other requests.
func (s *Server) streaming(next http.Handler) http.Handler {
	return s.inFreeSlot(s.streams, "%d streams are open, which is the limit", streamRequests*s.cfg.Limits.Time, next)
}

// streamDocuments answers streams to /v1/link and, with tag, to /v1/annotate.
func (s *Server) streamDocuments(tag bool) operation[LinkParams, huma.StreamResponse] {
	return func(_ context.Context, _ *servedModel, in *LinkParams) (*huma.StreamResponse, error) {
		if p := s.checkParams(in, tag); p != nil {
			return nil, p
		}
		return &huma.StreamResponse{Body: func(c huma.Context) {
			r, w := humago.Unwrap(c)
			s.stream(w, r, in, tag)
		}}, nil
	}
}

func (s *Server) stream(w http.ResponseWriter, r *http.Request, params *LinkParams, tag bool) {
	control := http.NewResponseController(w)
	_ = control.EnableFullDuplex() // HTTP/1 would wait for the whole body, other versions never do
	unpacked, p := unpacked(w, r, streamRequests*s.cfg.Limits.Body)
	if p != nil {
		p.write(w)
		return
	}
	body := bufio.NewReader(unpacked)
	if compression := input.Compression(body); compression != "" { // its decompressed size would not be counted
		problem(http.StatusUnsupportedMediaType, "the body is %s, want it as it is, or gzip with the header "+
			"Content-Encoding: gzip", compression).write(w)
		return
	}
	reading, stop := context.WithCancel(context.Background()) // until nobody receives items
	items := make(chan streamItem, streamBatch)
	waiting := semaphore.NewWeighted(s.cfg.Limits.Body) // bytes of the documents that are read but not linked
	go s.readStream(reading, control, body, items, waiting)
	read := false // to the end
	defer func() {
		stop()
		if !read {
			_ = control.SetReadDeadline(time.Now()) // nothing reads the body after its handler
		}
		for range items {
		}
	}()
	w.Header().Set("Content-Type", ndjsonType)
	w.Header().Set("Connection", "close") // the rest of the body, if a stream ends early, is not a request
	for first := range items {
		batch := []streamItem{first}
		for len(batch) < streamBatch && len(items) > 0 {
			batch = append(batch, <-items)
		}
		_ = control.SetWriteDeadline(time.Now().Add(2 * s.cfg.Limits.Time))
		goesOn := inSlot(r.Context(), s, func(ctx context.Context) bool { return s.linkStream(ctx, w, batch, params, tag) })
		for _, item := range batch {
			waiting.Release(item.size)
		}
		if !goesOn || control.Flush() != nil {
			return
		}
	}
	read = true
}

// readStream sends the lines of a stream to items, which it closes at the end. Each line has to arrive within
// [Limits.Time]. NB: it does not end with the context of the request, because net/http cancels that when a line is
// late, before the handler can report it.
func (s *Server) readStream(
	ctx context.Context, control *http.ResponseController, body io.Reader, items chan<- streamItem,
	waiting *semaphore.Weighted,
) {
	defer close(items)
	reader := s.newReader(body)
	for {
		_ = control.SetReadDeadline(time.Now().Add(s.cfg.Limits.Time))
		if ctx.Err() != nil { // NB: after the deadline is set, so that the handler sets the last one
			return
		}
		var item streamItem
		var err error
		var bad *formats.RecordError
		item.record, err = reader.Next()
		switch {
		case err == io.EOF:
			return
		case errors.As(err, &bad) && bad.Mention > 0:
			continue // its document follows with the error
		case bad != nil:
			item.problem = unprocessable(Fault{Detail: bad.Reason, Line: bad.Line})
		case err != nil:
			item.problem, item.last = bodyProblem(err), true
		}
		if item.record != nil {
			item.size = min(int64(len(item.record.Text)), s.cfg.Limits.Body)
		}
		if waiting.Acquire(ctx, item.size) != nil {
			return
		}
		select {
		case items <- item:
		case <-ctx.Done():
			return
		}
		if item.last {
			return
		}
	}
}

// inSlot returns the result of one batch of a stream, which runs as soon as a slot is free. The batch has the time of a
// request. If no slot becomes free in that time, do gets a context that is done, and reports that.
func inSlot[T any](ctx context.Context, s *Server, do func(context.Context) T) T {
	waiting, cancel := context.WithTimeout(ctx, s.cfg.Limits.Time)
	defer cancel()
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
		waiting, cancel = context.WithTimeout(ctx, s.cfg.Limits.Time)
		defer cancel()
	case <-waiting.Done():
	}
	return do(waiting)
}

// linkStream answers lines of a stream and reports whether the stream continues.
func (s *Server) linkStream(ctx context.Context, w io.Writer, batch []streamItem, params *LinkParams, tag bool) bool {
	var records []*formats.Record
	for _, item := range batch {
		if item.record != nil {
			records = append(records, item.record)
		}
	}
	docs, err := s.linkRecords(ctx, records, params, tag)
	var failed *Problem
	if err != nil {
		failed = s.problemOf(ctx, err)
	}
	if failed != nil && failed.Status == http.StatusRequestEntityTooLarge && len(batch) > 1 {
		for _, item := range batch { // they may only be too large together
			if !s.linkStream(ctx, w, []streamItem{item}, params, tag) {
				return false
			}
		}
		return true
	}
	for _, item := range batch {
		var line []byte
		problem := failed
		switch {
		case item.problem != nil:
			problem = item.problem
		case problem == nil:
			if line, err = marshalLinked(item.record, docs[0]); err != nil {
				problem = s.problemOf(ctx, err)
			}
			docs = docs[1:]
		}
		if problem != nil {
			line, _ = json.Marshal(map[string]*Problem{"error": problem})
		}
		if _, failed := w.Write(append(line, '\n')); failed != nil {
			return false
		}
		if item.last || problem != nil && problem.Status >= http.StatusInternalServerError {
			return false
		}
	}
	return true
}
