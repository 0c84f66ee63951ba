package eval

import (
	"context"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// These tests use the gold mentions of testdata/gold.pubtator, with a dictionary and a linker that are small enough to
// count by hand. M7 is in the evaluated set but not in the dictionary. M4 is in the dictionary without a name, below
// M3. X9 is outside the set.
//
//	0  101  Breast cancer               M1         predicted M1 M2
//	1  101  ovarian cancer              M2                   M2
//	2  101  Breast and ovarian cancers  M1 and M2            M1 M3 M2
//	3  102  Alzheimer disease           M5                   M5
//	4  102  AD                          M5                   M6 M5
//	5  102  AD                          M5                   M6 M5
//	6  102  sideropenia                 M4                   M3 M1
//	7  103  mystery syndrome            X9                   M1
//	8  103  anaemia                     M3                   NIL
//	9  103  rare fever                  M7                   M3
func smallDictionary() *kb.Dictionary {
	return kb.NewDictionary([]kb.Concept{
		{ID: "M1", Name: "breast cancer", Synonyms: []string{"breast neoplasm"}},
		{ID: "M2", Name: "ovarian cancer"},
		{ID: "M3", Name: "anemia"},
		{ID: "M4", Parents: []kb.ConceptID{"OMIM:3"}},
		{ID: "M5", Name: "Alzheimer disease", Synonyms: []string{"AD"}},
		{ID: "M6", Name: "atopic dermatitis", Synonyms: []string{"AD"}},
	})
}

func smallSet() *ConceptSet {
	return NewConceptSet(map[kb.ConceptID][]kb.ConceptID{
		"M1": nil, "M2": nil, "M3": {"OMIM:3"}, "M4": nil, "M5": nil, "M6": nil, "M7": nil,
	})
}

func smallGold(t *testing.T, set *ConceptSet) *Gold {
	t.Helper()
	gold := readGold(t, set, []string{"Disease"}, "testdata/gold.pubtator")
	if len(gold.Mentions) != 10 {
		t.Fatalf("%d mentions, want 10", len(gold.Mentions))
	}
	return gold
}

// readGold reads gold that may only have malformed records.
func readGold(t *testing.T, set *ConceptSet, types []string, paths ...string) *Gold {
	t.Helper()
	return must.Get(ReadGold(paths, types, set, files.Limits{}))
}

// tableLinker maps a surface form to the concepts that it links to.
type tableLinker map[string][]kb.ConceptID

func smallLinker() tableLinker {
	return tableLinker{
		"Breast cancer":              {"M1", "M2"},
		"ovarian cancer":             {"M2"},
		"Breast and ovarian cancers": {"M1", "OMIM:3", "M2"},
		"Alzheimer disease":          {"MESH:M5"},
		"AD":                         {"M6", "M5"},
		"sideropenia":                {"M3", "M1"},
		"mystery syndrome":           {"M1"},
		"rare fever":                 {"M3"},
	}
}

func (tableLinker) Name() string { return "by hand" }

func (l tableLinker) Link(_ context.Context, queries []text.Query, k int) ([]link.Ranking, error) {
	rankings := make([]link.Ranking, len(queries))
	for i := range queries {
		concepts := l[queries[i].Surface()]
		for j, id := range concepts[:min(k, len(concepts))] {
			rankings[i].Candidates = append(rankings[i].Candidates, linked.Candidate{Concept: id, Score: 3 - float64(j), Probability: .5 / float64(j+1)})
		}
	}
	return rankings, nil
}

func smallPredictions(t *testing.T, linker link.Linker, mentions []GoldMention, set *ConceptSet) []Prediction {
	t.Helper()
	return must.Get(Predict(t.Context(), linker, mentions, set, nil))
}

func mustPolicy(t *testing.T, name string) Policy {
	t.Helper()
	return must.Get(PolicyByName(name))
}
