//go:build torch

package train

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/bert/berttest"
	"github.com/ctxnorm/ctxnorm/text"
)

// resampling is a method whose batches depend on the encoder at the start of the epoch, with raw
// vectors and two trained parameters: each batch moves a text towards the text that was nearest
// to it, scaled by the parameters.
type resampling struct {
	config  contrastive.Config
	queries []*text.Query
	nearest []int
	epochs  []int // in which Resample was called
}

const resamplingEpoch = 5

func newResampling(c contrastive.Config) *resampling {
	m := &resampling{config: c}
	_, names := corpusOf(6, 0, 1)
	for i := range names {
		m.queries = append(m.queries, &names[i].Query)
	}
	return m
}

func (m *resampling) Name() string               { return "resampling" }
func (m *resampling) Config() contrastive.Config { return m.config }
func (m *resampling) Settings() any              { return map[string]int{"epoch": resamplingEpoch} }
func (m *resampling) WriteData(w io.Writer)      { fmt.Fprint(w, len(m.queries)) }
func (m *resampling) Steps() (total, epoch int)  { return m.config.Steps, resamplingEpoch }
func (m *resampling) RawVectors() bool           { return true }
func (m *resampling) Parameters() []contrastive.Parameter {
	return []contrastive.Parameter{{Name: "scale", Initial: 1, LearningRate: .01}, {Name: "offset", Initial: -.5, LearningRate: .05}}
}

func (m *resampling) Resample(_ context.Context, epoch int, encode contrastive.Encode) error {
	vectors, dim, err := encode(m.queries)
	if err != nil {
		return err
	}
	m.epochs = append(m.epochs, epoch)
	m.nearest = make([]int, len(m.queries))
	for i := range m.queries {
		best := math.Inf(1)
		for j := range m.queries {
			d := 0.0
			for k := range dim {
				difference := float64(vectors[i*dim+k] - vectors[j*dim+k])
				d += difference * difference
			}
			if i != j && d < best {
				best, m.nearest[i] = d, j
			}
		}
	}
	return nil
}

func (m *resampling) Batch(step int) (*contrastive.Batch, error) {
	b := &contrastive.Batch{Names: true, Loss: scaledDistance{}}
	for k := range 3 {
		i := (3*step + k) % len(m.queries)
		b.Rows = append(b.Rows, contrastive.Row{Query: m.queries[i]}, contrastive.Row{Query: m.queries[m.nearest[i]]})
	}
	return b, nil
}

// scaledDistance is the sum of (scale (x - y) - offset)^2 over the pairs of a batch.
type scaledDistance struct{}

func (scaledDistance) Evaluate(v contrastive.Vectors) (contrastive.LossValue, error) {
	value := contrastive.LossValue{Rows: make([]float64, len(v.Rows)), Parameters: make([]float64, 2)}
	for i := 0; i < len(v.Labels); i += 2 {
		x, y := v.Row(i), v.Row(i+1)
		for k := range x {
			e := v.Parameters[0]*(x[k]-y[k]) - v.Parameters[1]
			value.Loss += e * e
			value.Rows[i*v.Dim+k] += 2 * e * v.Parameters[0]
			value.Rows[(i+1)*v.Dim+k] -= 2 * e * v.Parameters[0]
			value.Parameters[0] += 2 * e * (x[k] - y[k])
			value.Parameters[1] -= 2 * e
		}
	}
	return value, nil
}

// TestResumeOfResampling stops a training with a method that resamples and has parameters, at
// the start, in the middle and at the end of epochs, and goes on: weights, parameters and curve
// are those of a training that never stopped.
func TestResumeOfResampling(t *testing.T) {
	newTraining := func() (Training, *resampling) {
		training := tinyTraining(t, 24)
		m := newResampling(training.Method.Config())
		training.Method = m
		return training, m
	}
	whole, m := newTraining()
	want, err := Train(t.Context(), whole)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{0, 1, 2, 3, 4}, m.epochs); diff != "" {
		t.Errorf("epochs sampled (-want +got):\n%s", diff)
	}
	broken, m := newTraining()
	for _, stopAfter := range []int{3, 5, 9, 11, 20} {
		ctx, cancel := context.WithCancel(context.Background())
		broken.Progress = func(p contrastive.LogEntry, _ int) {
			if p.Step == stopAfter {
				cancel()
			}
		}
		if _, err := Train(ctx, broken); !errors.Is(err, context.Canceled) {
			t.Fatalf("stopped after %d: %v", stopAfter, err)
		}
		cancel()
	}
	broken.Progress = nil
	got, err := Train(t.Context(), broken)
	if err != nil {
		t.Fatal(err)
	}
	if got.Resumed != 20 {
		t.Errorf("resumed after %d steps, want 20", got.Resumed)
	}
	if !cmp.Equal(berttest.Weights(t, whole.Out), berttest.Weights(t, broken.Out)) {
		t.Error("weights differ from those of a training that was not interrupted")
	}
	if diff := cmp.Diff(want.Parameters, got.Parameters); diff != "" {
		t.Errorf("parameters (-whole +broken):\n%s", diff)
	}
	if got.Parameters["scale"] == 1 || got.Parameters["offset"] == -.5 {
		t.Errorf("parameters %v were not trained", got.Parameters)
	}
	if diff := cmp.Diff(curveOf(t, whole.LogFile), curveOf(t, broken.LogFile)); diff != "" {
		t.Errorf("curve (-whole +broken):\n%s", diff)
	}
}
