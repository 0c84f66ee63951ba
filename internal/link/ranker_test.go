package link

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// TestProbabilitiesWithNIL compares probabilities with exp(score) over the sum of exp(score).
func TestProbabilitiesWithNIL(t *testing.T) {
	w := []float64{2, 1, .5, 3}
	candidates := &Candidates{
		Concepts: []*Candidate{
			{Features: []float64{.9, .5, 0, 0}}, // score 2*.9 + .5 = 2.3
			{Features: []float64{.4, 0, 0, 0}},  // score 2*.4 = .8
		},
		NIL: []float64{0, 0, 1, .25}, // score .5 + 3*.25 = 1.25
	}
	sum := math.Exp(2.3) + math.Exp(.8) + math.Exp(1.25)
	concepts, nilProbability := candidates.Probabilities(w)
	want := []float64{math.Exp(2.3) / sum, math.Exp(.8) / sum, math.Exp(1.25) / sum}
	for i, got := range append(concepts, nilProbability) {
		if math.Abs(got-want[i]) > 1e-12 {
			t.Errorf("probability %d is %g, want %g", i, got, want[i])
		}
	}
	// NIL is more probable than the first candidate. The odds decide whether that counts, unless the minimum is 0.
	r := Ranking{Candidates: []linked.Candidate{{Probability: .3}}, NIL: .4}
	never := math.Inf(1)
	for _, tc := range []struct {
		minProbability, odds float64
		want                 bool
	}{
		{0, 1, false}, {.1, 1, true}, {.35, 1, true}, {0, never, false}, {.1, never, false}, {.35, never, true},
		{.3, never, false},                // exactly at the minimum
		{.1, 1.3, true}, {.1, 1.4, false}, // .4 is 1.33 times .3
	} {
		must.Equal(t, r.IsNIL(tc.minProbability, tc.odds), tc.want, "IsNIL", tc.minProbability, tc.odds)
	}
	if concepts, nilProbability := (&Candidates{NIL: w}).Probabilities(w); len(concepts) != 0 || nilProbability != 1 {
		t.Errorf("without candidates: %v and NIL %g, want 1", concepts, nilProbability)
	}
}

// TestRankerWantsEncoder: a model that was opened without its encoder returns an error rather than a ranking.
func TestRankerWantsEncoder(t *testing.T) {
	m := must.Get(model.Open(modeltest.Build(t, fixtures.GutEncoder(), modeltest.Ulcer), nil))
	defer m.Close()
	_, err := newRanker(m, MethodOptions{})
	must.FailWith(t, err, model.ErrNoEncoder)
}

// If the context chose between senses, NIL is the answer if it is much more probable than the first candidate, even if
// that is above the minimum probability.
func TestAnswerOfSenses(t *testing.T) {
	calibrated := &model.Model{Calibration: &model.Calibration{Weights: map[string]float64{}}}
	r := &Ranker{generator: &CandidateGenerator{model: calibrated}}
	for _, test := range []struct {
		first, nilProbability float64
		senses, answered      bool
	}{
		{.2, .7, true, false},
		{.2, .7, false, true},
		{.25, .7, true, true}, // less than three times
	} {
		ranking := &Ranking{Candidates: []linked.Candidate{{Probability: test.first}}, NIL: test.nilProbability}
		r.answer(ranking, 1, .1, test.senses)
		must.Equal(t, len(ranking.Candidates) > 0, test.answered, "first", test.first, "NIL", test.nilProbability, "senses",
			test.senses, "answered")
	}
}

// TestRank: the probabilities of all candidates and NIL add up to 1, and Link returns the candidates of Rank unless the
// first is below the minimum probability.
func TestRank(t *testing.T) {
	m := ulcerModel(t)
	generator := must.Get(NewCandidateGenerator(m, AllComponents, nil))
	weights := make([]float64, len(RankingFeatures.features))
	RankingFeatures.set(weights, map[string]float64{"name_cosine": 4, "lexical": 2, "context_vote": 1, "nil_bias": 2,
		"nil_unknown_words": 2})
	queries := []text.Query{
		fixtures.Query(t, "an <ulcer> bled"), fixtures.Query(t, "<coeliac disease>"), fixtures.Query(t, "<>"), fixtures.Query(t, "nothing <qqq> at all"),
	}
	const minProbability = .3
	ranker := must.Get(NewRankerWith(generator, weights, MethodOptions{MinProbability: minProbability}))
	rankings := must.Get(ranker.Rank(t.Context(), queries, 100))
	linked := must.Get(ranker.Link(t.Context(), queries, 100))
	nils := 0
	for i, r := range rankings {
		sum := r.NIL
		for _, c := range r.Candidates {
			sum += c.Probability
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("%q: the probabilities add up to %g, want 1", queries[i].Text, sum)
		}
		want := r.Candidates
		if len(want) == 0 || want[0].Probability < minProbability || want[0].Probability < r.NIL {
			nils++
			want = nil
		}
		must.Equal(t, linked[i].Candidates, want, queries[i].Text)
	}
	if nils == 0 || nils == len(queries) {
		t.Errorf("%d of %d queries are NIL, want some", nils, len(queries))
	}
}

