package link

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
)

func TestWeightsByName(t *testing.T) {
	var want Weights
	for i := range want {
		want[i] = float64(i) - 2.5
	}
	got, err := parseWeights(want.ByName())
	if err != nil || got != want {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	for _, tc := range []struct {
		what   string
		change func(map[string]float64)
		want   string
	}{
		{"no weights", func(byName map[string]float64) { clear(byName) }, "no weight for the feature \"name_cosine\""},
		{"a missing weight", func(byName map[string]float64) { delete(byName, "lexical") }, "no weight for the feature \"lexical\""},
		{"a missing weight of NIL", func(byName map[string]float64) { delete(byName, "nil_lexical") }, "no weight for the feature \"nil_lexical\""},
		{"an unknown weight", func(byName map[string]float64) { byName["kith"] = 1 }, fmt.Sprintf("%d weights, want %d", featureCount+1, featureCount)},
	} {
		byName := want.ByName()
		tc.change(byName)
		if _, err := parseWeights(byName); err == nil || err.Error() != tc.want {
			t.Errorf("%s: error %v, want %s", tc.what, err, tc.want)
		}
	}
}

// TestWeightsOfLaterFeatures reads weights that were stored before a feature existed: its weight is 0.
func TestWeightsOfLaterFeatures(t *testing.T) {
	want := Weights{lexicalScore: 1, sameConceptWords: 2, labelCount: 4, nilBias: 3}
	byName := want.ByName()
	for _, later := range []feature{labelCount, sameConceptWords} {
		delete(byName, featureNames[later])
		want[later] = 0
		if got, err := parseWeights(byName); err != nil || got != want {
			t.Errorf("without %s: got %v, %v, want %v", featureNames[later], got, err, want)
		}
	}
}

// TestOldFeatureNames reads testdata/format2-calibration.json, which a model of format 2
// had: the same weights by their current names.
func TestOldFeatureNames(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "format2-calibration.json"))
	if err != nil {
		t.Fatal(err)
	}
	var c model.Calibration
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	got, err := weightsOf(&model.Model{Calibration: &c})
	if err != nil {
		t.Fatal(err)
	}
	want := Weights{
		nameCosine: 2.5, nameCosineTop3: c.Weights["name_mean"], lexicalScore: c.Weights["lexical"], tokenSetMatch: 3,
		contextVote: c.Weights["context_vote"], contextCosine: c.Weights["context_cosine"], textWords: 2,
		subtreeScore: c.Weights["tree_mass"], bestChildScore: c.Weights["child_mass"], relativeCosine: .5, subtreeTermF1: 2,
		noName: c.Weights["nameless"], nilBias: neverNIL,
	}
	if got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if c.MinProbability != 0 {
		t.Errorf("default threshold %g, want 0: the file has none", c.MinProbability)
	}
	// Both the old and the new name of a feature are one weight too many.
	c.Weights["relative_cosine"] = 1
	if _, err := weightsOf(&model.Model{Calibration: &c}); err == nil || !strings.Contains(err.Error(), "13 weights, want 12") {
		t.Errorf("error %v, want 13 weights, want 12", err)
	}
}

// A ranker of a model without weights has the prior's, and one of a model with other
// weights is refused with the path of the file.
func TestWeightsOfModel(t *testing.T) {
	m := modeltest.Open(t, modeltest.Build(t, nil, nil), nil)
	r, err := NewRanker(m, RankOptions{})
	if err != nil || r.weights != PriorWeights(m, AllComponents) {
		t.Errorf("weights of an uncalibrated model are %v, %v, want the prior's", r.weights, err)
	}
	m.Calibration = &model.Calibration{Weights: map[string]float64{"lexical": 1}}
	_, err = NewRanker(m, RankOptions{})
	want := filepath.Join(m.Dir, "calibration.json") + ": weights: no weight for the feature \"name_cosine\"; ctxnorm calibrate learns the weights anew"
	var damaged *files.DamagedError
	if !errors.As(err, &damaged) || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
