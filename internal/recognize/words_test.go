package recognize

import (
	"errors"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
)

// The words of a file that has no counts of pairs are pairs, but not bound. Counts that are not those of the pairs
// are damage.
func TestPairsOfAFile(t *testing.T) {
	rows := []wordRow{
		{Word: "ankylosing", Count: 10, Vector: make([]byte, vectorDim), Next: []int32{1}, NextCount: []int32{8}},
		{Word: "spondylitis", Count: 20, Vector: make([]byte, vectorDim)},
	}
	for _, test := range []struct {
		counts        []int32
		bound, damage bool
	}{
		{counts: []int32{8}, bound: true},
		{counts: []int32{3}}, // 3 of 10 and of 20
		{counts: nil},
		{counts: []int32{8, 8}, damage: true},
	} {
		rows[0].NextCount = test.counts
		var r Recognizer
		err := r.setWords(rows)
		var damaged *files.DamagedError
		switch {
		case errors.As(err, &damaged) != test.damage:
			t.Errorf("counts %v: %v, damage wanted: %t", test.counts, err, test.damage)
		case err == nil && (!r.isPair("ankylosing", "spondylitis") || r.isPair("spondylitis", "ankylosing")):
			t.Errorf("counts %v: the words are no pair, or one in the other order", test.counts)
		case err == nil && r.areBound("ankylosing", "spondylitis") != test.bound:
			t.Errorf("counts %v: bound is %t, want %t", test.counts, !test.bound, test.bound)
		}
	}
}
