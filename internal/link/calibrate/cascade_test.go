package calibrate

import (
	"math/rand/v2"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text"
)

// TestCascadeBounds compares the bounds with all other possible bounds for a sample.
func TestCascadeBounds(t *testing.T) {
	const minProbability = .4
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 1))
		sample := new(link.CascadeSample)
		for range random.IntN(60) {
			p := float64(random.IntN(21)) / 20
			nilProbability := (1 - p) * float64(random.IntN(11)) / 10
			first := link.FirstProbability{OfAll: p}
			if p > 0 {
				first.AgainstNIL = p / (p + nilProbability)
			}
			sample.Quick = append(sample.Quick, []link.FirstProbability{first})
			cost := 0.
			if random.Float64() >= .7+.6*max(p-.5, .5-p) {
				cost = []float64{.25, 1}[random.IntN(2)] // their sums are exact
			}
			sample.Cost = append(sample.Cost, cost)
		}
		budget := []float64{0, .05, .1, .5}[random.IntN(4)]
		allowed := budget*float64(len(sample.Cost)) - 1
		row := cascadeBounds(sample, budget, minProbability)
		settled, changed, cost := countOutside(sample, row.Low, row.High)
		if settled != row.Settled || changed != row.Changed || cost > max(0, allowed) || allowed < 0 && settled > 0 {
			t.Errorf("seed %d: %+v settles %d, changes %d and costs %g, want at most %g", seed, row, settled, changed, cost, allowed)
		}
		lows, highs := []float64{settlesNIL}, []float64{settlesConcept}
		for _, quick := range sample.Quick {
			if quick[0].AgainstNIL < .5 {
				lows = append(lows, quick[0].AgainstNIL)
			}
			if quick[0].OfAll >= .5 {
				highs = append(highs, quick[0].OfAll)
			}
		}
		for _, low := range lows {
			for _, high := range highs {
				if settled, _, cost := countOutside(sample, low, high); cost <= allowed && settled > row.Settled {
					t.Errorf("seed %d: %+v settles less than %g and %g, which settle %d and cost %g of %g allowed", seed, row, low, high, settled, cost, allowed)
				}
			}
		}
	}
}

// countOutside counts the mentions of a sample outside the bounds and those with a new answer, and adds up their cost.
func countOutside(sample *link.CascadeSample, low, high float64) (settled, changed int, cost float64) {
	for i, quick := range sample.Quick {
		if quick[0].AgainstNIL <= low || quick[0].OfAll >= high {
			settled++
			cost += sample.Cost[i]
			if sample.Cost[i] > 0 {
				changed++
			}
		}
	}
	return settled, changed, cost
}

// TestLearnWithoutEncoder: a model with an encoder is also calibrated without it, as if it had been built that way.
func TestLearnWithoutEncoder(t *testing.T) {
	t.Parallel()
	encoder := fixtures.GutEncoder()
	with := modeltest.Open(t, buildCalibrated(t, encoder, modeltest.Ulcer), encoder)
	without := modeltest.Open(t, buildCalibrated(t, nil, modeltest.Ulcer), nil)
	got, want := with.Calibration.WithoutEncoder, without.Calibration
	if got == nil || got.WithoutEncoder != nil || got.MinProbability != want.MinProbability || got.Queries != want.Queries {
		t.Fatalf("calibration without the encoder %+v, want %+v", got, want)
	}
	for name, weight := range want.Weights {
		must.Equal(t, got.Weights[name], weight, "weight", name)
	}
	if with.Calibration.Cascade != nil { // three concepts have too few mentions
		t.Errorf("cascade %+v, want none", with.Calibration.Cascade)
	}
}

// TestCascadeWithin expects the row of the largest budget up to the given one.
func TestCascadeWithin(t *testing.T) {
	c := &model.CascadeCalibration{Rows: []model.CascadeRow{{Budget: .001, High: .9}, {Budget: .01, High: .8}}}
	for _, test := range []struct {
		budget, high float64
		ok           bool
	}{{0, 0, false}, {.0005, 0, false}, {.001, .9, true}, {.005, .9, true}, {.5, .8, true}} {
		if row, ok := c.Within(test.budget); ok != test.ok || row.High != test.high {
			t.Errorf("budget %g: %+v, %v, want the upper bound %g, %v", test.budget, row, ok, test.high, test.ok)
		}
	}
	if _, ok := (*model.CascadeCalibration)(nil).Within(1); ok {
		t.Error("a model without a cascade has bounds")
	}
}

// TestRunningText expects mentions as the tagger finds them, without the short form with a hidden definition, and only
// one of those with the same long form outside the dictionary.
func TestRunningText(t *testing.T) {
	dict := kb.NewDictionary([]kb.Concept{
		{ID: "A", Name: "Alzheimer disease", Synonyms: []string{"AD"}}, {ID: "B", Name: "bullous pemphigoid", Synonyms: []string{"BP"}},
	})
	tagger, _, err := matcher.NewTagger(dict, matcher.DefaultNameFilter())
	must.Succeed(t, err)
	hidden := fixtures.Query(t, "Alzheimer disease and belly pain (BP). The BP was strong in <AD>. BP is seen in AD.")
	hidden.ID, hidden.Mention.LongForm, hidden.Mention.Concepts = "1", "Alzheimer disease", []kb.ConceptID{"A"}
	hidden.Mentions[0] = hidden.Mention
	m := modeltest.Open(t, modeltest.Build(t, nil, func(o *model.BuildOptions) {
		o.Dictionary, o.Tagger, o.Contexts = dict, tagger, nil
		o.HiddenDefinitions = []text.Exemplar{{Query: hidden}}
	}), nil)
	queries := must.Get(runningText(m))
	var got []string
	for i := range queries {
		got = append(got, queries[i].Surface())
	}
	must.Equal(t, got, []string{"Alzheimer disease", "BP"})
}
