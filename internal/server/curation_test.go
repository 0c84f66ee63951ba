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
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/text"
)

// curationConfig returns the settings of a server, without an encoder, that keeps documents with these texts.
func curationConfig(t testing.TB, dir string, texts ...string) Config {
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
	return Config{Version: "test", Model: modeltest.Build(t, nil, modeltest.Ulcer), Curation: store}
}

// putCurated answers PUT /v1/curation/{number}.
func putCurated(h http.Handler, number int, etag, body string) *httptest.ResponseRecorder {
	r := request(http.MethodPut, fmt.Sprintf("/v1/curation/%d", number), body)
	if etag != "" {
		r.Header.Set("If-Match", etag)
	}
	return call(h, r)
}

type curatedAnswer struct {
	CurationEntry
	Curated  CuratedMentions
	Progress curationProgress
}

func TestCuration(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "decisions")
	cfg := curationConfig(t, dir, "Ä gastric ulcer.", "A coeliac disease.", "Nothing.")
	h := newServer(t, cfg)
	shown := get(h, "/v1/curation/1")
	if first := ok[curatedAnswer](t, shown); first.Opened || first.Curated.Curation.Version != 0 || shown.Header().Get("ETag") != `"0"` {
		t.Fatalf("%+v with the ETag %s", first, shown.Header().Get("ETag"))
	}
	if !strings.Contains(shown.Body.String(), `"source":{"id":"n1","text":"Ä gastric ulcer.","mentions":[]}`) {
		t.Errorf("no document to link: %s", shown.Body)
	}
	w := putCurated(h, 1, `"0"`, `{"by": "ann", "mentions": [{"start": 2, "end": 15, "concept": "G2"}], "left": 1}`)
	made := ok[curatedAnswer](t, w)
	if w.Header().Get("ETag") != `"1"` || made.Decided != 1 || made.Left != 1 || made.Progress != (curationProgress{3, 1, 0, 1, 1}) {
		t.Errorf("ETag %s, %+v", w.Header().Get("ETag"), made)
	}
	m := made.Curated.Mentions[0]
	if m.Text != "gastric ulcer" || m.IDs[0] != "G2" || m.Candidates[0].Name != "gastric ulcer" ||
		m.Corrected == nil || m.Corrected.By != "ann" || m.Corrected.At.Year() < 2020 {
		t.Errorf("the mention is %+v", m)
	}
	ok[curatedAnswer](t, putCurated(h, 3, `"0"`, `{"mentions": [], "left": 0}`))
	for target, want := range map[string]string{
		"?state=left": "[1 2]", "?state=done": "[3]", "": "[1 2 3]", "?state=left&after=1": "[2]", "?query=N2+notes": "[2]",
		"?limit=1&offset=1": "[2]", "?query=other": "[]", "?key=" + made.Key: "[1]", "?key=other": "[]",
	} {
		page := ok[curationPage](t, get(h, "/v1/curation"+target))
		numbers := []int{}
		for _, e := range page.Documents {
			numbers = append(numbers, e.Number)
		}
		if got := fmt.Sprint(numbers); got != want || page.Progress != (curationProgress{3, 2, 1, 1, 1}) {
			t.Errorf("%s: documents %s with %+v, want %s", target, got, page.Progress, want)
		}
	}
	exported := get(h, "/v1/curation/export?format=pubtator")
	if want := "n1|t|Ä gastric ulcer."; exported.Code != http.StatusOK || !strings.Contains(exported.Body.String(), want) ||
		!strings.Contains(exported.Body.String(), "\tgastric ulcer\tConcept\tG2\n") || strings.Contains(exported.Body.String(), "coeliac") {
		t.Errorf("the export is\n%s", exported.Body)
	}
	if named := exported.Header().Get("Content-Disposition"); named != `attachment; filename="curated.pubtator"` {
		t.Errorf("the file is %s", named)
	}
}

