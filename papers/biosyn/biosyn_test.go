package biosyn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/contrastive"
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

// encodeAngles is an [contrastive.Encode] that reads the angles of the names; mentions have angle 12.
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

func exemplars() (mentions, names []text.Exemplar) {
	for _, n := range angledNames {
		names = append(names, text.NameExemplar(n.name, n.concepts...))
	}
	return []text.Exemplar{text.NameExemplar("Renal failures", "D1"), text.NameExemplar("cardiac", "D9")}, names
}

func newTask(t *testing.T, change func(*Settings)) *Task {
	t.Helper()
	s := DefaultSettings()
	s.Candidates.PerMention = 4
	if change != nil {
		change(&s)
	}
	mentions, names := exemplars()
	m, err := New(config(), s, mentions, names)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Resample(t.Context(), 0, encodeAngles); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestCandidates(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Settings)
		want   []int32 // candidates of "Renal failures"
	}{
		// The mention is corrected to "renal failure". By strings the order is 0, 4, 2, 1, 3: the name,
		// its inversion, and the names with a word in common. By angle it is 0, 1, 2, 3, 4, of
		// which 0 is there already. BERT ranking, which corrects nothing, has 1 first.
		{"half each", nil, []int32{0, 4, 1, 2}},
		{"sparse only", func(s *Settings) { s.Candidates.DenseRatio = 0 }, []int32{0, 4, 2, 1}},
		{"dense only", func(s *Settings) { s.Candidates.DenseRatio = 1 }, []int32{0, 1, 2, 3}},
		{"BERT ranking", func(s *Settings) {
			*s = DefaultBERTRanking()
			s.Candidates.PerMention = 3
		}, []int32{1, 0, 2}},
		{"more than there are", func(s *Settings) { s.Candidates.PerMention = 20 }, []int32{0, 4, 2, 1, 3}},
	}
	for _, test := range tests {
		m := newTask(t, test.change)
		if diff := cmp.Diff(test.want, m.candidates[0].rows); diff != "" {
			t.Errorf("%s: candidates (-want +got):\n%s", test.name, diff)
		}
	}
	m := newTask(t, func(s *Settings) { s.Candidates.DenseRatio = 0 })
	calls := 0
	err := m.Resample(t.Context(), 1, func([]*text.Query) ([]float32, int, error) { calls++; return nil, 0, errors.New("called") })
	if err != nil || calls > 0 {
		t.Errorf("sparse candidates alone: %d encodings, error %v; want none", calls, err)
	}
	// "Renal failures" has a right candidate, and the concept of "cardiac" has no name.
	if got := m.CandidateRecall(); got != .5 {
		t.Errorf("recall is %v, want .5", got)
	}
}

