package main

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// vectorsOf returns the vectors of a table; other terms have none.
func vectorsOf(table map[string][]float32) vectorOf {
	return func(term string) []float32 { return table[term] }
}

// TestMeanCoverage is derived by hand. By angle the names stand a1 0°, b1 10°, a2 30°, b2 80°, a3 90°; d has
// no vector and is a synonym of b1 and b2.
//
//	a1: neighbors b1 a2 b2 a3, synonyms a2 a3: 0/2 at 1, 1/2 at 2, 2/2 at 4
//	a2: b1 a1 b2 a3 (20°, 30°, 50°, 60°), synonyms a1 a3: 0/2, 1/2, 2/2
//	a3: b2 a2 b1 a1, synonyms a1 a2: 0/2, 1/2, 2/2
//	b1: a1 a2 b2 a3, synonyms b2 d: 0/2, 0/2, 1/2
//	b2: a3 a2 b1 a1, synonyms b1 d: 0/2, 0/2, 1/2
//	d:  no neighbors, synonyms b1 b2: 0
func TestMeanCoverage(t *testing.T) {
	names := []text.Exemplar{
		text.NameExemplar("a1", "A"), text.NameExemplar("a2", "A"), text.NameExemplar("a3", "A"), text.NameExemplar("alone", "C"),
		text.NameExemplar("b1", "B"), text.NameExemplar("b2", "B"), text.NameExemplar("d", "B"),
	}
	table := make(map[string][]float32)
	for name, degrees := range map[string]float64{"a1": 0, "b1": 10, "a2": 30, "b2": 80, "a3": 90} {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		table[name] = []float32{float32(3 * cos), float32(3 * sin)}
	}
	got, err := meanCoverage(t.Context(), names, vectorsOf(table), []int{1, 2, 4, math.MaxInt}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0, 1.5, 4, 4} {
		if got[i].Denominator != 6 || math.Abs(got[i].Numerator-want) > 1e-12 {
			t.Errorf("%s is %v/%d, want %v/6", got[i].Name, got[i].Numerator, got[i].Denominator, want)
		}
	}
	if got[2].Name != "coverage at 4" || got[2].Low > got[2].Value || got[2].High < got[2].Value {
		t.Errorf("%+v", got[2])
	}
}

// TestMeanCoverageAgainstLists compares with sorted lists of all names.
func TestMeanCoverageAgainstLists(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	names := make([]text.Exemplar, 60)
	table := make(map[string][]float32)
	for i := range names {
		surface := "name " + strconv.Itoa(i)
		concepts := []kb.ConceptID{kb.ConceptID("c" + strconv.Itoa(random.IntN(12)))}
		if random.IntN(4) == 0 {
			concepts = append(concepts, kb.ConceptID("d"+strconv.Itoa(random.IntN(4))))
		}
		names[i] = text.NameExemplar(surface, concepts...)
		if random.IntN(10) > 0 {
			for range 7 {
				table[surface] = append(table[surface], float32(random.NormFloat64()))
			}
		}
	}
	ks := []int{1, 3, 10}
	got, err := meanCoverage(context.Background(), names, vectorsOf(table), ks, 1)
	if err != nil {
		t.Fatal(err)
	}
	shares := func(i, j int) bool {
		return slices.ContainsFunc(names[i].Mention.Concepts, func(id kb.ConceptID) bool { return slices.Contains(names[j].Mention.Concepts, id) })
	}
	for at, k := range ks {
		sum, counted := 0., 0
		for i := range names {
			var others []int
			synonyms, found := 0, 0
			for j := range names {
				if j != i && shares(i, j) {
					synonyms++
				}
				if j != i && table[names[i].Surface()] != nil && table[names[j].Surface()] != nil {
					others = append(others, j)
				}
			}
			if synonyms == 0 {
				continue
			}
			similarity := func(j int) float64 { return cosine(table[names[i].Surface()], table[names[j].Surface()]) }
			slices.SortFunc(others, func(a, b int) int { return cmp.Compare(similarity(b), similarity(a)) })
			for _, j := range others[:min(k, len(others))] {
				if shares(i, j) {
					found++
				}
			}
			sum += float64(found) / float64(synonyms)
			counted++
		}
		if got[at].Denominator != counted || math.Abs(got[at].Numerator-sum) > 1e-9 {
			t.Errorf("%s is %v/%d, want %v/%d", got[at].Name, got[at].Numerator, got[at].Denominator, sum, counted)
		}
	}
}

