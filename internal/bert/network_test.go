//go:build torch

package bert

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// pythonCase is a batch and its hidden states, computed by transformers for testdata/make_tiny.py.
type pythonCase struct {
	Activation string        `json:"hidden_act"`
	IDs        [][]int32     `json:"ids"`
	Hidden     [][][]float32 `json:"hidden"`
}

func pythonCases(t testing.TB, name string) []pythonCase {
	t.Helper()
	data := must.Get(os.ReadFile(fixtures.BERTFile(name)))
	var cases []pythonCase
	must.Succeed(t, json.Unmarshal(data, &cases))
	return cases
}

// hiddenStates returns the states of each row of ids without padding, in float32.
func hiddenStates(t testing.TB, m *Model, ids [][]int32) [][][]float32 {
	t.Helper()
	inputs := make([]*tokenizer.Input, len(ids))
	for i, row := range ids {
		inputs[i] = &tokenizer.Input{IDs: row}
	}
	in := newBatch(inputs, m.Config.PadID, m.Config.Positions)
	width := int(m.Config.Hidden)
	var values []float32
	must.Succeed(t, tensor.Compute(tensor.CPU, false, func(s *tensor.Scope) {
		n := m.Network(s, tensor.Float32, m.Frozen.Tensor(), m.Trained.Tensor())
		values = slices.Clone(s.Floats(n.forward(s, in, in.allTokens())))
	}))
	states := make([][][]float32, len(inputs))
	for i := range states {
		for j := range in.lengths[i] {
			at := (i*in.width + j) * width
			states[i] = append(states[i], values[at:at+width])
		}
	}
	return states
}

// load reads a model with the tokens 1 and 2 as markers.
func load(t testing.TB, dir string, freeze bool) *Model {
	t.Helper()
	m := must.Get(loadModel(dir, 0, [2]int32{1, 2}, freeze, 1))
	t.Cleanup(m.Drop)
	return m
}

// TestHiddenStates compares the forward pass with transformers, with trained and with frozen embedding tables, and for
// both formats of weights.
func TestHiddenStates(t *testing.T) {
	for _, dir := range []string{"tiny", "tiny_pickle"} {
		for _, freeze := range []bool{false, true} {
			m := load(t, fixtures.BERTFile(dir), freeze)
			for _, c := range pythonCases(t, "tiny.json") {
				m.Config.Activation = c.Activation
				for i, got := range hiddenStates(t, m, c.IDs) {
					if d := fixtures.MaxDifference(t, got, c.Hidden[i]); d > 1e-4 {
						t.Errorf("%s, %s, frozen tables %v, row %d: off by %g, want at most 1e-4", dir, c.Activation, freeze, i, d)
					}
				}
			}
		}
	}
}

// TestHiddenStatesMiniLM compares the states of the first, the middle and the last token of three sentences in a model
// of real size.
func TestHiddenStatesMiniLM(t *testing.T) {
	m := load(t, fixtures.MiniLM(t), false)
	for _, c := range pythonCases(t, "minilm.json") {
		for i, states := range hiddenStates(t, m, c.IDs) {
			got := slices.Concat(states[:1], states[len(states)/2:len(states)/2+1], states[len(states)-1:])
			d := fixtures.MaxDifference(t, got, c.Hidden[i])
			t.Logf("row %d: off by %g", i, d)
			if d > 1e-4 {
				t.Errorf("row %d: off by %g, want at most 1e-4", i, d)
			}
		}
	}
}

// TestInferenceVectors compares vectors with the means of hidden states at unit length.
func TestInferenceVectors(t *testing.T) {
	m := load(t, fixtures.TinyBERT(), false)
	inputs := []*tokenizer.Input{{IDs: []int32{1, 7, 30, 4, 2}}, {IDs: []int32{9, 8, 7, 6, 5, 4, 3, 2, 1}}}
	spans := []PooledSpan{{0, tokenizer.TokenSpan{Start: 1, End: 4}}, {1, tokenizer.TokenSpan{Start: 2, End: 3}}, {1, tokenizer.TokenSpan{Start: 0, End: 9}}}
	inf := must.Get(NewInference(m, tensor.Float32, tensor.CPU))
	defer inf.Close()
	got := must.Get(inf.Vectors(inputs, spans))
	states := hiddenStates(t, m, [][]int32{inputs[0].IDs, inputs[1].IDs})
	var want []float32
	for _, span := range spans {
		sum := make([]float32, m.Config.Hidden)
		for _, state := range states[span.Row][span.Tokens.Start:span.Tokens.End] {
			for j, v := range state {
				sum[j] += v
			}
		}
		dot.Normalize(sum) // the sum has the direction of the mean
		want = append(want, sum...)
	}
	if d := fixtures.MaxDifference(t, [][]float32{got}, [][]float32{want}); d > 1e-5 {
		t.Errorf("off by %g, want at most 1e-5", d)
	}
}
