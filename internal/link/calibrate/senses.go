package calibrate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/text"
)

const (
	// loneRecordWeight is the weight of a query whose sense is defined only by its own record, and so is unknown
	// without it. Of 48 such definitions of frequent forms read in 107,406 records, 20 were wrong or misspelled another
	// sense. With .5, too many short forms were read as unknown.
	loneRecordWeight = .2
	// senseQueries is the maximum number of queries from which sense weights are learned.
	senseQueries = 3000
	// minSenseQueries is the minimum number of queries; with fewer, no weights are learned.
	minSenseQueries = 50
)

// learnSenses learns the weights of the evidence for the senses of short forms from the model's hidden definitions.
// Exemplars from the same document do not count. If there are too few queries, it learns nothing.
func (t *trainingSet) learnSenses(ctx context.Context, c *model.Calibration) error {
	queries, err := hiddenQueries(t.model)
	if err != nil || len(queries) < minSenseQueries {
		return err
	}
	plain := make([]link.SenseQuery, len(queries))
	total := 0.
	for i := range queries {
		plain[i] = queries[i].SenseQuery
		total += queries[i].weight
	}
	scale := float64(len(queries)) / total // so that the weights add up to the number of queries
	features, err := link.SenseEvidence(ctx, t.model, plain, documentRows(t.contexts))
	if err != nil {
		return err
	}
	var examples []listwiseExample
	for i := range queries {
		e := listwiseExample{weight: queries[i].weight * scale, candidates: features[i], gold: make([]bool, len(features[i]))}
		e.gold[queries[i].gold] = true
		examples = append(examples, e)
	}
	weights, err := maximizePosterior(examples, link.SenseFeatures.Prior(), priorPrecision, nil)
	if err != nil {
		return fmt.Errorf("learning the sense weights: %w", err)
	}
	c.SenseWeights, c.Senses = link.SenseFeatures.ByName(weights), &model.SenseCalibration{Queries: len(examples)}
	for i := range examples {
		c.Senses.Correct += count(examples[i].gold[best(examples[i].candidates, weights)])
		c.Senses.MostFrequent += count(queries[i].gold == 0) // senses are sorted by frequency
	}
	return nil
}

// definedQuery is a query whose sense its document defines.
type definedQuery struct {
	link.SenseQuery
	gold   int    // index of the right sense, or the number of senses if it is unknown
	key    string // identifies form and sense
	weight float64
}

// hiddenQueries returns a sample, by hash, of the model's hidden definitions of ambiguous forms, with the sense of the
// long form as gold. The defining record itself does not count: if it is the only one, the sense is unknown or, if it
// is possible by the dictionary, undefined. The queries of a sense together weigh the square root of the number of
// records that define it. If they weighed the number itself, frequent senses would win against the context; without
// weights, frequency would count too little.
func hiddenQueries(m *model.Model) ([]definedQuery, error) {
	hidden, err := m.HiddenDefinitions()
	taken := make(map[string]int) // number of queries for each form and sense
	var queries []definedQuery
	for _, row := range model.RowsByHash(hidden, nil, seedOf(m), "sense query") {
		ex := &hidden[row]
		senses := m.Inventory().Senses(ex.Surface())
		own := slices.IndexFunc(senses, func(s sense.Sense) bool { return s.IsOf(&ex.Mention) })
		if own < 0 {
			continue
		}
		key := normalize.SingularShortForm(ex.Surface()) + "\n" + senses[own].LongForm
		if taken[key] >= max(1, senses[own].Records) {
			continue // a rare sense gets at most as many queries as it has records
		}
		taken[key]++
		records := math.Sqrt(float64(senses[own].Records))
		if senses, gold := withoutRecord(senses, own); len(senses) > 1 {
			if gold == len(senses) {
				records *= loneRecordWeight
			}
			q := &link.Queries(&text.Document{ID: ex.ID, Text: ex.Text, Mentions: []text.Mention{ex.Mention}})[0]
			queries = append(queries, definedQuery{link.SenseQuery{Query: q, Senses: senses}, gold, key, records})
		}
		if len(queries) == senseQueries {
			break
		}
	}
	for i := range queries {
		queries[i].weight /= float64(taken[queries[i].key])
	}
	return queries, err
}

// sampleRows returns the first n rows, in the order of their hashes, among the contexts that keep accepts.
func (t *trainingSet) sampleRows(salt string, n int, keep func(*text.Exemplar) bool) []int {
	rows := slices.DeleteFunc(model.RowsByHash(t.contexts, nil, seedOf(t.model), salt),
		func(row int) bool { return !keep(&t.contexts[row]) })
	return rows[:min(n, len(rows))]
}

// withoutRecord returns the senses of a form without one record that defines the sense at own. It also returns the
// index of that sense, or the number of senses if it is gone.
func withoutRecord(senses []sense.Sense, own int) ([]sense.Sense, int) {
	s := &senses[own]
	if s.Records > 0 {
		s.Records--
	}
	if s.Records == 0 && !s.OwnName && !s.HasInitials {
		senses = slices.Delete(senses, own, own+1)
		return senses, len(senses)
	}
	return senses, own
}
