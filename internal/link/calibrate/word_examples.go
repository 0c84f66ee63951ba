package calibrate

import (
	"context"
	"fmt"

	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

const (
	// wordQueries is the most contexts of one-word names that the weights of their contexts
	// are learned from.
	wordQueries = 800
	// ordinaryPrior is the share of mentions of such a word that are taken not to mean the
	// concept, as the weights are learned: that of the texts to be linked is not known.
	ordinaryPrior = .35
)

// learnFit learns how the context of a word looks in which it means what the dictionary
// says: from mentions of one word that is a name, each in its own context, and in the
// context of something outside the dictionary, where it is taken not to mean its concept.
// (Contexts of other concepts were tried in place of these. They teach that a disease does
// not occur where another one does, but side effects and comorbidities do.) The exemplars of
// the context's document do not count as evidence. It returns nil if there are too few.
func learnFit(ctx context.Context, m *model.Model, seed uint64) (map[string]float64, error) {
	rows, err := wordRows(m, seed)
	if err != nil || len(rows) < minSenseQueries {
		return nil, err
	}
	contexts, err := m.Contexts.Exemplars()
	if err != nil {
		return nil, err
	}
	outside := outsideRows(contexts, len(rows), seed)
	if len(outside) == 0 {
		return nil, nil
	}
	var queries []text.Query
	for i, row := range rows {
		own, other := &contexts[row], &contexts[outside[i%len(outside)]]
		queries = append(queries, own.Query, other.WithSurface(own.Surface()))
	}
	names, err := link.NewNameIndex(m, nil, true)
	if err != nil {
		return nil, err
	}
	generator := names.Generator(link.GeneratorOptions{Components: link.AllComponents, Own: documentRows(contexts)})
	fits, err := generator.ContextFits(ctx, queries)
	if err != nil {
		return nil, err
	}
	var examples []logisticExample
	for i, fit := range fits {
		e := logisticExample{fit, 1, 2 * (1 - ordinaryPrior)}
		if i%2 == 1 {
			e.y, e.weight = 0, 2*ordinaryPrior
		}
		if fit != nil {
			examples = append(examples, e)
		}
	}
	start, keep := link.StartFitWeights()
	w, err := fitLogistic(examples, start, keep)
	if err != nil {
		return nil, fmt.Errorf("learning the fit weights: %w", err)
	}
	return link.FitFeatures.ByName(w), nil
}

// outsideRows returns a sample, by hash, of at most n contexts of senses outside the
// dictionary.
func outsideRows(contexts []text.Exemplar, n int, seed uint64) []int {
	var rows []int
	for _, row := range hashedRows(contexts, seed, "outside") {
		if len(rows) < n && len(contexts[row].Mention.Concepts) == 0 {
			rows = append(rows, row)
		}
	}
	return rows
}

// documentRows returns the rows of the contexts of each document, ascending.
func documentRows(contexts []text.Exemplar) map[string][]int32 {
	rows := make(map[string][]int32)
	for row := range contexts {
		rows[contexts[row].ID] = append(rows[contexts[row].ID], int32(row))
	}
	return rows
}

// wordRows returns a sample, by hash, of the contexts in which a name of one word stands
// that is no short form, at most queriesPerName of each name.
func wordRows(m *model.Model, seed uint64) ([]int, error) {
	contexts, err := m.Contexts.Exemplars()
	if err != nil {
		return nil, err
	}
	taken := make(map[string]int)
	var rows []int
	for _, row := range hashedRows(contexts, seed, "word") {
		ex := &contexts[row]
		surface := ex.Surface()
		if ex.Mention.LongForm != "" || len(ex.Mention.Concepts) != 1 || normalize.LooksLikeShortForm(surface) ||
			len(normalize.ContentWords(surface)) != 1 || len(ex.Text) == len(surface) {
			continue
		}
		if name := ex.Mention.Name; taken[name] < queriesPerName && len(rows) < wordQueries {
			taken[name]++
			rows = append(rows, row)
		}
	}
	return rows, nil
}
