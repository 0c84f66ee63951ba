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

func newTestIndex(t testing.TB, d *kb.Dictionary, options Options) *Index {
	t.Helper()
	x, err := NewIndex(d, options)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestIndexByHand(t *testing.T) {
	x := newTestIndex(t, parseConcepts("D1: ab", "D2: cd ab"), Options{MinGram: 4, MaxGram: 4})
	// Each word is one gram, " ab " and " cd ". N = 2, so ab weighs ln(3/3)+1 = 1,
	// cd s = ln(3/2)+1 and an unknown word u = ln(3/1)+1. The names are (ab 1) and
	// (ab 1, cd s), and the query "cd xy" is (cd s, xy u):
	//
	//	D1  nothing in common
	//	D2  s s / (sqrt(1 + s^2) sqrt(s^2 + u^2))
	s, u := math.Log(1.5)+1, math.Log(3)+1
	want := []NameHit{{"D2", "cd ab", s * s / math.Sqrt((1+s*s)*(s*s+u*u))}}
	if diff := gocmp.Diff(want, x.Search("cd xy", 5), cmpopts.EquateApprox(0, 1e-6)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, query := range []string{"ab cd", "AB, CD"} {
		want = []NameHit{{"D2", "cd ab", 1}, {"D1", "ab", 1 / math.Sqrt(1+s*s)}}
		if diff := gocmp.Diff(want, x.Search(query, 5), cmpopts.EquateApprox(0, 1e-6)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
}

// TestIndexJoined has codes whose letters and digits are joined or apart.
func TestIndexJoined(t *testing.T) {
	x := newTestIndex(t, parseConcepts("G1: IL6", "G2: KRAS", "G3: COVID-19", "G4: SARS-CoV-2", "G5: IL-12", "G6: input"), DefaultOptions())
	for query, want := range map[string]kb.ConceptID{
		"IL-6": "G1", "il 6": "G1", "k-ras": "G2", "covid19": "G3", "SARS CoV2": "G4", "IL12": "G5",
	} {
		hits := x.Search(query, 1)
		if len(hits) != 1 || hits[0].Concept != want || hits[0].Score < .949 {
			t.Errorf("%s: got %v, want %s with .95", query, hits, want)
		}
	}
	for _, query := range []string{"IL-1 2", "in put", "IL-61"} { // another number, words
		if hits := x.Search(query, 1); len(hits) > 0 && hits[0].Score > .9 {
			t.Errorf("%s: got %v, want no such hit", query, hits)
		}
	}
}

func TestIndexDesignator(t *testing.T) {
	x := newTestIndex(t, parseConcepts("D1: ab c"), Options{MinGram: 3, MaxGram: 3})
	// " ab" and "ab " weigh 1, and " c " weighs 2 as the gram of a designator, so "c"
	// scores 2 2 / (2 sqrt(1 + 1 + 4)).
	want := []NameHit{{"D1", "ab c", 2 / math.Sqrt(6)}}
	if diff := gocmp.Diff(want, x.Search("c", 1), cmpopts.EquateApprox(0, 1e-6)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for word, want := range map[string]bool{"b": true, "β": true, "2": true, "12q": true, "1234": false, "ab": false, "c7": false} {
		if got := isDesignator(word); got != want {
			t.Errorf("%s: got %v, want %v", word, got, want)
		}
	}
}

func TestIndexSynonym(t *testing.T) {
	d := kidneys(4, 6) // "renal" and "kidney" are synonyms with probability 1
	var concepts []kb.Concept
	for i := range d.Len() {
		concepts = append(concepts, *d.At(i))
	}
	concepts = append(concepts, kb.Concept{ID: "wanted", Name: "kidney failure"}, kb.Concept{ID: "other", Name: "adrenal failure"})
	d = kb.NewDictionary(concepts)
	o := DefaultOptions()
	o.MinGram = 4
	x := newTestIndex(t, d, o)
	hits := x.Search("renal failures", 1)
	// By the formula: renal·n is 0 ("kidney failure" has none of its grams), so renal
	// contributes .9 min(1, |renal| / |kidney|) |kidney|^2, and failure contributes
	// |failure|^2. The words share no gram.
	squares := func(word string) float64 { return x.vectorOf(word).squares }
	renal, kidney, failure := squares("renal"), squares("kidney"), squares("failure")
	score := (.9*min(1, math.Sqrt(renal/kidney))*kidney + failure) / math.Sqrt((renal+failure)*(kidney+failure))
	want := []NameHit{{"wanted", "kidney failure", score}}
	if diff := gocmp.Diff(want, hits, cmpopts.EquateApprox(0, 1e-6)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	o.WordSynonyms = false
	if hits := newTestIndex(t, d, o).Search("renal failures", 1); hits[0].Concept != "other" {
		t.Errorf("without synonyms: got %v, want other first", hits)
	}
}

func TestIndexOptions(t *testing.T) {
	for _, options := range []Options{{}, {MinGram: 2, MaxGram: 1}} {
		if _, err := NewIndex(parseConcepts("D1: a"), options); err == nil {
			t.Errorf("%+v: no error", options)
		}
	}
	x := newTestIndex(t, parseConcepts("D1: a"), DefaultOptions())
	for _, query := range []string{"", "—", "\xff", "zz"} {
		if hits := x.Search(query, 3); len(hits) > 0 {
			t.Errorf("%q: got %v", query, hits)
		}
	}
	if hits := newTestIndex(t, kb.NewDictionary(nil), DefaultOptions()).Search("a", 3); len(hits) > 0 {
		t.Errorf("empty dictionary: got %v", hits)
	}
}

// similarities returns the best score of each concept for a query by the formula of
// [Index], computed in float64 over maps of grams.
func similarities(d *kb.Dictionary, o Options, query string) map[kb.ConceptID]float64 {
	type row struct {
		concept kb.ConceptID
		words   []string
	}
	var rows []row
	for i := range d.Len() {
		seen := map[string]bool{"": true}
		for _, name := range d.At(i).Names() {
			words := o.tokenizedWords(normalize.TokenizeName(name))
			if key := strings.Join(slices.Sorted(slices.Values(words)), " "); !seen[key] {
				seen[key] = true
				rows = append(rows, row{d.At(i).ID, words})
			}
		}
	}
	df := map[string]float64{}
	for _, r := range rows {
		held := map[string]bool{}
		for _, word := range r.words {
			o.grams().eachGram(word, func(gram string) { held[gram] = true })
		}
		for gram := range held {
			df[gram]++
		}
	}
	vector := func(words ...string) map[string]float64 {
		v := map[string]float64{}
		for _, word := range words {
			once := map[string]bool{}
			o.grams().eachGram(word, func(gram string) { once[gram] = true })
			for gram := range once {
				key := gram
				if df[gram] == 0 {
					key = word + "\n" + gram // unknown grams of different words are not summed
				}
				factor := 1.0
				if isDesignator(word) {
					factor = 2
				}
				v[key] += factor * (math.Log(float64(1+len(rows))/(1+df[gram])) + 1)
			}
		}
		return v
	}
	dot := func(a, b map[string]float64) (sum float64) {
		for gram, weight := range a {
			sum += weight * b[gram]
		}
		return sum
	}
	length := func(v map[string]float64) float64 { return math.Sqrt(dot(v, v)) }
	var learned wordSynonyms
	if o.WordSynonyms {
		learned = learnFrom(d, o.SynonymPairs)
	}
	words := o.tokenizedWords(normalize.TokenizeName(query))
	best := map[kb.ConceptID]float64{}
	for _, r := range rows {
		n := vector(r.words...)
		score := 0.0
		for _, word := range words {
			t := vector(word)
			most := dot(t, n)
			for _, other := range learned[word] {
				if a := vector(other.word); slices.Contains(r.words, other.word) {
					most = max(most, .9*math.Pow(other.probability, .25)*min(1, length(t)/length(a))*dot(a, n))
				}
			}
			score += most
		}
		if score > 0 {
			best[r.concept] = max(best[r.concept], score/(length(n)*length(vector(words...))))
		}
	}
	return best
}

// checkIndex compares a search with the formula: the scores by rank, and each hit's own
// score.
func checkIndex(t *testing.T, x *Index, d *kb.Dictionary, query string, k int) {
	t.Helper()
	const tolerance = 1e-5
	scores := similarities(d, x.options, query)
	var want []float64
	for _, score := range scores {
		want = append(want, score)
	}
	slices.SortFunc(want, func(a, b float64) int { return cmp.Compare(b, a) })
	got := x.Search(query, k)
	if len(got) != min(k, len(want)) {
		t.Fatalf("%q: %d hits, want %d", query, len(got), min(k, len(want)))
	}
	for i, hit := range got {
		if math.Abs(hit.Score-want[i]) > tolerance || math.Abs(hit.Score-scores[hit.Concept]) > tolerance {
			t.Fatalf("%q: hit %d is %v, whose score is %v; want %v", query, i, hit, scores[hit.Concept], want[i])
		}
		if i > 0 && (got[i-1].Score < hit.Score || got[i-1].Score == hit.Score && got[i-1].Concept >= hit.Concept) {
			t.Fatalf("%q: %v comes before %v", query, got[i-1], hit)
		}
	}
}

// randomDictionary returns concepts whose names have few different words, so that some
// words replace each other often enough to be synonyms.
func randomDictionary(r *rand.Rand) *kb.Dictionary {
	var concepts []kb.Concept
	for i := range 80 {
		thing := fmt.Sprint("t", i)
		names := []string{randomName(r, 1+r.IntN(6))}
		switch i % 4 {
		case 0:
			names = append(names, "renal "+thing, "kidneys "+thing+" "+randomName(r, r.IntN(2)))
		case 1:
			names = append(names, "tumour "+thing, "Neoplasm "+thing)
		}
		concepts = append(concepts, kb.Concept{ID: kb.ConceptID(fmt.Sprint("C", i)), Synonyms: names})
	}
	return kb.NewDictionary(concepts)
}

func TestIndexRandom(t *testing.T) {
	synonyms := 0
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 7))
		d := randomDictionary(r)
		low := 1 + r.IntN(3)
		o := Options{MinGram: low, MaxGram: low + r.IntN(3), CanonicalTokens: seed%3 > 0, WordSynonyms: seed%4 > 0}
		x := newTestIndex(t, d, o)
		synonyms += len(x.synonyms)
		for i := range 10 {
			query := randomName(r, r.IntN(8))
			if i%2 == 0 {
				query += fmt.Sprint(" kidney t", r.IntN(80))
			}
			checkIndex(t, x, d, query, 1+r.IntN(12))
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if synonyms == 0 {
		t.Error("no case had a synonym")
	}
}

func TestIndexReal(t *testing.T) {
	all := realdata.HalfOfMEDIC(t)
	var some []kb.Concept // one in 5, since similarities is slow
	for i := 0; i < all.Len(); i += 5 {
		some = append(some, *all.At(i))
	}
	d := kb.NewDictionary(some)
	x := newTestIndex(t, d, DefaultOptions())
	checkIndex(t, x, d, "hereditary non-polyposis colorectal cancers", 20)
	checkIndex(t, x, d, "chronic renal disease type II", 20)
}

// TestIndexIsDeterministic builds an index twice, with different orders of map iteration.
func TestIndexIsDeterministic(t *testing.T) {
	d := randomDictionary(rand.New(rand.NewPCG(3, 7)))
	a, b := newTestIndex(t, d, DefaultOptions()), newTestIndex(t, d, DefaultOptions())
	for _, query := range []string{"kidney t4", "renal t8 tumour", "word longer than eight letters"} {
		if diff := gocmp.Diff(a.Search(query, 50), b.Search(query, 50)); diff != "" {
			t.Errorf("%s (-first +second):\n%s", query, diff)
		}
	}
}

// FuzzIndex compares searches for any query with the formula.
func FuzzIndex(f *testing.F) {
	d := randomDictionary(rand.New(rand.NewPCG(1, 7)))
	x := newTestIndex(f, d, DefaultOptions())
	for _, seed := range []string{"renal t4", "kidney kidney", "Parkinson's", "2型糖尿病", "\xff b2", "type II"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) { checkIndex(t, x, d, query, 10) })
}

func BenchmarkNewIndex(b *testing.B) {
	for name, d := range realdata.BenchDictionaries(b) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				newTestIndex(b, d, DefaultOptions())
			}
		})
	}
}

