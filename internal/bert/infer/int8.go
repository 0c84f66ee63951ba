package infer

import (
	"errors"
	"math"

	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/internal/bert/kernels"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// half is one of the halves of a layer, each of which begins with a product of the states.
type half int

const (
	attention   half = iota // query, key and value
	feedForward             // the product before the activation
	halves
)

// layerSmoothing holds, for the inputs of each half's first product, what they are multiplied by before they
// are quantized; nil for none.
type layerSmoothing [halves][]float32

// NewInt8 packs the weights of c for the set of 8-bit integers: see [kernels.Int8]. Few columns of the
// states are much larger than the others, so their inputs are smoothed by the magnitudes that the samples
// have in float32. Equal samples make equal networks. The network owns c, also if there is an error.
func NewInt8(c *bert.Checkpoint, set *kernels.Set, samples []tokenizer.Input) (*Network, error) {
	exact := New(c, kernels.Best())
	width := int(c.Config.Hidden)
	magnitudes := make([][halves][]float32, c.Config.Layers)
	for i := range magnitudes {
		for h := range magnitudes[i] {
			magnitudes[i][h] = make([]float32, width)
		}
	}
	exact.observe = func(layer int, half half, states []float32) {
		for start := 0; start < len(states); start += exact.hidden {
			raise(magnitudes[layer][half], states[start:start+width])
		}
	}
	inputs := make([]*tokenizer.Input, len(samples))
	spans := make([]bert.PooledSpan, len(samples))
	for i := range samples {
		inputs[i] = &samples[i]
		spans[i] = bert.PooledSpan{Row: i, Tokens: tokenizer.TokenSpan{End: len(samples[i].IDs)}}
	}
	if _, err := exact.Vectors(inputs, spans); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	smoothing := make([]layerSmoothing, c.Config.Layers)
	for i := range smoothing {
		name := bert.LayerName(i)
		for h, products := range [halves][]string{
			{"attention.self.query", "attention.self.key", "attention.self.value"}, {"intermediate.dense"},
		} {
			weights := make([]float32, width)
			for _, product := range products {
				tensor := c.Tensor(name + product + ".weight")
				for start := 0; start < len(tensor); start += width {
					raise(weights, tensor[start:start+width])
				}
			}
			smoothing[i][h] = smoothingOf(magnitudes[i][h], weights)
		}
	}
	return newNetwork(c, set, smoothing), nil
}

// raise raises greatest to the magnitudes of x.
func raise(greatest, x []float32) {
	for i, v := range x {
		greatest[i] = max(greatest[i], v, -v)
	}
}

// smoothingOf returns what the inputs are multiplied by: √(weights/inputs) of the greatest magnitudes,
// times the mean of its inverse.
func smoothingOf(inputs, weights []float32) []float32 {
	const least = 1e-5
	factors, mean := make([]float32, len(inputs)), 0.0
	for i := range factors {
		ratio := math.Sqrt(math.Max(float64(inputs[i]), least) / math.Max(float64(weights[i]), least))
		factors[i] = float32(1 / ratio)
		mean += ratio / float64(len(factors))
	}
	for i := range factors {
		factors[i] *= float32(mean)
	}
	return factors
}
