package server

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	"github.com/ctxnorm/ctxnorm"
)

func gzipped(t testing.TB, r io.Reader) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.Copy(w, r); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// zeros is a reader of n equal bytes.
func zeros(n int64) io.Reader { return io.LimitReader(repeat('0'), n) }

type repeat byte

func (r repeat) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(r)
	}
	return len(p), nil
}

// Each fault of a body is answered by its place, and the server goes on.
func TestBadBodies(t *testing.T) {
	s := newServer(t, gutConfig(t))
	for name, test := range map[string]struct {
		body   string
		status int
		faults []Fault // their details are compared if they have one
	}{
		"empty":               {"", 400, []Fault{{Offset: new(0)}}},
		"not JSON":            {`{"documents": [}`, 400, []Fault{{Offset: new(15)}}},
		"unfinished":          {`{"documents": [`, 400, []Fault{{Offset: new(15)}}},
		"two values":          {`{} {}`, 400, []Fault{{Offset: new(5)}}},
		"deep":                {strings.Repeat("[", 20_000), 400, []Fault{{Offset: new(10_000)}}},
		"Latin-1":             {"{\"documents\": [{\"text\": \"na\xefve\"}]}", 400, []Fault{{Detail: "want JSON: invalid UTF-8 at offset 27", Offset: new(27)}}},
		"UTF-16":              {"\xff\xfe{\x00}\x00", 400, []Fault{{Offset: new(0)}}},
		"null":                {"null", 422, []Fault{{}}},
		"list":                {"[]", 422, []Fault{{}}},
		"no documents":        {`{}`, 422, []Fault{{}}},
		"null documents":      {`{"documents": null}`, 422, []Fault{{Pointer: "/documents"}}},
		"empty documents":     {`{"documents": []}`, 422, []Fault{{Pointer: "/documents"}}},
		"unknown member":      {`{"documents": [{"text": "a"}], "texts": []}`, 422, []Fault{{Pointer: "/texts"}}},
		"document a string":   {documents(`"a"`), 422, []Fault{{Pointer: "/documents/0"}}},
		"no text":             {documents(`{"text": "a"}`, `{"id": "b"}`), 422, []Fault{{Pointer: "/documents/1"}}},
		"text a number":       {documents(`{"text": 1}`), 422, []Fault{{Pointer: "/documents/0/text"}}},
		"mention without end": {documents(`{"text": "a", "mentions": [{"start": 0}]}`), 422, []Fault{{Pointer: "/documents/0/mentions/0"}}},
		"negative start":      {documents(`{"text": "a", "mentions": [{"start": -1, "end": 1}]}`), 422, []Fault{{Pointer: "/documents/0/mentions/0/start"}}},
		"fraction":            {documents(`{"text": "a", "mentions": [{"start": 0.5, "end": 1}]}`), 422, []Fault{{Pointer: "/documents/0/mentions/0/start"}}},
		"huge offset":         {documents(`{"text": "a", "mentions": [{"start": 0, "end": 1e300}]}`), 422, []Fault{{Pointer: "/documents/0/mentions/0"}}},
		"end after text": {documents(`{"text": "äöü", "mentions": [{"start": 0, "end": 3}, {"start": 0, "end": 4}]}`), 422,
			[]Fault{{Detail: `mention 2 of document "1": mention at 0-4: want a range within the 3 characters of the text`, Pointer: "/documents/0/mentions/1"}}},
		"empty mention": {documents(`{"text": "abc", "mentions": [{"start": 1, "end": 1}]}`), 422, []Fault{{Pointer: "/documents/0/mentions/0"}}},
		"offsets in UTF-8": {documents(`{"text": "äöü ulcer", "mentions": [{"start": 7, "end": 12, "text": "ulcer"}]}`), 422, // bytes, which would cut nothing
			[]Fault{{Pointer: "/documents/0/mentions/0"}}},
		"offsets in UTF-16": {documents(`{"text": "😀 ulcer", "mentions": [{"start": 3, "end": 8, "text": "ulcer"}]}`), 422,
			[]Fault{{Pointer: "/documents/0/mentions/0"}}},
		"marks and mentions": {documents(`{"text": "[ENT] a [/ENT]", "mentions": [{"start": 0, "end": 1}]}`), 422, []Fault{{Pointer: "/documents/0"}}},
		"open mark":          {documents(`{"text": "[ENT] a"}`), 422, []Fault{{Pointer: "/documents/0"}}},
		"several": {documents(`{"text": "[ENT]"}`, `{"text": "a", "mentions": [{"start": 0, "end": 9}, {"start": 0, "end": 8}]}`), 422,
			[]Fault{{Pointer: "/documents/0"}, {Pointer: "/documents/1/mentions/0"}, {Pointer: "/documents/1/mentions/1"}}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, path := range []string{"/v1/link", "/v1/annotate"} {
				r := request(http.MethodPost, path, test.body)
				r.Header.Set("Content-Type", jsonType)
				p := wantProblem(t, call(s, r), test.status)
				for i := range p.Faults {
					if p.Faults[i].Detail == "" {
						t.Errorf("fault %+v has no detail", p.Faults[i])
					}
					if i >= len(test.faults) || test.faults[i].Detail == "" {
						p.Faults[i].Detail = ""
					}
				}
				if diff := cmp.Diff(test.faults, p.Faults); diff != "" {
					t.Errorf("%s: faults (-want +got):\n%s", path, diff)
				}
			}
		})
	}
	if w := post(s, "/v1/annotate", documents(`{"text": "gastric ulcer"}`)); w.Code != http.StatusOK {
		t.Errorf("status %d after all this: %s", w.Code, w.Body)
	}
}