func BenchmarkIndexSearch(b *testing.B) {
	queries := []string{"hereditary breast cancers", "renal insufficiency", "APC deficiency", "familial adenomatous polyposis coli"}
	for name, d := range realdata.BenchDictionaries(b) {
		x := newTestIndex(b, d, DefaultOptions())
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				x.Search(queries[i%len(queries)], 20)
				i++
			}
		})
	}
}

// TestIndexUnsearched: the hits among a part of the concepts are those hits among all that are of the part, with
// the same scores.
func TestIndexUnsearched(t *testing.T) {
	whole := TokenizeDictionary(parseConcepts("D1: renal failure|kidney failure|IL6", "D2: renal stone|kidney stone",
		"D3: renal cyst|kidney cyst", "D4: renal colic|failure of the kidney", "D5: heart failure|cardiac failure"))
	all, err := whole.NewIndex(DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	part := parseConcepts("D1: renal failure|kidney failure|IL6", "D5: heart failure|cardiac failure")
	o := DefaultOptions()
	if o.Unsearched = whole.Without(part); len(o.Unsearched) != 3 {
		t.Fatalf("%d concepts are left out, want 3", len(o.Unsearched))
	}
	index := newTestIndex(t, part, o)
	for _, query := range []string{"renal failures", "kidney colic", "heart failing", "unknown cysts", "IL-6"} {
		want := slices.DeleteFunc(all.Search(query, 5), func(hit NameHit) bool { return part.Lookup(hit.Concept) == nil })
		if diff := gocmp.Diff(want, index.Search(query, 5), cmpopts.EquateApprox(0, 1e-6)); diff != "" {
			t.Errorf("%s (-of all +of the part):\n%s", query, diff)
		}
	}
}
