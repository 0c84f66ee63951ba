package server

import (
	"bytes"
	"context"
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
		return "", problem(http.StatusUnsupportedMediaType, "Content-Type is %s, want %s", input.Quote(header),
			strings.Join(allowed, " or "))
	}
	if charset := parameters["charset"]; charset != "" && !strings.EqualFold(charset, "utf-8") {
		return "", problem(http.StatusUnsupportedMediaType, "charset is %s, want utf-8", input.Quote(charset))
	}
	return kind, nil
}

// contentEncoding returns the encoding of the body of a request: "gzip" or "".
func contentEncoding(w http.ResponseWriter, r *http.Request) (string, *Problem) {
	switch encoding := strings.ToLower(r.Header.Get("Content-Encoding")); encoding {
	case "", "identity":
		return "", nil
	case "gzip":
		return encoding, nil
	default:
		w.Header().Set("Accept-Encoding", "gzip")
		return "", problem(http.StatusUnsupportedMediaType, "Content-Encoding is %s, want gzip or none",
			input.Quote(encoding))
	}
}

// unpacked returns the body of a request, decompressed, of which at most limit bytes are read:
// then it returns an [*http.MaxBytesError].
func unpacked(w http.ResponseWriter, r *http.Request, limit int64) (io.Reader, *Problem) {
	encoding, p := contentEncoding(w, r)
	if p != nil {
		return nil, p
	}
	body := io.Reader(http.MaxBytesReader(w, r.Body, limit))
	if encoding == "" {
		return body, nil
	}
	unzipped, err := gzip.NewReader(body)
	if err != nil {
		return nil, bodyProblem(err)
	}
	return http.MaxBytesReader(w, unzipped, limit), nil
}

// bodyProblem returns the problem of a body that could not be read.
func bodyProblem(err error) *Problem {
	var tooLarge *http.MaxBytesError
	var timeout net.Error
	if p, ok := errors.AsType[*Problem](err); ok {
		return p
	}
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

// withBody answers a request when its body is there: then the request takes a slot, and its time begins. prepare
// returns what next gets as the body, given the body decompressed.
func (s *Server) withBody(
	w http.ResponseWriter, r *http.Request, contentType string,
	prepare func(context.Context, []byte) ([]byte, *Problem), next http.Handler,
) {
	reserved := &reservation{budget: &s.budget}
	defer reserved.release()
	encoding, p := contentEncoding(w, r)
	if limit := s.cfg.Limits.Body; p == nil && r.ContentLength > limit { // a client need not send it
		p = bodyProblem(&http.MaxBytesError{Limit: limit})
	}
	var sent []byte
	if p == nil {
		var err error
		// Not with the context of the request, which net/http ends when the body is late, before the handler can
		// say so.
		sent, err = reserved.readAll(context.Background(), http.MaxBytesReader(w, r.Body, s.cfg.Limits.Body), 1)
		if err != nil {
			p = bodyProblem(err)
		}
	}
	if p != nil {
		s.reject(p, w)
		return
	}
	bodyRead(w)
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := withReservation(r.Context(), reserved)
		data, p := s.unpack(ctx, sent, encoding == "gzip")
		if p == nil {
			data, p = prepare(ctx, data)
		}
		if p != nil {
			s.reject(p, w)
			return
		}
		r = r.WithContext(ctx)
		r.Body = io.NopCloser(bytes.NewReader(data))
		r.ContentLength = int64(len(data))
		r.Header.Del("Content-Encoding")
		r.Header.Set("Content-Type", contentType) // without parameters, and in small letters
		next.ServeHTTP(w, r)
	})
	s.limited(s.within(s.cfg.Limits.Time, answer)).ServeHTTP(w, r)
}

// unpack returns the body of a request, which was sent as gzip or as it is, and takes the memory to answer it.
func (s *Server) unpack(ctx context.Context, sent []byte, zipped bool) ([]byte, *Problem) {
	if !zipped {
		return sent, reservationOf(ctx).take((byteCost - 1) * int64(len(sent)))
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(sent))
	if err != nil {
		return nil, bodyProblem(err)
	}
	data, err := reservationOf(ctx).readAll(ctx, http.MaxBytesReader(nil, unzipped, s.cfg.Limits.Body), byteCost)
	if ctx.Err() != nil {
		return nil, s.failed(ctx, ctx.Err())
	}
	if err != nil {
		return nil, bodyProblem(err)
	}
	return data, nil
}

// maxValues is the largest number of values of a body of JSON: half a gigabyte as a tree.
const maxValues = 1_000_000

// prepareJSON returns a problem unless a body is valid JSON of few values and, if documents is more than 0, of at most
// so many documents. It takes the memory for the values.
func (s *Server) prepareJSON(ctx context.Context, data []byte, documents int) *Problem {
	if p := checkJSON(data); p != nil {
		return p
	}
	elements, values := 0, 0
	depth := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			for i++; data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
			continue
		case '[', '{':
			depth++
			if empty := data[i+1] == data[i]+2; !empty { // ']' and '}' are two after '[' and '{'
				values++
				if depth == 2 {
					elements++
				}
			}
		case ']', '}':
			depth--
		case ',':
			values++
			if depth == 2 {
				elements++
			}
		}
		switch {
		case documents > 0 && elements > documents:
			return problem(http.StatusRequestEntityTooLarge, "the body has more than %d documents", documents)
		case values > maxValues:
			return problem(http.StatusRequestEntityTooLarge, "the body has more than %d values of JSON", maxValues)
		case i%(1<<16) == 0 && ctx.Err() != nil:
			return s.failed(ctx, ctx.Err())
		}
	}
	return reservationOf(ctx).take(valueCost * int64(values))
}

// checkJSON returns a problem with the offset of the first byte that is not UTF-8 or not JSON.
func checkJSON(data []byte) *Problem {
	text := string(data)
	if at := input.InvalidUTF8(text); at >= 0 {
		return withFaults(http.StatusBadRequest,
			Fault{Detail: fmt.Sprintf("want UTF-8, got byte 0x%02x at offset %d", text[at], at), Offset: &at})
	}
	var raw json.RawMessage
	err := json.Unmarshal(data, &raw)
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		at := int(max(0, syntax.Offset-1))
		return withFaults(http.StatusBadRequest,
			Fault{Detail: fmt.Sprintf("want JSON: %v at offset %d", syntax, at), Offset: &at})
	}
	if err != nil {
		return problem(http.StatusBadRequest, "want JSON: %v", err)
	}
	return nil
}
