package mine

import (
	"context"
	"slices"

	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
)

// DefinitionCounts counts the long forms by which the records of a corpus define each short form, and looks up their
// meaning in a dictionary. It is not safe for concurrent use.
type DefinitionCounts struct {
	table     AbbreviationTable
	collector synonymCollector // of the dictionary, without any findings
	means     map[meaning]bool // caches resemblesNames, which is slow
}

// meaning is a long form and a concept, given by its index in the dictionary, that it may mean.
type meaning struct {
	long    string
	concept int
}

// CountDefinitions counts the pairs of kind "abbreviation", which may come in any order.
func CountDefinitions(pairs []corpus.SynonymPairCount, d *kb.Dictionary) *DefinitionCounts {
	return &DefinitionCounts{
		table:     NewAbbreviationTable(pairs),
		collector: synonymCollector{names: lexical.NewKeyIndex(context.Background(), d, variantKey), dict: d},
		means:     make(map[meaning]bool),
	}
}

const (
	// minDefiningRecords is the minimum number of records that must define a short form before its senses are judged.
	minDefiningRecords = 3
	// nearCertain is the minimum share of a short form's defining records that must mean one of the concepts, for a
	// mention that its own record does not define.
	nearCertain = .95
)

// MayMean reports whether a mention with the text surface, which its record does not define, may be taken for one of
// the concepts. It may if surface does not look like a short form, if fewer than three records of the corpus define it,
// or if 95 % of those that do define it by a name of one of the concepts or a long form that resembles its names.
func (c *DefinitionCounts) MayMean(surface string, concepts []kb.ConceptID) bool {
	if !normalize.LooksLikeShortForm(surface) {
		return true
	}
	records, agreeing := 0, 0
	for _, l := range c.table.Lookup(surface).Long {
		records += l.Count
		if c.meansOneOf(l.Text, concepts) {
			agreeing += l.Count
		}
	}
	return records < minDefiningRecords || float64(agreeing) >= nearCertain*float64(records)
}

// meansOneOf reports whether a long form is a name of one of the concepts, or resembles the names of one and is not a
// name of another concept.
func (c *DefinitionCounts) meansOneOf(long string, concepts []kb.ConceptID) bool {
	for _, id := range concepts {
		i, known := c.collector.dict.Index(id)
		if !known {
			continue
		}
		key := meaning{long, i}
		yes, known := c.means[key]
		if !known {
			named := c.collector.names.Lookup(long)
			yes = slices.Contains(named, c.collector.dict.At(i).ID) || len(named) == 0 && c.collector.resemblesNames(long, i)
			c.means[key] = yes
		}
		if yes {
			return true
		}
	}
	return false
}
