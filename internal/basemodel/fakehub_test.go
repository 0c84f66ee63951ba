package basemodel

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	fakeName   = "org/tiny-bert"
	fakeCommit = "0123456789abcdef0123456789abcdef01234567"
)

// fakeHub serves one model as huggingface.co does: small files by a redirect to the same
// host, large files by a redirect to a storage server.
type fakeHub struct {
	files map[string]string // content by name
	large map[string]bool   // served by the storage server

	// interruptions is the number of GETs of large files that are interrupted after half of
	// the bytes.
	interruptions int
	// corrupt makes the storage server send content that does not match the ETag.
	corrupt bool
	// down makes the hub return status 503 to every request.
	down bool

	mu       sync.Mutex
	requests []string // "GET config.json", in order
	tokens   []string // the Authorization headers of those requests
	hubAuth  []string // the Authorization headers of requests to the hub
}

// start starts the servers, sets HF_ENDPOINT to the hub and HF_HOME to an empty folder,
// and returns that folder.
func (f *fakeHub) start(t *testing.T) (home string) {
	t.Helper()
	store := httptest.NewServer(http.HandlerFunc(f.serveStore))
	t.Cleanup(store.Close)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.serveHub(w, r, store.URL)
	}))
	t.Cleanup(server.Close)
	home = isolate(t)
	t.Setenv("HF_ENDPOINT", server.URL+"/")
	return home
}

// isolate clears the environment variables that affect Resolve, and sets HF_HOME to an
// empty folder, which it returns.
func isolate(t *testing.T) (home string) {
	t.Helper()
	home = t.TempDir()
	for _, name := range []string{EnvVar, "HF_HUB_CACHE", "HF_ENDPOINT", "HF_HUB_OFFLINE", "HF_TOKEN"} {
		t.Setenv(name, "")
	}
	t.Setenv("HF_HOME", home)
	return home
}

func (f *fakeHub) record(method, file, auth string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests = append(f.requests, method+" "+file)
	f.hubAuth = append(f.hubAuth, auth)
}

func (f *fakeHub) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.requests)
}

func (f *fakeHub) serveHub(w http.ResponseWriter, r *http.Request, store string) {
	if f.down {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	file := path.Base(r.URL.Path)
	f.record(r.Method, file, r.Header.Get("Authorization"))
	repo := strings.TrimPrefix(r.URL.Path, "/api/resolve-cache")
	if !strings.HasPrefix(repo, "/"+fakeName+"/resolve/main/") &&
		!strings.HasPrefix(repo, "/"+fakeName+"/resolve/"+fakeCommit+"/") {
		w.Header().Set("X-Error-Code", "RepoNotFound")
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	w.Header().Set("X-Repo-Commit", fakeCommit)
	content, ok := f.files[file]
	switch {
	case !ok:
		w.Header().Set("X-Error-Code", "EntryNotFound")
		w.WriteHeader(http.StatusNotFound)
	case f.large[file]:
		w.Header().Set("X-Linked-Etag", `"`+sha256Hex(content)+`"`)
		w.Header().Set("X-Linked-Size", fmt.Sprint(len(content)))
		w.Header().Set("Etag", `"of the redirect"`)
		http.Redirect(w, r, store+"/"+file, http.StatusFound)
	case repo == r.URL.Path:
		http.Redirect(w, r, "/api/resolve-cache"+r.URL.Path, http.StatusTemporaryRedirect)
	default:
		w.Header().Set("Etag", `W/"`+strings.ReplaceAll(file, ".", "-")+`"`)
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(content))
	}
}

func (f *fakeHub) serveStore(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.tokens = append(f.tokens, r.Header.Get("Authorization"))
	interrupted := f.interruptions > 0
	f.interruptions--
	f.mu.Unlock()
	content := []byte(f.files[path.Base(r.URL.Path)])
	if f.corrupt {
		content = bytes.ToUpper(content)
	}
	if !interrupted {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
		return
	}
	w.Header().Set("Content-Length", fmt.Sprint(len(content)))
	_, _ = w.Write(content[:len(content)/2])
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler) // closes the connection
}

func sha256Hex(content string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(content))) }
