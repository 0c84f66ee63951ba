package recognize

import (
	"math"
)

// chain is a linear-chain conditional random field over the labels of a sentence: the score of a sequence of
// labels is the sum of its emissions and transitions (Lafferty, McCallum and Pereira, ICML 2001).
type chain struct {
	emissions  []float32 // labelCount numbers a token
	transition *[labelCount][labelCount]float32

	// Scaled forward and backward sums, and the factor of each position's scale.
	forward, backward [][labelCount]float64
	potentials        [][labelCount]float64
	factors           [labelCount][labelCount]float64
	scales            []float64
}

var allAllowed = func(int) labelSet { return anyLabel }

// run computes the forward and backward sums over the sequences that are allowed and returns the logarithm
// of their total; false if no sequence is allowed.
func (c *chain) run(allowed func(i int) labelSet) (logTotal float64, ok bool) {
	n := len(c.emissions) / int(labelCount)
	c.forward, c.backward = grown(c.forward, n), grown(c.backward, n)
	c.potentials, c.scales = grown(c.potentials, n), grown(c.scales, n)
	for a := range labelCount {
		c.factors[a] = [labelCount]float64{}
		for _, b := range mayFollow[a] {
			c.factors[a][b] = math.Exp(float64(c.transition[a][b]))
		}
	}
	for i := range n {
		emissions := c.emissions[i*int(labelCount) : (i+1)*int(labelCount)]
		most := emissions[0]
		for _, e := range emissions[1:] {
			most = max(most, e)
		}
		logTotal += float64(most)
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
	for i := range n {
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
			return 0, false
		}
		for b := range labelCount {
			c.forward[i][b] /= sum
		}
		c.scales[i] = sum
		logTotal += math.Log(sum)
	}
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
	return logTotal, true
}

func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, 2*n)
	}
	return s[:n]
}

// addExpected adds scale times the expected labels and transitions to gradients.
func (c *chain) addExpected(emissions []float32, transition *[labelCount][labelCount]float64, scale float64) {
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
				transition[a][b] += scale * c.forward[i-1][a] * c.factors[a][b] * c.potentials[i][b] * c.backward[i][b] / c.scales[i]
			}
		}
	}
}

// probability returns the probability that the tokens first to last are a mention, after run.
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

// best returns the first and last tokens of the mentions in the best sequence of labels (Viterbi).
func (c *chain) best() (mentions [][2]int) {
	n := len(c.emissions) / int(labelCount)
	if n == 0 {
		return nil
	}
	back := make([][labelCount]label, n)
	var scores [labelCount]float32
	impossible := float32(math.Inf(-1))
	for l := range labelCount {
		scores[l] = impossible
		if setOf(outside, begin, single).has(l) {
			scores[l] = c.emissions[l]
		}
	}
	for i := 1; i < n; i++ {
		var next [labelCount]float32
		for l := range labelCount {
			next[l] = impossible
		}
		for a := range labelCount {
			for _, b := range mayFollow[a] {
				if s := scores[a] + c.transition[a][b]; s > next[b] {
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
			mentions = append(mentions, [2]int{i, i})
		case end:
			last = i
		case begin:
			mentions = append(mentions, [2]int{i, last})
		}
		at = back[i][at]
	}
	for i, j := 0, len(mentions)-1; i < j; i, j = i+1, j-1 {
		mentions[i], mentions[j] = mentions[j], mentions[i]
	}
	return mentions
}