func TestBadParameters(t *testing.T) {
	s := newServer(t, gutConfig(t))
	for query, parameter := range map[string]string{
		"top=0": "top", "top=101": "top", "top=many": "top", "explain=perhaps": "explain", "min_probability=.5": "min_probability",
	} {
		for _, kind := range []string{jsonType, ndjsonType} {
			r := request(http.MethodPost, "/v1/link?"+query, documents(`{"text":"a"}`))
			r.Header.Set("Content-Type", kind)
			p := wantProblem(t, call(s, r), http.StatusUnprocessableEntity)
			if len(p.Faults) != 1 || p.Faults[0].Parameter != parameter {
				t.Errorf("%s, %s: faults %+v, want one of the parameter %s", kind, query, p.Faults, parameter)
			}
		}
	}
}

func TestContentTypes(t *testing.T) {
	s := newServer(t, gutConfig(t))
	body := documents(`{"text":"a"}`)
	for kind, status := range map[string]int{
		"": 415, "text/plain": 415, "application/x-www-form-urlencoded": 415, "application/json; charset=latin1": 415, "application/json;;": 415,
		"application/json": 200, "application/json; charset=UTF-8": 200, "Application/JSON": 200,
	} {
		r := request(http.MethodPost, "/v1/link", body)
		r.Header.Set("Content-Type", kind)
		if w := call(s, r); w.Code != status {
			t.Errorf("%q: status %d, want %d: %s", kind, w.Code, status, w.Body)
		}
	}
}

// A body is measured after decompression, and not read further than it may be.
func TestGzip(t *testing.T) {
	cfg := gutConfig(t)
	cfg.Limits.Body = 1 << 20
	cfg.Limits.Input.Line = 1 << 19
	s := newServer(t, cfg)
	bomb := gzipped(t, zeros(100<<20))
	if len(bomb) > 1<<20 {
		t.Fatalf("the bomb has %d bytes, which is no bomb", len(bomb))
	}
	good := gzipped(t, strings.NewReader(documents(`{"text":"gastric ulcer"}`)))
	for name, test := range map[string]struct {
		encoding string
		body     []byte
		status   int
	}{
		"good":          {"gzip", good, 200},
		"bomb":          {"gzip", bomb, 413},
		"two members":   {"gzip", append(bytes.Clone(bomb), bomb...), 413},
		"truncated":     {"gzip", good[:len(good)-6], 400},
		"damaged":       {"gzip", append(bytes.Clone(good[:len(good)-8]), 0, 0, 0, 0, 0, 0, 0, 0), 400},
		"no gzip":       {"gzip", []byte(documents(`{"text":"a"}`)), 400},
		"not announced": {"", good, 400},
		"other":         {"br", good, 415},
		"several":       {"gzip, gzip", good, 415},
	} {
		r := request(http.MethodPost, "/v1/annotate", string(test.body))
		r.Header.Set("Content-Encoding", test.encoding)
		w := call(s, r)
		if w.Code != test.status {
			t.Errorf("%s: status %d, want %d: %s", name, w.Code, test.status, w.Body)
		}
		if test.status != http.StatusOK {
			wantProblem(t, w, test.status)
		}
	}
}

