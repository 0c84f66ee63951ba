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
	smoothing, err := smoothingBy(c, samples)
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	n := newNetwork(c, set)
	n.packed.Do(func() { n.packLayers(smoothing) })
	return n, nil
}

// smoothingBy returns the smoothing by the samples, which it computes layer by layer, so that the weights of
// one layer are packed in float32 at a time.
func smoothingBy(c *bert.Checkpoint, samples []tokenizer.Input) ([]layerSmoothing, error) {
	exact := newNetwork(c, kernels.Best())
	width := int(c.Config.Hidden)
	smoothing := make([]layerSmoothing, c.Config.Layers)
	exact.observe = func(layer int, half half, states []float32) {
		inputs, weights := make([]float32, width), make([]float32, width)
		for start := 0; start < len(states); start += exact.hidden {
			raise(inputs, states[start:start+width])
		}
		for _, product := range [halves][]string{
			{"attention.self.query", "attention.self.key", "attention.self.value"}, {"intermediate.dense"},
		}[half] {
			tensor := c.Tensor(bert.LayerName(layer) + product + ".weight")
			for start := 0; start < len(tensor); start += width {
				raise(weights, tensor[start:start+width])
			}
		}
		smoothing[layer][half] = smoothingOf(inputs, weights)
	}
	inputs := make([]*tokenizer.Input, len(samples))
	spans := make([]bert.PooledSpan, len(samples))
	for i := range samples {
		inputs[i] = &samples[i]
		spans[i] = bert.PooledSpan{Row: i, Tokens: tokenizer.TokenSpan{End: len(samples[i].IDs)}}
	}
	s := exact.newScratch()
	exact.begin(s, inputs, spans)
	for i := range exact.layers {
		exact.layers[i] = exact.packLayer(i, layerSmoothing{})
		exact.forward(s, i)
		exact.layers[i] = layer{}
	}
	return smoothing, bert.CheckUnit(exact.pool(s, spans), width)
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
