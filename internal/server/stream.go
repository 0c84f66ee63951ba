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

// A stream is a request of NDJSON: a document a line in, and a document a line out, in the same
// order, as "ctxnorm link" reads and writes them. The answer begins before the request ends:
//
//	body ── readStream, a goroutine ──▶ items ──▶ link those that are there ──▶ lines, flushed
//
// A line that is no document is answered by {"error": problem}. What ends a stream early is such a
// line, too, since the status code was sent before.

// streamBatch is the largest number of documents of a stream, or of those that the server keeps, that are linked together.
const streamBatch = 64

// streamRequests is how many times the bytes and the time of another request a stream may take.
const streamRequests = 64

// streamItem is a line of a stream: a document, or the reason why it is none.
type streamItem struct {
	record  *formats.Record
	problem *Problem
	size    int64 // bytes of the document
	last    bool  // nothing after it can be read
}

// serveStream answers a stream, unless as many as there may be are open. A stream takes a slot for each batch, so that
// one whose client is slow does not keep other requests out.
func (s *Server) serveStream(next http.Handler, w http.ResponseWriter, r *http.Request) {
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		s.reject(problem(http.StatusServiceUnavailable, "%d streams are open, which is the limit", cap(s.streams)), w)
		return
	}
	s.within(streamRequests*s.cfg.Limits.Time, next).ServeHTTP(w, r)
}

// streamDocuments answers /v1/link and, with tag, /v1/annotate with a stream.
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
	_ = control.EnableFullDuplex() // HTTP/1 would wait for the whole body, others never do
	unpacked, p := unpacked(w, r, streamRequests*s.cfg.Limits.Body)
	if p != nil {
		p.write(w)
		return
	}
	body := bufio.NewReader(unpacked)
	if compression := input.Compression(body); compression != "" { // what a file unpacks to would not be counted
		problem(http.StatusUnsupportedMediaType, "the body is %s, want it as it is, or gzip with the header "+
			"Content-Encoding: gzip", compression).write(w)
		return
	}
	reading, stop := context.WithCancel(context.Background()) // until nobody receives items
	items := make(chan streamItem, streamBatch)
	waiting := semaphore.NewWeighted(s.cfg.Limits.Body) // bytes of the documents that are read and not linked
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
	w.Header().Set("Connection", "close") // what is left of the body of a stream that ends early is no request
	for first := range items {
		batch := []streamItem{first}
		for len(batch) < streamBatch && len(items) > 0 {
			batch = append(batch, <-items)
		}
		_ = control.SetWriteDeadline(time.Now().Add(2 * s.cfg.Limits.Time))
		var goesOn bool
		s.inSlot(r.Context(), func(ctx context.Context) { goesOn = s.linkStream(ctx, w, batch, params, tag) })
		for _, item := range batch {
			waiting.Release(item.size)
		}
		if !goesOn || control.Flush() != nil {
			return
		}
	}
	read = true
}

// readStream sends the lines of a stream to items, which it closes at the end. A line has to arrive
// within [Limits.Time]. NB: it does not end with the context of the request, which net/http ends when a line is
// late, before the handler can say so.
func (s *Server) readStream(
	ctx context.Context, control *http.ResponseController, body io.Reader, items chan<- streamItem,
	waiting *semaphore.Weighted,
) {
	defer close(items)
	reader := s.newReader(body)
	for {
		_ = control.SetReadDeadline(time.Now().Add(s.cfg.Limits.Time))
		if ctx.Err() != nil { // NB: after the deadline is set, so that the handler's is the last
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
			continue // its document follows, and says so
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

// inSlot does a part of a stream, which has the time of a request, when a slot is free. If none is in that time, the part
// gets a context that is done, and says so.
func (s *Server) inSlot(ctx context.Context, do func(context.Context)) {
	waiting, cancel := context.WithTimeout(ctx, s.cfg.Limits.Time)
	defer cancel()
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
		waiting, cancel = context.WithTimeout(ctx, s.cfg.Limits.Time)
		defer cancel()
	case <-waiting.Done():
	}
	do(waiting)
}

// linkStream answers lines of a stream, and reports whether it goes on.
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
		for _, item := range batch { // they may be too large together only
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
