package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// repeated returns n equal values of a list of JSON.
func repeated(n int, value string) string {
	return strings.TrimSuffix(strings.Repeat(value+",", n), ",")
}

// Documents are counted before they are decoded, on every route, and so are the values of the whole body.
func TestManyDocuments(t *testing.T) {
	s := newServer(t, gutConfig(t))
	doc := `{"text":"","mentions":[]}`
	for _, path := range []string{"/v1/link", "/v1/annotate", "/v1/export"} {
		for _, test := range []struct {
			body   string
			status int
		}{
			{documents(repeated(maxDocuments, doc)), http.StatusOK},
			{documents(repeated(maxDocuments+1, doc)), http.StatusRequestEntityTooLarge},
			{`{"documents":[{"text":"a","mentions":[],"more":[` + repeated(maxValues, "{}") + `]}]}`, http.StatusRequestEntityTooLarge},
			{`{"documents":[{"text":"a","mentions":[],"more":[` + repeated(maxValues-10, "{}") + `]}]}`, http.StatusOK},
			{`{"documents":[{"text":"a","mentions":[{"start":0,"end":1,"candidates":[],"more":"` + strings.Repeat(`\",`, maxValues) + `"}]}]}`, http.StatusOK},
		} {
			r := request(http.MethodPost, path, "")
			r.Body = io.NopCloser(bytes.NewReader(gzipped(t, strings.NewReader(test.body))))
			r.Header.Set("Content-Type", jsonType)
			r.Header.Set("Content-Encoding", "gzip")
			if w := call(s.Handler(), r); w.Code != test.status {
				t.Errorf("%s: %.40s… status %d, want %d: %.200s", path, test.body, w.Code, test.status, w.Body)
			}
		}
	}
	p := wantProblem(t, post(s.Handler(), "/v1/memory/import", `{"entries":[`+repeated(maxValues, "{}")+`]}`), http.StatusRequestEntityTooLarge)
	if !strings.Contains(p.Detail, "values of JSON") {
		t.Errorf("%q, want that there are too many values", p.Detail)
	}
	if held := s.budget.taken.Load(); held != 0 {
		t.Errorf("%d bytes are taken when no request is under way", held)
	}
}

// Bodies that do not come keep no other request out.
func TestBodiesThatDoNotCome(t *testing.T) {
	cfg := gutConfig(t)
	cfg.Limits.Requests = 2
	url, _ := serve(t, newServer(t, cfg))
	for i := range 8 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		kind := []string{jsonType, fileType}[i%2]
		path := []string{"/v1/link", "/v1/documents"}[i%2]
		fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: 1000\r\n\r\n{", path, kind)
	}
	time.Sleep(100 * time.Millisecond) // until the server has the headers
	for range 3 {
		w, err := http.Post(url+"/v1/annotate", jsonType, strings.NewReader(documents(`{"text":"gastric ulcer"}`)))
		if err != nil {
			t.Fatal(err)
		}
		w.Body.Close()
		if w.StatusCode != http.StatusOK {
			t.Errorf("status %d beside bodies that do not come, want 200", w.StatusCode)
		}
	}
}

// Streams whose lines do not come keep no other request out, and as many streams as requests may be open.
func TestStreamsThatWait(t *testing.T) {
	cfg := gutConfig(t)
	cfg.Limits.Requests = 2
	s := newServer(t, cfg)
	url, _ := serve(t, s)
	for range 2 {
		reader, writer := io.Pipe()
		defer writer.Close()
		go func() {
			if w, err := http.Post(url+"/v1/link", ndjsonType, reader); err == nil {
				defer w.Body.Close()
				_, _ = io.Copy(io.Discard, w.Body)
			}
		}()
		fmt.Fprintln(writer, `{"text":"a"}`)
	}
	for len(s.streams) < 2 {
		time.Sleep(time.Millisecond)
	}
	w, err := http.Post(url+"/v1/annotate", jsonType, strings.NewReader(documents(`{"text":"gastric ulcer"}`)))
	if err != nil {
		t.Fatal(err)
	}
	w.Body.Close()
	if w.StatusCode != http.StatusOK {
		t.Errorf("status %d beside streams that wait, want 200", w.StatusCode)
	}
	if status, lines := stream(t, url+"/v1/link", strings.NewReader(`{"text":"a"}`)); status != http.StatusServiceUnavailable {
		t.Errorf("status %d of a third stream, want 503: %q", status, lines)
	}
}

