package measure

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSpreadOf(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []float64
		want   Spread
	}{
		{"one", []float64{7}, Spread{7, 7, 7}},
		{"odd: 1 2 5 8 9", []float64{9, 1, 5, 2, 8}, Spread{5, 1, 9}},
		{"even: 1 2 4 9, (2+4)/2", []float64{4, 9, 1, 2}, Spread{3, 1, 9}},
		{"ties: 2 2 2 6, (2+2)/2", []float64{2, 6, 2, 2}, Spread{2, 2, 6}},
	} {
		values := append([]float64(nil), c.values...)
		if diff := cmp.Diff(c.want, SpreadOf(values)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if diff := cmp.Diff(c.values, values); diff != "" {
			t.Errorf("%s: the values were changed (-want +got):\n%s", c.name, diff)
		}
	}
}