func TestSampleSynonyms(t *testing.T) {
	var names []text.Exemplar
	for i := range 40 {
		id := kb.ConceptID("c" + strconv.Itoa(i))
		names = append(names, text.NameExemplar("one of "+string(id), id), text.NameExemplar("alone "+strconv.Itoa(i), "alone"+id))
		if i%2 == 0 {
			names = append(names, text.NameExemplar("other of "+string(id), id))
		}
	}
	few := sampleSynonyms(names, 5, 1)
	if len(few) != 10 {
		t.Fatalf("%d names of 5 concepts with two names each", len(few))
	}
	for i := range few {
		if id := string(few[i].Mention.Concepts[0]); strings.HasPrefix(id, "alone") || (id[len(id)-1]-'0')%2 == 1 {
			t.Errorf("%s has no synonyms", id)
		}
	}
	reversed := slices.Clone(names)
	slices.Reverse(reversed)
	again := sampleSynonyms(reversed, 5, 1)
	slices.Reverse(again)
	if diff := gocmp.Diff(few, again); diff != "" {
		t.Errorf("the choice depends on the order (-first +again):\n%s", diff)
	}
	if all := sampleSynonyms(names, 100, 1); len(all) != 40 {
		t.Errorf("%d names of all 20 concepts with synonyms", len(all))
	}
}

func TestAveragePrecision(t *testing.T) {
	for _, test := range []struct {
		relevant []bool
		total    int
		want     float64
	}{
		{[]bool{true, false, true}, 2, (1. + 2./3) / 2},
		{[]bool{true, false, true}, 4, (1. + 2./3) / 4}, // two are not ranked
		{[]bool{false, false, true}, 1, 1. / 3},
		{[]bool{false}, 3, 0},
		{nil, 0, 0},
	} {
		if got := averagePrecision(test.relevant, test.total); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("of %v and %d it is %v, want %v", test.relevant, test.total, got, test.want)
		}
	}
}

// TestBM25 is derived by hand: three texts of 2, 1 and 3 words, mean length 2. Of N = 3 texts two have
// "renal", so idf = ln(1 + 1.5/2.5) = ln 1.6, and one has "failure": ln(1 + 2.5/1.5) = ln(8/3).
func TestBM25(t *testing.T) {
	x := newBM25([][]string{{"renal", "failure"}, {"asthma"}, {"renal", "renal", "cyst"}})
	got := x.scores([]string{"renal", "failure", "unknown"})
	if len(got) != 2 {
		t.Fatalf("scores %v, want those of two texts", got)
	}
	// Length 2 is the mean: tf 1 counts 2.2/(1+1.2) = 1. Length 3: 1.2 (.25 + .75 · 1.5) = 1.65, tf 2 counts 2 ·
	// 2.2/3.65.
	for row, want := range map[int]float64{0: math.Log(1.6) + math.Log(8./3), 2: math.Log(1.6) * 4.4 / 3.65} {
		if math.Abs(got[row]-want) > 1e-12 {
			t.Errorf("score of text %d is %v, want %v", row, got[row], want)
		}
	}
}

