package bert

import (
	"crypto/sha1"
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

// fakeHub serves one model like huggingface.co: a list of the files, small files by a redirect to the same host, and
// weights by a redirect to a storage server.
type fakeHub struct {
	files   map[string]string // content by name
	store   http.HandlerFunc  // on the storage server; nil to serve the files
	onStore []string          // the Authorization headers of the requests to it
	onHub   []string          // "config.json Bearer TOKEN", in order

	mu sync.Mutex
}

// tinyBERT returns a hub with a model of these files.
func tinyBERT(files ...string) *fakeHub {
	f := &fakeHub{files: map[string]string{}}
	for _, file := range files {
		f.files[file] = "content of " + file
		if isWeights(file) {
			f.files[file] = strings.Repeat("weights ", 10_000)
		}
	}
	return f
}

func isWeights(file string) bool {
	return strings.HasPrefix(file, "model") || strings.HasPrefix(file, "pytorch")
}

// start starts the servers, sets HF_ENDPOINT to the hub and HF_HOME to an empty folder, and returns that folder.
func (f *fakeHub) start(t *testing.T) (home string) {
	t.Helper()
	store := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		f.onStore = append(f.onStore, r.Header.Get("Authorization"))
		f.mu.Unlock()
		if f.store != nil {
			f.store(w, r)
			return
		}
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(f.files[path.Base(r.URL.Path)]))
	}))
	t.Cleanup(store.Close)
	return serve(t, func(w http.ResponseWriter, r *http.Request) { f.serveHub(w, r, store.URL) })
}

func (f *fakeHub) serveHub(w http.ResponseWriter, r *http.Request, store string) {
	file := path.Base(r.URL.Path)
	f.mu.Lock()
	f.onHub = append(f.onHub, file+" "+r.Header.Get("Authorization"))
	f.mu.Unlock()
	content, ok := f.files[file]
	switch repo := strings.TrimPrefix(r.URL.Path, "/api/resolve-cache"); {
	case r.URL.String() == "/api/models/"+fakeName+"/revision/main?blobs=true":
		var files []string
		for name, content := range f.files {
			files = append(files, listed(name, len(content), gitHash(content), map[bool]string{true: sha256Hex(content)}[isWeights(name)]))
		}
		_, _ = w.Write([]byte(list(files...)))
	case !ok || !strings.HasPrefix(repo, "/"+fakeName+"/resolve/"+fakeCommit+"/"):
		w.Header().Set("X-Error-Code", "RepoNotFound")
		w.WriteHeader(http.StatusUnauthorized)
	case isWeights(file):
		http.Redirect(w, r, store+"/"+file, http.StatusFound)
	case repo == r.URL.Path:
		http.Redirect(w, r, "/api/resolve-cache"+r.URL.Path, http.StatusTemporaryRedirect)
	default:
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(content))
	}
}

// list returns the hub's description of a model with files of [listed].
func list(files ...string) string {
	return fmt.Sprintf(`{"id":%q,"sha":%q,"siblings":[%s]}`, fakeName, fakeCommit, strings.Join(files, ","))
}

// listed returns the hub's description of a file; sha256 is empty for a small one.
func listed(name string, size int, git, sha256 string) string {
	lfs := ""
	if sha256 != "" {
		lfs = fmt.Sprintf(`,"lfs":{"sha256":%q,"size":%d,"pointerSize":134}`, sha256, size)
	}
	return fmt.Sprintf(`{"rfilename":%q,"size":%d,"blobId":%q%s}`, name, size, git, lfs)
}

// serve starts a hub with the handler and sets HF_ENDPOINT to it. It sets HF_HOME to an empty folder, which it returns,
// and clears the other environment variables that affect ResolveBaseModel.
func serve(t *testing.T, handler http.HandlerFunc) (home string) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	home = t.TempDir()
	for _, name := range []string{BaseModelVariable, "HF_HUB_CACHE", "HF_HUB_OFFLINE", "HF_TOKEN"} {
		t.Setenv(name, "")
	}
	t.Setenv("HF_HOME", home)
	t.Setenv("HF_ENDPOINT", server.URL+"/")
	return home
}

// answer serves a model in which all files have the given size and hashes, and the same content.
func answer(size int, git, sha256, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/") {
			body := []string{"config.json", "vocab.txt", "model.safetensors"}
			for i, name := range body {
				body[i] = listed(name, size, git, sha256)
			}
			_, _ = w.Write([]byte(list(body...)))
			return
		}
		_, _ = w.Write([]byte(body))
	}
}

func sha256Hex(content string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(content))) }

func gitHash(content string) string {
	return fmt.Sprintf("%x", sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(content), content)))
}
