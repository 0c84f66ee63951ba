package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/klauspost/compress/gzip"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

const (
	jsonType   = "application/json"
	ndjsonType = "application/x-ndjson"
)

// contentTypeOf returns the content type of a request, which must be one of those allowed. A request without a content
// type is rejected, so that a page of another origin cannot send one without a preflight request.
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

// unpacked returns the decompressed body of a request. After limit bytes, reading from it returns an
// [*http.MaxBytesError].
func unpacked(w http.ResponseWriter, r *http.Request, limit int64) (io.Reader, *Problem) {
	body := io.Reader(http.MaxBytesReader(w, r.Body, limit))
	switch encoding := strings.ToLower(r.Header.Get("Content-Encoding")); encoding {
	case "", "identity":
		return body, nil
	case "gzip":
		unzipped, err := gzip.NewReader(body)
		if err != nil {
			return nil, bodyProblem(err)
		}
		return http.MaxBytesReader(w, unzipped, limit), nil
	default:
		w.Header().Set("Accept-Encoding", "gzip")
		return nil, problem(http.StatusUnsupportedMediaType, "Content-Encoding is %s, want gzip or none", input.Quote(encoding))
	}
}

// bodyProblem converts the error of reading a body to a problem.
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

// reading returns a handler of requests whose body has the given content type. It reads the body first; only then does
// the request take a slot and its time start to run. prepare, if not nil, receives the decompressed body and returns
// the body that next gets. If streams is not nil, requests of NDJSON go there.
func (s *Server) reading(
	contentType string, prepare func(context.Context, []byte) ([]byte, *Problem), next, streams http.Handler,
) http.Handler {
	types := []string{contentType}
	if streams != nil {
		types = append(types, ndjsonType)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kind, p := contentTypeOf(r, types...)
		if p == nil && kind == ndjsonType {
			streams.ServeHTTP(w, r)
			return
		}
		var data []byte
		if p == nil {
			data, p = s.readBody(w, r)
		}
		if p != nil {
			s.reject(p, w)
			return
		}
		// net/http keeps reading to notice that the client is gone, and would mistake a deadline for that.
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
		answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if prepare != nil {
				if data, p = prepare(r.Context(), data); p != nil {
					s.reject(p, w)
					return
				}
			}
			r.Body = io.NopCloser(bytes.NewReader(data))
			r.ContentLength = int64(len(data))
			r.Header.Del("Content-Encoding")
			r.Header.Set("Content-Type", contentType) // without parameters, and in lower case
			next.ServeHTTP(w, r)
		})
		s.limited(answer).ServeHTTP(w, r)
	})
}

// readBody returns the decompressed body of a request.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request) ([]byte, *Problem) {
	body, p := unpacked(w, r, s.cfg.Limits.Body)
	if p != nil {
		return nil, p
	}
	if limit := s.cfg.Limits.Body; r.ContentLength > limit { // a client need not send the length
		return nil, bodyProblem(&http.MaxBytesError{Limit: limit})
	}
	data, err := io.ReadAll(body)
	if err != nil {
		return nil, bodyProblem(err)
	}
	return data, nil
}

// maxValues is the largest number of values and names in a JSON body: half a gigabyte as a tree.
const maxValues = 1_000_000

// prepareJSON returns the body unchanged if it is one valid JSON value in UTF-8 with at most maxValues values in it.
// Otherwise it returns a problem with the offset of the first wrong byte.
func (s *Server) prepareJSON(ctx context.Context, data []byte) ([]byte, *Problem) {
	tokens := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true))
	values := 0 // at the top
	for n := 0; ; n++ {
		token, err := tokens.ReadToken()
		switch {
		case err == io.EOF && n > 0:
			return data, nil
		case err == nil && (token.Kind() == '}' || token.Kind() == ']'):
			n--
		}
		if err == nil && tokens.StackDepth() == 0 {
			if values++; values > 1 {
				err = errors.New("want one value")
			}
		}
		if err != nil {
			at := int(tokens.InputOffset())
			reason := err
			if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
				at, reason = int(syntax.ByteOffset), syntax.Err
			}
			detail := fmt.Sprintf("want JSON: %v at offset %d", reason, at)
			return nil, withFaults(http.StatusBadRequest, Fault{Detail: detail, Offset: &at})
		}
		if n > maxValues {
			return nil, problem(http.StatusRequestEntityTooLarge, "the body has more than %d values of JSON", maxValues)
		}
		if n%(1<<16) == 0 && ctx.Err() != nil {
			return nil, s.problemOf(ctx, ctx.Err())
		}
	}
}