// TestSpelling: a mention is trained on as the linker of the method reads it.
func TestSpelling(t *testing.T) {
	_, names := exemplars()
	mentions := []text.Exemplar{text.NameExemplar("Kidnye Failure", "D1"), text.NameExemplar("?", "D3")}
	for name, want := range map[string][]string{Name: {"kidney failure", "?"}, BERTRankingName: {"Kidnye Failure", "?"}} {
		s := DefaultSettings()
		if name == BERTRankingName { // whose linker corrects nothing
			s = DefaultBERTRanking()
		}
		m, err := New(config(), s, mentions, names)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Resample(t.Context(), 0, encodeAngles); err != nil {
			t.Fatal(err)
		}
		b, err := m.Batch(0)
		if err != nil {
			t.Fatal(err)
		}
		k := len(m.candidates[0].rows)
		got := []string{b.Rows[0].Query.Surface(), b.Rows[k+1].Query.Surface()}
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestBatch(t *testing.T) {
	m := newTask(t, nil)
	b, err := m.Batch(0)
	if err != nil {
		t.Fatal(err)
	}
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
		// Of the strings these two are nearest, of the vectors the first two names.
		"cardiac": "cardiac arrest false; heart failure false; kidney failure false; renal failure false",
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if total, epoch := m.Steps, m.EpochSteps; total != 10 || epoch != 1 {
		t.Errorf("%d steps, %d in an epoch; want 10 and 1", total, epoch)
	}
	fixed := newTask(t, func(s *Settings) { s.Candidates.Fixed = true })
	if total, epoch := fixed.Steps, fixed.EpochSteps; total != 10 || epoch != 10 {
		t.Errorf("fixed candidates: %d steps, %d in an epoch; want 10 and 10", total, epoch)
	}
}

// TestLossByHand: with unit vectors (1, 0) of the mention, (.6, .8) and (0, 1) of its
// candidates, and scale 10, the dense scores are 6 and 0.
func TestLossByHand(t *testing.T) {
	l := rankingLoss{objectiveMarginal, 10, 2, []float64{.25, .75}, []bool{true, false}}
	const lambda = 4 // S = 6 + 1 and 0 + 3
	value, err := l.Evaluate(contrastive.Vectors{Rows: []float64{1, 0, .6, .8, 0, 1}, Dim: 2, Labels: make([]contrastive.Label, 3), Parameters: []float64{lambda}})
	if err != nil {
		t.Fatal(err)
	}
	wrong := 1 / (1 + math.Exp(4)) // P of the second; the gradient is -wrong and wrong
	want := contrastive.LossValue{
		Loss: -math.Log(1 - wrong),
		Rows: []float64{
			10 * wrong * -.6, 10 * wrong * (1 - .8), // of the mention: the candidates, by their gradients
			-10 * wrong, 0,
			10 * wrong, 0,
		},
		Parameters: []float64{wrong * (.75 - .25)},
	}
	for i, got := range append(append(value.Rows, value.Parameters...), value.Loss) {
		if w := append(append(slices.Clone(want.Rows), want.Parameters...), want.Loss)[i]; math.Abs(got-w) > 1e-12 {
			t.Errorf("number %d is %v, want %v", i, got, w)
		}
	}
	if _, err := l.Evaluate(contrastive.Vectors{Rows: []float64{1, 0, 0, 1}, Dim: 2}); err == nil {
		t.Error("two rows: no error")
	}
}

func TestLossGradient(t *testing.T) {
	const dim, step, tolerance = 3, 1e-5, 1e-6
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, seed))
		k, mentions := 2+r.IntN(3), 1+r.IntN(3)
		scores := randomCandidateScores(r, k, mentions)
		l := rankingLoss{[]Objective{objectiveMarginal, ObjectiveHardEM, objectivePairwise}[seed%3], 3, k, scores.Sparse, scores.Right}
		v := contrastive.Vectors{Rows: make([]float64, mentions*(k+1)*dim), Dim: dim, Parameters: []float64{r.NormFloat64()}}
		if seed%5 == 0 {
			v.Parameters = nil // BERT ranking
		}
		for i := range v.Rows {
			v.Rows[i] = r.NormFloat64()
		}
		value, err := l.Evaluate(v)
		if err != nil {
			t.Fatal(err)
		}
		check := func(x, grad []float64) {
			for i, original := range x {
				x[i] = original + step
				above, _ := l.Evaluate(v)
				x[i] = original - step
				below, _ := l.Evaluate(v)
				x[i] = original
				if want := (above.Loss - below.Loss) / (2 * step); math.Abs(grad[i]-want) > tolerance*(1+math.Abs(want)) {
					t.Errorf("seed %d, %s: gradient at %d of %d is %v, finite differences give %v", seed, l.objective, i, len(x), grad[i], want)
				}
			}
		}
		check(v.Rows, value.Rows)
		check(v.Parameters, value.Parameters)
	}
}

