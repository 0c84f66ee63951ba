package link

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
)

// A ranker of a model without weights has the prior's, and one of a model with other
// weights is refused with the path of the file.
func TestWeightsOfModel(t *testing.T) {
	m := modeltest.Open(t, modeltest.Build(t, nil, nil), nil)
	r, err := newRanker(m, RankOptions{})
	if err != nil || r.weights != PriorWeights(m, AllComponents) {
		t.Errorf("weights of an uncalibrated model are %v, %v, want the prior's", r.weights, err)
	}
	m.Calibration = &model.Calibration{Weights: map[string]float64{"lexical": 1}}
	_, err = newRanker(m, RankOptions{})
	want := filepath.Join(m.Dir, "calibration.json") + ": weights: no weight for the feature \"name_cosine\"; ctxnorm calibrate learns the weights anew"
	var damaged *files.DamagedError
	if !errors.As(err, &damaged) || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
