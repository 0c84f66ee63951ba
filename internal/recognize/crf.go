package recognize

import (
	"math"
	"slices"
)

// chain is a linear-chain conditional random field over the labels of a sentence: the score of a sequence of
// labels is the sum of its emissions and transitions (Lafferty, McCallum and Pereira, ICML 2001).
type chain struct {
	emissions  []float32 // labelCount numbers for each token
	transition []float32 // labelCount numbers for each label: the scores of the labels that may follow it

	// Scaled forward and backward sums, and the scale factor of each position.
	forward, backward [][labelCount]float64
	potentials        [][labelCount]float64
	factors           [labelCount][labelCount]float64
	scales            []float64
}

var allAllowed = func(int) labelSet { return anyLabel }

// run computes the forward and backward sums over the allowed sequences. It reports whether there is one.
func (c *chain) run(allowed func(i int) labelSet) bool {
	c.setPotentials(allowed)
	if !c.sumForward() {
		return false
	}
	c.sumBackward()
	return true
}

// emissionsOf returns the emissions of a token.
func (c *chain) emissionsOf(i int) []float32 {
	return c.emissions[i*int(labelCount) : (i+1)*int(labelCount)]
}

// setPotentials sets the exponentials of the transitions and of the emissions of allowed labels. Emissions are scaled
// by the highest one of their token.
func (c *chain) setPotentials(allowed func(i int) labelSet) {
	n := len(c.emissions) / int(labelCount)
	c.potentials = grown(c.potentials, n)
	for a := range labelCount {
		c.factors[a] = [labelCount]float64{}
		for _, b := range mayFollow[a] {
			c.factors[a][b] = math.Exp(float64(c.transition[a*labelCount+b]))
		}
	}
	for i := range n {
		emissions := c.emissionsOf(i)
		most := slices.Max(emissions)
		set := allowed(i)
		if i == 0 {
			set &= setOf(outside, begin, single)
		}
		if i == n-1 {
			set &= setOf(outside, end, single)
		}
		for l := range labelCount {
			c.potentials[i][l] = 0
			if set.has(l) {
				c.potentials[i][l] = math.Exp(float64(emissions[l] - most))
			}
		}
	}
}

// sumForward computes the forward sums, each scaled to a total of 1. It reports whether any sequence is allowed.
func (c *chain) sumForward() bool {
	c.forward, c.scales = grown(c.forward, len(c.potentials)), grown(c.scales, len(c.potentials))
	for i := range c.potentials {
		sum := 0.
		for b := range labelCount {
			total := 1.
			if i > 0 {
				total = 0
				for a := range labelCount {
					total += c.forward[i-1][a] * c.factors[a][b]
				}
			}
			c.forward[i][b] = total * c.potentials[i][b]
			sum += c.forward[i][b]
		}
		if !(sum > 0) {
			return false
		}
		for b := range labelCount {
			c.forward[i][b] /= sum
		}
		c.scales[i] = sum
	}
	return true
}

// sumBackward computes the backward sums, with the scales of the forward ones.
func (c *chain) sumBackward() {
	n := len(c.potentials)
	c.backward = grown(c.backward, n)
	for l := range labelCount {
		c.backward[n-1][l] = 1
	}
	for i := n - 2; i >= 0; i-- {
		for a := range labelCount {
			total := 0.
			for b := range labelCount {
				total += c.factors[a][b] * c.potentials[i+1][b] * c.backward[i+1][b]
			}
			c.backward[i][a] = total / c.scales[i+1]
		}
	}
}

// grown returns a slice of length n with arbitrary content. It reuses the memory of s if that is large enough.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, 2*n)
	}
	return s[:n]
}

// addExpected adds scale times the expected labels and transitions to the gradients.
func (c *chain) addExpected(emissions []float32, transition []float64, scale float64) {
	n := len(c.emissions) / int(labelCount)
	for i := range n {
		for l := range labelCount {
			emissions[i*int(labelCount)+int(l)] += float32(scale * c.forward[i][l] * c.backward[i][l])
		}
		if i == 0 {
			continue
		}
		for a := range labelCount {
			for _, b := range mayFollow[a] {
				transition[a*labelCount+b] += scale * c.forward[i-1][a] * c.factors[a][b] *
					c.potentials[i][b] * c.backward[i][b] / c.scales[i]
			}
		}
	}
}

// probability returns the probability that the tokens first to last are a mention. Call run before.
func (c *chain) probability(first, last int) float64 {
	if first == last {
		return c.forward[first][single] * c.backward[first][single]
	}
	p := c.forward[first][begin]
	at := begin
	for i := first + 1; i <= last; i++ {
		next := inside
		if i == last {
			next = end
		}
		p *= c.factors[at][next] * c.potentials[i][next] / c.scales[i]
		at = next
	}
	return p * c.backward[last][end]
}

// best returns the token spans of the mentions in the best sequence of labels (Viterbi).
func (c *chain) best() (mentions []tokenSpan) {
	n := len(c.emissions) / int(labelCount)
	back := make([][labelCount]label, n)
	impossible := [labelCount]float32(slices.Repeat([]float32{float32(math.Inf(-1))}, int(labelCount)))
	scores := impossible
	for _, l := range mayFollow[outside] { // a sentence begins as after a token outside
		scores[l] = c.emissions[l]
	}
	for i := 1; i < n; i++ {
		next := impossible
		for a := range labelCount {
			for _, b := range mayFollow[a] {
				if s := scores[a] + c.transition[a*labelCount+b]; s > next[b] {
					next[b], back[i][b] = s, a
				}
			}
		}
		for l := range labelCount {
			next[l] += c.emissions[i*int(labelCount)+int(l)]
		}
		scores = next
	}
	at := outside
	for _, l := range []label{end, single} {
		if scores[l] > scores[at] {
			at = l
		}
	}
	last := 0
	for i := n - 1; i >= 0; i-- {
		switch at {
		case single:
			mentions = append(mentions, tokenSpan{i, i})
		case end:
			last = i
		case begin:
			mentions = append(mentions, tokenSpan{i, last})
		}
		at = back[i][at]
	}
	slices.Reverse(mentions)
	return mentions
}
