package server

import (
	"context"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// newHandler returns the handler for all endpoints.
func (s *Server) newHandler() (http.Handler, error) {
	mux := http.NewServeMux()
	streams := http.NewServeMux()
	api := s.newAPI(routes{s, mux, streams}, streams)
	if err := addPages(mux, api.OpenAPI()); err != nil {
		return nil, err
	}
	mux.Handle("GET /metrics", s.cfg.Access.authorized(s.metrics.handler()))
	s.addReconciliation(mux)
	restricted, err := s.cfg.Access.restricted(refusing(mux))
	if err != nil {
		return nil, err
	}
	return s.recovered(s.timed(withHeaders(restricted))), nil
}

// refusing answers with a problem if no route of the mux matches the path or the method.
func refusing(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		refuse, pattern := mux.Handler(r)
		if pattern != "" {
			mux.ServeHTTP(w, r)
			return
		}
		refused := make(header)
		refuse.ServeHTTP(refused, r)
		if allow := http.Header(refused).Get("Allow"); allow != "" {
			w.Header().Set("Allow", allow)
			problem(http.StatusMethodNotAllowed, "the method is %s, want %s", input.Quote(r.Method), allow).write(w)
			return
		}
		problem(http.StatusNotFound, "there is no %s; /docs lists what there is", input.Quote(r.URL.Path)).write(w)
	})
}

// header is an [http.ResponseWriter] that discards everything but the header.
type header http.Header

func (h header) Header() http.Header       { return http.Header(h) }
func (header) Write(p []byte) (int, error) { return len(p), nil }
func (header) WriteHeader(int)             {}

// routes registers the operations of the API.
type routes struct {
	server *Server
	*http.ServeMux
	streams *http.ServeMux // operations whose bodies are NDJSON
}

// HandleFunc implements the Mux of humago: it registers the handler of an operation, such as "POST /v1/link", wrapped
// in the middleware that all operations share.
func (m routes) HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	method, path, _ := strings.Cut(pattern, " ")
	next := http.Handler(http.HandlerFunc(handler))
	switch _, streams := streamPaths[path]; {
	case path == documentsPath:
		next = m.server.reading(fileType, m.server.prepareFile, next, nil)
	case streams:
		next = m.server.reading(jsonType, m.server.prepareJSON, next, m.server.streaming(m.streams))
	case path == reconcilePath && method == http.MethodPost:
		next = m.server.reading(formType, nil, next, nil)
	case method == http.MethodPost, method == http.MethodPut:
		next = m.server.reading(jsonType, m.server.prepareJSON, next, nil)
	case path == curationExportPath:
		next = m.server.streaming(next)
	case strings.HasPrefix(path, apiPrefix):
		next = m.server.limited(next)
	}
	if strings.HasPrefix(path, apiPrefix) {
		next = m.server.cfg.Access.authorized(next)
	}
	m.Handle(pattern, m.server.metrics.count(path, next))
}

// apiPrefix is the prefix of the paths that need the server's token and take one of its slots.
const apiPrefix = "/v1/"

// limited answers at most [Limits.Requests] requests at once, each within [Limits.Time].
func (s *Server) limited(next http.Handler) http.Handler {
	return s.inFreeSlot(s.slots, "%d requests are being answered, which is the limit", s.cfg.Limits.Time, next)
}

// inFreeSlot answers as many requests at once as slots holds, each within d, and rejects any others, with their number.
func (s *Server) inFreeSlot(slots chan struct{}, full string, d time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case slots <- struct{}{}:
			defer func() { <-slots }()
		default:
			s.reject(problem(http.StatusServiceUnavailable, full, cap(slots)), w)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), d)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// reject answers with a problem, and counts the temporary ones.
func (s *Server) reject(p *Problem, w http.ResponseWriter) {
	if p.Status == http.StatusServiceUnavailable {
		s.metrics.rejected.Inc()
	}
	p.write(w)
}

// timed closes the connection of a client that does not send its body or does not receive its response. Streams extend
// the deadlines for each chunk. NB: timed wraps all other handlers, because net/http waits for the body of a request
// even if its handler does not read it, and keeps the deadlines for the next request on the connection.
func (s *Server) timed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// a test without a connection has no deadlines
		control := http.NewResponseController(w)
		_ = control.SetWriteDeadline(time.Now().Add(3 * s.cfg.Limits.Time)) // reading, linking, writing
		if r.Body != http.NoBody {
			_ = control.SetReadDeadline(time.Now().Add(s.cfg.Limits.Time))
		}
		next.ServeHTTP(w, r)
	})
}

// recovered answers a request whose handler panics: with the [*Problem] that is the panic's value, or else with status
// 500, logging the stack. Reading a mapped file that was truncated also panics. Once the response has begun, recovered
// closes the connection instead, so that the client notices that it is cut off.
func (s *Server) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		debug.SetPanicOnFault(true)
		recorder := &statusRecorder{ResponseWriter: w}
		defer func() {
			cause := recover()
			if cause == nil {
				return
			}
			if cause == http.ErrAbortHandler || recorder.failed { // huma panics if the client does not take the answer
				panic(http.ErrAbortHandler)
			}
			answer, ok := cause.(*Problem)
			if !ok {
				s.metrics.panics.Inc()
				s.cfg.Errorf("%s: panic: %s\n%s", r.Pattern, panicText(cause), debug.Stack())
				answer = problem(http.StatusInternalServerError, "the server failed; its log says why")
			}
			if recorder.written {
				panic(http.ErrAbortHandler)
			}
			w.Header().Del("Content-Disposition")
			answer.write(w)
		}()
		next.ServeHTTP(recorder, r)
	})
}

// statusRecorder records whether a response was begun.
type statusRecorder struct {
	http.ResponseWriter
	written bool
	failed  bool // the client did not receive what was written
}

// WriteHeader implements [http.ResponseWriter]. It forwards only the first status, because an error may follow when a
// client is gone.
func (r *statusRecorder) WriteHeader(status int) {
	if !r.written {
		r.written = true
		r.ResponseWriter.WriteHeader(status)
	}
}

// Write implements [http.ResponseWriter].
func (r *statusRecorder) Write(p []byte) (int, error) {
	r.written = true
	n, err := r.ResponseWriter.Write(p)
	r.failed = r.failed || err != nil
	return n, err
}

// Unwrap returns the wrapped writer, for [http.ResponseController].
func (r *statusRecorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// withHeaders sets the headers of all responses, so that browsers do not run, frame, cache or sniff them.
func withHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// logWriter logs each write as a message.
type logWriter func(format string, args ...any)

// Write implements [io.Writer].
func (w logWriter) Write(p []byte) (int, error) {
	w("%s", strings.TrimSuffix(string(p), "\n"))
	return len(p), nil
}
