package biosyn

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// angledNames are names with the angles of their vectors, in degrees.
var angledNames = []struct {
	name     string
	concepts []kb.ConceptID
	angle    float64
}{
	0: {"renal failure", []kb.ConceptID{"D1"}, 0},
	1: {"kidney failure", []kb.ConceptID{"D1"}, 10},
	2: {"heart failure", []kb.ConceptID{"D2"}, 90},
	3: {"cardiac arrest", []kb.ConceptID{"D3"}, 100},
	4: {"Failure, Renal", []kb.ConceptID{"D4", "D1"}, 180}, // a name of two concepts
}

// encodeAngles is a [contrastive.Encode] that reads the angles of the names; mentions have angle 12.
func encodeAngles(queries []*text.Query) ([]float32, int, error) {
	var vectors []float32
	for _, q := range queries {
		angle := 12.
		for _, n := range angledNames {
			if n.name == q.Surface() {
				angle = n.angle
			}
		}
		sin, cos := math.Sincos(angle * math.Pi / 180)
		vectors = append(vectors, float32(cos), float32(sin))
	}
	return vectors, 2, nil
}

// newAngledTask returns a task on mentions and the angled names, with changed settings of a recipe.
func newAngledTask(t *testing.T, r *contrastive.Recipe, change func(*Settings), mentions ...text.Exemplar) *task {
	t.Helper()
	s := r.Values.(*Settings)
	s.Candidates.PerMention = 4
	if change != nil {
		change(s)
	}
	var names []text.Exemplar
	for _, n := range angledNames {
		names = append(names, text.NameExemplar(n.name, n.concepts...))
	}
	if mentions == nil {
		mentions = []text.Exemplar{text.NameExemplar("Renal failures", "D1"), text.NameExemplar("cardiac", "D9")}
	}
	return must.Get(newTask(r.Name, r.Config, *s, mentions, names))
}

func TestCandidates(t *testing.T) {
	for _, test := range []struct {
		name   string
		recipe *contrastive.Recipe
		change func(*Settings)
		want   []int32 // candidates of "Renal failures"
	}{
		// The mention is corrected to "renal failure". By strings the order is 0, 4, 2, 1, 3: the name, its inversion,
		// and the names with a word in common. By angle it is 0, 1, 2, 3, 4, where 0 is already present. BERT ranking,
		// which corrects nothing, has 1 first.
		{"half each", Recipe(), nil, []int32{0, 4, 1, 2}},
		{"sparse only", Recipe(), func(s *Settings) { s.Candidates.DenseRatio = 0 }, []int32{0, 4, 2, 1}},
		{"dense only", Recipe(), func(s *Settings) { s.Candidates.DenseRatio = 1 }, []int32{0, 1, 2, 3}},
		{"BERT ranking", BERTRankingRecipe(), func(s *Settings) { s.Candidates.PerMention = 3 }, []int32{1, 0, 2}},
		{"more than there are", Recipe(), func(s *Settings) { s.Candidates.PerMention = 20 }, []int32{0, 4, 2, 1, 3}},
	} {
		m := newAngledTask(t, test.recipe, test.change)
		encodings := 0
		err := m.Resample(t.Context(), 0, func(queries []*text.Query) ([]float32, int, error) {
			encodings++
			return encodeAngles(queries)
		})
		if err != nil || (encodings == 0) != (test.name == "sparse only") {
			t.Errorf("%s: %d encodings, error %v", test.name, encodings, err)
		}
		must.Equal(t, m.candidates[0].rows, test.want, test.name, "candidates")
	}
}

// TestSpelling: training reads a mention in the same way as the linker of the method.
func TestSpelling(t *testing.T) {
	mentions := []text.Exemplar{text.NameExemplar("Kidnye Failure", "D1"), text.NameExemplar("?", "D3")}
	for want, recipe := range map[string]*contrastive.Recipe{"kidney failure": Recipe(), "Kidnye Failure": BERTRankingRecipe()} {
		m := newAngledTask(t, recipe, nil, mentions...)
		if got := m.mentions[0].Surface(); got != want || m.mentions[1].Surface() != "?" {
			t.Errorf("%s reads %q and %q, want %q and a question mark", recipe.Name, got, m.mentions[1].Surface(), want)
		}
	}
}

