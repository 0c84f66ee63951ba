package lexical

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/kb"
)

// The similarities are those of scikit-learn, see testdata/make_sklearn.py.
func TestTFIDFAsSklearn(t *testing.T) {
	data, err := os.ReadFile("testdata/sklearn.json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Names, Queries []string
		Cosines        [][]int // of each query and name, in ten-thousandths
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	var concepts []kb.Concept
	for _, name := range want.Names {
		concepts = append(concepts, kb.Concept{ID: kb.ConceptID(name), Name: name})
	}
	x := NewTFIDF(kb.NewDictionary(concepts))
	for i, query := range want.Queries {
		scores := make(map[string]int)
		for _, hit := range x.Search(query, len(want.Names)) {
			scores[hit.Name] = int(math.Round(1e4 * hit.Score))
		}
		cosines := make([]int, len(want.Names))
		for j, name := range want.Names {
			cosines[j] = scores[name]
		}
		if diff := cmp.Diff(want.Cosines[i], cosines); diff != "" {
			t.Errorf("%q (-scikit-learn +ctxnorm):\n%s", query, diff)
		}
	}
}

// TestTFIDFSearch: a concept has its best name once, ties are in the order of IDs, and what has no gram is not found.
func TestTFIDFSearch(t *testing.T) {
	x := NewTFIDF(parseConcepts("D2: Gout | gout", "D1: GOUT | gouty arthritis", "D3: zz", "D4: —"))
	var names []string
	for _, hit := range x.Search("gout", 10) {
		names = append(names, string(hit.Concept)+" "+hit.Name)
	}
	if diff := cmp.Diff([]string{"D1 GOUT", "D2 Gout"}, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for query, k := range map[string]int{"gout": 0, "Gout": -1, "": 5, "qq": 5, "\xff": 5} {
		if hits := x.Search(query, k); len(hits) > 0 {
			t.Errorf("%q, %d: got %v", query, k, hits)
		}
	}
}
