package calibrate

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// buildCalibrated builds a calibrated model of three concepts in a new folder and returns the folder. change, which may
// be nil, changes the options.
func buildCalibrated(t testing.TB, encoder *fixtures.BagOfWords, change func(*model.BuildOptions)) string {
	t.Helper()
	return modeltest.Build(t, encoder, func(o *model.BuildOptions) {
		o.Calibrate = Learn
		if change != nil {
			change(o)
		}
	})
}

// calibratedUlcerModel returns a calibrated model of [modeltest.Ulcer] with an encoder.
func calibratedUlcerModel(t *testing.T) *model.Model {
	t.Helper()
	encoder := fixtures.GutEncoder()
	return modeltest.Open(t, buildCalibrated(t, encoder, modeltest.Ulcer), encoder)
}

func TestCountAnswers(t *testing.T) {
	a := countAnswers([]firstAnswer{
		{.9, true, false}, {.8, false, false}, {.5, true, false}, {.5, false, true}, {.1, false, true}, {-1, false, true},
	})
	if a.Queries != 6 || a.NIL != 3 {
		t.Errorf("%d queries, %d NIL, want 6 and 3", a.Queries, a.NIL)
	}
	for _, want := range []model.ThresholdRow{
		{MinProbability: 0, Answered: 5, Correct: 2, NILCorrect: 1},
		{MinProbability: .5, Answered: 4, Correct: 2, NILCorrect: 2}, // exactly at the minimum
		{MinProbability: .8, Answered: 2, Correct: 1, NILCorrect: 3},
	} {
		must.Equal(t, a.Rows[int(want.MinProbability*thresholds)], want)
	}
}

// Two candidates have the score 1, one has 0 and NIL has 2. The first of the two wins: NIL is not a candidate but takes
// its share of the probability.
func TestFirstAnswer(t *testing.T) {
	got := firstAnswerOf(&link.Candidates{Concepts: []*link.Candidate{
		{Concept: 3, Features: []float64{0}}, {Concept: 5, Features: []float64{1}}, {Concept: 8, Features: []float64{1}},
	}, NIL: []float64{2}}, []int32{5}, []float64{1})
	if want := math.E / (1 + 2*math.E + math.E*math.E); !got.correct || math.Abs(got.probability-want) > 1e-12 {
		t.Errorf("%+v, want the right one with %g", got, want)
	}
}

// TestAbstentionHoldsOutConcepts: mentions of held-out concepts are NIL, other mentions are not.
func TestAbstentionHoldsOutConcepts(t *testing.T) {
	m := calibratedUlcerModel(t)
	seed := &m.Manifest.Dictionary.Seed // find the first that holds out only G1
	for !isHeldOut(*seed, "G1") || isHeldOut(*seed, "G0") || isHeldOut(*seed, "G2") || isHeldOut(*seed, "G4") {
		*seed++
	}
	set := &trainingSet{model: m, queries: []text.Query{fixtures.Query(t, "<coeliac disease>"), fixtures.Query(t, "<gastric ulcer>")}}
	set.queries[0].Mention.Concepts = []kb.ConceptID{"G1"}
	set.queries[1].Mention.Concepts = []kb.ConceptID{"G2"}
	set.weights = link.PriorWeights(m, link.AllComponents)
	var c model.Calibration
	must.Succeed(t, set.measureAbstention(t.Context(), &c))
	a := c.Abstention
	if a.Queries != 2 || a.NIL != 1 || a.Rows[0] != (model.ThresholdRow{Answered: 2, Correct: 1}) {
		t.Errorf("%d queries, %d NIL, %+v, want 2 and 1, both queries answered and one right", a.Queries, a.NIL, a.Rows[0])
	}
	nilCorrect := 0
	for _, row := range a.Rows {
		if row.Answered < row.Correct || row.Answered+row.NILCorrect > a.Queries || row.NILCorrect < nilCorrect {
			t.Errorf("row %+v, want counts that add up and NIL that does not fall", row)
		}
		nilCorrect = row.NILCorrect
	}
}

