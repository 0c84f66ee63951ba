package server

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// serve serves on a local port until the test ends or stop is called, which returns the error of Serve.
func serve(t testing.TB, s *Server) (url string, stop func() error) {
	t.Helper()
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))
	return "http://" + listener.Addr().String(), serveOn(t, s, listener)
}

// serveOn serves on a listener until the test ends or stop is called.
func serveOn(t testing.TB, s *Server, listener net.Listener) (stop func() error) {
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, listener) }()
	stop = sync.OnceValue(func() error { cancel(); return <-served })
	t.Cleanup(func() { _ = stop() })
	return stop
}

// pipeListener accepts connections within a bubble of synctest.
type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (l *pipeListener) dial() net.Conn {
	client, server := net.Pipe()
	l.conns <- server
	return client
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.conns:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error   { l.once.Do(func() { close(l.closed) }); return nil }
func (l *pipeListener) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

// stream sends a body of NDJSON, and returns the status code and the lines of the response.
func stream(t testing.TB, target string, body io.Reader, header ...string) (int, []string) {
	t.Helper()
	r := must.Get(http.NewRequestWithContext(t.Context(), http.MethodPost, target, body))
	r.Header.Set("Content-Type", ndjsonType)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := must.Get(http.DefaultClient.Do(r))
	defer w.Body.Close()
	return w.StatusCode, strings.Split(strings.TrimSuffix(readAll(t, w.Body), "\n"), "\n")
}

// TestStream checks that the lines of a stream equal those of "ctxnorm link", even with bad lines between them.
func TestStream(t *testing.T) {
	cfg := gutConfig(t)
	cfg.Limits.Input = ctxnorm.Limits{Line: 1 << 16, Mentions: 5}
	url, _ := serve(t, newServer(t, cfg))
	docs := strings.Join(gutDocuments, "\n")
	status, got := stream(t, url+"/v1/link?explain=true", strings.NewReader(docs))
	if diff := cmp.Diff(libraryLines(t, cfg, gutDocuments, false, ctxnorm.LinkOptions{Evidence: true}, false), got); diff != "" || status != 200 {
		t.Errorf("status %d (-command +server):\n%s", status, diff)
	}
	_, got = stream(t, url+"/v1/annotate", bytes.NewReader(gzipped(docs)), "Content-Encoding", "gzip")
	must.Equal(t, got, libraryLines(t, cfg, gutDocuments, true, ctxnorm.LinkOptions{}, false), "gzip, command and server")
	bad := []string{
		`{"text": "a gastric ulcer", "mentions": [{"start": 2, "end": 15}, {"start": 2, "end": 99}]}`, // as in the command, the other mention is linked
		`{"text": 1}`, "", strings.Repeat("x", 1<<17), "na\xefve", `{"text": "` + strings.Repeat("[ENT] a [/ENT] ", 6) + `"}`,
		`{"text": "the end"}`,
	}
	_, got = stream(t, url+"/v1/link", strings.NewReader(strings.Join(bad, "\n")))
	wants := []string{`"error":"mention 2 of document`, `"line":2`, `"line":4`, `"line":5`, `"line":6`, `{"id":"7","text":"the end"`}
	if len(got) != len(wants) {
		t.Fatalf("%d lines, want %d: %q", len(got), len(wants), got)
	}
	for i, want := range wants {
		must.Contain(t, got[i], want, "line", i+1)
	}
	must.Contain(t, got[0], `"id":"G2"`, "the good mention beside a bad one is not linked")
}

// TestStreamOfLargeDocuments checks that documents with too many mentions together are linked one by one.
func TestStreamOfLargeDocuments(t *testing.T) {
	cfg := gutConfig(t)
	cfg.Limits.Input.Mentions = 2
	url, _ := serve(t, newServer(t, cfg))
	_, got := stream(t, url+"/v1/annotate", strings.NewReader(strings.Repeat(`{"text": "gastric ulcer, gastric ulcer"}`+"\n", 50)+`{"text": "gastric ulcer, gastric ulcer, gastric ulcer"}`))
	if len(got) != 51 || !strings.HasPrefix(got[0], `{"id":"1"`) || !strings.HasPrefix(got[49], `{"id":"50"`) || !strings.Contains(got[50], `"status":413`) {
		t.Errorf("%d lines, the last %s", len(got), got[len(got)-1])
	}
}

// TestStreamLimit checks that a stream ends at its limit with a line that reports it, and that undeclared gzip is
// rejected, because its decompressed size would not count.
func TestStreamLimit(t *testing.T) {
	cfg := gutConfig(t)
	cfg.Limits.Body = 1 << 20 / streamRequests
	url, _ := serve(t, newServer(t, cfg))
	for name, body := range map[string]io.Reader{
		"plain": strings.NewReader(strings.Repeat("\n", 2<<20)), "bomb": bytes.NewReader(gzipped(strings.Repeat("\n", 100<<20))),
	} {
		var header []string
		if name == "bomb" {
			header = []string{"Content-Encoding", "gzip"}
		}
		status, got := stream(t, url+"/v1/link", body, header...)
		if status != http.StatusOK || len(got) != 1 || !strings.Contains(got[0], `"status":413`) {
			t.Errorf("%s: status %d, lines %q", name, status, got)
		}
	}
	if status, _ := stream(t, url+"/v1/link", bytes.NewReader(gzipped("{}"))); status != http.StatusUnsupportedMediaType {
		t.Errorf("status %d of gzip that is not announced, want 415", status)
	}
}

// TestStreamAnswersAtOnce checks that each line is answered before the next one is sent.
func TestStreamAnswersAtOnce(t *testing.T) {
	url, _ := serve(t, newServer(t, gutConfig(t)))
	reader, writer := io.Pipe()
	r := must.Get(http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/v1/annotate", reader))
	r.Header.Set("Content-Type", ndjsonType)
	go fmt.Fprintln(writer, `{"id":"0","text":"gastric ulcer"}`)
	w := must.Get(http.DefaultClient.Do(r))
	defer w.Body.Close()
	lines := bufio.NewReader(w.Body)
	for i := range 3 {
		line, err := lines.ReadString('\n')
		if err != nil || !strings.HasPrefix(line, fmt.Sprintf(`{"id":"%d"`, i)) {
			t.Fatalf("line %d: %q, %v", i, line, err)
		}
		fmt.Fprintf(writer, `{"id":"%d","text":"gastric ulcer"}`+"\n", i+1)
	}
	writer.Close()
	readAll(t, lines)
}

// TestConcurrentRequestsEqualSingleOnes checks that concurrent requests get the same answers as alone, whether batched
// together or not.
func TestConcurrentRequestsEqualSingleOnes(t *testing.T) {
	cfg := gutConfig(t)
	cfg.Batching = Batching{Size: 1}
	single := newServer(t, cfg)
	cfg.Batching = Batching{Size: 64, Wait: time.Millisecond}
	batched := newServer(t, cfg)
	var clients sync.WaitGroup
	for client := range 12 {
		doc := documents(fmt.Sprintf(`{"id":"%d","text":"%s gastric ulcer or coeliac disease after aspirin and wheat"}`,
			client, strings.Repeat("ä ", client)))
		want := post(single, "/v1/annotate?explain=true", doc)
		if want.Code != http.StatusOK {
			t.Fatalf("status %d: %s", want.Code, want.Body)
		}
		for _, s := range []*Server{single, batched} {
			clients.Go(func() {
				for range 5 {
					got := post(s, "/v1/annotate?explain=true", doc)
					must.Equal(t, got.Body.String(), want.Body.String(), "alone and together")
				}
			})
		}
	}
	clients.Wait()
}

// slowServer returns a server whose encoder waits for proceed or for the end of the request.
func slowServer(t *testing.T, change func(*Config)) (*Server, *blockingEncoder) {
	cfg := gutConfig(t)
	inner := newBlockingEncoder()
	cfg.Batching = Batching{Size: 1}
	cfg.Open.OpenEncoder = func(string) (ctxnorm.Encoder, error) { return inner, nil }
	change(&cfg)
	warm, stop := context.WithCancel(t.Context())
	defer stop()
	go inner.letThrough(warm) // the request made by New
	return newServer(t, cfg), inner
}

// letThrough unblocks all encoding until ctx ends.
func (e *blockingEncoder) letThrough(ctx context.Context) {
	for ctx.Err() == nil {
		select {
		case <-e.began:
		case e.proceed <- nil:
		case <-ctx.Done():
		}
	}
}

const ulcerRequest = `{"documents":[{"text":"an ulcer","mentions":[{"start":3,"end":8}]}]}`

// TestBusy checks that requests beyond the limit and requests that take too long are answered by 503.
func TestBusy(t *testing.T) {
	s, inner := slowServer(t, func(cfg *Config) { cfg.Limits.Requests, cfg.Limits.Time = 1, time.Second })
	answered := make(chan *http.Response, 1)
	url, _ := serve(t, s)
	go func() {
		w, err := http.Post(url+"/v1/link", jsonType, strings.NewReader(ulcerRequest))
		if err != nil {
			t.Error(err)
		}
		answered <- w
	}()
	<-inner.began
	go func() { // the other encoder calls of the request
		for range inner.began {
		}
	}()
	defer close(inner.began)
	w := post(s, "/v1/link", ulcerRequest)
	wantProblem(t, w, http.StatusServiceUnavailable)
	must.Equal(t, w.Header().Get("Retry-After"), "1", "headers", w.Header())
	must.Equal(t, get(s, "/healthz").Code, http.StatusOK, "status of /healthz of a busy server")
	late := <-answered
	defer late.Body.Close()
	if late.StatusCode != http.StatusServiceUnavailable || late.Header.Get("Retry-After") == "" {
		t.Errorf("status %d, want 503: %s", late.StatusCode, readAll(t, late.Body))
	}
}

// TestGracefulStop checks that a request in progress when the server stops is answered.
func TestGracefulStop(t *testing.T) {
	s, inner := slowServer(t, func(*Config) {})
	url, stop := serve(t, s)
	answered := make(chan int, 1)
	go func() {
		w, err := http.Post(url+"/v1/link", jsonType, strings.NewReader(ulcerRequest))
		if err != nil {
			t.Error(err)
			answered <- 0
			return
		}
		defer w.Body.Close()
		answered <- w.StatusCode
	}()
	<-inner.began
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	for { // until the server no longer listens
		conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if err != nil {
			break
		}
		conn.Close()
	}
	go inner.letThrough(t.Context())
	must.Equal(t, <-answered, http.StatusOK, "status of a request under way")
	must.Succeed(t, <-stopped)
}

// begin connects to a server and sends the beginning of a request. The server has to answer and close the connection
// soon.
func begin(t testing.TB, url, request string) net.Conn {
	t.Helper()
	conn := must.Get(net.Dial("tcp", strings.TrimPrefix(url, "http://")))
	t.Cleanup(func() { conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	fmt.Fprint(conn, request)
	return conn
}

// TestSlowClients checks that clients that send a request, or a line of a stream, too slowly are answered and cut off,
// even if no handler reads the body that they announce.
func TestSlowClients(t *testing.T) {
	cfg := gutConfig(t)
	cfg.Limits.Time = time.Second
	cfg.Access.Token = "the-token-of-the-test"
	url, _ := serve(t, newServer(t, cfg))
	const (
		length = "Content-Length: 1000\r\n\r\n"
		token  = "Authorization: Bearer the-token-of-the-test\r\n"
		asJSON = token + "Content-Type: application/json\r\n"
		stream = token + "Content-Type: application/x-ndjson\r\n"
	)
	for name, test := range map[string]struct{ request, rest, want string }{
		"body":           {"POST /v1/link", asJSON + length + "{", "HTTP/1.1 408 "},
		"no body":        {"POST /v1/link", asJSON + length, "HTTP/1.1 408 "},
		"chunk":          {"POST /v1/link", asJSON + "Transfer-Encoding: chunked\r\n\r\nff\r\n{", "HTTP/1.1 408 "},
		"line":           {"POST /v1/link", stream + length + "{\"text\":", `"status":408`},
		"one line":       {"POST /v1/link", stream + length + "{\"text\":\"a\"}\n{", `"status":408`},
		"no token":       {"POST /v1/link", length + "{", "HTTP/1.1 401 "},
		"another origin": {"POST /v1/link", token + "Origin: https://example.org\r\n" + length + "{", "HTTP/1.1 403 "},
		"another type":   {"POST /v1/link", token + "Content-Type: text/plain\r\n" + length + "{", "HTTP/1.1 415 "},
		"stream refused": {"POST /v1/link?top=0", stream + length + "{", "HTTP/1.1 422 "},
		"no such path":   {"POST /nothing", length + "{", "HTTP/1.1 404 "},
		"method":         {"POST /healthz", length + "{", "HTTP/1.1 405 "},
		"search":         {"GET /v1/concepts?query=ulcer", token + length + "{", "HTTP/1.1 200 "},
		"undo":           {"DELETE /v1/memory/1?by=ann", token + length + "{", "HTTP/1.1 404 "},
		"page":           {"GET /", length + "{", "HTTP/1.1 200 "},
		"metrics":        {"GET /metrics", token + length + "{", "HTTP/1.1 200 "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn := begin(t, url, test.request+" HTTP/1.1\r\nHost: localhost\r\n"+test.rest)
			got := readAll(t, conn) // the server closes the connection
			must.Contain(t, got, test.want, "answer")
		})
	}
}

// TestTimeOfEachRequest checks that the time limit of an answer starts with its own request, not with an earlier one on
// the same connection.
func TestTimeOfEachRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := Config{Dictionary: modelOf(searchDictionary()), Model: "names.tsv", Limits: Limits{Time: time.Second}}
		listener := &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
		serveOn(t, newServer(t, cfg), listener)
		conn := listener.dial()
		defer conn.Close()
		answers := bufio.NewReader(conn)
		for i, path := range []string{"/healthz", "/metrics", "/docs", "/nothing"} {
			if i > 0 {
				time.Sleep(4 * cfg.Limits.Time) // the time of the previous request is over
			}
			fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path)
			answer, err := http.ReadResponse(answers, nil)
			must.Succeed(t, err, path)
			if _, err := io.Copy(io.Discard, answer.Body); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
		}
	})
}

