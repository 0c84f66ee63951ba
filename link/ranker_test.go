package link

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm"
)

func TestWeightsRoundTrip(t *testing.T) {
	var want Weights
	for i := range want {
		want[i] = float64(i) - 2.5
	}
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got Weights
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, bad := range []string{`{}`, `{"name_cosine":1}`, `[1]`, strings.Replace(string(data), "kin", "kith", 1)} {
		if err := json.Unmarshal([]byte(bad), &got); err == nil {
			t.Errorf("%s is taken for weights", bad)
		}
	}
}

// randomChoices makes choices whose right candidate is drawn by the softmax of
// planted weights.
func randomChoices(random *rand.Rand, planted *Weights, n int) []listwiseExample {
	choices := make([]listwiseExample, n)
	for i := range choices {
		c := listwiseExample{candidates: make([]features, 8), right: make([]bool, 8)}
		scores := make([]float64, 8)
		for j := range c.candidates {
			for k := range c.candidates[j] {
				c.candidates[j][k] = random.NormFloat64()
			}
			scores[j] = planted.score(&c.candidates[j])
		}
		u := random.Float64()
		for j, p := range softmax(scores) {
			if u -= p; u < 0 || j == 7 {
				c.right[j] = true
				break
			}
		}
		choices[i] = c
	}
	return choices
}

func TestFitFindsPlantedWeights(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var planted Weights
	for i := range planted {
		planted[i] = random.NormFloat64()
	}
	got, err := fitWeights(randomChoices(random, &planted, 20_000), Weights{})
	if err != nil {
		t.Fatal(err)
	}
	// With weights about 1 these softmaxes are sharp: the variance of a feature under
	// them is about .05, a weight's standard error 1/sqrt(20000 * .05) = .03, and the
	// prior shifts a weight of 3 by 10 * 3 / (20000 * .05) = .03. Three errors and the shift:
	for i := range planted {
		if math.Abs(got[i]-planted[i]) > .15 {
			t.Errorf("%s: %.3f, want %.3f", featureNames[i], got[i], planted[i])
		}
	}
}

// Without queries the weights are the prior's.
func TestFitKeepsPrior(t *testing.T) {
	want := prior(&Model{}, AllParts)
	got, err := fitWeights(nil, want)
	if err != nil || got != want {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}

func TestLossGradient(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var w Weights
	for i := range w {
		w[i] = random.NormFloat64()
	}
	for _, c := range randomChoices(random, &w, 20) {
		c.right[random.IntN(8)] = true // some with two right candidates
		var gradient, ignored Weights
		c.loss(&w, &gradient)
		for i := range w {
			const h = 1e-6
			up, down := w, w
			up[i] += h
			down[i] -= h
			numeric := (c.loss(&up, &ignored) - c.loss(&down, &ignored)) / (2 * h)
			if math.Abs(numeric-gradient[i]) > 1e-6 {
				t.Errorf("%s: gradient %g, by differences %g", featureNames[i], gradient[i], numeric)
			}
		}
	}
}

// TestTreeStandsInForALostName: "ulcer" is no name of any concept, but all of the
// names that hold it lie below one that has no name itself.
func TestTreeStandsInForALostName(t *testing.T) {
	dict := ctxnorm.NewDictionary([]ctxnorm.Concept{
		{ID: "U"},
		{ID: "U1", Name: "gastric ulcer", Parents: []ctxnorm.ConceptID{"U"}},
		{ID: "U2", Name: "duodenal ulcer", Parents: []ctxnorm.ConceptID{"U"}},
		{ID: "V", Name: "gastric cancer"},
	})
	names, err := newExemplarIndex(dict, Names(dict))
	if err != nil {
		t.Fatal(err)
	}
	m := &Model{Dictionary: dict, Names: names}
	s, err := newCandidateGenerator(m, AllParts, nil)
	if err != nil {
		t.Fatal(err)
	}
	proposals, err := s.generate(t.Context(), []ctxnorm.Query{query(t, "an <ulcer> bled")})
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[ctxnorm.ConceptID]features)
	for _, p := range proposals[0] {
		got[dict.At(int(p.concept)).ID] = p.features
	}
	// Both names that hold "ulcer" are below U, and U has no others: precision and
	// recall 1. U1 has one of the two, all its names: F1 = 2*1*.5/1.5.
	if f1 := got["U"][subtreeTermF1]; f1 != 1 {
		t.Errorf("tree F1 of U is %g, want 1", f1)
	}
	if f1 := got["U1"][subtreeTermF1]; math.Abs(f1-2./3) > 1e-12 {
		t.Errorf("tree F1 of U1 is %g, want 2/3", f1)
	}
	if got["U"][noName] != 1 || got["U1"][noName] != 0 {
		t.Errorf("nameless: U %g, U1 %g, want 1, 0", got["U"][noName], got["U1"][noName])
	}
	// All belief in U1 and U2 is belief in U.
	sum := got["U1"][subtreeScore] + got["U2"][subtreeScore]
	if own := got["U"][subtreeScore]; own < sum {
		t.Errorf("mass of U is %g, less than the %g of its children", own, sum)
	}
	if child := got["U"][bestChildScore]; child != max(got["U1"][subtreeScore], got["U2"][subtreeScore]) {
		t.Errorf("greatest child mass of U is %g", child)
	}
}

func TestPseudoGoldIsHidden(t *testing.T) {
	encoder := gutEncoder()
	m := open(t, buildGut(t, encoder), encoder)
	l, err := silverSet(m, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(l.queries) == 0 || len(l.heldOutNames) == 0 {
		t.Fatal("nothing is held out")
	}
	s, err := newCandidateGenerator(m, AllParts, l.heldOutNames)
	if err != nil {
		t.Fatal(err)
	}
	for row := range s.names {
		if name := s.names[row].Text; l.heldOutNames[strings.ToLower(name)] && s.hasName(int32(row)) {
			t.Errorf("%q is held out and seen", name)
		}
	}
	proposals, err := s.generate(t.Context(), l.queries)
	if err != nil {
		t.Fatal(err)
	}
	for i := range proposals {
		for _, p := range proposals[i] {
			for _, v := range p.hits {
				if ex := exemplars(t, v.rows)[v.Row]; l.heldOutNames[strings.ToLower(ex.Surface())] {
					t.Errorf("%q speaks for a query that was held out", ex.Surface())
				}
			}
		}
	}
	again, err := silverSet(m, 1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(l.queries, again.queries); diff != "" {
		t.Errorf("a second time (-first +second):\n%s", diff)
	}
}
