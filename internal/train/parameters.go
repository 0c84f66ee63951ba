//go:build torch

package train

import (
	"github.com/ctxnorm/ctxnorm/contrastive"
)

// parameters are the trained numbers outside the encoder. AdamW trains each at its own rate, without decay.
type parameters struct {
	described []contrastive.Parameter
	values    []float32
	gradient  []float32 // of the current step
	adam      []*adamW  // for each value
}

func newParameters(described []contrastive.Parameter) *parameters {
	p := &parameters{described: described, values: make([]float32, len(described))}
	for i, d := range described {
		p.values[i] = float32(d.Initial)
		p.adam = append(p.adam, newAdamW(1))
	}
	return p
}

// step takes one step by the gradient.
func (p *parameters) step() {
	for i, d := range p.described {
		p.adam[i].step(p.values[i:i+1], p.gradient[i:i+1], 1, d.LearningRate, 0, 0, 1)
	}
}

// state returns the values and the moments of their optimizers.
func (p *parameters) state() (values, mean, square []float32) {
	for _, a := range p.adam {
		mean, square = append(mean, a.mean...), append(square, a.square...)
	}
	return p.values, mean, square
}

// byName returns the values of the parameters by name, or nil if there are none.
func (p *parameters) byName() map[string]float64 {
	if len(p.described) == 0 {
		return nil
	}
	named := make(map[string]float64, len(p.described))
	for i, d := range p.described {
		named[d.Name] = float64(p.values[i])
	}
	return named
}
