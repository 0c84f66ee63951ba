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

// cascadeMentions is the number of mentions that the bounds of the cascade are learned from.
const cascadeMentions = 5000

var (
	// cascadeBudgets are the shares of answers that may change for which bounds are learned.
	cascadeBudgets = []float64{.001, .002, .005, .01, .02}
	// cascadeOrders are the bounds that are tried for the order of candidates.
	cascadeOrders = []float64{.5, .6, .7, .8, .9, .95, .99}
)

// learnCascade learns which mentions need no encoder, from a model that is calibrated with its
// encoder and without. It returns nil if there are too few mentions to learn from.
func learnCascade(ctx context.Context, m *model.Model, seed uint64) (*model.CascadeCalibration, error) {
	queries, err := runningText(m, seed)
	if err != nil || len(queries) < minSenseQueries {
		return nil, err
	}
	contexts, err := m.Contexts.Exemplars()
	if err != nil {
		return nil, err
	}
	rowsOf := documentRows(contexts)
	without := make([][]int32, len(queries)) // what the exemplars of their own document say does not count
	for i := range queries {
		without[i] = rowsOf[queries[i].ID]
	}
	sample, err := link.SampleCascade(ctx, m.Memoized(), queries, without, cascadeOrders)
	if err != nil {
		return nil, err
	}
	c := &model.CascadeCalibration{Mentions: len(queries)}
	for _, budget := range cascadeBudgets {
		c.Rows = append(c.Rows, cascadeBounds(sample, budget, m.Calibration.MinProbability))
	}
	return c, nil
}

// runningText returns mentions as the tagger finds them in whole documents: those of the model's
// hidden definitions, a sample by hash. Contexts of the model would not do: they are
// single sentences, as many of a rare name as of a frequent one, and their mentions are easier.
func runningText(m *model.Model, seed uint64) ([]text.Query, error) {
	hidden, err := m.HiddenDefinitions()
	if err != nil {
		return nil, err
	}
	tagger, err := m.Tagger()
	if err != nil {
		return nil, err
	}
	var queries []text.Query
	read := make(map[string]bool)
	for _, row := range hashedRows(hidden, seed, "cascade") {
		doc := hidden[row].Document
		if len(queries) >= cascadeMentions {
			break
		}
		if !read[doc.ID] {
			read[doc.ID] = true
			queries = append(queries, link.Queries(link.TagDocument(doc, tagger))...)
		}
	}
	return queries, nil
}

// Bounds that no probability is outside of.
const (
	settlesNIL     = -1
	settlesConcept = 2
)

// cascadeBounds returns the widest bounds by which at most the share budget of all answers of the
// sample changes: half of it by the order of candidates, half by answers without the
// encoder. The latter is used by the upper bound first, and what is left by the lower one.
//
// One change more than the sample has is counted (Laplace's rule of succession), since the
// bounds are chosen by the sample. One that is too small for a budget settles nothing.
func cascadeBounds(sample *link.CascadeSample, budget, minProbability float64) model.CascadeRow {
	row := model.CascadeRow{Budget: budget, Low: settlesNIL, High: settlesConcept, Order: settlesConcept}
	allowed := int(budget/2*float64(len(sample.Same))) - 1
	if i := slices.IndexFunc(sample.ByOrder, func(changed int) bool { return changed <= allowed }); i >= 0 {
		row.Order = cascadeOrders[i]
	}
	// settle moves a bound over the probabilities in their order while the budget lasts.
	settle := func(bound *float64, probability func([]link.FirstProbability) float64, applies func(p float64) bool,
		order func(a, b float64) int) {
		all, changed := make(map[float64]int), make(map[float64]int) // mentions by probability
		for i := range sample.Same {
			if p := probability(sample.Quick[i]); applies(p) {
				all[p]++
				if !sample.Same[i] {
					changed[p]++
				}
			}
		}
		for _, p := range slices.SortedFunc(maps.Keys(all), order) {
			if row.Changed+changed[p] > allowed {
				return
			}
			*bound = p
			row.Settled, row.Changed = row.Settled+all[p], row.Changed+changed[p]
		}
	}
	leastOfAll := func(quick []link.FirstProbability) float64 {
		return slices.MinFunc(quick, func(a, b link.FirstProbability) int {
			return cmp.Compare(a.OfAll, b.OfAll)
		}).OfAll
	}
	mostAgainstNIL := func(quick []link.FirstProbability) float64 {
		return slices.MaxFunc(quick, func(a, b link.FirstProbability) int {
			return cmp.Compare(a.AgainstNIL, b.AgainstNIL)
		}).AgainstNIL
	}
	// of all, so that no mention counts for both bounds: it is .5 and more against NIL, too
	middle := max(minProbability, .5)
	settle(&row.High, leastOfAll, func(p float64) bool { return p >= middle },
		func(a, b float64) int { return cmp.Compare(b, a) })
	settle(&row.Low, mostAgainstNIL, func(p float64) bool { return p < .5 }, cmp.Compare)
	return row
}