func TestLargeRequests(t *testing.T) {
	cfg := gutConfig(t)
	cfg.Limits = Limits{Body: 1 << 20, Input: ctxnorm.Limits{Mentions: 3}}
	s := newServer(t, cfg)
	wantProblem(t, call(s, func() *http.Request {
		r := request(http.MethodPost, "/v1/link", "")
		r.Body, r.ContentLength = io.NopCloser(zeros(100<<20)), -1 // a line of 100 MB
		r.Header.Set("Content-Type", jsonType)
		return r
	}()), http.StatusRequestEntityTooLarge)
	wantProblem(t, call(s, func() *http.Request { // refused by what it says, before it is there
		r := request(http.MethodPost, "/v1/link", "")
		r.Body, r.ContentLength = io.NopCloser(iotest.ErrReader(errors.New("not sent"))), 1<<20+1
		r.Header.Set("Content-Type", jsonType)
		return r
	}()), http.StatusRequestEntityTooLarge)
	// Mentions that are found count as those that are given.
	wantProblem(t, post(s, "/v1/annotate", documents(`{"text":"gastric ulcer, gastric ulcer"}`, `{"text":"gastric ulcer, gastric ulcer"}`)), http.StatusRequestEntityTooLarge)
	if w := post(s, "/v1/annotate", documents(`{"text":"gastric ulcer, gastric ulcer"}`, `{"text":"gastric ulcer"}`)); w.Code != http.StatusOK {
		t.Errorf("status %d for all that is allowed: %s", w.Code, w.Body)
	}
}

// What a request says is never taken for HTML: every answer has a type that is none, and says that it is not
// to be guessed.
func TestHTMLIsText(t *testing.T) {
	s := searchServer(t)
	const script = `<script>alert(1)</script>`
	for _, r := range []*http.Request{
		request(http.MethodPost, "/v1/annotate", documents(`{"id":"`+script+`","text":"`+script+` fever"}`)),
		request(http.MethodPost, "/v1/link", script),
		request(http.MethodPost, "/v1/link", documents(`{"text":"`+script+`","`+script+`":1,"mentions":[{"start":0,"end":99,"text":"`+script+`"}]}`)),
		request(http.MethodGet, "/v1/concepts?query="+url.QueryEscape(script), ""),
		request(http.MethodGet, "/v1/concepts/EX:5", ""),
		request(http.MethodGet, "/v1/concepts/"+url.PathEscape(script), ""),
		request(http.MethodGet, "/"+url.PathEscape(script), ""),
	} {
		w := call(s, r)
		h := w.Header()
		if kind := h.Get("Content-Type"); kind != jsonType && kind != problemType {
			t.Errorf("%s: Content-Type is %q", r.URL, kind)
		}
		if h.Get("X-Content-Type-Options") != "nosniff" || !strings.HasPrefix(h.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: headers %v", r.URL, h)
		}
	}
	if page := get(s, "/docs"); strings.Count(page.Body.String(), "<script") != 1 {
		t.Error("the page of the documentation has another script than its own")
	}
}

// No path of a request is one of the file system.
func TestPathsAreNotFiles(t *testing.T) {
	s := newServer(t, gutConfig(t))
	for _, path := range []string{
		"/v1/concepts/..%2f..%2fmanifest.json", "/v1/concepts/%2e%2e", "/v1/concepts/%2fetc%2fpasswd", "/../../etc/passwd", "/docs/../manifest.json",
		"/docs/%2e%2e%2fserver.go", "/openapi.json/../../x", "/v1/concepts/manifest.json%00", "//etc/passwd", "/v1/concepts/C:%5cwindows",
	} {
		w := get(s, path)
		for redirects := 0; w.Code >= 300 && w.Code < 400 && redirects < 3; redirects++ { // to the path without dots
			w = get(s, w.Header().Get("Location"))
		}
		if w.Code != http.StatusNotFound && w.Code != http.StatusUnprocessableEntity {
			t.Errorf("%s: status %d: %s", path, w.Code, w.Body)
		}
	}
}

// A handler that panics is answered by 500, without what it panicked of, and the server goes on.
func TestPanics(t *testing.T) {
	var logged strings.Builder
	cfg := gutConfig(t)
	cfg.Errorf = func(format string, args ...any) { logged.WriteString(format) }
	s := newServer(t, cfg)
	h := s.recovered(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("the secret") }))
	w := get(h, "/")
	p := wantProblem(t, w, http.StatusInternalServerError)
	if strings.Contains(p.Detail, "secret") || !strings.Contains(logged.String(), "panic") {
		t.Errorf("problem %+v, log %q", p, logged.String())
	}
}
