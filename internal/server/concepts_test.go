package server

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/kb"
)

// searchDictionary returns a dictionary of concepts with one beginning, and an identifier that a path
// cannot have as it is.
func searchDictionary() *kb.Dictionary {
	concepts := []kb.Concept{
		{ID: "EX:a/b?c", Name: "Fever", Types: []string{"T184"}, AltIDs: []kb.ConceptID{"OLD:1"}},
		{ID: "EX:2", Name: "fever, scarlet", Synonyms: []string{"scarlet fever"}, Parents: []kb.ConceptID{"EX:a/b?c"}},
		{ID: "EX:3", Name: "feverfew allergy"},
		{ID: "EX:4", Name: "headache"},
		{ID: "EX:5", Name: "<script>alert(1)</script>"},
	}
	for i := range 30 {
		concepts = append(concepts, kb.Concept{ID: kb.ConceptID(fmt.Sprintf("P:%02d", i)), Name: fmt.Sprintf("porphyria kind %02d", i)})
	}
	return kb.NewDictionary(concepts)
}

func searchServer(t *testing.T) *Server {
	t.Helper()
	return newServer(t, Config{Model: modeltest.Build(t, nil, func(o *model.BuildOptions) {
		o.Dictionary, o.Contexts = searchDictionary(), nil
	})})
}

func TestSearchConcepts(t *testing.T) {
	s := searchServer(t)
	for _, test := range []struct {
		query string
		want  []string // the first matches and identifiers
	}{
		{"FEVER", []string{"exact EX:a/b?c", "prefix EX:2", "prefix EX:3"}},
		{"fev", []string{"prefix EX:a/b?c", "prefix EX:2", "prefix EX:3"}},
		{"scarlet fevr", []string{"similar EX:2"}},
		{"EX:4", []string{"id EX:4"}},
		{"OLD:1", []string{"id EX:a/b?c"}},
		{"Headache!", []string{"exact EX:4"}},
		{"zzz", []string{}},
		{"  ", []string{}},
	} {
		page := ok[conceptPage](t, get(s, "/v1/concepts?query="+url.QueryEscape(test.query)))
		got := []string{}
		for _, c := range page.Concepts {
			got = append(got, c.Match+" "+string(c.ID))
		}
		if len(got) < len(test.want) || !slices.Equal(got[:len(test.want)], test.want) || len(test.want) == 0 && len(got) > 0 {
			t.Errorf("%q: %q, want first %q", test.query, got, test.want)
		}
	}
}

// All pages together are the search without pages.
func TestSearchPages(t *testing.T) {
	s := searchServer(t)
	whole := ok[conceptPage](t, get(s, "/v1/concepts?query=porphyria&limit=100"))
	if len(whole.Concepts) != 30 || whole.NextOffset != nil {
		t.Fatalf("%d concepts, next page at %v, want 30 on one page", len(whole.Concepts), whole.NextOffset)
	}
	var paged []foundConcept
	for offset := 0; ; {
		page := ok[conceptPage](t, get(s, fmt.Sprintf("/v1/concepts?query=porphyria&limit=7&offset=%d", offset)))
		paged = append(paged, page.Concepts...)
		if page.NextOffset == nil {
			break
		}
		offset = *page.NextOffset
	}
	if diff := cmp.Diff(whole.Concepts, paged); diff != "" {
		t.Errorf("(-whole +pages):\n%s", diff)
	}
	for _, query := range []string{"", "query=", "query=x&limit=0", "query=x&limit=101", "query=x&offset=-1", "query=x&offset=99999999999999999999", "query=x&page=2"} {
		wantProblem(t, get(s, "/v1/concepts?"+query), http.StatusUnprocessableEntity)
	}
}

