package recognize

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// sequences calls visit with every valid BIOES sequence of n labels.
func sequences(n int, visit func([]label)) {
	var extend func(at []label)
	extend = func(at []label) {
		if len(at) == n {
			if last := at[n-1]; last != begin && last != inside {
				visit(at)
			}
			return
		}
		next := []label{outside, begin, single}
		if len(at) > 0 {
			next = mayFollow[at[len(at)-1]]
		}
		for _, l := range next {
			extend(append(slices.Clip(at), l))
		}
	}
	extend(nil)
}

func randomChain(r *rand.Rand, n int) *chain {
	c := &chain{transition: make([]float32, labelCount*labelCount)}
	for range n * int(labelCount) {
		c.emissions = append(c.emissions, float32(r.NormFloat64()*3))
	}
	for i := range c.transition {
		c.transition[i] = float32(r.NormFloat64())
	}
	return c
}

func (c *chain) scoreOf(labels []label) float64 {
	s := 0.
	for i, l := range labels {
		s += float64(c.emissions[i*int(labelCount)+int(l)])
		if i > 0 {
			s += float64(c.transition[labels[i-1]*labelCount+l])
		}
	}
	return s
}

func mentionsOf(labels []label) (mentions []tokenSpan) {
	first := 0
	for i, l := range labels {
		switch l {
		case begin:
			first = i
		case single:
			mentions = append(mentions, tokenSpan{i, i})
		case end:
			mentions = append(mentions, tokenSpan{first, i})
		}
	}
	return mentions
}

// TestChain compares totals, expectations, the best sequence and the probabilities of mentions with sums over all
// sequences.
func TestChain(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		n := 1 + r.IntN(6)
		c := randomChain(r, n)
		sets := make([]labelSet, n)
		for i := range sets {
			sets[i] = anyLabel
			if r.IntN(2) == 0 {
				sets[i] = labelSet(r.IntN(int(anyLabel)) + 1)
			}
		}
		allowed := func(i int) labelSet { return sets[i] }
		total, bestScore := 0., math.Inf(-1)
		var best []label
		expected := make([]float64, n*int(labelCount))
		sequences(n, func(labels []label) {
			score := c.scoreOf(labels)
			if score > bestScore {
				bestScore, best = score, append(best[:0], labels...)
			}
			for i, l := range labels {
				if !sets[i].has(l) {
					return
				}
			}
			p := math.Exp(score)
			total += p
			for i, l := range labels {
				expected[i*int(labelCount)+int(l)] += p
			}
		})
		ok := c.run(allowed)
		if ok != (total > 0) {
			t.Fatalf("n %d, sets %v: allowed is %v, but the total is %g", n, sets, ok, total)
		}
		if ok {
			if got := logTotal(c); math.Abs(got-math.Log(total)) > 1e-6 {
				t.Fatalf("log total %g, want %g", got, math.Log(total))
			}
			emissions := make([]float32, len(expected))
			transition := make([]float64, labelCount*labelCount)
			c.addExpected(emissions, transition, 1)
			sum := 0.
			for i, want := range expected {
				if math.Abs(float64(emissions[i])-want/total) > 1e-5 {
					t.Fatalf("expectation %d is %g, want %g", i, emissions[i], want/total)
				}
			}
			for _, x := range transition {
				sum += x
			}
			if math.Abs(sum-float64(n-1)) > 1e-6 {
				t.Fatalf("%d labels have %g transitions", n, sum)
			}
		}
		if got, want := c.best(), mentionsOf(best); !slices.Equal(got, want) {
			t.Fatalf("best mentions %v, want %v", got, want)
		}
		c.run(allAllowed)
		for first := range n {
			for last := first; last < n; last++ {
				all, with := 0., 0.
				sequences(n, func(labels []label) {
					p := math.Exp(c.scoreOf(labels))
					all += p
					for _, m := range mentionsOf(labels) {
						if m == (tokenSpan{first, last}) {
							with += p
						}
					}
				})
				if got := c.probability(first, last); math.Abs(got-with/all) > 1e-6 {
					t.Fatalf("probability of %d to %d of %d is %g, want %g", first, last, n, got, with/all)
				}
			}
		}
	}
}

// logTotal returns the logarithm of the total of the allowed sequences, after run.
func logTotal(c *chain) float64 {
	total := 0.
	for i, scale := range c.scales {
		total += math.Log(scale) + float64(slices.Max(c.emissionsOf(i)))
	}
	return total
}
