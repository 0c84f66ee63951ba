package bert

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/bert/kernels"
	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

func openPacked(t testing.TB, dir string, set *kernels.Set) (*Packed, *Checkpoint) {
	t.Helper()
	tok := must.Get(tokenizer.Open(fixtures.TinyBERT()))
	defer tok.Close()
	c := must.Get(ReadCheckpoint(dir, tok.Size(), 1))
	t.Cleanup(func() { _ = c.Close() })
	return NewPacked(c, set), c
}

// allSets returns the sets that this processor supports.
func allSets() []*kernels.Set {
	sets := kernels.Supported()
	if s := kernels.BFloat16(); s != nil {
		sets = append(sets, s)
	}
	return sets
}

// tolerance returns the permitted error of a number of a unit vector, and the minimum cosine.
func tolerance(s *kernels.Set) (number, cosine float64) {
	if s.String() == "bfloat16" {
		return .02, .9995
	}
	return 1e-5, 1 - 1e-6
}

func forEachSet(t *testing.T, test func(t *testing.T, s *kernels.Set)) {
	for _, s := range allSets() {
		t.Run(s.String(), func(t *testing.T) { test(t, s) })
	}
}

// inputsOf returns inputs with the given tokens.
func inputsOf(ids [][]int32) []*tokenizer.Input {
	inputs := make([]*tokenizer.Input, len(ids))
	for i, row := range ids {
		inputs[i] = &tokenizer.Input{IDs: row}
	}
	return inputs
}

// eachToken returns a span for every token of the inputs.
func eachToken(inputs []*tokenizer.Input) (spans []PooledSpan) {
	for row, in := range inputs {
		for i := range in.IDs {
			spans = append(spans, PooledSpan{Row: row, Tokens: tokenizer.TokenSpan{Start: i, End: i + 1}})
		}
	}
	return spans
}

func vectors(t testing.TB, n *Packed, inputs []*tokenizer.Input, spans []PooledSpan) [][]float32 {
	t.Helper()
	all := must.Get(n.Vectors(inputs, spans))
	return slices.Collect(slices.Chunk(all, int(n.config.Hidden)))
}

// statesCase holds states of the tokens of texts, computed by transformers.
type statesCase struct {
	Activation string        `json:"hidden_act"`
	IDs        [][]int32     `json:"ids"`
	Hidden     [][][]float32 `json:"hidden"`
}

func readStates(t *testing.T, name string) (cases []statesCase) {
	t.Helper()
	data := must.Get(os.ReadFile(fixtures.BERTFile(name)))
	if err := json.Unmarshal(data, &cases); err != nil || len(cases) == 0 {
		t.Fatalf("%d cases, error %v", len(cases), err)
	}
	return cases
}

// checkNear compares the vectors of spans with states at unit length.
func checkNear(t *testing.T, n *Packed, set *kernels.Set, inputs []*tokenizer.Input, spans []PooledSpan, states [][]float32) {
	t.Helper()
	var want [][]float32
	for _, state := range states {
		want = append(want, slices.Clone(state))
		dot.Normalize(want[len(want)-1])
	}
	most, _ := tolerance(set)
	if d := fixtures.MaxDifference(t, vectors(t, n, inputs, spans), want); d > most {
		t.Errorf("spans %v: off by %g, want at most %g", spans, d, most)
	}
}

// TestPython compares with hidden states computed by transformers, at unit length: for all tokens, and for some alone.
func TestPython(t *testing.T) {
	cases := readStates(t, "tiny.json")
	if len(cases) < 3 {
		t.Fatalf("%d cases, want one of each activation", len(cases))
	}
	forEachSet(t, func(t *testing.T, set *kernels.Set) {
		for _, c := range cases {
			dir := fixtures.ChangedBERT(t, func(fields map[string]any) { fields["hidden_act"] = c.Activation }, nil)
			n, _ := openPacked(t, dir, set)
			inputs := inputsOf(c.IDs)
			spans, want := eachToken(inputs), slices.Concat(c.Hidden...)
			checkNear(t, n, set, inputs, spans, want)
			for i := 0; i < len(spans); i += 3 {
				checkNear(t, n, set, inputs, spans[i:i+1], want[i:i+1])
			}
		}
	})
}

