package papers

import (
	"context"

	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// mostFrequentSenseLinker links a short form to the sense that most records of a corpus define, regardless of the
// context: a concept, or NIL if the sense is not in the dictionary. A mention that is not a short form in the corpus is
// linked by its name, as in an exact linker. It is a baseline for linkers that use the context.
type mostFrequentSenseLinker struct {
	inventory *sense.Inventory
	names     *exactLinker
}

// NewMostFrequentSenseLinker returns the linker for the senses in a model's corpus and its dictionary's names.
func NewMostFrequentSenseLinker(m *model.Model) link.Linker {
	return &mostFrequentSenseLinker{m.Inventory(), newExact(m.DictionaryIndexes(), false)}
}

// Name implements [link.Linker].
func (x *mostFrequentSenseLinker) Name() string { return "most-frequent-sense" }

// Link implements [link.Linker]. The probability of a sense is its share of the records that define the form, divided by
// the number of concepts that have the long form as a name.
func (x *mostFrequentSenseLinker) Link(ctx context.Context, queries []text.Query, k int) ([]link.Ranking, error) {
	results, err := x.names.Link(ctx, queries, k)
	for i := range results {
		senses, total := x.inventory.Senses(queries[i].Surface()), 0
		for _, s := range senses {
			total += s.Records
		}
		if total == 0 {
			continue
		}
		results[i] = link.Ranking{}
		first := &senses[0] // the most frequent
		share := float64(first.Records) / float64(total)
		for _, concept := range first.Concepts[:min(k, len(first.Concepts))] {
			results[i].Candidates = append(results[i].Candidates, linked.Candidate{
				Concept: concept, Score: share, Probability: share / float64(len(first.Concepts)),
			})
		}
	}
	return results, err
}
