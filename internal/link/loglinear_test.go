package link

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/model"
)

// TestWeightsOfModel reads weights back, and those that no calibration has.
func TestWeightsOfModel(t *testing.T) {
	want := make([]float64, len(SenseFeatures.features))
	for i := range want {
		want[i] = float64(i) - 2.5
	}
	prior := SenseFeatures.Prior()
	for what, tc := range map[string]struct {
		change func(map[string]float64)
		want   string // error; none if empty
	}{
		"all":     {func(map[string]float64) {}, ""},
		"none":    {func(stored map[string]float64) { clear(stored) }, `no weight for the feature "log_share"`},
		"missing": {func(stored map[string]float64) { delete(stored, "unknown") }, `no weight for the feature "unknown"`},
		"huge":    {func(stored map[string]float64) { stored["words"] = -1e7 }, `a weight that is too large for the feature "words"`},
		"unknown": {func(stored map[string]float64) { stored["kith"] = 1 }, `a weight for the unknown feature "kith"`},
	} {
		stored := SenseFeatures.ByName(want)
		tc.change(stored)
		m := &model.Model{Dir: "model", Calibration: &model.Calibration{SenseWeights: stored}}
		got, err := SenseFeatures.weightsOf(m, prior)
		var damaged *files.DamagedError
		switch {
		case tc.want == "":
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: got %v, %v, want %v", what, got, err, want)
			}
		case !errors.As(err, &damaged) || damaged.Path != filepath.Join("model", "calibration.json") ||
			damaged.Reason != "sense_weights: "+tc.want+"; ctxnorm calibrate learns the weights anew":
			t.Errorf("%s: error %v, want %s", what, err, tc.want)
		}
	}
	if got, err := SenseFeatures.weightsOf(&model.Model{}, prior); err != nil || !slices.Equal(got, prior) {
		t.Errorf("without a calibration: %v, %v, want the prior", got, err)
	}
}
