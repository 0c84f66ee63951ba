package wordvec

import (
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// fixed returns vectors of two numbers: a (3, 4), b (0, 0), c (4, 3), d (-3, -4) and e (6, 8).
func fixed(t *testing.T) *Vectors {
	v := countWords(t, 1, "a a a a b b b c c d d e")
	config := DefaultConfig()
	config.Dim = 2
	return &Vectors{v, config, []float32{3, 4, 0, 0, 4, 3, -3, -4, 6, 8}}
}

func TestMean(t *testing.T) {
	v := fixed(t)
	mean := v.Mean([]string{"a", "x", "c", "a"})
	must.Equal(t, mean, []float32{10. / 3, 11. / 3}, "mean")
	if mean := v.Mean([]string{"x"}); mean != nil {
		t.Errorf("mean of an unknown word is %v", mean)
	}
	if got := v.Vector("x"); got != nil {
		t.Errorf("vector of an unknown word is %v", got)
	}
}
