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

// Slice is a subset of the mentions that is measured on its own. Slices overlap.
type Slice struct {
	Name     string
	Contains func(*GoldMention) bool // reports whether a mention is in the slice; not for concurrent use
}

// AllMentions returns the slice of all mentions.
func AllMentions() Slice {
	return Slice{"all mentions", func(*GoldMention) bool { return true }}
}

// Slices returns the slices by what the dictionary has of a mention:
//
//	seen surface form    the mention is a name in the dictionary, of any concept
//	unseen surface form  it is not
//	unseen concept       none of its concepts has a name in the dictionary
//	nameless concept     of those, mentions with a concept that is in the dictionary
//	                     (no linker can find the other ones)
//	abbreviation         the document defines it as a short form, or it looks like an
//	                     acronym
//	ambiguous            it is a name of several concepts
//	composite            it names several concepts together
//	outside              it names no concept of the evaluated set
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

// WithoutContext returns the slice of mentions none of whose concepts has a context among the exemplars of a model.
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

// SenseSlices returns the slices of gold of ambiguous short forms, nil if no mention has a
// [text.Sense]: mentions whose sense is a concept of the evaluated set, and those whose sense is
// none; and mentions by the number of records that define the sense, held-out ones not counted.
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

// AmbiguousShortForms returns the slice of mentions that are a short form with at least two long
// forms in the table of a corpus.
func AmbiguousShortForms(table mine.AbbreviationTable) Slice {
	return Slice{"ambiguous short form", func(m *GoldMention) bool { return len(table.Lookup(m.Query.Surface()).Long) > 1 }}
}

// isAbbreviation returns a function that reports whether a mention is an abbreviation. It searches a document for
// definitions once if the mentions of the document follow each other.
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
