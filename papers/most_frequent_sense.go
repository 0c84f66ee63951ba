package papers

import (
	"cmp"
	"context"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// mostFrequentSenseLinker links a short form to the sense that most records of a corpus define, regardless of the
// context: a concept, or NIL if the sense is not in the dictionary. Long forms that name the same concepts are one
// sense. A mention that is not a short form in the corpus is linked by its name, as in an exact linker. It is a
// baseline for linkers that use the context.
type mostFrequentSenseLinker struct {
	table mine.AbbreviationTable
	names *exactLinker
}

// NewMostFrequentSenseLinker returns the linker for a corpus's short forms and a dictionary's names.
func NewMostFrequentSenseLinker(table mine.AbbreviationTable,
	names *model.DictionaryIndexes) link.Linker {
	return &mostFrequentSenseLinker{table, newExact(names, false)}
}

// Name implements [link.Linker].
func (x *mostFrequentSenseLinker) Name() string { return "most-frequent-sense" }

// Link implements [link.Linker]. The probability of a sense is its share of the records in the table, divided by the
// number of concepts that have the long form as a name.
func (x *mostFrequentSenseLinker) Link(ctx context.Context, queries []text.Query, k int) ([]link.Ranking, error) {
	results, err := x.names.Link(ctx, queries, k)
	for i := range results {
		if long := x.table.Lookup(queries[i].Surface()).Long; len(long) > 0 {
			results[i] = link.Ranking{Candidates: x.mostFrequent(long, k)}
		}
	}
	return results, err
}

// mostFrequent returns the concepts of the sense with the most records, or nil for NIL. If several senses have the same
// number of records, it takes the one whose first long form comes first.
func (x *mostFrequentSenseLinker) mostFrequent(long []mine.LongForm, k int) []linked.Candidate {
	type sense struct {
		concepts []kb.ConceptID
		records  int
	}
	var senses []sense
	total, at := 0, make(map[kb.ConceptID]int) // at: of each sense among senses, by the first concept
	for _, l := range long {
		total += l.Count
		concepts := x.names.names.Lookup(l.Text)
		if len(concepts) > 0 {
			if i, known := at[concepts[0]]; known {
				senses[i].records += l.Count
				continue
			}
			at[concepts[0]] = len(senses)
		}
		senses = append(senses, sense{concepts, l.Count})
	}
	best := slices.MaxFunc(senses, func(a, b sense) int { return cmp.Compare(a.records, b.records) })
	var candidates []linked.Candidate
	share := float64(best.records) / float64(total)
	for _, concept := range best.concepts[:min(k, len(best.concepts))] {
		candidates = append(candidates, linked.Candidate{Concept: concept, Score: share,
			Probability: share / float64(len(best.concepts))})
	}
	return candidates
}
