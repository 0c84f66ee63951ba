package eval

import (
	"cmp"
	"slices"
)

// graded is the answers of a count that give a candidate, the most probable
// first. What is computed of them does not depend on the order of answers of
// equal probability: ties show them together.
type graded struct {
	answers  []grade
	mentions []int // of each document, that count, with a candidate or without
}

// grade is an answer as far as its probability goes.
type grade struct {
	probability float64 // of the first candidate
	right       bool    // at 1
	document    int
}

func newGraded(c count) graded {
	var g graded
	for i, a := range c.answers {
		if i == 0 || a.Item.Query.Document != c.answers[i-1].Item.Query.Document {
			g.mentions = append(g.mentions, 0)
		}
		document := len(g.mentions) - 1
		g.mentions[document]++
		if len(a.Candidates) > 0 {
			g.answers = append(g.answers, grade{a.Candidates[0].Probability, c.ranks[i] == 1, document})
		}
	}
	slices.SortStableFunc(g.answers, func(a, b grade) int { return cmp.Compare(b.probability, a.probability) })
	return g
}

// hasProbabilities reports whether the linker gave any: one that is not
// calibrated gives 0 to all.
func (g *graded) hasProbabilities() bool {
	return len(g.answers) > 0 && g.answers[0].probability > 0
}

// once counts every document once: the sample itself.
func (g *graded) once() []int { return slices.Repeat([]int{1}, len(g.mentions)) }

// total is the number of mentions that count where each document counts so many
// times.
func (g *graded) total(times []int) int {
	n := 0
	for document, mentions := range g.mentions {
		n += times[document] * mentions
	}
	return n
}

// ties shows the answers of each probability, from the highest down: how many
// they are and how many of them are wrong, each counted as many times as its
// document.
func (g *graded) ties(times []int, see func(probability float64, n, wrong int)) {
	n, wrong := 0, 0
	for i, a := range g.answers {
		n += times[a.document]
		if !a.right {
			wrong += times[a.document]
		}
		if i+1 == len(g.answers) || g.answers[i+1].probability != a.probability {
			see(a.probability, n, wrong)
			n, wrong = 0, 0
		}
	}
}

// figure computes a quotient of the sample, and its interval from draws of
// documents. A draw with nothing in the denominator is left out.
func (g *graded) figure(name string, seed uint64, quotient func(times []int) (numerator float64, denominator int)) Figure {
	numerator, denominator := quotient(g.once())
	f := Figure{Name: name, Numerator: numerator, Denominator: denominator}
	if denominator == 0 {
		return f
	}
	f.Value = numerator / float64(denominator)
	values := make([]float64, 0, resamples)
	eachDraw(len(g.mentions), seed, func(times []int) {
		if numerator, denominator := quotient(times); denominator > 0 {
			values = append(values, numerator/float64(denominator))
		}
	})
	slices.Sort(values)
	f.Low, f.High = interval(values)
	return f
}
