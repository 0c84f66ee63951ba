//go:build torch

package bne

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
)

// direction is one direction of an LSTM in toy.json.
type direction struct {
	InputWeight  [][]float32 `json:"weight_ih"`
	HiddenWeight [][]float32 `json:"weight_hh"`
	InputBias    []float32   `json:"bias_ih"`
	HiddenBias   []float32   `json:"bias_hh"`
}

// toy is toy.json, written by make_toy.py.
type toy struct {
	Hidden        int64
	Characters    [][]float32
	CharacterLSTM struct{ Forward, Backward direction } `json:"character_lstm"`
	WordLSTM      struct{ Forward, Backward direction } `json:"word_lstm"`
	Weight        [][]float32
	Bias          []float32
	Names         [][]struct {
		Characters []int32
		Vector     []float32
	}
	Encoded [][]float32
}

func readToy(t *testing.T) *toy {
	data := must.Get(os.ReadFile("testdata/toy.json"))
	var read toy
	must.Succeed(t, json.Unmarshal(data, &read))
	if len(read.Names) < 3 || len(read.Encoded) != len(read.Names) {
		t.Fatalf("toy.json has %d names and %d vectors, want 3 or more of each", len(read.Names), len(read.Encoded))
	}
	return &read
}

func (y *toy) network(s *tensor.Scope) *Network {
	matrix := func(rows [][]float32) *tensor.Tensor {
		return s.FromFloats(slices.Concat(rows...), int64(len(rows)), int64(len(rows[0])))
	}
	vector := func(x []float32) *tensor.Tensor { return s.FromFloats(x, int64(len(x))) }
	lstm := func(d direction) lstmWeights {
		return lstmWeights{matrix(d.InputWeight), matrix(d.HiddenWeight), vector(d.InputBias), vector(d.HiddenBias), y.Hidden}
	}
	return &Network{
		Characters:    matrix(y.Characters),
		CharacterLSTM: biLSTM{lstm(y.CharacterLSTM.Forward), lstm(y.CharacterLSTM.Backward)},
		WordLSTM:      biLSTM{lstm(y.WordLSTM.Forward), lstm(y.WordLSTM.Backward)},
		Weight:        matrix(y.Weight), Bias: vector(y.Bias),
		WordDim: int64(len(y.Names[0][0].Vector)),
	}
}

func (y *toy) names() []Input {
	names := make([]Input, len(y.Names))
	for i, words := range y.Names {
		for _, word := range words {
			names[i].Words = append(names[i].Words, Word{word.Characters, word.Vector})
		}
	}
	return names
}

// TestEncode compares the vectors of names with those of PyTorch's LSTM, in one batch and one by one.
func TestEncode(t *testing.T) {
	y := readToy(t)
	names := y.names()
	batches := [][]Input{names}
	want := [][][]float32{y.Encoded}
	for i := range names {
		batches, want = append(batches, names[i:i+1]), append(want, y.Encoded[i:i+1])
	}
	live := tensor.Live()
	err := tensor.Compute(tensor.CPU, false, func(s *tensor.Scope) {
		network := y.network(s)
		for i, batch := range batches {
			network.Tanh = false
			got := s.Floats(network.Encode(s, batch))
			network.Tanh = true
			bounded := s.Floats(network.Encode(s, batch))
			for j, x := range slices.Concat(want[i]...) {
				if s.Err() == nil && !(math.Abs(float64(got[j]-x)) <= 1e-6) {
					t.Errorf("batch %d: number %d is %v, want %v", i, j, got[j], x)
				}
				if y := math.Tanh(float64(x)); s.Err() == nil && !(math.Abs(float64(bounded[j])-y) <= 1e-6) {
					t.Errorf("batch %d, tanh: number %d is %v, want %v", i, j, bounded[j], y)
				}
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if tensor.Live() != live {
		t.Errorf("%d tensors were not freed", tensor.Live()-live)
	}
}
