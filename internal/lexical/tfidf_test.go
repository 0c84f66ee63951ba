package lexical

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/realdata"
	"github.com/ctxnorm/ctxnorm/kb"
)

func newTestTFIDF(t testing.TB, d *kb.Dictionary, options TFIDFOptions) *TFIDF {
	t.Helper()
	x, err := NewTFIDF(d, options)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestGrams(t *testing.T) {
	tests := []struct {
		options TFIDFOptions
		name    string
		want    string // the grams of scikit-learn's char and char_wb, in its order
	}{
		{TFIDFOptions{MinGram: 1, MaxGram: 2}, "ab c", "a|b| |c|ab|b | c"},
		{TFIDFOptions{MinGram: 2, MaxGram: 4}, "abc", "ab|bc|abc"},
		{TFIDFOptions{MinGram: 2, MaxGram: 2}, "a", ""},
		{TFIDFOptions{MinGram: 2, MaxGram: 3}, "病気α", "病気|気α|病気α"},
		{TFIDFOptions{MinGram: 2, MaxGram: 4, WordBounded: true}, "ab c", " a|ab|b | ab|ab | ab | c|c | c "},
		{TFIDFOptions{MinGram: 4, MaxGram: 5, WordBounded: true}, "c abc", " c | abc|abc | abc "},
		{TFIDFOptions{MinGram: 1, MaxGram: 1, WordBounded: true}, "", ""},
	}
	for _, test := range tests {
		var got []string
		test.options.eachGram(test.name, func(gram string) { got = append(got, gram) })
		if diff := gocmp.Diff(test.want, strings.Join(got, "|")); diff != "" {
			t.Errorf("%+v %q (-want +got):\n%s", test.options, test.name, diff)
		}
	}
}

func TestTFIDFByHand(t *testing.T) {
	x := newTestTFIDF(t, parseConcepts("D1: ab", "D2: aa b"), TFIDFOptions{MinGram: 1, MaxGram: 1})
	// N = 2. a and b are in both names, idf ln(3/3)+1 = 1; the space is in one,
	// idf ln(3/2)+1 = s. The vectors are ab = (a 1, b 1) / sqrt 2 and
	// aa b = (a 2, b 1, space s) / sqrt(4 + 1 + s^2). The query "bx" is (b 1), since
	// x is in no name.
	s := math.Log(1.5) + 1
	want := []NameHit{
		{"D1", "ab", 1 / math.Sqrt2},
		{"D2", "aa b", 1 / math.Sqrt(5+s*s)},
	}
	if diff := gocmp.Diff(want, x.Search("bx", 5), cmpopts.EquateApprox(0, 1e-6)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTFIDFSearch(t *testing.T) {
	x := newTestTFIDF(t, parseConcepts(
		"D2: Gout | gout",
		"D1: GOUT | gouty arthritis",
		"D3: arthritis",
		"D4: —",
	), TFIDFOptions{MinGram: 2, MaxGram: 3, Sublinear: true})
	var names []string
	for _, hit := range x.Search("gout", 10) {
		names = append(names, fmt.Sprint(hit.Concept, " ", hit.Name))
	}
	if diff := gocmp.Diff([]string{"D1 GOUT", "D2 Gout"}, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, k := range []int{-1, 0} {
		if hits := x.Search("gout", k); len(hits) > 0 {
			t.Errorf("k = %d: got %v", k, hits)
		}
	}
	for _, query := range []string{"", "zz", "\xff"} {
		if hits := x.Search(query, 5); len(hits) > 0 {
			t.Errorf("%q: got %v", query, hits)
		}
	}
}

func TestTFIDFOptions(t *testing.T) {
	for _, options := range []TFIDFOptions{{}, {MinGram: 2, MaxGram: 1}, {MinGram: -1, MaxGram: 3}} {
		if _, err := NewTFIDF(parseConcepts("D1: a"), options); err == nil {
			t.Errorf("%+v: no error", options)
		}
	}
}

// cosines returns all hits for a query by the formula of [TFIDF], computed in float64
// over maps of grams.
func cosines(d *kb.Dictionary, options TFIDFOptions, query string) []NameHit {
	type row struct {
		concept kb.ConceptID
		name    string
		counts  map[string]int
	}
	var rows []row
	df := map[string]float64{}
	for i := range d.Len() {
		seen := map[string]bool{}
		for _, name := range d.At(i).Names() {
			counts := options.count(normalize.Normal(name))
			if !seen[normalize.Normal(name)] && len(counts) > 0 {
				seen[normalize.Normal(name)] = true
				rows = append(rows, row{d.At(i).ID, name, counts})
				for gram := range counts {
					df[gram]++
				}
			}
		}
	}
	weigh := func(counts map[string]int) map[string]float64 {
		weights := map[string]float64{}
		squares := 0.0
		for gram, n := range counts {
			if df[gram] == 0 {
				continue
			}
			tf := float64(n)
			if options.Sublinear {
				tf = 1 + math.Log(tf)
			}
			weights[gram] = tf * (math.Log((1+float64(len(rows)))/(1+df[gram])) + 1)
			squares += weights[gram] * weights[gram]
		}
		for gram := range weights {
			weights[gram] /= math.Sqrt(squares)
		}
		return weights
	}
	q := weigh(options.count(normalize.Normal(query)))
	best := map[kb.ConceptID]NameHit{}
	for _, r := range rows {
		score := 0.0
		for gram, weight := range weigh(r.counts) {
			score += weight * q[gram]
		}
		if score > best[r.concept].Score+1e-9 {
			best[r.concept] = NameHit{r.concept, r.name, score}
		}
	}
	var hits []NameHit
	for _, hit := range best {
		hits = append(hits, hit)
	}
	slices.SortFunc(hits, func(a, b NameHit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Concept, b.Concept))
	})
	return hits
}

// checkTFIDF compares a search with the cosines: the scores by rank, and each hit's own
// score. Two hits whose cosines differ by less than the precision of float32 may be
// swapped.
func checkTFIDF(t *testing.T, x *TFIDF, d *kb.Dictionary, query string, k int) {
	t.Helper()
	const tolerance = 1e-5
	want, got := cosines(d, x.grams.options, query), x.Search(query, k)
	if len(got) != min(k, len(want)) {
		t.Fatalf("%+v %q: %d hits, want %d", x.grams.options, query, len(got), min(k, len(want)))
	}
	scores := map[kb.ConceptID]float64{}
	for _, hit := range want {
		scores[hit.Concept] = hit.Score
	}
	for i, hit := range got {
		if math.Abs(hit.Score-want[i].Score) > tolerance || math.Abs(hit.Score-scores[hit.Concept]) > tolerance {
			t.Fatalf("%+v %q: hit %d is %v with the cosine %v, want %v", x.grams.options, query, i, hit, scores[hit.Concept], want[i])
		}
		if i > 0 && (got[i-1].Score < hit.Score || got[i-1].Score == hit.Score && got[i-1].Concept >= hit.Concept) {
			t.Fatalf("%+v %q: %v comes before %v", x.grams.options, query, got[i-1], hit)
		}
	}
}

func TestTFIDFRandom(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 5))
		var concepts []kb.Concept
		for i := range 30 {
			id := kb.ConceptID(fmt.Sprint("C", i%11))
			concepts = append(concepts, kb.Concept{ID: id, Name: randomName(r, 1+r.IntN(8))})
		}
		d := kb.NewDictionary(concepts)
		low := 1 + r.IntN(3)
		options := TFIDFOptions{MinGram: low, MaxGram: low + r.IntN(3), WordBounded: seed%2 == 0, Sublinear: seed%3 == 0}
		x := newTestTFIDF(t, d, options)
		for range 10 {
			checkTFIDF(t, x, d, randomName(r, r.IntN(8)), 1+r.IntN(12))
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func TestTFIDFReal(t *testing.T) {
	all := realdata.HalfOfMEDIC(t)
	var some []kb.Concept // one in 5, since cosines is slow
	for i := 0; i < all.Len(); i += 5 {
		some = append(some, *all.At(i))
	}
	d := kb.NewDictionary(some)
	for _, options := range []TFIDFOptions{PaperTFIDF(), {MinGram: 2, MaxGram: 4}} {
		x := newTestTFIDF(t, d, options)
		checkTFIDF(t, x, d, "hereditary non-polyposis colorectal cancers", 20)
	}
}

func BenchmarkTFIDFSearch(b *testing.B) {
	queries := []string{"hereditary breast cancers", "renal insufficiency", "APC deficiency", "familial adenomatous polyposis coli"}
	for name, d := range realdata.BenchDictionaries(b) {
		for grams, options := range map[string]TFIDFOptions{"1-2": PaperTFIDF(), "2-4": {MinGram: 2, MaxGram: 4}} {
			x := newTestTFIDF(b, d, options)
			b.Run(name+"/"+grams, func(b *testing.B) {
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					x.Search(queries[i%len(queries)], 20)
					i++
				}
			})
		}
	}
}
