package server

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/curation"
	"github.com/ctxnorm/ctxnorm/text"
)

// curationStore returns a store of documents with these texts.
func curationStore(t testing.TB, dir string, texts ...string) *curation.Store {
	t.Helper()
	var sources []curation.Source
	for i, body := range texts {
		doc := &text.Document{ID: fmt.Sprint("n", i+1), Text: body}
		sources = append(sources, curation.Source{Document: doc, File: "notes/a.txt"})
	}
	store, err := curation.Open(t.Context(), dir, sources)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(store.Close)
	return store
}

// putCurated answers PUT /v1/curation/1 of a document that nobody has changed.
func putCurated(h http.Handler, body string) *httptest.ResponseRecorder {
	r := request(http.MethodPut, "/v1/curation/1", body)
	r.Header.Set("If-Match", `"0"`)
	return call(h, r)
}

// Of two curators who have seen the same version, one is told, and what the other said is there.
func TestCuratorsAtOnce(t *testing.T) {
	h := newServer(t, scriptServer(t, "strings", `"Kept":["A gastric ulcer."]`))
	codes := make(map[int]string)
	var mu sync.Mutex
	var both sync.WaitGroup
	for _, concept := range []string{"G2", "G4"} {
		both.Go(func() {
			w := putCurated(h, fmt.Sprintf(`{"mentions": [{"start": 2, "end": 15, "concept": %q}], "left": 0}`, concept))
			mu.Lock()
			defer mu.Unlock()
			codes[w.Code] = concept
		})
	}
	both.Wait()
	stored := fmt.Sprintf(`"ids":["%s"]`, codes[http.StatusOK])
	if body := get(h, "/v1/curation/1").Body.String(); codes[http.StatusPreconditionFailed] == "" || !strings.Contains(body, stored) {
		t.Errorf("%v answered, stored is %s; want one that is stored and one of another version", codes, body)
	}
}

// A disk that cannot be written is said, and nothing is acknowledged.
func TestCurationNotWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "decisions")
	cfg := scriptServer(t, "strings", "")
	cfg.Curation = curationStore(t, dir, "A gastric ulcer.")
	h := newServer(t, cfg)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	wantProblem(t, putCurated(h, `{"mentions": [], "left": 0}`), http.StatusInternalServerError)
	if body := get(h, "/v1/curation/1").Body.String(); !strings.Contains(body, `"opened":false`) {
		t.Errorf("what was not written is %s", body)
	}
}
