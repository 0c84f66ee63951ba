package bert

import (
	"errors"
	"math"

	"github.com/ctxnorm/ctxnorm/internal/bert/kernels"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// half is one half of a layer. Each half begins with a product of the states.
type half int

const (
	attention   half = iota // query, key and value
	feedForward             // the product before the activation
	halves
)

// NewPackedInt8 packs the weights of c for the set of 8-bit integers: see [kernels.Int8]. A few columns of the states
// are much larger than the others, so their inputs are smoothed according to their magnitudes in the samples. Equal
// samples give equal networks. The network owns c, even if there is an error.
func NewPackedInt8(c *Checkpoint, set *kernels.Set, samples []tokenizer.Input) (*Packed, error) {
	n := NewPacked(c, set)
	var err error
	n.packed.Do(func() { err = n.packSmoothed(samples) })
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return n, nil
}

// packSmoothed computes the samples. It packs the weights of each half of a layer when the computation reaches it,
// smoothed by the magnitudes of the states there.
func (n *Packed) packSmoothed(samples []tokenizer.Input) error {
	n.observe = func(layer int, half half, states []float32) {
		n.packHalf(layer, half, n.smoothing(layer, half, states))
	}
	defer func() { n.observe = nil }()
	inputs := make([]*tokenizer.Input, len(samples))
	spans := make([]PooledSpan, len(samples)) // all tokens
	for i := range samples {
		inputs[i] = &samples[i]
		spans[i] = PooledSpan{Row: i, Tokens: tokenizer.TokenSpan{End: len(samples[i].IDs)}}
	}
	s := n.newScratch()
	vectors := n.compute(s, inputs, spans)
	n.checkpoint.Release() // except rows of words
	return CheckUnit(vectors, int(n.config.Hidden))
}

// smoothing returns the factors for the inputs of the first product of a half, computed from the states that are its
// inputs.
func (n *Packed) smoothing(layer int, half half, states []float32) []float32 {
	width := int(n.config.Hidden)
	inputs, weights := make([]float32, width), make([]float32, width)
	for start := 0; start < len(states); start += n.hidden {
		raise(inputs, states[start:start+width])
	}
	for _, product := range [halves][]string{
		{"attention.self.query", "attention.self.key", "attention.self.value"}, {"intermediate.dense"},
	}[half] {
		tensor := n.checkpoint.Tensor(layerName(layer) + product + ".weight")
		for start := 0; start < len(tensor); start += width {
			raise(weights, tensor[start:start+width])
		}
	}
	return smoothingOf(inputs, weights)
}

// raise raises each number in greatest to the magnitude of x if that is larger.
func raise(greatest, x []float32) {
	for i, v := range x {
		// Magnitudes sort like their bits, and NaN is above them.
		const magnitude = math.MaxInt32
		greatest[i] = math.Float32frombits(max(math.Float32bits(greatest[i]), math.Float32bits(v)&magnitude))
	}
}

// smoothingOf returns the factors of the inputs: √(weights/inputs) of the greatest magnitudes, times the mean of its
// inverse.
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
