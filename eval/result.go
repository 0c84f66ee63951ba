package eval

import "fmt"

// Result is what one linker reached under one policy.
type Result struct {
	Linker    string        `json:"linker"`
	Policy    string        `json:"policy"`
	Documents int           `json:"documents"` // with a mention that counts
	Mentions  int           `json:"mentions"`  // that count
	Figures   []Figure      `json:"figures"`   // Acc@1, Acc@5, Acc@20, MRR, coverage, risk; NIL precision, recall and F1 where the policy wants NIL
	Slices    []SliceResult `json:"slices"`
	Failures  []FailureRow  `json:"failures"`
	// Relations are the caller's to fill in, by [Relations].
	Relations []RelationRow `json:"relations,omitempty"`
	// Confidence is nil where the linker gives no probabilities.
	Confidence *Confidence `json:"confidence,omitempty"`
}

// SliceResult is the part of a [Result] that falls into a slice.
type SliceResult struct {
	Name    string   `json:"name"`
	Figures []Figure `json:"figures"` // Acc@1, Acc@5
}

// NewResult counts the answers of a linker.
//
// MRR is the mean of 1/rank within [Depth], 0 where nothing right is found.
// Coverage is the share of mentions to which the linker gave any candidate, risk
// the share of those whose answer at 1 is wrong.
func NewResult(linker string, answers []Answer, policy Policy, kinds []Slice, seed uint64) Result {
	c := newCount(answers, policy, AllMentions())
	r := Result{
		Linker: linker, Policy: policy.Name,
		Documents: len(tallies(c.answers, func(int) (float64, bool) { return 1, true })), Mentions: len(c.answers),
		Failures: failures(c, policy), Confidence: newConfidence(c, policy, seed),
	}
	r.Figures = append(c.accuracy(seed, 1, 5, Depth), c.reciprocal(seed), c.coverage(seed), c.risk(seed))
	if policy.Outside == WantNIL {
		r.Figures = append(r.Figures, c.nilFigures(seed)...)
	}
	for _, s := range kinds {
		r.Slices = append(r.Slices, SliceResult{s.Name, newCount(answers, policy, s).accuracy(seed, 1, 5)})
	}
	return r
}

// count is the answers of a slice that count under a policy, with their ranks.
type count struct {
	answers []*Answer
	ranks   []int
}

func newCount(answers []Answer, policy Policy, slice Slice) count {
	var c count
	for i := range answers {
		a := &answers[i]
		if policy.Counts(a.Item) && slice.Has(a.Item) {
			c.answers = append(c.answers, a)
			c.ranks = append(c.ranks, policy.Rank(a.Item, a.Concepts))
		}
	}
	return c
}

func (c count) accuracy(seed uint64, depths ...int) []Figure {
	var figures []Figure
	for _, k := range depths {
		hits := tallies(c.answers, func(i int) (float64, bool) { return oneIf(0 < c.ranks[i] && c.ranks[i] <= k), true })
		figures = append(figures, newFigure(fmt.Sprintf("Acc@%d", k), hits, seed))
	}
	return figures
}

func (c count) reciprocal(seed uint64) Figure {
	return newFigure("MRR", tallies(c.answers, func(i int) (float64, bool) {
		if c.ranks[i] == 0 {
			return 0, true
		}
		return 1 / float64(c.ranks[i]), true
	}), seed)
}

func (c count) coverage(seed uint64) Figure {
	return newFigure("coverage", tallies(c.answers, func(i int) (float64, bool) {
		return oneIf(len(c.answers[i].Candidates) > 0), true
	}), seed)
}

func (c count) risk(seed uint64) Figure {
	return newFigure("risk", tallies(c.answers, func(i int) (float64, bool) {
		return oneIf(c.ranks[i] != 1), len(c.answers[i].Candidates) > 0
	}), seed)
}

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// tallies sums the values of answers by document, in order of appearance. value
// gives the value of the answer at i, and whether it counts.
func tallies(answers []*Answer, value func(i int) (v float64, counts bool)) []tally {
	var documents []tally
	for i, a := range answers {
		if i == 0 || a.Item.Query.Document != answers[i-1].Item.Query.Document {
			documents = append(documents, tally{})
		}
		if v, counts := value(i); counts {
			d := &documents[len(documents)-1]
			d.sum += v
			d.n++
		}
	}
	return documents
}