// TestSlowReader checks that a client that does not receive its answer, or is gone, causes neither a panic nor a line
// in the log.
func TestSlowReader(t *testing.T) {
	cfg := gutConfig(t)
	var mu sync.Mutex
	var logged []string
	cfg.Logf = func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		logged = append(logged, fmt.Sprintf(format, args...))
	}
	cfg.Errorf = cfg.Logf
	s := newServer(t, cfg)
	for _, broken := range []int{0, 1} { // number of writes that succeed before
		r := request(http.MethodPost, "/v1/annotate", documents(`{"text":"a gastric ulcer"}`))
		func() {
			defer func() {
				if cause := recover(); cause != nil && cause != http.ErrAbortHandler {
					t.Errorf("panic: %v", cause)
				}
			}()
			s.ServeHTTP(&brokenWriter{header: http.Header{}, writes: broken, t: t}, r)
		}()
	}
	must.Contain(t, get(s, "/metrics").Body.String(), "\nctxnorm_panics_total 0\n",
		"a client that takes no answer counts as a panic")
	if len(logged) > 0 {
		t.Errorf("logged %q", logged)
	}
}

// brokenWriter fails after some writes, like a connection to a client that is gone or too slow. The status may be set
// only once.
type brokenWriter struct {
	header http.Header
	writes int
	status int
	t      *testing.T
}