// A candidate is shown with a name that people use and with the name most similar to the mention. Neither is empty,
// even if the model lost all names of the concept.
func TestCandidateNames(t *testing.T) {
	dict := kb.NewDictionary([]kb.Concept{
		{ID: "MI", Synonyms: []string{"myocardial infarction, susceptibility to, 1, included", "myocardial infarction", "heart attack"}},
		{ID: "T2", Name: "diabetes mellitus, type 2"},
		{ID: "X"},
	})
	mentions := []linked.Mention{{Text: "heart attacks", Candidates: []linked.Candidate{{Concept: "MI"}, {Concept: "T2"}, {Concept: "X"}, {Concept: "gone"}}}}
	want := []struct{ name, matched string }{
		{"myocardial infarction", "heart attack"},
		{"diabetes mellitus, type 2", "diabetes mellitus, type 2"}, // it has no other
		{"X", "X"},
		{"gone", "gone"},
	}
	must.Succeed(t, NameCandidates(t.Context(), mentions, dict))
	gone, leave := context.WithCancel(t.Context())
	leave()
	must.FailWith(t, NameCandidates(gone, mentions, dict), context.Canceled)
	for i, c := range mentions[0].Candidates {
		if c.Name != want[i].name || c.MatchedName != want[i].matched {
			t.Errorf("%s: name %q, matched %q; want %q, %q", c.Concept, c.Name, c.MatchedName, want[i].name, want[i].matched)
		}
	}
}

// TestTrigrams compares Dice's coefficient of packed trigrams with that of strings, counted one by one.
func TestTrigrams(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 4))
	letters := []rune("aab é\U0010FFFF\x00")
	word := func() string {
		runes := make([]rune, r.IntN(9))
		for i := range runes {
			runes[i] = letters[r.IntN(len(letters))]
		}
		return string(runes)
	}
	grams := func(s string) map[string]int {
		counts := make(map[string]int)
		runes := []rune(" " + s + " ")
		for i := 0; i+3 <= len(runes); i++ {
			counts[string(runes[i:i+3])]++
		}
		return counts
	}
	for range 5000 {
		a, b := normalize.Normal(word()), normalize.Normal(word())
		common, total := 0, 0
		in := grams(b)
		for gram, n := range grams(a) {
			common, total = common+min(n, in[gram]), total+n
		}
		for _, n := range in {
			total += n
		}
		want := 1.
		if total > 0 {
			want = 2 * float64(common) / float64(total)
		}
		if got := dice(trigramsOf(a), trigramsOf(b)); got != want {
			t.Fatalf("%q and %q: %g, want %g", a, b, got, want)
		}
	}
	if same := trigramsOf(strings.Repeat("a", 300_000)); dice(same, same) != 1 { // takes minutes if it is quadratic
		t.Error("a text of one letter is not like itself")
	}
}

// TestRememberedCandidates: candidates are computed once, until the cache is full, and cached surface forms do not keep
// a document in memory.
func TestRememberedCandidates(t *testing.T) {
	c, made := candidateCache{bySurface: make(map[string]Candidates)}, 0
	build := func() Candidates { made++; return Candidates{NIL: []float64{float64(made)}} }
	for i := range rememberedCandidates + 10 {
		want := float64(i + 1)
		document := fmt.Sprintf("%04d in a document", i)
		for range 2 {
			if c.of(document[:4], build).NIL[0] != want {
				t.Fatalf("candidates of %q are made %d times, want once", document[:4], made-i)
			}
		}
		if len(c.bySurface) > rememberedCandidates {
			t.Fatalf("%d wordings", len(c.bySurface))
		}
	}
	document := strings.Repeat("document ", 9)
	c.of(document[:8], build)
	for wording := range c.bySurface {
		if unsafe.StringData(wording) == unsafe.StringData(document) {
			t.Error("a wording keeps its document in memory")
		}
	}
}