func TestCurationRefuses(t *testing.T) {
	h := newServer(t, curationConfig(t, t.TempDir(), "A gastric ulcer."))
	for _, c := range []struct {
		name, etag, body string
		number, status   int
		pointer          string
	}{
		{"no version", "", `{"mentions": [], "left": 0}`, 1, http.StatusPreconditionRequired, ""},
		{"another version", `"3"`, `{"mentions": [], "left": 0}`, 1, http.StatusPreconditionFailed, ""},
		{"another document", `"0"`, `{"mentions": [], "left": 0}`, 2, http.StatusNotFound, ""},
		{"outside of the text", `"0"`, `{"mentions": [{"start": 2, "end": 99}], "left": 0}`, 1, 422, "/mentions/0"},
		{"a removed one outside", `"0"`, `{"mentions": [], "removed": [{"start": 0, "end": 1}, {"start": 5, "end": 5}], "left": 0}`, 1, 422, "/removed/1"},
		{"an unknown concept", `"0"`, `{"mentions": [{"start": 2, "end": 15, "concept": "G99"}], "left": 0}`, 1, 422, "/mentions/0/concept"},
		{"an unknown one of several", `"0"`, `{"mentions": [{"start": 2, "end": 15, "concepts": ["G2", "G99"]}], "left": 0}`, 1, 422, "/mentions/0/concepts/1"},
		{"a concept and several", `"0"`, `{"mentions": [{"start": 2, "end": 15, "concept": "G2", "concepts": ["G4"]}], "left": 0}`, 1, 422, "/mentions/0/concept"},
		{"twice", `"0"`, `{"mentions": [{"start": 2, "end": 15}, {"start": 2, "end": 15, "concept": "G2"}], "left": 0}`, 1, 422, "/mentions"},
		{"decided and removed", `"0"`, `{"mentions": [{"start": 2, "end": 15}], "removed": [{"start": 2, "end": 15}], "left": 0}`, 1, 422, "/mentions"},
		{"an author with a line feed", `"0"`, `{"by": "a\nb", "mentions": [], "left": 0}`, 1, 422, "/by"},
		{"fewer than nothing left", `"0"`, `{"mentions": [], "left": -1}`, 1, 422, "/left"},
		{"an unknown member", `"0"`, `{"mentions": [], "left": 0, "rest": 1}`, 1, 422, "/rest"},
	} {
		p := wantProblem(t, putCurated(h, c.number, c.etag, c.body), c.status)
		if c.pointer != "" && (len(p.Faults) == 0 || p.Faults[0].Pointer != c.pointer) {
			t.Errorf("%s: %+v, want a fault at %s", c.name, p, c.pointer)
		}
	}
	if first := ok[curatedAnswer](t, get(h, "/v1/curation/1")); first.Opened {
		t.Errorf("a refused request stored %+v", first)
	}
	without := newServer(t, Config{Version: "test", Model: modeltest.Build(t, nil, modeltest.Ulcer)})
	for _, path := range []string{"/v1/curation", "/v1/curation/1", "/v1/curation/export"} {
		wantProblem(t, get(without, path), http.StatusNotFound)
	}
}

// Of two curators who have seen the same version, one is told, and what the other said is there.
func TestCuratorsAtOnce(t *testing.T) {
	h := newServer(t, curationConfig(t, t.TempDir(), "A gastric ulcer."))
	codes := make([]int, 2)
	var both sync.WaitGroup
	for i, concept := range []string{"G2", "G4"} {
		both.Go(func() {
			codes[i] = putCurated(h, 1, `"0"`, fmt.Sprintf(`{"by": "%s", "mentions": [{"start": 2, "end": 15, "concept": %q}], "left": 0}`, concept, concept)).Code
		})
	}
	both.Wait()
	if codes[0]+codes[1] != http.StatusOK+http.StatusPreconditionFailed {
		t.Fatalf("status codes %v, want one that is stored and one of another version", codes)
	}
	winner := "G2"
	if codes[1] == http.StatusOK {
		winner = "G4"
	}
	m := ok[curatedAnswer](t, get(h, "/v1/curation/1")).Curated.Mentions[0]
	if string(m.IDs[0]) != winner || m.Corrected == nil || m.Corrected.By != winner {
		t.Errorf("it is %+v, want what was acknowledged, %s", m, winner)
	}
}

// A decision whose concept left the dictionary stays as long as nobody changes it.
func TestCurationKeepsLostConcept(t *testing.T) {
	dir := t.TempDir()
	cfg := curationConfig(t, dir, "A gastric ulcer.")
	cfg.Memory = filepath.Join(t.TempDir(), "memory")
	s := newServer(t, cfg)
	body := `{"mentions": [{"start": 2, "end": 15, "concept": "G9"}], "left": %d}`
	ok[any](t, post(s, "/v1/memory", `{"kind": "concept", "id": "G9", "name": "sore belly"}`))
	ok[any](t, putCurated(s, 1, `"0"`, fmt.Sprintf(body, 1)))
	ok[any](t, call(s, request(http.MethodDelete, "/v1/memory/1", "")))
	answer := ok[curatedAnswer](t, putCurated(s, 1, `"1"`, fmt.Sprintf(body, 0)))
	if m := answer.Curated.Mentions[0]; m.Candidates[0].Name != "sore belly" {
		t.Errorf("it is %+v, want the name that it had", m)
	}
}

// A disk that cannot be written is said, and nothing is acknowledged.
func TestCurationNotWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "decisions")
	h := newServer(t, curationConfig(t, dir, "A gastric ulcer."))
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	wantProblem(t, putCurated(h, 1, `"0"`, `{"mentions": [], "left": 0}`), http.StatusInternalServerError)
	if first := ok[curatedAnswer](t, get(h, "/v1/curation/1")); first.Opened {
		t.Errorf("what was not written is %+v", first)
	}
}

// The documents need the token, and pages of other origins get nothing.
func TestCurationAccess(t *testing.T) {
	cfg := curationConfig(t, t.TempDir(), "A gastric ulcer.")
	cfg.Access.Token = "the-token-of-the-test"
	h := newServer(t, cfg)
	wantProblem(t, get(h, "/v1/curation"), http.StatusUnauthorized)
	wantProblem(t, putCurated(h, 1, `"0"`, `{"mentions": [], "left": 0}`), http.StatusUnauthorized)
	r := request(http.MethodPut, "/v1/curation/1", `{"mentions": [], "left": 0}`)
	r.Header.Set("Authorization", "Bearer "+cfg.Access.Token)
	r.Header.Set("If-Match", `"0"`)
	r.Header.Set("Origin", "https://example.org")
	wantProblem(t, call(h, r), http.StatusForbidden)
}