func (w *brokenWriter) Header() http.Header { return w.header }

func (w *brokenWriter) WriteHeader(status int) {
	must.Equal(w.t, w.status, 0, "status before", status)
	w.status = status
}

func (w *brokenWriter) Write(p []byte) (int, error) {
	if w.writes--; w.writes < 0 {
		return 0, os.ErrDeadlineExceeded
	}
	return len(p), nil
}

func TestReload(t *testing.T) {
	cfg := gutConfig(t)
	s := newServer(t, cfg)
	concepts := func() int { return ok[healthStatus](t, get(s, "/healthz")).Concepts }
	if n := concepts(); n != 4 {
		t.Fatalf("%d concepts, want 4", n)
	}
	next := modeltest.Build(t, fixtures.GutEncoder(), nil) // three concepts
	var clients sync.WaitGroup
	ctx, cancel := context.WithCancel(t.Context())
	for range 4 {
		clients.Go(func() {
			for ctx.Err() == nil {
				if w := post(s, "/v1/annotate", documents(`{"text":"gastric ulcer and coeliac disease"}`)); w.Code != http.StatusOK {
					t.Errorf("status %d during a reload: %s", w.Code, w.Body)
				}
			}
		})
	}
	replace := func(with string) {
		must.Succeed(t, errors.Join(os.Rename(cfg.Model, cfg.Model+".old"), os.Rename(with, cfg.Model)))
	}
	replace(next)
	must.Succeed(t, s.Reload(t.Context()))
	must.Equal(t, concepts(), 3, "concepts after the reload")
	must.Succeed(t, os.WriteFile(filepath.Join(cfg.Model, "manifest.json"), []byte("{}"), 0o666))
	must.Fail(t, s.Reload(t.Context()), "", "a damaged model was loaded")
	cancel()
	clients.Wait()
	must.Equal(t, concepts(), 3, "concepts after a reload that failed")
	if !s.models.current.folder.use.TryLock() {
		t.Error("a request uses the folder of the current model after its answer")
	} else {
		s.models.current.folder.use.Unlock()
	}
}

