package link

import (
	"errors"
	"path/filepath"
	"testing"
)

func TestWeightsByName(t *testing.T) {
	var want Weights
	for i := range want {
		want[i] = float64(i) - 2.5
	}
	got, err := parseWeights(want.byName())
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
		{"an unknown weight", func(byName map[string]float64) { byName["kith"] = 1 }, "13 weights, want 12"},
	} {
		byName := want.byName()
		tc.change(byName)
		if _, err := parseWeights(byName); err == nil || err.Error() != tc.want {
			t.Errorf("%s: error %v, want %s", tc.what, err, tc.want)
		}
	}
}

// A ranker of a model without weights has the prior's, and one of a model with other
// weights is refused with the path of the file.
func TestWeightsOfModel(t *testing.T) {
	m := openRankable(t, buildRankable(t, nil, nil), nil)
	r, err := NewRanker(m, RankOptions{})
	if err != nil || r.weights != priorWeights(m, AllParts) {
		t.Errorf("weights of an uncalibrated model are %v, %v, want the prior's", r.weights, err)
	}
	m.Calibration = &Calibration{Weights: map[string]float64{"lexical": 1}}
	_, err = NewRanker(m, RankOptions{})
	want := filepath.Join(m.Dir, "calibration.json") + ": weights: no weight for the feature \"name_cosine\"; ctxnorm calibrate learns the weights anew"
	var damaged *FileError
	if !errors.As(err, &damaged) || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
