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
	last    bool // nothing after it can be read
}

// streamDocuments answers /v1/link and, with tag, /v1/annotate with a stream.
func (s *Server) streamDocuments(tag bool) func(context.Context, *streamInput) (*huma.StreamResponse, error) {
	return func(ctx context.Context, in *streamInput) (*huma.StreamResponse, error) {
		if p := s.checkParams(&in.LinkParams); p != nil {
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
	if head, _ := body.Peek(2); string(head) == "\x1f\x8b" { // a file of documents may be gzip, and is not counted
		problem(http.StatusUnsupportedMediaType, "the body is gzip, want the header Content-Encoding: gzip").write(w)
		return
	}
	done := make(chan struct{}) // closed when nobody receives items
	items := make(chan streamItem, streamBatch)
	go s.readStream(done, control, body, items)
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
		if goesOn := s.linkStream(r.Context(), w, batch, params, tag); !goesOn || control.Flush() != nil {
			return
		}
	}
	read = true
}

// readStream sends the lines of a stream to items, which it closes at the end. A line has to arrive
// within [Limits.Time]. NB: it does not end with the context of the request, which net/http ends when a line is
// late, before the handler can say so.
func (s *Server) readStream(done <-chan struct{}, control *http.ResponseController, body io.Reader, items chan<- streamItem) {
	defer close(items)
	reader := s.newReader(body)
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
			item.problem = unprocessable(http.StatusUnprocessableEntity, []Fault{{Detail: bad.Reason, Line: bad.Line}})
		case err != nil:
			item.problem, item.last = bodyProblem(err), true
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

// linkStream answers lines of a stream, and reports whether it goes on.
func (s *Server) linkStream(ctx context.Context, w io.Writer, batch []streamItem, params *LinkParams, tag bool) bool {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Limits.Time)
	defer cancel()
	var records []*formats.Record
	for _, item := range batch {
		if item.record != nil {
			records = append(records, item.record)
		}
	}
	docs, err := s.linkRecords(ctx, records, params, tag)
	if problem, ok := err.(*Problem); ok && problem.Status == http.StatusRequestEntityTooLarge && len(batch) > 1 {
		for _, item := range batch { // they may be too large together only
			if !s.linkStream(ctx, w, []streamItem{item}, params, tag) {
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
