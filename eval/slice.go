package eval

import (
	"math"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// Slice is a subset of the mentions that is measured separately. Slices overlap.
type Slice struct {
	Name     string
	Contains func(*GoldMention) bool // reports whether a mention is in the slice; not for concurrent use
}

// AllMentions returns the slice of all mentions.
func AllMentions() Slice {
	return Slice{"all mentions", func(*GoldMention) bool { return true }}
}

// Slices returns the slices of mentions by their relation to the dictionary:
//
//	seen surface form    the mention is a name in the dictionary, of any concept
//	unseen surface form  it is not
//	unseen concept       none of its concepts has a name in the dictionary
//	nameless concept     mentions among these with a concept in the dictionary
//	                     (no linker can find the others)
//	abbreviation         the document defines it as a short form, or it looks like an
//	                     acronym
//	ambiguous            it is a name of several concepts
//	composite            it names several concepts together
//	outside              it has no concept of the evaluated set
func Slices(v *DictionaryView) []Slice {
	named := func(id kb.ConceptID) bool { return v.Name(id) != "" }
	unseen := func(m *GoldMention) bool { return m.InSet() && !slices.ContainsFunc(m.Gold, named) }
	return []Slice{
		{"seen surface form", func(m *GoldMention) bool { return len(v.conceptsNamed(m.Query.Surface())) > 0 }},
		{"unseen surface form", func(m *GoldMention) bool { return len(v.conceptsNamed(m.Query.Surface())) == 0 }},
		{"unseen concept", unseen},
		{"nameless concept", v.isNameless},
		{"abbreviation", isAbbreviation()},
		{"ambiguous", func(m *GoldMention) bool { return len(v.conceptsNamed(m.Query.Surface())) > 1 }},
		{"composite", func(m *GoldMention) bool { return m.Query.Mention.Composite }},
		{"outside", func(m *GoldMention) bool { return !m.InSet() }},
	}
}

// WithoutContext returns the slice of mentions for whose concepts the exemplars of a model have no context.
func WithoutContext(contexts []text.Exemplar, set *ConceptSet) Slice {
	hasContext := make(map[kb.ConceptID]bool)
	for i := range contexts {
		for _, id := range contexts[i].Mention.Concepts {
			hasContext[set.Canonical(id)] = true
		}
	}
	return Slice{"without context", func(m *GoldMention) bool {
		return m.InSet() && !slices.ContainsFunc(m.Gold, func(id kb.ConceptID) bool { return hasContext[id] })
	}}
}

// SenseSlices returns the slices of gold with ambiguous short forms: mentions with a sense inside and outside the
// evaluated set, and mentions by the number of records that define the sense, without held-out ones. It returns nil if
// no mention has a [text.Sense].
func SenseSlices(gold *Gold) []Slice {
	if !slices.ContainsFunc(gold.Mentions, func(m GoldMention) bool { return m.Query.Mention.Sense != nil }) {
		return nil
	}
	all := []Slice{
		{"sense in the dictionary", func(m *GoldMention) bool { return m.Query.Mention.Sense != nil && m.InSet() }},
		{"sense outside it", func(m *GoldMention) bool { return m.Query.Mention.Sense != nil && !m.InSet() }},
	}
	for _, records := range []struct {
		name      string
		low, high int
	}{{"0 records", 0, 0}, {"1 to 2 records", 1, 2}, {"3 to 9 records", 3, 9}, {"10 to 99 records", 10, 99},
		{"100 or more records", 100, math.MaxInt}} {
		all = append(all, Slice{records.name, func(m *GoldMention) bool {
			s := m.Query.Mention.Sense
			return s != nil && records.low <= s.Records && s.Records <= records.high
		}})
	}
	return all
}

// AmbiguousShortForms returns the slice of mentions that are short forms with at least two long forms in the table of a
// corpus.
func AmbiguousShortForms(table mine.AbbreviationTable) Slice {
	return Slice{"ambiguous short form", func(m *GoldMention) bool { return len(table.Lookup(m.Query.Surface()).Long) > 1 }}
}

// isAbbreviation returns a function that reports whether a mention is an abbreviation. It searches a document for
// definitions once if the mentions of the document are adjacent.
func isAbbreviation() func(*GoldMention) bool {
	var doc *text.Document
	var definitions *abbrev.Expander // of doc
	return func(m *GoldMention) bool {
		q := &m.Query
		if normalize.LooksLikeAcronym(q.Surface()) {
			return true
		}
		if q.Document != doc {
			doc, definitions = q.Document, abbrev.NewExpander(q.Text)
		}
		_, ok := definitions.Expand(q.Surface(), q.Mention.Start)
		return ok
	}
}
