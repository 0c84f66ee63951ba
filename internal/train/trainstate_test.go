//go:build torch

package train

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// TestBalance: each micro-batch is assigned once, every worker gets one, and none gets more than an even share plus the
// largest micro-batch.
func TestBalance(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for range 200 {
		inputs := make([]tokenizer.Input, 1+r.IntN(200))
		for i := range inputs {
			inputs[i].IDs = make([]int32, 3+r.IntN(90))
		}
		workers := 1 + r.IntN(5)
		batches := bert.PaddedBatches(inputs, microBatchesPerWorker*workers, tensor.CPU)
		shares := balance(batches, sentenceTexts(inputs), workers)
		if len(shares) != min(workers, len(batches)) {
			t.Fatalf("%d shares of %d micro-batches for %d workers", len(shares), len(batches), workers)
		}
		var assigned []int
		sum, most, largest := 0, 0, 0
		for _, share := range shares {
			load := 0
			for _, batch := range share {
				size := bert.PaddedTokens(inputs, batch)
				load, largest = load+size, max(largest, size)
				assigned = append(assigned, batch...)
			}
			if load == 0 {
				t.Fatalf("one of %d workers has none of %d micro-batches", workers, len(batches))
			}
			sum, most = sum+load, max(most, load)
		}
		slices.Sort(assigned)
		for i, position := range assigned {
			if position != i {
				t.Fatalf("inputs assigned: %v, want each of %d once", assigned, len(inputs))
			}
		}
		if most > sum/len(shares)+largest {
			t.Fatalf("one of %d workers has %d of %d tokens; the largest micro-batch has %d", len(shares), most, sum, largest)
		}
	}
}

// TestAdamW compares the optimizer, with any number of threads, with algorithm 2 of the paper, written out value by
// value in float64.
func TestAdamW(t *testing.T) {
	const size, decayed, steps = 37, 20, 12
	r := rand.New(rand.NewPCG(4, 0))
	got := make([]float32, size)
	for i := range got {
		got[i] = float32(r.NormFloat64())
	}
	want := make([]float64, size)
	for i, v := range got {
		want[i] = float64(v)
	}
	m, v := make([]float64, size), make([]float64, size)
	adam := newAdamW(size)
	for step := 1; step <= steps; step++ {
		grad := make([]float32, size)
		for i := range grad {
			grad[i] = float32(r.NormFloat64())
		}
		rate, scale, decay := 0.01*float64(step), 0.5, 0.1
		adam.step(got, grad, scale, rate, decay, decayed, 1+step%4)
		for i := range want {
			g := scale * float64(grad[i])
			m[i] = 0.9*m[i] + 0.1*g
			v[i] = 0.999*v[i] + 0.001*g*g
			mHat := m[i] / (1 - math.Pow(0.9, float64(step)))
			vHat := v[i] / (1 - math.Pow(0.999, float64(step)))
			shrink := 0.0
			if i < decayed {
				shrink = decay * want[i]
			}
			want[i] -= rate * (mHat/(math.Sqrt(vHat)+1e-8) + shrink)
		}
	}
	for i := range got {
		if math.Abs(float64(got[i])-want[i]) > 1e-5 {
			t.Errorf("value %d is %v, want %v", i, got[i], want[i])
		}
	}
}

func TestInterpolate(t *testing.T) {
	values := []float32{1, -2, 4}
	interpolate(values, []float32{3, -2, 0}, .25)
	if want := []float32{1.5, -2, 3}; !slices.Equal(values, want) {
		t.Errorf("got %v, want %v", values, want)
	}
}

// TestEncodeMentionsOfOneText: mentions that share a text, because all its mentions are marked, have vectors of their
// own, in the order of the spans.
func TestEncodeMentionsOfOneText(t *testing.T) {
	training := tinyTraining(t, 1)
	r := must.Get(newTrainer(training))
	t.Cleanup(func() {
		if err := r.close(); err != nil {
			t.Error(err)
		}
	})
	vectorsOf := func(queries ...*text.Query) []float32 {
		texts, spans, err := r.data.distinctTexts(queries)
		if err != nil {
			t.Fatal(err)
		}
		return must.Get(r.state.encode(t.Context(), texts, spans))
	}
	contexts, _ := corpusOf(2, 1, 1)
	var queries []*text.Query
	var want []float32
	for _, i := range []int{1, 0, 1, 0} {
		q := contexts[i].Query
		q.Mention = q.Mentions[len(queries)/2]
		queries = append(queries, &q)
		want = append(want, vectorsOf(&q)...)
	}
	if diff := cmp.Diff(want, vectorsOf(queries...), cmpopts.EquateApprox(0, 1e-5)); diff != "" {
		t.Errorf("vectors together (-alone +together):\n%s", diff)
	}
	dim := r.network.dim()
	if slices.Equal(want[:dim], want[2*dim:3*dim]) {
		t.Error("two mentions of one sentence have one vector")
	}
}
