package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// problemType is the content type of a [Problem].
const problemType = "application/problem+json"

// maxFaults is the largest number of faults that a problem lists.
const maxFaults = 20

// Problem is the body of every error response: problem details of RFC 9457.
type Problem struct {
	Title  string  `json:"title" doc:"The name of the status code"`
	Status int     `json:"status" doc:"The status code"`
	Detail string  `json:"detail" doc:"What is wrong with this request"`
	Faults []Fault `json:"errors,omitempty" doc:"What is wrong, by its place; the first 20 faults"`
}

// Fault is one fault in a request, and where it is.
type Fault struct {
	Detail    string `json:"detail" doc:"What is wrong"`
	Pointer   string `json:"pointer,omitempty" doc:"The place in the body, a JSON pointer (RFC 6901)" example:"/documents/0/mentions/2"`
	Parameter string `json:"parameter,omitempty" doc:"The parameter of the path or the query"`
	Line      int    `json:"line,omitempty" doc:"The line of the body, from 1, if it is NDJSON"`
	Offset    *int   `json:"offset,omitempty" doc:"The offset in the body, in bytes after decompression, if it cannot be parsed"`
}

// problem returns a problem with a status code and a formatted detail.
func problem(status int, format string, args ...any) *Problem {
	return &Problem{Title: http.StatusText(status), Status: status, Detail: fmt.Sprintf(format, args...)}
}

// unprocessable returns a problem with status 422 for a request with faults. It needs at least one.
func unprocessable(faults ...Fault) *Problem {
	return withFaults(http.StatusUnprocessableEntity, faults...)
}

// withFaults is like unprocessable, with another status code.
func withFaults(status int, faults ...Fault) *Problem {
	p := problem(status, "%s", faults[0].Detail)
	if len(faults) > 1 {
		p.Detail = fmt.Sprintf("%d faults: %s, …", len(faults), faults[0].Detail)
	}
	p.Faults = faults[:min(len(faults), maxFaults)]
	return p
}

// Error implements error.
func (p *Problem) Error() string { return p.Detail }

// GetStatus implements [huma.StatusError].
func (p *Problem) GetStatus() int { return p.Status }

// ContentType implements [huma.ContentTypeFilter].
func (p *Problem) ContentType(string) string { return problemType }

// GetHeaders implements [huma.HeadersError].
func (p *Problem) GetHeaders() http.Header {
	h := make(http.Header)
	if p.Status == http.StatusServiceUnavailable {
		h.Set("Retry-After", "1") // second
	}
	return h
}

// write sends the problem as the response.
func (p *Problem) write(w http.ResponseWriter) {
	maps.Copy(w.Header(), p.GetHeaders())
	w.Header().Set("Content-Type", problemType)
	w.WriteHeader(p.Status)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(p) // the client is gone
}

// toProblem converts an error found by huma to a [Problem]. It never echoes values from the request.
func toProblem(_ huma.Context, _ string, v any) (any, error) {
	found, ok := v.(*huma.ErrorModel)
	if !ok {
		return v, nil
	}
	if len(found.Errors) == 0 {
		return problem(found.Status, "%s", found.Detail), nil
	}
	faults := make([]Fault, len(found.Errors))
	for i, e := range found.Errors { // at places such as "body.documents[0].text" and "query.top"
		where, rest, _ := strings.Cut(e.Location, ".")
		faults[i] = Fault{Detail: e.Message, Parameter: rest}
		if where != "body" {
			continue
		}
		faults[i].Parameter = ""
		for _, key := range strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(".[]", r) }) {
			faults[i].Pointer += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
		}
	}
	return withFaults(found.Status, faults...), nil
}

// problemOf returns the problem for a request that failed with err, which may itself be a problem. Of an internal
// error, the client learns only that there was one.
func (s *Server) problemOf(ctx context.Context, err error) *Problem {
	if p, ok := errors.AsType[*Problem](err); ok {
		return p
	}
	switch ctx.Err() {
	case context.DeadlineExceeded:
		return problem(http.StatusServiceUnavailable, "the request took longer than %v; send fewer mentions at once", s.cfg.Limits.Time)
	case context.Canceled:
		return problem(http.StatusServiceUnavailable, "the request was canceled")
	}
	s.cfg.Errorf("%v", err)
	return problem(http.StatusInternalServerError, "the server failed; its log says why")
}