func TestWatch(t *testing.T) {
	cfg := gutConfig(t)
	s := newServer(t, cfg)
	ctx, cancel := context.WithCancel(t.Context())
	var watching sync.WaitGroup
	watching.Go(func() { s.Watch(ctx, 5*time.Millisecond) })
	next := modeltest.Build(t, fixtures.GutEncoder(), nil)
	must.Succeed(t, errors.Join(os.Rename(cfg.Model, cfg.Model+".old"), os.Rename(next, cfg.Model)))
	for start := time.Now(); time.Since(start) < 30*time.Second; time.Sleep(5 * time.Millisecond) {
		if status := ok[healthStatus](t, get(s, "/healthz")); status.Concepts == 3 {
			cancel()
			watching.Wait()
			return
		}
	}
	cancel()
	t.Error("the changed model was not loaded")
}

// TestWatchTriesAgain checks that a folder that cannot be opened is tried again at growing intervals, and opened once
// its files are there, although its manifest came before them.
func TestWatchTriesAgain(t *testing.T) {
	cfg := gutConfig(t)
	var failures atomic.Int32
	cfg.Errorf = func(string, ...any) { failures.Add(1) }
	s := newServer(t, cfg)
	before := new(string) // as if the manifest had changed
	s.opened.Store(before)
	file := filepath.Join(cfg.Model, "dictionary", "concepts.idx")
	whole := must.Get(os.ReadFile(file))
	must.Succeed(t, os.WriteFile(file, whole[:1], 0o666))
	ctx, cancel := context.WithCancel(t.Context())
	var watching sync.WaitGroup
	watching.Go(func() { s.Watch(ctx, 5*time.Millisecond) })
	time.Sleep(300 * time.Millisecond) // 60 intervals: tries after 0, 1, 3, 7, 15, 31
	if n := failures.Load(); n > 6 {
		t.Errorf("%d tries in 60 intervals, want 6 at most", n)
	}
	must.Succeed(t, os.WriteFile(file, whole, 0o666))
	for start := time.Now(); s.opened.Load() == before && time.Since(start) < 30*time.Second; {
		time.Sleep(5 * time.Millisecond)
	}
	if s.opened.Load() == before {
		t.Error("the completed folder was not loaded")
	}
	cancel()
	watching.Wait()
}