// TestMiniLM compares with the states of the first, the middle and the last token of three sentences in a model of real
// size.
func TestMiniLM(t *testing.T) {
	dir := fixtures.MiniLM(t)
	cases := readStates(t, "minilm.json")
	forEachSet(t, func(t *testing.T, set *kernels.Set) {
		n, _ := openPacked(t, dir, set)
		for _, c := range cases {
			var spans []PooledSpan
			for row, ids := range c.IDs {
				for _, i := range []int{0, len(ids) / 2, len(ids) - 1} {
					spans = append(spans, PooledSpan{Row: row, Tokens: tokenizer.TokenSpan{Start: i, End: i + 1}})
				}
			}
			checkNear(t, n, set, inputsOf(c.IDs), spans, slices.Concat(c.Hidden...))
		}
	})
}

// randomInputs returns inputs of 1 to 64 tokens of the tiny vocabulary.
func randomInputs(r *rand.Rand, count int) []*tokenizer.Input {
	ids := make([][]int32, count)
	for i := range ids {
		ids[i] = randomTokens(r, 1+r.IntN(64))
	}
	return inputsOf(ids)
}

// randomTokens returns tokens of the tiny vocabulary.
func randomTokens(r *rand.Rand, count int) []int32 {
	ids := make([]int32, count)
	for i := range ids {
		ids[i] = int32(r.IntN(125))
	}
	return ids
}

// randomSpans returns one or two spans of each input.
func randomSpans(r *rand.Rand, inputs []*tokenizer.Input) (spans []PooledSpan) {
	for row, in := range inputs {
		for range 1 + r.IntN(2) {
			start := r.IntN(len(in.IDs))
			end := start + 1 + r.IntN(len(in.IDs)-start)
			spans = append(spans, PooledSpan{Row: row, Tokens: tokenizer.TokenSpan{Start: start, End: end}})
		}
	}
	return spans
}

// TestSameBits: a span has the same vector in every batch, whatever else is pooled.
func TestSameBits(t *testing.T) {
	forEachSet(t, func(t *testing.T, set *kernels.Set) {
		for k, shape := range []fixtures.BERTShape{fixtures.BERTShapes[1], fixtures.BERTShapes[4]} {
			n, _ := openPacked(t, fixtures.RandomBERT(t, shape, "gelu", uint64(k)), set)
			r := rand.New(rand.NewPCG(3, uint64(k)))
			inputs := randomInputs(r, 20)
			spans := randomSpans(r, inputs)
			together := vectors(t, n, inputs, spans)
			for i, span := range spans {
				alone := vectors(t, n, inputs[span.Row:span.Row+1], []PooledSpan{{Tokens: span.Tokens}})
				if !slices.Equal(alone[0], together[i]) {
					t.Fatalf("hidden size %d: span %d has another vector alone", shape.Hidden, i)
				}
			}
		}
	})
}

// TestRandomNetworks compares 100 networks of random shapes with plain sums in float64, every fourth also with an input
// of up to 511 tokens.
func TestRandomNetworks(t *testing.T) {
	must.SkipShort(t)
	activations := []string{"gelu", "gelu_new", "relu"}
	sets := allSets()
	for k := range 100 {
		r := rand.New(rand.NewPCG(5, uint64(k)))
		shape, activation := fixtures.RandomBERTShape(r), activations[k%len(activations)]
		dir := fixtures.RandomBERT(t, shape, activation, uint64(k))
		inputs := randomInputs(r, 2)
		if k%4 == 0 {
			inputs = append(inputs, inputsOf([][]int32{randomTokens(r, fixtures.RandomLength(r, 511))})...)
		}
		spans := randomSpans(r, inputs)
		var states [][][]float64 // by input
		for _, set := range sets {
			n, c := openPacked(t, dir, set)
			for row := len(states); row < len(inputs); row++ {
				states = append(states, naiveStates(c, inputs[row].IDs))
			}
			for i, got := range vectors(t, n, inputs, spans) {
				want := naiveVector(states[spans[i].Row], spans[i].Tokens)
				cosine := 0.0
				for j := range got {
					cosine += want[j] * float64(got[j])
				}
				if _, least := tolerance(set); !(cosine >= least) {
					t.Errorf("%s, %+v, %s, %d tokens: cosine %v, want %v or more", set, shape, activation,
						len(inputs[spans[i].Row].IDs), cosine, least)
				}
			}
		}
	}
}