// A stream waits for memory until there is some, until its patience ends, or until its client is gone.
func TestWaitForMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &budget{limit: 10}
		other, stream := &reservation{budget: b}, &reservation{budget: b, patience: time.Minute}
		if p := other.take(8); p != nil {
			t.Fatal(p)
		}
		gone := make(chan struct{})
		time.AfterFunc(70*time.Second, func() { other.give(6) })
		time.AfterFunc(100*time.Second, func() { close(gone) })
		start := time.Now()
		for _, step := range []struct {
			take   int64
			status int
			at     time.Duration
		}{
			{11, http.StatusRequestEntityTooLarge, 0}, // never
			{3, http.StatusServiceUnavailable, time.Minute},
			{3, 0, 70 * time.Second},
			{7, http.StatusServiceUnavailable, 100 * time.Second},
		} {
			status := 0
			if p := stream.wait(gone, step.take); p != nil {
				status = p.Status
			}
			if at := time.Since(start); status != step.status || at < step.at || at > step.at+memoryPoll {
				t.Errorf("%d bytes: status %d after %v, want %d after %v", step.take, status, at, step.status, step.at)
			}
		}
	})
}

// The requests that are under way have a limit of memory together. Further ones are answered when there is room; one
// that takes more than all is refused.
func TestMemoryOfRequests(t *testing.T) {
	text := strings.Repeat("an ulcer ", 20_000)
	large := fmt.Sprintf(`{"documents":[{"text":%q,"mentions":[{"start":3,"end":8}]}]}`, text)
	s, inner := slowServer(t, func(cfg *Config) { cfg.Limits.Memory = int64(1.5 * byteCost * float64(len(large))) })
	first := make(chan int, 1)
	go func() { first <- post(s.Handler(), "/v1/link", large).Code }()
	<-inner.began
	w := post(s.Handler(), "/v1/link", large)
	wantProblem(t, w, http.StatusServiceUnavailable)
	if w.Header().Get("Retry-After") != "1" {
		t.Errorf("headers %v, want Retry-After", w.Header())
	}
	var encoding sync.WaitGroup
	ctx, cancel := context.WithCancel(t.Context())
	encoding.Go(func() {
		for {
			select {
			case <-inner.began:
			case inner.proceed <- nil:
			case <-ctx.Done():
				return
			}
		}
	})
	if status := <-first; status != http.StatusOK {
		t.Errorf("status %d of the first request, want 200", status)
	}
	if w := post(s.Handler(), "/v1/link", large); w.Code != http.StatusOK {
		t.Errorf("status %d when the first is answered, want 200: %.200s", w.Code, w.Body)
	}
	wantProblem(t, post(s.Handler(), "/v1/link", documents(fmt.Sprintf(`{"text":%q}`, text+text))), http.StatusRequestEntityTooLarge)
	wantProblem(t, post(s.Handler(), "/v1/annotate?top=100", documents(fmt.Sprintf(`{"text":%q}`, strings.Repeat("gastric ulcer ", 10_000)))), http.StatusRequestEntityTooLarge)
	if held := s.budget.taken.Load(); held != 0 {
		t.Errorf("%d bytes are taken when no request is under way", held)
	}
	cancel()
	encoding.Wait()
}

// A request whose client is gone is not decoded.
func TestDepartedClientIsNotDecoded(t *testing.T) {
	s := newServer(t, gutConfig(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, header := range []string{"", "gzip"} {
		body := []byte(documents(repeated(maxDocuments, `{"text":""}`)))
		if header != "" {
			body = gzipped(t, bytes.NewReader(body))
		}
		r := request(http.MethodPost, "/v1/link", string(body)).WithContext(ctx)
		r.Header.Set("Content-Encoding", header)
		p := wantProblem(t, call(s.Handler(), r), http.StatusServiceUnavailable)
		if p.Detail != "the request was canceled" {
			t.Errorf("%q, want that the request was canceled", p.Detail)
		}
	}
	var unlimited *reservation
	if _, err := unlimited.readAll(ctx, strings.NewReader("a"), 1); !errors.Is(err, context.Canceled) {
		t.Errorf("a body is read for a client that is gone: %v", err)
	}
	if records, faults := s.readRecords(ctx, strings.NewReader(`{"text":"a"}`)); records != nil || faults != nil {
		t.Errorf("%d documents and %d faults are read for a client that is gone", len(records), len(faults))
	}
}
