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

type streamInput struct{ LinkParams }

// streamBatch is the largest number of documents of a stream that are linked together.
const streamBatch = 64

// streamItem is a line of a stream: a document, or the reason why it is none.
type streamItem struct {
	record  *formats.Record
	problem *Problem
	cost    int64 // bytes of memory that it takes
	last    bool  // nothing after it can be read
}

// serveStream answers a stream, unless as many as there may be are open. A stream takes a slot for each batch, so that
// one whose client is slow does not keep other requests out.
func (s *Server) serveStream(next http.Handler, w http.ResponseWriter, r *http.Request) {
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		s.reject(retryLater("%d streams are open, which is the limit", cap(s.streams)), w)
		return
	}
	reserved := &reservation{budget: &s.budget, patience: s.cfg.Limits.Time}
	defer reserved.release()
	r = r.WithContext(withReservation(r.Context(), reserved))
	s.within(s.cfg.Limits.StreamTime, next).ServeHTTP(w, r)
}

// streamDocuments answers /v1/link and, with tag, /v1/annotate with a stream.
func (s *Server) streamDocuments(tag bool) func(context.Context, *streamInput) (*huma.StreamResponse, error) {
	return func(ctx context.Context, in *streamInput) (*huma.StreamResponse, error) {
		if p := s.checkParams(&in.LinkParams, tag); p != nil {
			return nil, p
		}
		return &huma.StreamResponse{Body: func(c huma.Context) {
			r, w := humago.Unwrap(c)
			s.stream(w, r, &in.LinkParams, tag)
		}}, nil
	}
}

func (s *Server) stream(w http.ResponseWriter, r *http.Request, params *LinkParams, tag bool) {
	control := http.NewResponseController(w)
	_ = control.EnableFullDuplex() // HTTP/1 would wait for the whole body, others never do
	unpacked, p := unpacked(w, r, s.cfg.Limits.Stream)
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
	done := make(chan struct{}) // closed when nobody receives items
	items := make(chan streamItem, streamBatch)
	go s.readStream(done, control, body, items, reservationOf(r.Context()))
	read := false // to the end
	defer func() {
		close(done)
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
		goesOn := s.linkStream(r.Context(), w, batch, params, tag)
		for _, item := range batch {
			reservationOf(r.Context()).give(item.cost)
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
	done <-chan struct{}, control *http.ResponseController, body io.Reader, items chan<- streamItem,
	reserved *reservation,
) {
	defer close(items)
	take := func(bytes int64) *Problem { return reserved.wait(done, bytes) }
	counted := &costReader{reader: body, take: take}
	reader := s.newReader(counted)
	for {
		_ = control.SetReadDeadline(time.Now().Add(s.cfg.Limits.Time))
		select {
		case <-done: // NB: after the deadline is set, so that the handler's is the last
			return
		default:
		}
		var item streamItem
		var err error
		var bad *formats.RecordError
		item.record, err = reader.NextRecord()
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
		reserved.give(counted.reset())
		if item.record != nil {
			item.cost = byteCost*int64(len(item.record.Text)) + valueCost*int64(len(item.record.Mentions)+1)
			if p := take(item.cost); p != nil {
				item = streamItem{problem: p, last: true}
			}
		}
		select {
		case items <- item:
		case <-done:
			return
		}
		if item.last {
			return
		}
	}
}

// costReader takes memory for what is read.
type costReader struct {
	reader io.Reader
	take   func(bytes int64) *Problem
	taken  int64
}

// Read implements [io.Reader].
func (r *costReader) Read(p []byte) (int, error) {
	n, err := r.reader.Read(p)
	if problem := r.take(int64(n)); problem != nil {
		return 0, problem
	}
	r.taken += int64(n)
	return n, err
}

// reset returns how much was taken since the last call.
func (r *costReader) reset() int64 {
	taken := r.taken
	r.taken = 0
	return taken
}

// linkStream answers lines of a stream, and reports whether it goes on.
func (s *Server) linkStream(ctx context.Context, w io.Writer, batch []streamItem, params *LinkParams, tag bool) bool {
	waiting, cancel := context.WithTimeout(ctx, s.cfg.Limits.Time)
	defer cancel()
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
		return s.linkBatch(ctx, w, batch, params, tag)
	case <-waiting.Done():
		return s.linkBatch(waiting, w, batch, params, tag) // which says so
	}
}

// linkBatch is linkStream with a slot.
func (s *Server) linkBatch(ctx context.Context, w io.Writer, batch []streamItem, params *LinkParams, tag bool) bool {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Limits.Time)
	defer cancel()
	reserved := &reservation{budget: &s.budget, patience: s.cfg.Limits.Time} // for the mentions
	defer reserved.release()
	ctx = withReservation(ctx, reserved)
	var records []*formats.Record
	for _, item := range batch {
		if item.record != nil {
			records = append(records, item.record)
		}
	}
	docs, err := s.linkRecords(ctx, records, params, tag)
	if problem, ok := err.(*Problem); ok && problem.Status == http.StatusRequestEntityTooLarge && len(batch) > 1 {
		for _, item := range batch { // they may be too large together only
			if !s.linkBatch(ctx, w, []streamItem{item}, params, tag) {
				return false
			}
		}
		return true
	}
	for _, item := range batch {
		var line []byte
		problem, _ := err.(*Problem)
		switch {
		case item.problem != nil:
			problem = item.problem
		case problem == nil:
			if line, err = marshalLinked(item.record, docs[0]); err != nil {
				problem = s.failed(ctx, err)
			}
			docs = docs[1:]
		}
		if problem != nil {
			line, _ = json.Marshal(struct {
				Error *Problem `json:"error"`
			}{problem})
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