// naiveStates computes the hidden states of an input, token by token and in float64, from the formulas of BERT.
func naiveStates(c *Checkpoint, ids []int32) [][]float64 {
	config := c.Config
	hidden := int(config.Hidden)
	dense := func(name string, x []float64) []float64 {
		weight, bias := c.Tensor(name+".weight"), c.Tensor(name+".bias")
		y := make([]float64, len(bias))
		for o := range y {
			y[o] = float64(bias[o])
			for i, v := range x {
				y[o] += float64(weight[o*len(x)+i]) * v
			}
		}
		return y
	}
	norm := func(name string, x, y []float64) []float64 {
		weight, bias := c.Tensor(name+".weight"), c.Tensor(name+".bias")
		mean, variance := 0.0, 0.0
		z := make([]float64, hidden)
		for i := range z {
			z[i] = x[i] + y[i]
			mean += z[i] / float64(hidden)
		}
		for _, v := range z {
			variance += (v - mean) * (v - mean) / float64(hidden)
		}
		for i, v := range z {
			z[i] = (v-mean)/math.Sqrt(variance+config.LayerNormEps)*float64(weight[i]) + float64(bias[i])
		}
		return z
	}
	activation := map[string]func(x float64) float64{
		"gelu":     func(x float64) float64 { return x / 2 * (1 + math.Erf(x/math.Sqrt2)) },
		"gelu_new": func(x float64) float64 { return x / 2 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+.044715*x*x*x))) },
		"relu":     func(x float64) float64 { return max(x, 0) },
	}[config.Activation]

	states := make([][]float64, len(ids))
	for p, id := range ids {
		x, y := make([]float64, hidden), make([]float64, hidden)
		for i := range hidden {
			x[i] = float64(c.Tensor(wordTable)[int(id)*hidden+i])
			y[i] = float64(c.Tensor(positionTable)[p*hidden+i]) + float64(c.Tensor(typeTable)[i])
		}
		states[p] = norm(embeddingNorm, x, y)
	}
	size := hidden / int(config.Heads)
	for l := range config.Layers {
		name := fmt.Sprintf("encoder.layer.%d.", l)
		var projected [3][][]float64
		for k, projection := range []string{"query", "key", "value"} {
			for _, x := range states {
				projected[k] = append(projected[k], dense(name+"attention.self."+projection, x))
			}
		}
		next := make([][]float64, len(states))
		for i := range states {
			mixed := make([]float64, hidden)
			for start := 0; start < hidden; start += size {
				shares, sum := make([]float64, len(states)), 0.0
				for j := range states {
					score := 0.0
					for d := start; d < start+size; d++ {
						score += projected[0][i][d] * projected[1][j][d]
					}
					shares[j] = math.Exp(score / math.Sqrt(float64(size)))
					sum += shares[j]
				}
				for j := range states {
					for d := start; d < start+size; d++ {
						mixed[d] += shares[j] / sum * projected[2][j][d]
					}
				}
			}
			h := norm(name+"attention.output.LayerNorm", states[i], dense(name+"attention.output.dense", mixed))
			inner := dense(name+"intermediate.dense", h)
			for k := range inner {
				inner[k] = activation(inner[k])
			}
			next[i] = norm(name+"output.LayerNorm", h, dense(name+"output.dense", inner))
		}
		states = next
	}
	return states
}

// naiveVector returns the unit vector of a span of tokens.
func naiveVector(states [][]float64, span tokenizer.TokenSpan) []float64 {
	sum, squares := make([]float64, len(states[0])), 0.0
	for _, state := range states[span.Start:span.End] {
		for i, v := range state {
			sum[i] += v
		}
	}
	for _, v := range sum {
		squares += v * v
	}
	for i := range sum {
		sum[i] /= math.Sqrt(squares)
	}
	return sum
}

// TestVectorsErrors has an input that is too long, and damaged weights.
func TestVectorsErrors(t *testing.T) {
	n, _ := openPacked(t, fixtures.TinyBERT(), kernels.Best())
	long := inputsOf([][]int32{make([]int32, 65)})
	_, err := n.Vectors(long, eachToken(long))
	must.Equal(t, fmt.Sprint(err), "an input has 65 tokens, want at most 64")
	damaged := fixtures.ChangedBERT(t, nil, func(weights map[string]*safetensors.Named) {
		weights["encoder.layer.0.attention.self.query.weight"].Data[5] = float32(math.NaN())
	})
	n, _ = openPacked(t, damaged, kernels.Best())
	short := inputsOf([][]int32{{1, 2, 3}})
	_, err = n.Vectors(short, eachToken(short))
	must.Fail(t, err, "weights are damaged")
}