func TestBatch(t *testing.T) {
	m := newAngledTask(t, Recipe(), nil)
	_, err := m.Batch(0)
	must.Fail(t, err, "", "a batch before candidates are retrieved")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	must.FailWith(t, m.Resample(ctx, 0, encodeAngles), context.Canceled, "canceled")
	must.Succeed(t, m.Resample(t.Context(), 0, encodeAngles))
	b := must.Get(m.Batch(0))
	rows := make(map[string]string) // mention -> its candidates and whether they are right
	loss := b.Loss.(*rankingLoss)
	for i := 0; i < len(b.Rows); i += 5 {
		var candidates []string
		for j, row := range b.Rows[i+1 : i+5] {
			candidates = append(candidates, fmt.Sprint(row.Query.Surface(), " ", loss.right[i/5*4+j]))
		}
		rows[b.Rows[i].Query.Surface()] = strings.Join(candidates, "; ")
	}
	want := map[string]string{
		"renal failure": "renal failure true; Failure, Renal true; kidney failure true; heart failure false",
		// These two are nearest by strings, the first two names by vectors.
		"cardiac": "cardiac arrest false; heart failure false; kidney failure false; renal failure false",
	}
	must.Equal(t, rows, want)
	if m.Steps != 10 || m.EpochSteps != 1 {
		t.Errorf("%d steps, %d in an epoch; want 10, 1", m.Steps, m.EpochSteps)
	}
	must.Equal(t, m.Parameters, []contrastive.Parameter{{Name: "sparse_weight", LearningRate: .01}}, "parameters")
}

func TestMergeCandidates(t *testing.T) {
	rows := func(rows ...int32) []int32 { return rows }
	for _, test := range []struct {
		name          string
		k             int
		ratio         float64
		sparse, dense []int32
		want          []int32
	}{
		{"half each", 4, .5, rows(1, 2, 3, 4), rows(5, 6, 7, 8), rows(1, 2, 5, 6)},
		{"more dense for those that overlap", 4, .5, rows(1, 2, 3, 4), rows(2, 1, 7, 8), rows(1, 2, 7, 8)},
		{"only the sparse ones that are kept overlap", 4, .5, rows(1, 2, 3, 4), rows(3, 4, 7, 8), rows(1, 2, 3, 4)},
		{"floor(.5 * 5) = 2 dense", 5, .5, rows(1, 2, 3, 4, 5), rows(6, 7, 8, 9, 10), rows(1, 2, 3, 6, 7)},
		{"alpha 1", 3, 1, rows(1, 2, 3), rows(9, 8, 1), rows(9, 8, 1)},
		{"alpha 0", 3, 0, rows(1, 2, 3), rows(9, 8, 1), rows(1, 2, 3)},
		{"fewer names than k", 4, .5, rows(0, 1, 2), rows(2, 1, 0), rows(0, 1, 2)},
		{"floor(.29 * 100) = 29 dense", 100, .29, make([]int32, 99), nil, make([]int32, 71)},
	} {
		var s Settings
		s.Candidates.PerMention, s.Candidates.DenseRatio = test.k, test.ratio
		must.Equal(t, s.merge(test.sparse, test.dense), test.want, test.name)
	}
}

// TestTermByHand has the scores 0, ln 2 and ln 3 with the probabilities 1/6, 2/6 and 3/6, and extremes.
func TestTermByHand(t *testing.T) {
	ln := math.Log
	scores := []float64{0, ln(2), ln(3)}
	for _, test := range []struct {
		name      string
		objective Objective
		scores    []float64
		right     []bool
		loss      float64
		grad      []float64
	}{
		// P' = 1/6 + 3/6 = 2/3. The gradient is P(n), minus P(n)/P' for a right one.
		{"marginal", objectiveMarginal, scores, []bool{true, false, true}, ln(1.5), []float64{1./6 - 1./4, 1. / 3, 1./2 - 3./4}},
		// The most probable right candidate is the last, with P = 1/2.
		{"hard EM", ObjectiveHardEM, scores, []bool{true, false, true}, ln(2), []float64{1. / 6, 1. / 3, -1. / 2}},
		// sigma(0) = 1/2, sigma(ln 2) = 2/3, sigma(ln 3) = 3/4.
		{"pairwise", objectivePairwise, scores, []bool{true, false, true}, (ln(2) + ln(3) + ln(4./3)) / 3, []float64{-1. / 6, 2. / 9, -1. / 12}},
		{"none right", ObjectiveHardEM, scores, []bool{false, false, false}, 0, []float64{0, 0, 0}},
		{"all right", objectiveMarginal, scores, []bool{true, true, true}, 0, []float64{0, 0, 0}},
		// exp(-1000) underflows; the authors' code would clamp the probability at 1e-9.
		{"far apart", objectiveMarginal, []float64{0, 1000}, []bool{true, false}, 1000, []float64{-1, 1}},
	} {
		grad := make([]float64, len(test.scores))
		loss, ok := test.objective.term(test.scores, test.right, grad)
		if ok != (test.name != "none right") || math.Abs(loss-test.loss) > 1e-12 {
			t.Errorf("%s: loss is %v, %v, want %v", test.name, loss, ok, test.loss)
		}
		for i, got := range grad {
			if math.Abs(got-test.grad[i]) > 1e-12 {
				t.Errorf("%s: gradient is %v, want %v", test.name, grad, test.grad)
			}
		}
	}
}

