package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

const (
	jsonType   = "application/json"
	ndjsonType = "application/x-ndjson"
)

// contentTypeOf returns the content type of a request: one of those allowed. A type has to be
// given, so that a page of another origin cannot send a request without asking first.
func contentTypeOf(r *http.Request, allowed ...string) (string, *Problem) {
	header := r.Header.Get("Content-Type")
	kind, parameters, err := mime.ParseMediaType(header)
	if err != nil || !slices.Contains(allowed, kind) {
		return "", problem(http.StatusUnsupportedMediaType, "Content-Type is %s, want %s", input.Quote(header), strings.Join(allowed, " or "))
	}
	if charset := parameters["charset"]; charset != "" && !strings.EqualFold(charset, "utf-8") {
		return "", problem(http.StatusUnsupportedMediaType, "charset is %s, want utf-8", input.Quote(charset))
	}
	return kind, nil
}

// unpacked returns the body of a request, decompressed, of which at most limit bytes are read:
// then it returns an [*http.MaxBytesError].
func unpacked(w http.ResponseWriter, r *http.Request, limit int64) (io.Reader, *Problem) {
	switch encoding := strings.ToLower(r.Header.Get("Content-Encoding")); encoding {
	case "", "identity":
		return http.MaxBytesReader(w, r.Body, limit), nil
	case "gzip":
		body, err := gzip.NewReader(http.MaxBytesReader(w, r.Body, limit))
		if err != nil {
			return nil, bodyProblem(err)
		}
		return http.MaxBytesReader(w, body, limit), nil
	default:
		w.Header().Set("Accept-Encoding", "gzip")
		return nil, problem(http.StatusUnsupportedMediaType, "Content-Encoding is %s, want gzip or none", input.Quote(encoding))
	}
}

// bodyProblem returns the problem of a body that could not be read.
func bodyProblem(err error) *Problem {
	var tooLarge *http.MaxBytesError
	var timeout net.Error
	switch {
	case errors.As(err, &tooLarge):
		return problem(http.StatusRequestEntityTooLarge, "the body has more than %d bytes", tooLarge.Limit)
	case errors.As(err, &timeout) && timeout.Timeout():
		return problem(http.StatusRequestTimeout, "the body did not arrive in time")
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum):
		return problem(http.StatusBadRequest, "the body is not the gzip that Content-Encoding says: %v", err)
	}
	return problem(http.StatusBadRequest, "the body could not be read: %v", err)
}

// readJSON replaces the body of a request, which is to be JSON, by one that is in memory and known to be
// valid.
func (s *Server) readJSON(w http.ResponseWriter, r *http.Request) *Problem {
	body, p := unpacked(w, r, s.cfg.Limits.Body)
	if p != nil {
		return p
	}
	data, err := io.ReadAll(body)
	if err != nil {
		return bodyProblem(err)
	}
	if p := checkJSON(data); p != nil {
		return p
	}
	r.Body = io.NopCloser(bytes.NewReader(data))
	r.ContentLength = int64(len(data))
	r.Header.Del("Content-Encoding")
	r.Header.Set("Content-Type", jsonType) // without parameters, and in small letters
	return nil
}

// checkJSON returns a problem with the offset of the first byte that is not UTF-8 or not JSON.
func checkJSON(data []byte) *Problem {
	text := string(data)
	if at := input.InvalidUTF8(text); at >= 0 {
		return unprocessable(http.StatusBadRequest, []Fault{{Detail: fmt.Sprintf("want UTF-8, got byte 0x%02x at offset %d", text[at], at), Offset: &at}})
	}
	var raw json.RawMessage
	err := json.Unmarshal(data, &raw)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		at := int(max(0, syntax.Offset-1))
		return unprocessable(http.StatusBadRequest, []Fault{{Detail: fmt.Sprintf("want JSON: %v at offset %d", syntax, at), Offset: &at}})
	}
	if err != nil {
		return problem(http.StatusBadRequest, "want JSON: %v", err)
	}
	return nil
}