func TestErrors(t *testing.T) {
	mentions, names := exemplars()
	for _, tc := range []struct {
		change func(*contrastive.Config, *Settings)
		want   string
	}{
		{func(c *contrastive.Config, _ *Settings) { c.LearningRate = 0 }, "learning_rate is 0"},
		{func(_ *contrastive.Config, s *Settings) { s.Objective = "mml" }, `objective is mml, want one of ["marginal" "hard-em" "pairwise"]`},
		{func(_ *contrastive.Config, s *Settings) { s.Candidates.PerMention = 0 }, "candidates.per_mention is 0"},
		{func(_ *contrastive.Config, s *Settings) { s.Candidates.DenseRatio = 1.1 }, "candidates.dense_ratio is 1.1, want 0 to 1"},
		{func(_ *contrastive.Config, s *Settings) { s.Candidates.DenseRatio = math.NaN() }, "candidates.dense_ratio is NaN"},
		{func(_ *contrastive.Config, s *Settings) { s.MentionsPerBatch = 0 }, "mentions_per_batch is 0"},
		{func(_ *contrastive.Config, s *Settings) { s.Epochs = 0 }, "epochs is 0"},
		{func(_ *contrastive.Config, s *Settings) { s.DenseScale = math.Inf(1) }, "dense_scale is +Inf"},
		{func(_ *contrastive.Config, s *Settings) { s.Sparse = false }, "candidates.dense_ratio is 0.5, want 1 without sparse scores"},
	} {
		c, s := config(), DefaultSettings()
		tc.change(&c, &s)
		if _, err := New(c, s, mentions, names); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("error %v, want %q", err, tc.want)
		}
	}
	if _, err := New(config(), DefaultSettings(), nil, names); err == nil {
		t.Error("no mentions: no error")
	}
	m, err := New(config(), DefaultSettings(), mentions, names)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Batch(0); err == nil {
		t.Error("a batch before candidates are retrieved: no error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := m.Resample(ctx, 0, encodeAngles); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: error %v", err)
	}
}

func TestIdentity(t *testing.T) {
	ranking := newTask(t, func(s *Settings) { *s = DefaultBERTRanking() })
	if ranking.Recipe != "bert-ranking" || ranking.Parameters != nil {
		t.Errorf("without sparse scores: method %s with parameters %v", ranking.Recipe, ranking.Parameters)
	}
	m := newTask(t, nil)
	if diff := cmp.Diff([]contrastive.Parameter{{Name: "sparse_weight", LearningRate: .01}}, m.Parameters); m.Recipe != "biosyn" || diff != "" {
		t.Errorf("method %s, parameters (-want +got):\n%s", m.Recipe, diff)
	}
	var data, other strings.Builder
	m.WriteData(&data)
	m.mentions = m.mentions[:1]
	m.WriteData(io.MultiWriter(&other))
	if data.String() == other.String() {
		t.Error("the data does not tell the mentions apart")
	}
}

// TestDistinctNames: distinctNames merges names with the same normal form and their concepts. It does not merge names
// of signs alone.
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
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDistinctMentions(t *testing.T) {
	doc := &text.Document{Text: "Renal failure and renal  FAILURE."}
	inText := text.Exemplar{Query: text.Query{Document: doc, Mention: text.Mention{Span: text.Span{Start: 18, End: 32}, Concepts: []kb.ConceptID{"D1"}}}}
	var got []string
	for _, e := range DistinctMentions([]text.Exemplar{
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
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestHoldOutNames(t *testing.T) {
	var names []text.Exemplar
	for c := range 200 {
		for n := range 1 + c%4 {
			names = append(names, text.NameExemplar(fmt.Sprintf("name %d of %d", n, c), kb.ConceptID(fmt.Sprint("D", c))))
		}
	}
	mentions, rest := HoldOutNames(names, .5, 1)
	left := map[kb.ConceptID]int{}
	for _, e := range rest {
		left[e.Mention.Concepts[0]]++
	}
	if len(left) != 200 {
		t.Errorf("%d of 200 concepts have a name left", len(left))
	}
	// Half of the 450 names of concepts with 2 to 4; now and then one less, so that one is left.
	if len(mentions)+len(rest) != 500 || len(mentions) < 170 || len(mentions) > 240 {
		t.Errorf("%d of 500 names held out, %d left", len(mentions), len(rest))
	}
	again, _ := HoldOutNames(names, .5, 1)
	other, _ := HoldOutNames(names, .5, 2)
	surfaces := func(exemplars []text.Exemplar) (s []string) {
		for i := range exemplars {
			s = append(s, exemplars[i].Surface())
		}
		return s
	}
	if !slices.Equal(surfaces(mentions), surfaces(again)) || slices.Equal(surfaces(mentions), surfaces(other)) {
		t.Error("the names held out do not depend on the seed alone")
	}
	if all, _ := HoldOutNames(names, 1, 1); len(all) != 300 { // all but one of each concept
		t.Errorf("share 1: %d names held out, want 300", len(all))
	}
	if none, _ := HoldOutNames(names, 0, 1); len(none) > 0 {
		t.Errorf("share 0: %d names held out", len(none))
	}
}