func TestShowConcept(t *testing.T) {
	s := searchServer(t)
	for _, id := range []string{"EX:a/b?c", "OLD:1"} {
		got := ok[conceptDetails](t, get(s, "/v1/concepts/"+url.PathEscape(id)))
		want := conceptDetails{
			ID: "EX:a/b?c", Name: "Fever", Names: []string{"Fever"}, CorpusSynonyms: []corpusSynonym{}, AltIDs: []kb.ConceptID{"OLD:1"}, Types: []string{"T184"},
			Parents: []conceptName{}, Children: []conceptName{{"EX:2", "fever, scarlet"}}, Exemplars: []exemplar{},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
	p := wantProblem(t, get(s, "/v1/concepts/EX:99"), http.StatusNotFound)
	if want := `the model has no concept "EX:99"`; p.Detail != want {
		t.Errorf("detail %q, want %q", p.Detail, want)
	}
}

func TestShowExemplars(t *testing.T) {
	s := newServer(t, gutConfig(t))
	got := ok[conceptDetails](t, get(s, "/v1/concepts/G2"))
	want := conceptDetails{
		ID: "G2", Name: "gastric ulcer", Names: []string{"gastric ulcer"}, CorpusSynonyms: []corpusSynonym{{"aspirin belly", "also known as"}},
		Parents: []conceptName{{"G0", "G0"}}, Children: []conceptName{}, ExemplarCount: 2,
		Exemplars: []exemplar{
			{PMID: "2", Text: "bleeding from a gastric ulcer after aspirin", Start: 16, End: 29},
			{PMID: "3", Text: "aspirin and gastric ulcer", Start: 12, End: 25},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	page := ok[conceptDetails](t, get(s, "/v1/concepts/G2?limit=1&offset=1"))
	if diff := cmp.Diff(want.Exemplars[1:], page.Exemplars); diff != "" {
		t.Errorf("second page (-want +got):\n%s", diff)
	}
	if page := ok[conceptDetails](t, get(s, "/v1/concepts/G2?limit=200&offset=1000000000")); len(page.Exemplars) != 0 {
		t.Errorf("exemplars %+v after the last, want none", page.Exemplars)
	}
}

// TestHierarchy lists a hierarchy with a concept that has two parents, one that is its own child's, by name and in
// pages.
func TestHierarchy(t *testing.T) {
	s := newServer(t, Config{Version: "test", Dictionary: kb.NewDictionary([]kb.Concept{
		{ID: "T", Name: "ulcer"}, {ID: "A", Name: "Asthma"}, {ID: "N"},
		{ID: "G", Name: "gastric ulcer", Parents: []kb.ConceptID{"T", "gone"}},
		{ID: "D", Name: "Duodenal ulcer", Parents: []kb.ConceptID{"T", "G"}},
	})})
	for query, want := range map[string]string{
		"":                   `{"concepts":[{"id":"A","name":"Asthma","narrower":0},{"id":"N","name":"N","narrower":0},{"id":"T","name":"ulcer","narrower":2}],"count":3}`,
		"?limit=2":           `{"concepts":[{"id":"A","name":"Asthma","narrower":0},{"id":"N","name":"N","narrower":0}],"count":3,"next_offset":2}`,
		"?limit=2&offset=2":  `{"concepts":[{"id":"T","name":"ulcer","narrower":2}],"count":3}`,
		"?offset=9":          `{"concepts":[],"count":3}`,
		"?below=T":           `{"concepts":[{"id":"D","name":"Duodenal ulcer","narrower":0},{"id":"G","name":"gastric ulcer","narrower":1}],"count":2}`,
		"?below=G&offset=0":  `{"concepts":[{"id":"D","name":"Duodenal ulcer","narrower":0}],"count":1}`,
		"?below=D&limit=100": `{"concepts":[],"count":0}`,
	} {
		w := get(s, "/v1/hierarchy"+query)
		if got := strings.TrimSpace(w.Body.String()); w.Code != http.StatusOK || got != want {
			t.Errorf("%s: status %d\n%s\nwant\n%s", query, w.Code, got, want)
		}
	}
	wantProblem(t, get(s, "/v1/hierarchy?below=X"), http.StatusNotFound)
}
