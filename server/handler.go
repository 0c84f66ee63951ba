package server

import (
	"context"
	"log"
	"maps"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// newHandler returns the handler of all endpoints.
func (s *Server) newHandler() (http.Handler, error) {
	mux := http.NewServeMux()
	api := s.newAPI(routes{s, mux})
	docs, err := newDocs(api.OpenAPI())
	if err != nil {
		return nil, err
	}
	docs.register(mux)
	mux.Handle("GET /metrics", s.metrics.handler())
	for path, methods := range allowedMethods(api.OpenAPI()) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Allow", methods)
			problem(http.StatusMethodNotAllowed, "the method is %s, want %s", input.Quote(r.Method), methods).write(w)
		})
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		problem(http.StatusNotFound, "there is no %s; /docs lists what there is", input.Quote(r.URL.Path)).write(w)
	})
	return s.recovered(withHeaders(mux)), nil
}

// routes registers the operations of the API.
type routes struct {
	server *Server
	*http.ServeMux
}

// HandleFunc implements the Mux of humago: it registers the handler of an operation, "POST /v1/link",
// behind what all operations have in common.
func (m routes) HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	method, path, _ := strings.Cut(pattern, " ")
	next := http.Handler(http.HandlerFunc(handler))
	if method == http.MethodPost {
		next = m.server.parsed(next)
	}
	m.Handle(pattern, m.server.metrics.count(path, m.server.timed(next)))
}

// parsed reads the body of a request as JSON.
func (s *Server) parsed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, p := contentTypeOf(r, jsonType)
		if p == nil {
			p = s.readJSON(w, r)
		}
		if p != nil {
			p.write(w)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// timed ends a request after [Limits.Time], and its connection if the client takes twice that
// to send it or to receive the answer.
func (s *Server) timed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), s.cfg.Limits.Time)
		defer cancel()
		s.setDeadlines(w)
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// setDeadlines sets the time by which a client must have sent more and received more.
func (s *Server) setDeadlines(w http.ResponseWriter) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(s.cfg.Limits.Time)) // not of a recorder in a test
	_ = control.SetWriteDeadline(time.Now().Add(2 * s.cfg.Limits.Time))
}

// recovered answers a request whose handler panics, and logs where.
func (s *Server) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		recorder := &statusRecorder{ResponseWriter: w}
		defer func() {
			cause := recover()
			if cause == nil {
				return
			}
			if cause == http.ErrAbortHandler {
				panic(cause)
			}
			s.metrics.panics.Inc()
			s.cfg.Logf("error: %s: panic: %v\n%s", r.Pattern, cause, debug.Stack())
			if recorder.written {
				panic(http.ErrAbortHandler) // closes the connection, so that the client sees that the answer is cut off
			}
			problem(http.StatusInternalServerError, "the server failed; its log says why").write(w)
		}()
		next.ServeHTTP(recorder, r)
	})
}

// withHeaders sets the headers of all answers: nothing of them is run, framed, cached or taken
// for another type.
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

// errorLog returns the logger of [http.Server], which reports failed connections and panics.
func (s *Server) errorLog() *log.Logger { return log.New(logWriter(s.cfg.Logf), "", 0) }

// logWriter logs what is written to it, a message a call.
type logWriter func(format string, args ...any)

// Write implements [io.Writer].
func (w logWriter) Write(p []byte) (int, error) {
	w("%s", strings.TrimSuffix(string(p), "\n"))
	return len(p), nil
}

// sortedKeys returns the keys of m, sorted.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