// TestMeanAveragePrecision is derived by hand: "renal trouble" is mention of K; the concepts with a name
// like it are K (renal failure, kidney failure) and C (renal cyst). Of two concepts all names are candidates: by
// their cosine kidney failure .9, renal cyst .8, renal failure without a vector: precisions 1 and 2/3. BM25
// scores renal cyst and renal failure equally, so that of one concept the first name's is taken, C, and K is not found.
func TestMeanAveragePrecision(t *testing.T) {
	names := []text.Exemplar{
		text.NameExemplar("asthma", "A"), text.NameExemplar("kidney failure", "K"), text.NameExemplar("renal cyst", "C"), text.NameExemplar("renal failure", "K"),
	}
	mention := func(document, surface string, gold ...kb.ConceptID) eval.GoldMention {
		query := text.NameExemplar(surface).Query
		query.ID = document
		return eval.GoldMention{Query: query, Gold: gold}
	}
	gold := &eval.Gold{Mentions: []eval.GoldMention{mention("1", "renal trouble", "K"), mention("1", "asthma", "A"), mention("2", "something", "X"), mention("2", "headache", "A")}}
	table := map[string][]float32{"renal trouble": {1, 0}, "kidney failure": {.9, .436}, "renal cyst": {.8, .6}, "asthma": {0, 1}}
	candidates := newCandidates(names, 2)
	if diff := gocmp.Diff([]int{1, 2, 3}, candidates.of("renal trouble")); diff != "" {
		t.Errorf("candidates (-want +got):\n%s", diff)
	}
	if diff := gocmp.Diff([]string{"renal trouble", "kidney failure", "renal cyst", "renal failure", "asthma", "asthma", "something", "headache"}, candidates.terms(gold)); diff != "" {
		t.Errorf("terms (-want +got):\n%s", diff)
	}
	// asthma: 1; headache has no candidates: 0; something has no concept with a name.
	got := meanAveragePrecision(gold, candidates, vectorsOf(table), 1)
	if want := (1+2./3)/2 + 1; got.Name != "MAP" || got.Denominator != 3 || math.Abs(got.Numerator-want) > 1e-9 {
		t.Errorf("%s is %v/%d, want %v/3", got.Name, got.Numerator, got.Denominator, want)
	}
	if got := meanAveragePrecision(gold, newCandidates(names, 1), vectorsOf(table), 1); got.Numerator != 1 {
		t.Errorf("of one concept the sum is %v, want 1", got.Numerator)
	}
}

// TestMeasureSynonyms: vectors are asked for the names of the sample and the terms of the gold, and the metrics are those of the sample and of the gold.
func TestMeasureSynonyms(t *testing.T) {
	names := []text.Exemplar{
		text.NameExemplar("asthma", "A"), text.NameExemplar("kidney failure", "K"), text.NameExemplar("renal failure", "K"),
	}
	table := map[string][]float32{"kidney failure": {1, 0}, "renal failure": {1, 1}, "failing kidney": {1, 0}}
	query := text.NameExemplar("failing kidney").Query
	gold := &eval.Gold{Mentions: []eval.GoldMention{{Query: query, Gold: []kb.ConceptID{"K"}}}}
	var asked []string
	vectors := func(_ context.Context, terms []string) (vectorOf, error) {
		asked = append(asked, terms...)
		return vectorsOf(table), nil
	}
	o := options{Concepts: 5, Candidates: 20, Seed: 1}
	metrics, err := o.measureSynonyms(t.Context(), names, gold, vectors)
	if err != nil {
		t.Fatal(err)
	}
	// "asthma" has no synonym, and no word of the mention.
	slices.Sort(asked)
	if diff := gocmp.Diff([]string{"failing kidney", "kidney failure", "renal failure"}, slices.Compact(asked)); diff != "" {
		t.Errorf("terms (-want +got):\n%s", diff)
	}
	// Each of two names has the other as its nearest: 2/2. Both candidates of the mention are relevant: 1/1.
	if first, last := metrics[0], metrics[len(ks)]; first.Name+" "+first.Fraction() != "coverage at 1 2/2" || last.Name+" "+last.Fraction() != "MAP 1/1" {
		t.Errorf("metrics %+v", metrics)
	}
	if _, err := o.measureSynonyms(t.Context(), names[:2], nil, vectors); err == nil {
		t.Error("names without synonyms: no error")
	}
}