// TestConcurrent: simultaneous calls have their own memory.
func TestConcurrent(t *testing.T) {
	n, _ := openPacked(t, fixtures.TinyBERT(), kernels.Best())
	r := rand.New(rand.NewPCG(9, 9))
	inputs := randomInputs(r, 12)
	spans := randomSpans(r, inputs)
	want := vectors(t, n, inputs, spans)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 30 {
				must.Equal(t, must.Get(n.Vectors(inputs, spans)), slices.Concat(want...), "vectors")
			}
		})
	}
	group.Wait()
}

// TestInt8 compares 8-bit integers with float32: for MiniLM and for random networks, for all tokens and some.
func TestInt8(t *testing.T) {
	set := kernels.Int8()
	if set == nil {
		t.Skip("the processor multiplies no 8-bit integers")
	}
	r := rand.New(rand.NewPCG(13, 14))
	compare := func(name, dir string, least float64, inputs []*tokenizer.Input) {
		exact, c := openPacked(t, dir, kernels.Best())
		samples := make([]tokenizer.Input, 4)
		for i := range samples {
			samples[i] = *inputs[i]
		}
		n := must.Get(NewPackedInt8(c, set, samples))
		spans := append(randomSpans(r, inputs), eachToken(inputs[:2])...)
		got, want := vectors(t, n, inputs, spans), vectors(t, exact, inputs, spans)
		for i, span := range spans {
			cosine := 0.0
			for j := range got[i] {
				cosine += float64(got[i][j]) * float64(want[i][j])
			}
			if cosine < least {
				t.Errorf("%s, span %+v: cosine %v, want %v or more", name, span, cosine, least)
			}
			alone := vectors(t, n, inputs[span.Row:span.Row+1], []PooledSpan{{Tokens: span.Tokens}})
			if !slices.Equal(alone[0], got[i]) {
				t.Fatalf("%s: span %d has another vector alone", name, i)
			}
		}
	}
	for k, shape := range fixtures.BERTShapes {
		if shape.Hidden > 8 {
			compare(fmt.Sprintf("%+v", shape), fixtures.RandomBERT(t, shape, "gelu", uint64(k)), .99, randomInputs(r, 12))
		}
	}
	ids := make([][]int32, 40)
	for i := range ids {
		ids[i] = randomTokens(r, 3+r.IntN(40))
	}
	compare("MiniLM", fixtures.MiniLM(t), .99, inputsOf(ids))
}

// TestSmoothingOfHalves: for each column, smoothing takes the greatest magnitude of the states, in any row and with any
// sign, and of the weights that multiply them: query, key and value in the first half. The greatest state of an even
// column is negative and in row 1, that of an odd column in row 0; padding is ignored.
func TestSmoothingOfHalves(t *testing.T) {
	shape := fixtures.BERTShapes[5] // 5 wide
	n, c := openPacked(t, fixtures.RandomBERT(t, shape, "gelu", 1), kernels.Best())
	states := slices.Repeat([]float32{1000}, 2*n.hidden)
	inputs := make([]float32, shape.Hidden)
	for i := range inputs {
		inputs[i] = float32(i + 2)
		states[i], states[n.hidden+i] = -1, -inputs[i]
		if i%2 == 1 {
			states[i], states[n.hidden+i] = inputs[i], 1
		}
	}
	for i, products := range [halves][]string{
		{"attention.self.query", "attention.self.key", "attention.self.value"}, {"intermediate.dense"},
	} {
		weights := make([]float32, shape.Hidden)
		for _, product := range products {
			for at, v := range c.Tensor(layerName(1) + product + ".weight") {
				column := at % shape.Hidden
				weights[column] = max(weights[column], v, -v)
			}
		}
		got, want := n.smoothing(1, half(i), states), smoothingOf(inputs, weights)
		must.Equal(t, got, want, "half", i)
	}
}

// TestSmoothing: large inputs are made smaller and their weights larger, by the formula: inputs 4 and 1 with weights 1
// and 1 have the ratios 2 and 1, with mean 1.5.
func TestSmoothing(t *testing.T) {
	must.Equal(t, smoothingOf([]float32{4, 1}, []float32{1, 1}), []float32{.75, 1.5})
}
