package lexical

import (
	"cmp"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
)

func TestGramIndexByHand(t *testing.T) {
	// Grams of one and two characters. N = 2: a and ab are in both names, so their idf is ln(3/3)+1 = 1; b is in both;
	// ba is in one, so its idf is ln(3/2)+1 = s.
	//
	//	ab  = (a 1, b 1, ab 1)         length sqrt 3
	//	aba = (a 2, b 1, ab 1, ba s)   length sqrt(6 + s^2)
	s := math.Log(1.5) + 1
	names := []string{"ab", "aba"}
	x := NewGramIndex(names)
	length := math.Sqrt(6 + s*s)
	tests := []struct {
		query string
		want  []float32
	}{
		{"ab", []float32{1, float32(4 / (math.Sqrt(3) * length))}},
		{"aba", []float32{float32(4 / (math.Sqrt(3) * length)), 1}},
		// (b 1, ba s, a 1): ab has b and a, 2; aba has b, ba and a twice, 1 + s^2 + 2.
		{"ba", []float32{float32(2 / math.Sqrt(3*(2+s*s))), float32((3 + s*s) / (length * math.Sqrt(2+s*s)))}},
		{"x", []float32{0, 0}},
		{"", []float32{0, 0}},
		{"AB", []float32{0, 0}}, // strings are compared as they are
	}
	for _, test := range tests {
		must.EqualBy(t, cmpopts.EquateApprox(0, 1e-6), x.Scores(test.query), test.want, test.query)
	}
}

// The similarities are those of scikit-learn, see testdata/make_sklearn.py.
func TestTFIDFAsSklearn(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/sklearn.json"))
	var want struct {
		Names, Queries []string
		Cosines        [][]int // of each query with each name, in ten-thousandths
	}
	must.Succeed(t, json.Unmarshal(data, &want))
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
		must.Equal(t, cosines, want.Cosines[i], query, "scikit-learn and ctxnorm")
	}
}

// TestTFIDFSearch: a concept is found once, with its best name. Ties are in the order of IDs. Names without grams are
// not found.
func TestTFIDFSearch(t *testing.T) {
	x := NewTFIDF(parseConcepts("D2: Gout | gout", "D1: GOUT | gouty arthritis", "D3: zz", "D4: —"))
	var names []string
	for _, hit := range x.Search("gout", 10) {
		names = append(names, string(hit.Concept)+" "+hit.Name)
	}
	must.Equal(t, names, []string{"D1 GOUT", "D2 Gout"})
	for query, k := range map[string]int{"gout": 0, "Gout": -1, "": 5, "qq": 5, "\xff": 5} {
		if hits := x.Search(query, k); len(hits) > 0 {
			t.Errorf("%q, %d: got %v", query, k, hits)
		}
	}
}

// TestGramIndexAgainstSort compares the best rows with a full sort of all scores: equal scores are in the order of
// rows, and rows without a common gram come last.
func TestGramIndexAgainstSort(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, seed))
	word := func() string {
		b := make([]byte, r.IntN(6))
		for i := range b {
			b[i] = "ab c"[r.IntN(4)]
		}
		return string(b)
	}
	for range 50 {
		names := make([]string, r.IntN(30))
		queries := make([]string, 5)
		for i := range names {
			names[i] = word()
		}
		for i := range queries {
			queries[i] = word()
		}
		x := NewGramIndex(names)
		k := r.IntN(13) - 1
		for _, query := range queries {
			want, scores := make([]int32, len(names)), x.Scores(query)
			for row := range want {
				want[row] = int32(row)
			}
			slices.SortStableFunc(want, func(a, b int32) int { return cmp.Compare(scores[b], scores[a]) })
			if diff := gocmp.Diff(want[:max(0, min(k, len(want)))], Highest(scores, k), cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("names %q, query %q, k %d (-want +got):\n%s", names, query, k, diff)
			}
		}
	}
}
