package eval

import (
	"math"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/kb"
)

// at returns a prediction of the concept at a distance, of a mention whose gold concept is gold; of
// one outside the dictionary if gold is empty.
func at(distance float64, gold, predicted kb.ConceptID) Prediction {
	m := &GoldMention{}
	if gold != "" {
		m.Gold = []kb.ConceptID{gold}
	}
	cosine := 1 - distance*distance/2 // the inverse of the root of 2 - 2 cosine
	candidates := []Candidate{{Concept: predicted, Score: cosine}}
	return Prediction{m, candidates, candidates}
}

func pointers(predictions []Prediction) (p []*Prediction) {
	for i := range predictions {
		p = append(p, &predictions[i])
	}
	return p
}

func TestChooseThresholds(t *testing.T) {
	nothing := Prediction{Mention: &GoldMention{}} // no candidate
	for name, tc := range map[string]struct {
		sample []Prediction
		want   distanceThresholds
	}{
		// False positives at .6 and .8, true ones at .1, .2 and .7; a wrong concept and a mention
		// without a candidate count for neither. Mean: (2*.6 + 3*.7) / 5.
		"both": {[]Prediction{at(.8, "", "A"), at(.6, "", "B"), at(.1, "A", "A"), at(.7, "B", "B"), at(.2, "C", "C"), at(1.3, "A", "B"), nothing},
			distanceThresholds{.6, .7, .66}},
		"no false positive": {[]Prediction{at(.3, "A", "A"), at(.9, "A", "B")}, distanceThresholds{math.Inf(1), .3, .3}},
		"no true positive":  {[]Prediction{at(.3, "", "A"), at(.2, "A", "B")}, distanceThresholds{.3, math.Inf(-1), .3}},
		"neither":           {[]Prediction{at(.3, "A", "B"), nothing}, distanceThresholds{math.Inf(1), math.Inf(-1), math.Inf(1)}},
	} {
		got := chooseThresholds(pointers(tc.sample), mustPolicy(t, "all"))
		for i, want := range tc.want {
			if got[i] != want && !(math.Abs(got[i]-want) < 1e-9) {
				t.Errorf("%s: threshold %d is %g, want %g", name, i, got[i], want)
			}
		}
	}
}

// TestAccuracyBeyond counts by hand: right within the threshold, NIL outside the dictionary beyond it.
func TestAccuracyBeyond(t *testing.T) {
	predictions := []Prediction{at(.25, "A", "A"), at(.75, "B", "B"), at(.5, "", "A"), at(.75, "", "A"), at(.25, "A", "B")}
	for _, tc := range []struct{ threshold, want float64 }{
		{math.Inf(1), 2. / 5},  // both right concepts
		{.8, 2. / 5},           //
		{.6, 2. / 5},           // loses B, wins the one outside at .75
		{.4, 3. / 5},           // wins the one at .5, too
		{math.Inf(-1), 2. / 5}, // all are NIL
	} {
		if got := accuracyBeyond(tc.threshold, pointers(predictions), mustPolicy(t, "all")); got != tc.want {
			t.Errorf("threshold %g: %g, want %g", tc.threshold, got, tc.want)
		}
	}
}

func TestMeasureOutOfDictionary(t *testing.T) {
	all := mustPolicy(t, "all")
	// Distances separate the mentions outside the dictionary: any sample that has both kinds gives
	// .5 by the second strategy, and mentions of one distance are right at any of their thresholds.
	var predictions []Prediction
	for range 30 {
		predictions = append(predictions, at(.5, "A", "A"), at(1, "", "A"))
	}
	settings := OutOfDictionarySettings{Sample: 20, Repeats: 5, Seed: 1}
	got, err := MeasureOutOfDictionary(predictions, all, settings)
	if err != nil {
		t.Fatal(err)
	}
	if got.Sample != 20 || got.Rest != 40 || got.Repeats != 5 {
		t.Errorf("%+v", got)
	}
	first, second, weighted := got.Strategies[0], got.Strategies[1], got.Strategies[2]
	if first.Mean >= .7 || first.Deviation == 0 { // nothing is beyond 1: those in the dictionary are right
		t.Errorf("by false positives %+v, want about .5 in different samples", first)
	}
	if second.Mean != 1 || second.Deviation != 0 || weighted.Mean != 1 {
		t.Errorf("by true positives %+v and weighted %+v, want 1 each", second, weighted)
	}
	again, err := MeasureOutOfDictionary(predictions, all, settings)
	if err != nil || again.Strategies[0] != first {
		t.Errorf("again: %+v, %v", again, err)
	}
	for problem, run := range map[string]func() error{
		"policy is paper": func() error {
			_, err := MeasureOutOfDictionary(predictions, mustPolicy(t, "paper"), settings)
			return err
		},
		"5 samples of 20 from 20 mentions": func() error { _, err := MeasureOutOfDictionary(predictions[:20], all, settings); return err },
		"1 samples of 20": func() error {
			_, err := MeasureOutOfDictionary(predictions, all, OutOfDictionarySettings{20, 1, 1})
			return err
		},
		"none of 2 mentions": func() error {
			_, err := MeasureOutOfDictionary([]Prediction{at(.5, "A", "A"), at(.5, "A", "A")}, all, OutOfDictionarySettings{1, 2, 1})
			return err
		},
	} {
		if err := run(); err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("%v, want %q", err, problem)
		}
	}
}