// TestCutFiles checks that requests fail when mapped files are truncated while the server uses them, and that the
// server survives.
func TestCutFiles(t *testing.T) {
	cfg := gutConfig(t)
	var logged atomic.Value
	cfg.Errorf = func(format string, args ...any) { logged.Store(fmt.Sprintf(format, args...)) }
	s := newServer(t, cfg)
	files, err := filepath.Glob(filepath.Join(cfg.Model, "index", "*.npy"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	for _, file := range files {
		if err := os.Truncate(file, 0); err != nil {
			t.Skipf("a file in use cannot be cut here: %v", err)
		}
	}
	w := post(s, "/v1/link", documents(`{"text":"wheat and a sore stomach","mentions":[{"start":12,"end":24}]}`))
	if log, _ := logged.Load().(string); w.Code != http.StatusInternalServerError || !strings.Contains(log, "was cut while it was in use") {
		t.Errorf("status %d, want 500: %s\n%s", w.Code, w.Body, log)
	}
	must.Equal(t, get(s, "/healthz").Code, http.StatusOK, "status of /healthz")
}

func TestLargeRequests(t *testing.T) {
	cfg := gutConfig(t)
	cfg.Limits.Body = 1 << 20
	s := newServer(t, cfg)
	for length, body := range map[int64]io.Reader{
		-1:        io.LimitReader(repeat('0'), 100<<20), // a line of 100 MB
		1<<20 + 1: iotest.ErrReader(errors.New("not sent")),
	} {
		r := request(http.MethodPost, "/v1/link", "")
		r.Body, r.ContentLength = io.NopCloser(body), length
		r.Header.Set("Content-Type", jsonType)
		wantProblem(t, call(s, r), http.StatusRequestEntityTooLarge)
	}
}

// repeat is a reader of equal bytes.
type repeat byte

func (r repeat) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(r)
	}
	return len(p), nil
}