func TestGoldSetExpandsAbbreviations(t *testing.T) {
	m := modeltest.Open(t, buildCalibrated(t, nil, nil), nil)
	label := func(q text.Query, concepts ...kb.ConceptID) text.Exemplar {
		q.Mention.Concepts = concepts
		q.Mention.Composite = len(concepts) > 1
		return text.Exemplar{Query: q}
	}
	set := must.Get(goldSet(t.Context(), m, []text.Exemplar{
		label(fixtures.Query(t, "coeliac disease (CD), and <CD> again"), "G1"),
		label(fixtures.Query(t, "<gastric and coeliac disease>"), "G1", "G2"),
		label(fixtures.Query(t, "<rickets>"), "G9"), // not in the model
	}))
	var got []string
	for i := range set.queries {
		got = append(got, set.queries[i].Surface())
	}
	must.Equal(t, got, []string{"coeliac disease", "rickets"}, "mentions")
	if gold := goldPositions(m, &set.queries[0]); len(gold) != 1 || m.Dictionary.At(int(gold[0])).ID != "G1" || len(goldPositions(m, &set.queries[1])) != 0 {
		t.Errorf("gold positions are %v and %v, want G1 and none", gold, goldPositions(m, &set.queries[1]))
	}
}

// TestSilverSet: no evidence contains the held-out names, and a second set is identical.
func TestSilverSet(t *testing.T) {
	encoder := fixtures.GutEncoder()
	m := modeltest.Open(t, buildCalibrated(t, encoder, nil), encoder)
	set := must.Get(silverSet(m))
	if len(set.queries) == 0 || len(set.heldOutNames) == 0 {
		t.Fatal("no name is held out")
	}
	generator := must.Get(link.NewCandidateGenerator(m, link.AllComponents, set.heldOutNames))
	ranker := must.Get(link.NewRankerWith(generator, zeros(), link.MethodOptions{Evidence: true}))
	results := must.Get(ranker.Link(t.Context(), set.queries, 100))
	exemplars := 0
	for _, ranking := range results {
		for _, c := range ranking.Candidates {
			for _, evidence := range c.Evidence {
				exemplars++
				if name := evidence.Span.Of(evidence.Text); set.heldOutNames[strings.ToLower(name)] {
					t.Errorf("%q is held out and supports %s", name, c.Concept)
				}
			}
		}
	}
	if exemplars == 0 {
		t.Error("no candidate has evidence")
	}
	again := must.Get(silverSet(m))
	must.Equal(t, again.queries, set.queries, "a second set")
}

// labeledMentions returns 20 labeled documents. All contain "sprue", which resembles no name, and each a name of its
// own.
func labeledMentions(t *testing.T) []text.Exemplar {
	var labeled []text.Exemplar
	add := func(document, marked string, concept kb.ConceptID) {
		q := fixtures.Query(t, marked)
		q.Document.ID = document
		q.Mention.Concepts = []kb.ConceptID{concept}
		labeled = append(labeled, text.Exemplar{Query: q})
	}
	for i := range 20 {
		document := fmt.Sprint("gold ", i)
		add(document, "wheat and <sprue>", "G1")
		add(document, fmt.Sprintf("aspirin and <belly%c>", 'a'+i), "G2")
	}
	return labeled
}