// TestLossByHand: with unit vectors (1, 0) of the mention, (.6, .8) and (0, 1) of its candidates, and scale 10, the
// dense scores are 6 and 0. A second mention has no right candidate, so the mean is over one.
func TestLossByHand(t *testing.T) {
	l := rankingLoss{objectiveMarginal, 10, 2, []float64{.25, .75, 7, 7}, []bool{true, false, false, false}}
	const lambda = 4 // S = 6 + 1 and 0 + 3
	rows := []float64{1, 0, .6, .8, 0, 1, 1, 0, 1, 0, 1, 0}
	value := must.Get(l.Evaluate(contrastive.Vectors{Rows: rows, Dim: 2, Parameters: []float64{lambda}}))
	wrong := 1 / (1 + math.Exp(4)) // P of the second; the gradient is -wrong and wrong
	want := []float64{
		10 * wrong * -.6, 10 * wrong * (1 - .8), // for the mention: the candidates, multiplied by their gradients
		-10 * wrong, 0, 10 * wrong, 0, 0, 0, 0, 0, 0, 0,
		wrong * (.75 - .25), -math.Log(1 - wrong),
	}
	for i, got := range append(append(value.Rows, value.Parameters...), value.Loss) {
		if math.Abs(got-want[i]) > 1e-12 {
			t.Errorf("number %d is %v, want %v", i, got, want[i])
		}
	}
	_, err := l.Evaluate(contrastive.Vectors{Rows: []float64{1, 0, 0, 1}, Dim: 2})
	must.Fail(t, err, "", "two rows")
}

// TestDistinctNames: distinctNames merges names with the same normal form, and their concepts. It does not merge names
// without letters or digits.
func TestDistinctNames(t *testing.T) {
	distinct, forms := distinctNames([]text.Exemplar{
		text.NameExemplar("Renal-failure", "D1"), text.NameExemplar("nephritis", "D2"), text.NameExemplar("renal failure", "D1", "D3"),
		text.NameExemplar("+", "D4"), text.NameExemplar("-", "D5"),
	})
	var got []string
	for i := range distinct {
		got = append(got, fmt.Sprint(distinct[i].Surface(), " ", distinct[i].Mention.Concepts, " ", forms[i]))
	}
	want := []string{"Renal-failure [D1 D3] renal failure", "nephritis [D2] nephritis", "+ [D4] ", "- [D5] "}
	must.Equal(t, got, want)
}

func TestDistinctMentions(t *testing.T) {
	doc := &text.Document{Text: "Renal failure and renal  FAILURE."}
	inText := text.Exemplar{Query: text.Query{Document: doc, Mention: text.Mention{Span: text.Span{Start: 18, End: 32}, Concepts: []kb.ConceptID{"D1"}}}}
	var got []string
	for _, e := range distinctMentions([]text.Exemplar{
		text.NameExemplar("Renal failure", "D1"),
		inText,                                    // the same form and concept
		text.NameExemplar("renal failure", "D2"),  // another concept
		text.NameExemplar("renal failures", "D1"), // another form
		text.NameExemplar("heart and renal failure", "D1", "D3"),
		text.NameExemplar("renal colic"),
		text.NameExemplar("—", "D1"),
	}) {
		got = append(got, fmt.Sprint(e.Surface(), " ", e.Mention.Concepts, " ", e.Bare))
	}
	want := []string{"Renal failure [D1] true", "renal failure [D2] true", "renal failures [D1] true"}
	must.Equal(t, got, want)
}

func TestHoldOutNames(t *testing.T) {
	var names []text.Exemplar
	for c := range 200 {
		for n := range 1 + c%4 {
			names = append(names, text.NameExemplar(fmt.Sprintf("name %d of %d", n, c), kb.ConceptID(fmt.Sprint("D", c))))
		}
	}
	mentions, rest := holdOutNames(names, .5, 1)
	left := map[kb.ConceptID]int{}
	for _, e := range rest {
		left[e.Mention.Concepts[0]]++
	}
	// Half of the 450 names of concepts with 2 to 4; now and then one less, because one must stay.
	if len(left) != 200 || len(mentions)+len(rest) != 500 || len(mentions) < 170 || len(mentions) > 240 {
		t.Errorf("%d of 500 names held out, %d left of %d concepts, want 200", len(mentions), len(rest), len(left))
	}
	if other, _ := holdOutNames(names, .5, 2); cmp.Equal(mentions, other) {
		t.Error("the names held out do not depend on the seed")
	}
	all, _ := holdOutNames(names, 1, 1)
	none, _ := holdOutNames(names, 0, 1)
	if len(all) != 300 || len(none) > 0 { // all but one of each concept
		t.Errorf("shares 1 and 0: %d and %d names held out, want 300 and none", len(all), len(none))
	}
}
