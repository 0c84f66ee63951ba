package basemodel

import (
	"crypto/sha1"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// brokenHub is a hub that states a size and an ETag for each of its files, and whose answers to
// GET are the function of the test.
type brokenHub struct {
	etag    string // "" stands for one that is no hash
	size    string // Content-Length of the answer to HEAD, "" for none
	get     http.HandlerFunc
	gets    atomic.Int64 // number of GETs
	written atomic.Int64 // bytes of the endless answers
}

func (s *brokenHub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		s.gets.Add(1)
		s.get(w, r)
		return
	}
	w.Header().Set("X-Repo-Commit", fakeCommit)
	etag := s.etag
	if etag == "" {
		etag = "etag-of-" + strings.ReplaceAll(path.Base(r.URL.Path), ".", "-")
	}
	w.Header().Set("Etag", `"`+etag+`"`)
	if s.size != "" {
		w.Header().Set("Content-Length", s.size)
	}
}

// endless writes until the client closes the connection, at most 64 MiB.
func (s *brokenHub) endless(w http.ResponseWriter, _ *http.Request) {
	block := make([]byte, 1<<16)
	for range 1 << 10 {
		if _, err := w.Write(block); err != nil {
			return
		}
		s.written.Add(int64(len(block)))
	}
}

// content returns an answer to GET.
func content(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, body) }
}

func TestContentOtherThanAnnouncedIsRefused(t *testing.T) {
	gitHash := fmt.Sprintf("%x", sha1.Sum([]byte("blob 5\x00hello")))
	plainSHA1 := fmt.Sprintf("%x", sha1.Sum([]byte("hello")))
	tests := []struct {
		name       string
		size, etag string
		get        http.HandlerFunc // nil stands for a body without end
		want       string           // in the error; "" if the content is right
	}{
		{name: "no end", size: "100", want: "want at most 100"},
		{name: "no end, and a hash", size: "100", etag: sha256Hex("hello"), want: "want at most 100"},
		{name: "longer, as the answer says", size: "4", get: content("hello"), want: "got 5 bytes or more, want at most 4"},
		{name: "other SHA-256", size: "5", etag: sha256Hex("world"), get: content("hello"), want: "its hash is not " + sha256Hex("world")},
		{name: "other git hash", size: "5", etag: strings.Repeat("a", 40), get: content("hello"), want: "its hash is not aaaa"},
		{name: "git hash", size: "5", etag: gitHash, get: content("hello")},
		{name: "SHA-1", size: "5", etag: plainSHA1, get: content("hello")},
		{name: "no size", get: content("hello")},
		{name: "no size, and long", get: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(maxUnstatedSize+1))
		}, want: "or more, want at most 134217728"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := &brokenHub{size: test.size, etag: test.etag, get: test.get}
			if s.get == nil {
				s.get = s.endless
			}
			server := httptest.NewServer(s)
			defer server.Close()
			home := isolate(t)
			t.Setenv("HF_ENDPOINT", server.URL)
			_, err := Resolve(t.Context(), fakeName, fastRetry)
			if test.want == "" {
				if err != nil {
					t.Errorf("error %v, want none", err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "config.json") {
				t.Errorf("error %v, want one that contains %q and names the file", err, test.want)
			}
			if gets := s.gets.Load(); gets != 1 {
				t.Errorf("%d transfers, want 1", gets)
			}
			// The kernel's buffers of a connection hold some megabytes.
			if written := s.written.Load(); written > 32<<20 {
				t.Errorf("the server wrote %d bytes of a file of 100", written)
			}
			if left := tree(t, home); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// TestNoCredentialsInErrors checks that neither the password of HF_ENDPOINT, nor the token,
// nor the signature of a link to the storage server is in an error.
func TestNoCredentialsInErrors(t *testing.T) {
	refuse := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }
	}
	header := func(get http.HandlerFunc) http.Handler { return &brokenHub{size: "5", get: get} }
	tests := map[string]http.Handler{
		"401":       refuse(http.StatusUnauthorized),
		"404":       refuse(http.StatusNotFound),
		"not a hub": refuse(http.StatusOK),
		"503":       header(refuse(http.StatusServiceUnavailable)),
		"too long":  header(content("hello, world")),
		"too short": header(content("hell")),
		"storage": header(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://user:pa55word@127.0.0.1:1/blob?signature=pa55word", http.StatusFound)
		}),
		"storage of another kind": header(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "ftp://user:pa55word@127.0.0.1:1/blob?signature=pa55word", http.StatusFound)
		}),
		"interrupted": header(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "5")
			io.WriteString(w, "he")
			panic(http.ErrAbortHandler)
		}),
	}
	check := func(t *testing.T, endpoint string) {
		t.Helper()
		isolate(t)
		t.Setenv("HF_TOKEN", "hf_secret")
		t.Setenv("HF_ENDPOINT", endpoint)
		_, err := Resolve(t.Context(), fakeName, fastRetry)
		if err == nil {
			t.Fatal("no error")
		}
		for _, secret := range []string{"pa55word", "hf_secret", "me:"} {
			if strings.Contains(err.Error(), secret) {
				t.Errorf("error %q contains %q", err, secret)
			}
		}
	}
	for name, handler := range tests {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(handler)
			defer server.Close()
			check(t, strings.Replace(server.URL, "http://", "http://me:pa55word@", 1))
		})
	}
	for i, endpoint := range []string{
		"http://me:pa55word@127.0.0.1:1", // refuses connections
		"http://me:pa55word@127.0.0.1:port",
		"ftp://me:pa55word@hub.example",
		"http://me:pa55@word@hub.example:x",
		"http://hub.example?token=pa55word",
		"me:pa55word@hub.example",
		"http://me:pa55word@%zz",
	} {
		t.Run(fmt.Sprintf("endpoint %d", i), func(t *testing.T) { check(t, endpoint) })
	}
}

// TestTokenIsNotSentInTheClear redirects from https to http, with requests of both methods.
func TestTokenIsNotSentInTheClear(t *testing.T) {
	var mu sync.Mutex
	var got []string // Authorization headers of requests over http
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, r.Method+" "+r.Header.Get("Authorization"))
		io.WriteString(w, "hello")
	}))
	defer plain.Close()
	s := &brokenHub{size: "5", get: func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, plain.URL+r.URL.Path, http.StatusFound)
	}}
	hubServer := httptest.NewTLSServer(s)
	defer hubServer.Close()
	isolate(t)
	t.Setenv("HF_TOKEN", "hf_secret\n")
	t.Setenv("HF_ENDPOINT", hubServer.URL)
	h, err := newHub(fakeName, fastRetry)
	if err != nil {
		t.Fatal(err)
	}
	h.client.Transport = hubServer.Client().Transport
	dir := t.TempDir()
	if err := h.fetch(t.Context(), dir, "config.json"); err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0] != "GET " {
		t.Errorf("requests over http %q, want one without a token", got)
	}
	if got := contents(t, dir)["config.json"]; got != "hello" {
		t.Errorf("content %q", got)
	}
}