// TestPanics checks that a panic in a handler is answered by 500, without the cause, and that the server survives.
func TestPanics(t *testing.T) {
	var logged strings.Builder
	cfg := gutConfig(t)
	cfg.Errorf = func(format string, args ...any) { logged.WriteString(format) }
	s := newServer(t, cfg)
	w := get(s.recovered(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("the secret") })), "/")
	p := wantProblem(t, w, http.StatusInternalServerError)
	if strings.Contains(p.Detail, "secret") || !strings.Contains(logged.String(), "panic") {
		t.Errorf("problem %+v, log %q", p, logged.String())
	}
}

func TestValidateAccess(t *testing.T) {
	for _, bad := range []Access{
		{Token: "short"}, {Token: "0123456789 abcdef"}, {Token: "0123456789äbcdef"}, {Origins: []string{"*"}}, {Origins: []string{"https://*.org"}},
		{Origins: []string{"example.org"}}, {Origins: []string{"https://example.org/"}}, {Origins: []string{"file://x"}},
	} {
		must.Fail(t, bad.Validate(), "", bad, "is valid")
	}
}

// TestServerLeaksNothing checks that requests, interrupted streams, reloads and a stop leave no goroutine behind.
func TestServerLeaksNothing(t *testing.T) {
	cfg := gutConfig(t)
	before := runtime.NumGoroutine()
	s := must.Get(New(t.Context(), cfg))
	url, stop := serve(t, s)
	client := &http.Client{Transport: &http.Transport{}}
	for i := range 50 {
		w := must.Get(client.Post(url+"/v1/annotate", jsonType, strings.NewReader(documents(`{"text":"gastric ulcer"}`))))
		readAll(t, w.Body)
		w.Body.Close()
		conn := begin(t, url, "POST /v1/annotate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nContent-Length: 1000\r\n\r\n{\"text\":\"gastric ulcer\"}\n{")
		if i%2 == 0 {
			must.Get(bufio.NewReader(conn).ReadString('\n'))
		}
		conn.Close()
		if i%25 == 0 {
			must.Succeed(t, s.Reload(t.Context()))
		}
	}
	client.CloseIdleConnections()
	must.Succeed(t, stop())
	must.Succeed(t, s.Close())
	for range 500 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	stacks := make([]byte, 1<<16)
	t.Errorf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
}

// TestClosedServer checks that a closed server answers and does not panic.
func TestClosedServer(t *testing.T) {
	s := must.Get(New(t.Context(), Config{Model: modeltest.Build(t, nil, func(*model.BuildOptions) {})}))
	must.Succeed(t, s.Close())
	wantProblem(t, get(s, "/healthz"), http.StatusServiceUnavailable)
	must.FailWith(t, s.Reload(t.Context()), errServerClosed, "Reload")
	wantProblem(t, get(s, "/healthz"), http.StatusServiceUnavailable)
	if err := s.Close(); err != nil { // waits for every model
		t.Error(err)
	}
}
