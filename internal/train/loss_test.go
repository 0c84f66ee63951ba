//go:build torch

package train

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/papers/sapbert"
)

// lossOnTensors returns the loss of rows of any length, and its gradient.
func lossOnTensors(t testing.TB, x []float32, d int, pairs contrastive.PairMasks, settings contrastive.MultiSimilarity) (float64, []float32) {
	t.Helper()
	var loss float64
	var grad []float32
	err := tensor.Compute(true, func(s *tensor.Scope) {
		leaf := s.Leaf(s.FromFloats(x, int64(pairs.N), int64(d)))
		total := multiSimilarity(s, s.NormalizeRows(leaf), pairs, settings)
		s.Backward(total)
		grad = slices.Clone(s.Floats(s.Gradient(leaf)))
		if value := s.Floats(total); s.Err() == nil {
			loss = float64(value[0])
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return loss, grad
}

// TestLossReference compares the loss and its gradient with package contrastive, in
// float64, on random batches: few and many concepts, rows without positives, without
// negatives or without a label, ambiguous rows, and equal rows.
func TestLossReference(t *testing.T) {
	settings := []contrastive.MultiSimilarity{
		{Alpha: 2, Beta: 50, Lambda: 1, Epsilon: 0.1},
		{Alpha: 1, Beta: 60, Lambda: 0.5, Epsilon: 0.1},
		{Alpha: 2, Beta: 50, Lambda: 0.5, Epsilon: 0.3},
		sapbert.Recipe().Config.NameLoss,
	}
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 0))
		n, d, concepts := 1+r.IntN(24), 2+r.IntN(16), 1+r.IntN(8)
		x := make([]float32, n*d)
		labels := make([]contrastive.Label, n)
		for i := range labels {
			switch r.IntN(10) {
			case 0: // no label
			case 1:
				labels[i] = contrastive.LabelOf([]kb.ConceptID{concept(r.IntN(concepts)), concept(r.IntN(concepts))})
			default:
				labels[i] = contrastive.LabelOf([]kb.ConceptID{concept(r.IntN(concepts))})
			}
			for j := range d {
				x[i*d+j] = float32(r.NormFloat64())
			}
			if i > 0 && r.IntN(6) == 0 { // a tie
				copy(x[i*d:(i+1)*d], x[(i-1)*d:i*d])
			}
		}
		wide := contrastive.Convert[float64](x)
		pairs := contrastive.NewPairMasks(labels)
		set := settings[seed%uint64(len(settings))]
		want, wantGrad, err := set.LossOfVectors(wide, d, pairs)
		if err != nil {
			t.Fatal(err)
		}
		got, grad := lossOnTensors(t, x, d, pairs, set)
		if math.Abs(got-want) > 1e-4*(1+math.Abs(want)) {
			t.Errorf("seed %d: loss %v, want %v", seed, got, want)
		}
		for i := range grad {
			if math.Abs(float64(grad[i])-wantGrad[i]) > 1e-4 {
				t.Errorf("seed %d: gradient at %d is %v, want %v", seed, i, grad[i], wantGrad[i])
				break
			}
		}
	}
}

func concept(i int) kb.ConceptID { return kb.ConceptID(fmt.Sprintf("C%d", i)) }
