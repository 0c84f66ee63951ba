package calibrate

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/text"
)

// cascadeMentions is the number of mentions from which the bounds of the cascade are learned.
const cascadeMentions = 10_000

// cascadeBudgets are the fractions of answers that may be lost. Each gets its own bounds.
var cascadeBudgets = []float64{.001, .002, .005, .01, .02}

// learnCascade learns which mentions need no encoder, from a model that is calibrated with its encoder and without. It
// returns nil if there are too few mentions.
func learnCascade(ctx context.Context, m *model.Model) (*model.CascadeCalibration, error) {
	queries, err := runningText(m)
	if err != nil || len(queries) < minSenseQueries {
		return nil, err
	}
	contexts, err := m.Contexts.Exemplars()
	if err != nil {
		return nil, err
	}
	sample, err := link.SampleCascade(ctx, m.Memoized(), queries, documentRows(contexts))
	if err != nil {
		return nil, err
	}
	c := &model.CascadeCalibration{Mentions: len(queries)}
	for _, budget := range cascadeBudgets {
		c.Rows = append(c.Rows, cascadeBounds(sample, budget, m.Calibration.MinProbability))
	}
	return c, nil
}

// runningText returns mentions as the tagger finds them in whole documents, without those that copy the answer of
// another ([link.Distinct]). The documents are those of the model's hidden definitions, a sample by hash. Short forms
// with a hidden definition are skipped, because normal texts hardly contain them. Contexts of the model would not do:
// they are single sentences, as many of rare names as of frequent ones, and their mentions are easier.
func runningText(m *model.Model) ([]text.Query, error) {
	hidden, err := m.HiddenDefinitions()
	if err != nil {
		return nil, err
	}
	tagger, err := m.Tagger()
	if err != nil {
		return nil, err
	}
	var queries []text.Query
	hiddenIn := make(map[string][]string) // document -> its short forms whose definition is hidden
	for i := range hidden {
		hiddenIn[hidden[i].Document.ID] = append(hiddenIn[hidden[i].Document.ID], hidden[i].Surface())
	}
	read := make(map[string]bool)
	for _, row := range model.RowsByHash(hidden, nil, seedOf(m), "cascade") {
		doc := hidden[row].Document
		if len(queries) >= cascadeMentions {
			break
		}
		if !read[doc.ID] {
			read[doc.ID] = true
			distinct, _ := link.Distinct(link.Queries(link.TagDocument(doc, tagger)))
			queries = append(queries, slices.DeleteFunc(distinct,
				func(q text.Query) bool { return slices.Contains(hiddenIn[doc.ID], q.Surface()) })...)
		}
	}
	return queries, nil
}

// Bounds beyond all probabilities.
const (
	settlesNIL     = -1
	settlesConcept = 2
)

// cascadeBounds returns the bounds that settle the most mentions of the sample, among those that cost at most the
// fraction budget of all its answers, see [link.CascadeSample].
//
// It assumes one more lost answer than the sample has (Laplace's rule of succession), because the bounds are chosen on
// the sample itself. A sample that is too small for a budget settles nothing.
func cascadeBounds(sample *link.CascadeSample, budget, minProbability float64) model.CascadeRow {
	best := model.CascadeRow{Budget: budget, Low: settlesNIL, High: settlesConcept}
	allowed := budget*float64(len(sample.Cost)) - 1
	if allowed < 0 {
		return best
	}
	highs, lows := make(map[float64]step), make(map[float64]step)
	for i, quick := range sample.Quick {
		high, low := 1., 0.
		for _, first := range quick {
			high, low = min(high, first.OfAll), max(low, first.AgainstNIL)
		}
		one := step{settled: 1, changed: count(sample.Cost[i] > 0), cost: sample.Cost[i]}
		if high >= max(minProbability, .5) { // among all, so at least .5 against NIL: no mention counts for both bounds
			highs[high] = one.after(highs[high], high)
		}
		if low < .5 {
			lows[low] = one.after(lows[low], low)
		}
	}
	fromLow := sums(settlesNIL, lows, cmp.Compare)
	for _, high := range sums(settlesConcept, highs, func(a, b float64) int { return cmp.Compare(b, a) }) {
		for _, low := range fromLow {
			if high.cost+low.cost > allowed {
				break
			}
			if settled := high.settled + low.settled; settled > best.Settled {
				best.High, best.Low = high.bound, low.bound
				best.Settled, best.Changed = settled, high.changed+low.changed
			}
		}
	}
	return best
}

// step is a bound, with the number of mentions of a sample that it settles and the cost of their answers.
type step struct {
	bound            float64
	settled, changed int
	cost             float64
}

// after returns the step to a bound, which adds the counts of s to those of the step before it.
func (s step) after(before step, bound float64) step {
	return step{bound, before.settled + s.settled, before.changed + s.changed, before.cost + s.cost}
}

// sums returns the cumulative steps, in the order in which they settle more mentions. The first settles nothing.
func sums(nothing float64, steps map[float64]step, order func(a, b float64) int) []step {
	all := []step{{bound: nothing}}
	for _, bound := range slices.SortedFunc(maps.Keys(steps), order) {
		all = append(all, steps[bound].after(all[len(all)-1], bound))
	}
	return all
}
