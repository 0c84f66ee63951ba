package link

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/model"
)

// TestReadWeights reads weights of every log-linear model back, and those that no calibration has.
func TestReadWeights(t *testing.T) {
	m := &model.Model{Dir: "model", Manifest: &model.Manifest{Format: model.FormatVersion}}
	for _, l := range []*logLinear{&rankingFeatures, &senseFeatures, &fitFeatures} {
		want := make([]float64, len(l.features))
		for i := range want {
			want[i] = float64(i) - 2.5
		}
		first, last := l.features[0].name, l.features[len(want)-1].name
		clearAll := func(stored map[string]float64) { clear(stored) }
		deleteLast := func(stored map[string]float64) { delete(stored, last) }
		enlarge := func(stored map[string]float64) { stored[first] = -1e7 }
		addKith := func(stored map[string]float64) { stored["kith"] = 1 }
		for _, tc := range []struct {
			what   string
			change func(map[string]float64)
			want   string // error; none if empty
		}{
			{"all weights", func(map[string]float64) {}, ""},
			{"no weights", clearAll, `no weight for the feature "` + first + `"`},
			{"a missing weight", deleteLast, `no weight for the feature "` + last + `"`},
			{"a huge weight", enlarge, `a weight that is too large for the feature "` + first + `"`},
			{"an unknown weight", addKith, `a weight for the unknown feature "kith"`},
		} {
			stored := l.byName(want)
			tc.change(stored)
			got := l.prior()
			err := l.read(m, stored, got)
			var damaged *files.DamagedError
			switch {
			case tc.want == "":
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%s with %s: got %v, %v, want %v", l.field, tc.what, got, err, want)
				}
			case !errors.As(err, &damaged) || damaged.Path != filepath.Join("model", "calibration.json") ||
				damaged.Reason != l.field+": "+tc.want+"; ctxnorm calibrate learns the weights anew":
				t.Errorf("%s with %s: error %v, want %s", l.field, tc.what, err, tc.want)
			}
		}
	}
}
