package lexical

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/kb"
)

// IndexDictionary returns an index of every name of d that has a word.
func IndexDictionary(d *kb.Dictionary, unsearched ...[]string) *Index {
	x, err := NewIndex(context.Background(), d.ID, d.Len(), d.Names, unsearched)
	if err != nil {
		panic(err)
	}
	return x
}

func TestIndexByHand(t *testing.T) {
	x := IndexDictionary(parseConcepts("D1: b", "D2: d b"))
	// A word of one letter has three grams, such as " b", "b " and " b ", of double weight. N = 2, so the grams of b
	// weigh ln(3/3)+1 = 1, those of d s = ln(3/2)+1 and those of an unknown word u = ln(3/1)+1. The factor 2 and the
	// three places cancel. The names are (b 1) and (b 1, d s), and the query "d x" is (d s, x u):
	//
	//	D1  nothing in common
	//	D2  s s / (sqrt(1 + s^2) sqrt(s^2 + u^2))
	s, u := math.Log(1.5)+1, math.Log(3)+1
	want := []NameHit{{"D2", "d b", s * s / math.Sqrt((1+s*s)*(s*s+u*u)), true}}
	must.EqualBy(t, cmpopts.EquateApprox(0, 1e-6), x.Search("d x", 5), want)
	for _, query := range []string{"b d", "B, D"} {
		want = []NameHit{{"D2", "d b", 1, false}, {"D1", "b", 1 / math.Sqrt(1+s*s), false}}
		must.EqualBy(t, cmpopts.EquateApprox(0, 1e-6), x.Search(query, 5), want, query)
	}
}

// TestIndexJoined has names whose letters and digits are joined or split.
func TestIndexJoined(t *testing.T) {
	x := IndexDictionary(parseConcepts("G1: IL6", "G2: KRAS", "G3: COVID-19", "G4: SARS-CoV-2", "G5: IL-12", "G6: headlamp", "G7: e-mail"))
	for query, want := range map[string]kb.ConceptID{
		"IL-6": "G1", "il 6": "G1", "k-ras": "G2", "covid19": "G3", "SARS CoV2": "G4", "IL12": "G5", "head lamp": "G6",
		"email": "G7",
	} {
		hits := x.Search(query, 1)
		if len(hits) != 1 || hits[0].Concept != want || hits[0].Score < .949 {
			t.Errorf("%s: got %v, want %s with .95", query, hits, want)
		}
	}
	for _, query := range []string{"IL-1 2", "IL-61"} { // another number
		if hits := x.Search(query, 1); len(hits) > 0 && hits[0].Score > .9 {
			t.Errorf("%s: got %v, want no such hit", query, hits)
		}
	}
}