func TestLabeledNamesOfHalfAreHeldOut(t *testing.T) {
	labeled := labeledMentions(t)
	distinct := append(slices.Clone(labeled[:2]), labeled[3])
	for i := 5; i < len(labeled); i += 2 {
		distinct = append(distinct, labeled[i])
	}
	dir := buildCalibrated(t, nil, func(o *model.BuildOptions) {
		o.CorpusSynonyms = model.LabeledSynonyms(distinct)
		o.Contexts = append(o.Contexts, model.LabeledContexts(labeled, o.Dictionary)...)
		o.PerConcept = 100
		o.Calibrate = LearnLabeled(labeled)
	})
	m := modeltest.Open(t, dir, nil)
	queries, smaller, err := splitLabeled(m, labeled)
	must.Succeed(t, err)
	heldOut := make(map[string]bool)
	for i := range queries {
		heldOut[queries[i].ID] = true
	}
	if len(heldOut) == 0 || len(heldOut) == 20 || len(queries) != 2*len(heldOut) {
		t.Fatalf("%d queries of %d documents of 20", len(queries), len(heldOut))
	}
	// "sprue" remains, because other documents have it, and so do the names of the other documents.
	want := []string{"coeliac disease", "gastric ulcer", "gluten enteropathy", "sprue"}
	for i := range 20 {
		if !heldOut[fmt.Sprint("gold ", i)] {
			want = append(want, fmt.Sprintf("belly%c", 'a'+i))
		}
	}
	names := must.Get(smaller.Names.Exemplars())
	var got []string
	for i := range names {
		got = append(got, names[i].Text)
	}
	slices.Sort(got)
	slices.Sort(want)
	must.Equal(t, got, want, "names")
	contexts := must.Get(smaller.Contexts.Exemplars())
	must.Equal(t, len(contexts), 4+len(labeled)-len(queries), "contexts")
	for i := range contexts {
		if heldOut[contexts[i].ID] {
			t.Errorf("document %s is held out and has a context", contexts[i].ID)
		}
	}
	if c := m.Calibration; c.Source != fromGold || c.Queries != len(queries) {
		t.Errorf("learned from %d queries of %s, want %d of %s", c.Queries, c.Source, len(queries), fromGold)
	}
}

// TestLearnLabeledOfFewDocuments: learning also works if no half of the documents has labels.
func TestLearnLabeledOfFewDocuments(t *testing.T) {
	for i := range 3 {
		labeled := labeledMentions(t)[2*i : 2*i+1]
		dir := buildCalibrated(t, nil, func(o *model.BuildOptions) { o.Calibrate = LearnLabeled(labeled) })
		if c := modeltest.Open(t, dir, nil).Calibration; len(c.Weights) == 0 {
			t.Errorf("document %d: no weights", i)
		}
	}
}

// TestLearnLabeledCascade: with labels, the mentions that need no encoder are learned from the same texts as without,
// and so is the calibration of the model without its encoder.
func TestLearnLabeledCascade(t *testing.T) {
	t.Parallel()
	encoder := fixtures.GutEncoder()
	labeled := labeledMentions(t)
	build := func(learn func(context.Context, *model.Model) (*model.Calibration, error)) *model.Calibration {
		dir := buildCalibrated(t, encoder, func(o *model.BuildOptions) {
			o.CorpusSynonyms = model.LabeledSynonyms(labeled[:2])
			o.Contexts = append(o.Contexts, model.LabeledContexts(labeled, o.Dictionary)...)
			o.PerConcept = 100
			for i := range minSenseQueries {
				q := fixtures.Query(t, "a gastric ulcer and <sprue>")
				q.Document.ID = fmt.Sprint("text ", i)
				q.Mention.Concepts = []kb.ConceptID{"G1"}
				o.HiddenDefinitions = append(o.HiddenDefinitions, text.Exemplar{Query: q})
			}
			o.Calibrate = learn
		})
		return modeltest.Open(t, dir, encoder).Calibration
	}
	with, without := build(LearnLabeled(labeled)), build(Learn)
	if with.Cascade == nil || without.Cascade == nil || with.Cascade.Mentions != without.Cascade.Mentions || len(with.Cascade.Rows) != len(cascadeBudgets) {
		t.Errorf("cascade %+v with labels, %+v without", with.Cascade, without.Cascade)
	}
	if c := with.WithoutEncoder; c == nil || c.Source != fromGold || c.Queries != with.Queries {
		t.Errorf("calibration without the encoder %+v, want one from %d labels", c, with.Queries)
	}
}
