//go:build torch

package torch

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sugarme/gotch"

	"ctxnorm/tokenizer"
)

// MiniLMVariable names the folder of all-MiniLM-L6-v2, which is too large to
// check in.
const miniLMVariable = "CTXNORM_MINILM"

// miniLM is that folder; the test is skipped where there is none.
func miniLM(t testing.TB) string {
	t.Helper()
	dir := os.Getenv(miniLMVariable)
	if dir == "" {
		t.Skipf("%s is not set: all-MiniLM-L6-v2 is not read", miniLMVariable)
	}
	return dir
}

// pythonCase is a batch and the hidden states that transformers computed, by
// testdata/make_tiny.py.
type pythonCase struct {
	Activation string        `json:"hidden_act"`
	IDs        [][]int32     `json:"ids"`
	Hidden     [][][]float32 `json:"hidden"`
}

func pythonCases(t testing.TB, name string) []pythonCase {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var cases []pythonCase
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

// hiddenStates runs the model on the ids, in float32, and gives the states of
// each row without its padding.
func hiddenStates(t testing.TB, m *model, ids [][]int32) [][][]float32 {
	t.Helper()
	inputs := make([]*tokenizer.Input, len(ids))
	for i, row := range ids {
		inputs[i] = &tokenizer.Input{IDs: row}
	}
	in := newBatch(inputs, m.config.PadID, m.markers, m.config.Positions)
	width := int(m.config.Hidden)
	var flat []float32
	err := onThread(false, func() error {
		s := newScope(gotch.CPU)
		defer s.drop()
		b := m.bert(s, gotch.Float, m.frozen.values, m.trained.values)
		flat = slices.Clone(s.view(b.forward(s, in, keepAll(in))))
		return s.err
	})
	if err != nil {
		t.Fatal(err)
	}
	states := make([][][]float32, len(inputs))
	for i := range states {
		for j := range in.lengths[i] {
			at := (i*in.width + j) * width
			states[i] = append(states[i], flat[at:at+width])
		}
	}
	return states
}

func load(t testing.TB, dir string, freeze bool) *model {
	t.Helper()
	m, err := loadModel(dir, 0, [2]int32{1, 2}, freeze, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.drop(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// largest is the greatest difference of two tensors of equal shape.
func largest(t testing.TB, got, want [][]float32) float64 {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	worst := 0.0
	for i := range got {
		if len(got[i]) != len(want[i]) {
			t.Fatalf("row %d: %d numbers, want %d", i, len(got[i]), len(want[i]))
		}
		for j := range got[i] {
			d := math.Abs(float64(got[i][j]) - float64(want[i][j]))
			if !(d <= worst) {
				worst = d
			}
		}
	}
	return worst
}

// TestHiddenStates holds the forward pass against transformers, with the tables
// among the trained weights and apart from them, and from both files of weights.
func TestHiddenStates(t *testing.T) {
	for _, dir := range []string{"tiny", "tiny_pickle"} {
		for _, freeze := range []bool{false, true} {
			m := load(t, filepath.Join("testdata", dir), freeze)
			for _, c := range pythonCases(t, "tiny.json") {
				m.config.Activation = c.Activation
				for i, got := range hiddenStates(t, m, c.IDs) {
					if d := largest(t, got, c.Hidden[i]); d > 1e-4 {
						t.Errorf("%s, %s, frozen tables %v, row %d: off by %g, want at most 1e-4", dir, c.Activation, freeze, i, d)
					}
				}
			}
		}
	}
}

// TestHiddenStatesMiniLM does so for the first, the middle and the last token of
// three sentences in a model of real size.
func TestHiddenStatesMiniLM(t *testing.T) {
	m := load(t, miniLM(t), false)
	for _, c := range pythonCases(t, "minilm.json") {
		for i, states := range hiddenStates(t, m, c.IDs) {
			got := slices.Concat(states[:1], states[len(states)/2:len(states)/2+1], states[len(states)-1:])
			d := largest(t, got, c.Hidden[i])
			t.Logf("row %d: off by %g", i, d)
			if d > 1e-4 {
				t.Errorf("row %d: off by %g, want at most 1e-4", i, d)
			}
		}
	}
}