func TestIndexDesignator(t *testing.T) {
	x := IndexDictionary(parseConcepts("D1: xy c"))
	// xy has six grams that weigh 1, and c three that weigh 2, so "c" scores 12 / sqrt(12 (6 + 12)).
	want := []NameHit{{"D1", "xy c", math.Sqrt(12. / 18), true}}
	must.EqualBy(t, cmpopts.EquateApprox(0, 1e-6), x.Search("c", 1), want)
	for word, want := range map[string]bool{"b": true, "β": true, "2": true, "12q": true, "1234": false, "ab": false, "c7": false} {
		must.Equal(t, wordWeight(word) == 2, want, word)
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
	x := IndexDictionary(d)
	if hits := x.Search("renal failures", 1); hits[0].Concept != "wanted" {
		t.Errorf("got %v, want that of the synonym", hits)
	}
	checkIndex(t, x, d, "renal failures", 3)
	for _, query := range []string{"", "—", "\xff", "zz"} {
		if hits := IndexDictionary(parseConcepts("D1: a")).Search(query, 3); len(hits) > 0 {
			t.Errorf("%q: got %v", query, hits)
		}
	}
	if hits := IndexDictionary(kb.NewDictionary(nil)).Search("a", 3); len(hits) > 0 {
		t.Errorf("empty dictionary: got %v", hits)
	}
}

// TestIndexMisspelledWords: at most 16 words of a query are corrected.
func TestIndexMisspelledWords(t *testing.T) {
	x := IndexDictionary(parseConcepts("D1: zygomycosis"))
	for others, want := range map[int]int{0: 1, 15: 1, 16: 0} {
		var words []string
		for i := range others {
			words = append(words, fmt.Sprintf("b%02d", i))
		}
		s := &search{Index: x}
		if s.read(append(words, "zygomicosis")); len(s.claims) != want {
			t.Errorf("%d words before the misspelled one: %d synonyms, want %d", others, len(s.claims), want)
		}
	}
}

// similarities returns the best score of each concept for a query by the formula of [Index], in float64 with maps of
// grams.
func similarities(d *kb.Dictionary, query string) map[kb.ConceptID]float64 {
	type row struct {
		concept kb.ConceptID
		name    string
		words   []string
	}
	var rows []row
	for i := range d.Len() {
		seen := map[string]bool{"": true}
		for _, name := range d.At(i).Names() {
			words := slices.Compact(slices.Sorted(slices.Values(normalize.CanonicalTokens(name))))
			if key := strings.Join(slices.Sorted(slices.Values(words)), " "); !seen[key] {
				seen[key] = true
				rows = append(rows, row{d.At(i).ID, name, words})
			}
		}
	}
	df, lexicon := map[string]float64{}, map[string]bool{}
	for _, r := range rows {
		held := map[string]bool{}
		for _, word := range r.words {
			lexicon[word] = true
			for _, gram := range distinctGrams(word) {
				held[gram] = true
			}
		}
		for gram := range held {
			df[gram]++
		}
	}
	vector := func(words ...string) map[string]float64 {
		v := map[string]float64{}
		for _, word := range words {
			for _, gram := range distinctGrams(word) {
				key := gram
				if df[gram] == 0 {
					key = word + "\n" + gram // unknown grams of different words are not added up
				}
				v[key] += wordWeight(word) * (math.Log(float64(1+len(rows))/(1+df[gram])) + 1)
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
	learned := learnFrom(d)
	words := slices.Compact(slices.Sorted(slices.Values(normalize.CanonicalTokens(query))))
	type replacer struct {
		word   string
		weight float64
	}
	replacers := map[string][]replacer{} // word of the query -> its replacements
	for _, word := range words {
		for _, other := range learned[word] {
			replacers[word] = append(replacers[word], replacer{other.word, .9 * math.Pow(other.p, .25)})
		}
		for other := range lexicon {
			w := vector(other)
			errors := TypingErrors(word, other)
			if !lexicon[word] && errors < 3 && dot(vector(words...), w) >= .08*length(vector(word))*length(w) {
				replacers[word] = append(replacers[word], replacer{other, math.Pow(.9, float64(errors))})
			}
		}
	}
	best := map[kb.ConceptID]float64{}
	for _, r := range rows {
		n := vector(r.words...)
		type replacement struct {
			word, synonym string
			gain          float64
		}
		score, gains := 0.0, []replacement(nil)
		for _, word := range words {
			t := vector(word)
			score += dot(t, n)
			for _, other := range replacers[word] {
				a := vector(other.word)
				gain := other.weight*min(1, length(t)/length(a))*dot(a, n) - dot(t, n)
				if gain > 0 && slices.Contains(r.words, other.word) {
					gains = append(gains, replacement{word, other.word, gain})
				}
			}
		}
		all := length(n) * length(vector(words...))
		plain := score / all
		for len(gains) > 0 { // the greatest gain first, then without its words
			most := slices.MaxFunc(gains, func(a, b replacement) int { return cmp.Compare(a.gain, b.gain) })
			score += most.gain
			gains = slices.DeleteFunc(gains, func(r replacement) bool { return r.word == most.word || r.synonym == most.synonym })
		}
		if score > 0 {
			best[r.concept] = max(best[r.concept], plain, min(score/all, .999))
		}
		if form := normalize.JoinedForm(query); form != "" && form == normalize.JoinedForm(r.name) {
			best[r.concept] = max(best[r.concept], joinedScore)
		}
	}
	return best
}

// checkIndex compares a search with the formula: the scores by rank, and the score of each hit.
func checkIndex(t *testing.T, x *Index, d *kb.Dictionary, query string, k int) {
	t.Helper()
	const tolerance = 1e-5
	scores := similarities(d, query)
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
	tokens := func(text string) string {
		return strings.Join(slices.Compact(slices.Sorted(slices.Values(normalize.CanonicalTokens(text)))), " ")
	}
	isName := false
	for _, c := range d.All() {
		isName = isName || tokens(query) != "" && slices.ContainsFunc(c.Names(), func(name string) bool { return tokens(name) == tokens(query) })
	}
	must.Equal(t, x.HasName(query), isName, query, "is a name")
}

// randomDictionary returns concepts whose names have few different words, so that some words replace each other often
// enough to be synonyms.
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
		x := IndexDictionary(d)
		synonyms += len(x.synonyms.Values())
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
	must.SkipShort(t)
	all := fixtures.HalfOfMEDIC(t)
	var some []kb.Concept // one in 5, since similarities is slow
	for i := 0; i < all.Len(); i += 5 {
		some = append(some, *all.At(i))
	}
	d := kb.NewDictionary(some)
	x := IndexDictionary(d)
	checkIndex(t, x, d, "hereditary non-polyposis colorectal cancers", 20)
	checkIndex(t, x, d, "chronic renal disease type II", 20)
}

// FuzzIndex compares searches for arbitrary queries with the formula.
func FuzzIndex(f *testing.F) {
	d := randomDictionary(rand.New(rand.NewPCG(1, 7)))
	x := IndexDictionary(d)
	for _, seed := range []string{"renal t4", "kidney kidney", "Parkinson's", "2型糖尿病", "\xff b2", "type II"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) { checkIndex(t, x, d, query, 10) })
}

func BenchmarkNewIndex(b *testing.B) {
	for name, d := range fixtures.BenchDictionaries(b) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				IndexDictionary(d)
			}
		})
	}
}

func BenchmarkIndexSearch(b *testing.B) {
	queries := []string{"hereditary breast cancers", "renal insufficiency", "APC deficiency", "familial adenomatous polyposis coli"}
	for name, d := range fixtures.BenchDictionaries(b) {
		x := IndexDictionary(d)
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

// TestIndexUnsearched: searching some of the concepts finds the same hits, with the same scores, as searching all and
// dropping the others.
func TestIndexUnsearched(t *testing.T) {
	all := IndexDictionary(parseConcepts("D1: renal failure | kidney failure | IL6", "D2: renal stone | kidney stone",
		"D3: renal cyst | kidney cyst", "D4: renal colic | failure of the kidney", "D5: heart failure | cardiac failure"))
	part := parseConcepts("D1: renal failure | kidney failure | IL6", "D5: heart failure | cardiac failure")
	ids, names := part.ID, func(i int) []string { return part.At(i).Names() }
	index := must.Get(NewIndex(t.Context(), ids, part.Len(), names, [][]string{{"renal stone", "kidney stone"}, {"renal cyst", "kidney cyst"},
		{"renal colic", "failure of the kidney"}}))
	for _, query := range []string{"renal failures", "kidney colic", "heart failing", "unknown cysts", "IL-6"} {
		want := slices.DeleteFunc(all.Search(query, 5), func(hit NameHit) bool { return part.Lookup(hit.Concept) == nil })
		must.EqualBy(t, cmpopts.EquateApprox(0, 1e-6), index.Search(query, 5), want, query, "of all and of the part")
	}
}

// TestSearchIsLinear searches for a name with 16 times as many words that share grams, in an index of that name.
func TestSearchIsLinear(t *testing.T) {
	must.SkipShort(t)
	took := func(n, times int) time.Duration {
		var name strings.Builder
		for i := range n {
			fmt.Fprintf(&name, "%c%c%cosis ", 'a'+i%26, 'a'+i/26%26, 'a'+i/676)
		}
		x, least := IndexDictionary(parseConcepts("D1: "+name.String())), time.Duration(math.MaxInt64)
		for range times {
			start := time.Now()
			must.Equal(t, len(x.Search(name.String(), 1)), 1)
			least = min(least, time.Since(start))
		}
		return least
	}
	if few, many := max(took(1000, 3), time.Millisecond), took(16000, 3); many > 120*few {
		t.Errorf("1,000 words take %v and 16,000 %v, want less than 120 times as much", few, many)
	}
}

// TestNamesOfOneConcept adds 64,000 names of one concept, and as many of a concept each.
func TestNamesOfOneConcept(t *testing.T) {
	took := func(concepts, names int) time.Duration {
		least := time.Duration(math.MaxInt64)
		for range 3 {
			b, start := builder{Index: UnreadIndex(nil)}, time.Now()
			for concept := range concepts {
				words := make([][]int32, names)
				for i := range words {
					words[i] = []int32{int32(i)}
				}
				b.addNames(int32(concept), make([]string, names), words)
			}
			least = min(least, time.Since(start))
			must.Equal(t, b.words.Len(), concepts*names)
		}
		return least
	}
	if one, many := took(1, 64000), took(64000, 1); one > 40*many {
		t.Errorf("the names of one concept take %v, of many concepts %v, want less than 40 times as much", one, many)
	}
}

// parseConcepts returns a dictionary, given lines of the form "id: name | name".
func parseConcepts(lines ...string) *kb.Dictionary {
	var concepts []kb.Concept
	for _, line := range lines {
		id, names, _ := strings.Cut(line, ": ")
		concepts = append(concepts, kb.Concept{ID: kb.ConceptID(id), Synonyms: strings.Split(names, " | ")})
	}
	return kb.NewDictionary(concepts)
}

// randomName concatenates n random pieces from a small list.
func randomName(r *rand.Rand, n int) string {
	pieces := []string{
		"a", "B", "ab", "Ab", "AB", "b2", "2", "é", "ﬁ", "α", "病", "糖", "が", "ｶﾞ", "น้ำ", "당", "word", "longer-than-eight-letters",
		" ", " ", " ", "-", "　", "\u00ad", "\u0301", "\xff", ".",
	}
	var b strings.Builder
	for range n {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func TestExact(t *testing.T) {
	x := NewExact(parseConcepts("D2: Gout | gout | Sjögren's syndrome | —", "D1: GOUT | all", "D3: 糖尿病"))
	tests := []struct {
		text string
		want []kb.ConceptID
	}{
		{" gout.", []kb.ConceptID{"D1", "D2"}},
		{"SJOGREN’S-SYNDROME", []kb.ConceptID{"D2"}},
		{"ALL", []kb.ConceptID{"D1"}}, // no name is filtered out
		{"糖尿病", []kb.ConceptID{"D3"}},
		{"糖 尿病", nil},
		{"gouty", nil},
		{"", nil},
		{"?", nil},
	}
	for _, test := range tests {
		must.Equal(t, x.Lookup(test.text), test.want, test.text)
	}
}

// TestTopConcepts offers rows in random order and compares the best concepts with a full sort.
func TestTopConcepts(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 3))
		var rows, all []conceptScore
		for concept := range int32(40) {
			var best conceptScore
			for range r.IntN(4) { // some have none
				c := conceptScore{float32(1+r.IntN(5)) / 4, concept, int32(len(rows)), int32(len(rows))} // many equal
				rows = append(rows, c)
				if c.score > best.score {
					best = c
				}
			}
			if best.score > 0 {
				all = append(all, best)
			}
		}
		slices.SortFunc(all, conceptScore.compare)
		r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		for _, k := range []int{0, 1, 5, 100} {
			top := topConcepts{k: k}
			for _, c := range rows {
				if c.score >= top.least {
					top.offer(c)
				}
			}
			if got, want := top.best, all[:min(k, len(all))]; !slices.Equal(got, want) {
				t.Fatalf("seed %d, k %d: got %v, want %v", seed, k, got, want)
			}
		}
	}
}

// TestIndexFile writes an index twice, with maps in different orders, and gets the same results from the mapped file.
func TestIndexFile(t *testing.T) {
	d := randomDictionary(rand.New(rand.NewPCG(3, 7)))
	x := IndexDictionary(d)
	path := filepath.Join(t.TempDir(), "index")
	for _, index := range []*Index{IndexDictionary(d), x} {
		before, _ := os.ReadFile(path)
		must.Succeed(t, safetensors.WriteArrays(path, safetensors.Arrays("", index.Fields())))
		if after, _ := os.ReadFile(path); before != nil && !bytes.Equal(before, after) {
			t.Error("two indexes of one dictionary differ")
		}
	}
	f := must.Get(safetensors.Open(path))
	defer f.Close()
	mapped := UnreadIndex(d.ID)
	must.Succeed(t, safetensors.ViewFields(f, "", mapped.Fields()))
	for _, query := range []string{"kidney t4", "renal t8 tumour", "word longer than eight letters", "b-2"} {
		must.Equal(t, mapped.Search(query, 50), x.Search(query, 50), query, "built and mapped")
	}
}
