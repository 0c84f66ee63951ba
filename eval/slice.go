package eval

import (
	"slices"
	"strings"
	"unicode"

	"ctxnorm"
	"ctxnorm/matcher"
)

// Slice is a kind of mention that is counted apart. Slices overlap.
type Slice struct {
	Name string
	Has  func(*Item) bool // not for concurrent use
}

// AllMentions is the slice that leaves nothing out.
func AllMentions() Slice {
	return Slice{"all mentions", func(*Item) bool { return true }}
}

// Slices are the kinds of mention by what the dictionary knows of them:
//
//	seen wording      the mention is a name of the dictionary, of whatever concept
//	unseen wording    it is none
//	unseen concept    none of its concepts has a name in the dictionary
//	nameless concept  one of those stands in the dictionary all the same (the
//	                  others of "unseen concept" no linker can find)
//	abbreviation      it holds a short form that the document defines, or looks
//	                  like an acronym
//	ambiguous         it is a name of several concepts
//	composite         it names several concepts together
//	outside           it names no concept of the evaluated set
func Slices(k *Known) []Slice {
	named := func(id ctxnorm.ConceptID) bool { return k.Name(id) != "" }
	unseen := func(item *Item) bool { return item.InSet() && !slices.ContainsFunc(item.Gold, named) }
	return []Slice{
		{"seen wording", func(item *Item) bool { return len(k.Owners(item.Query.Surface())) > 0 }},
		{"unseen wording", func(item *Item) bool { return len(k.Owners(item.Query.Surface())) == 0 }},
		{"unseen concept", unseen},
		{"nameless concept", func(item *Item) bool { return isNameless(item, k) }},
		{"abbreviation", isAbbreviation()},
		{"ambiguous", func(item *Item) bool { return len(k.Owners(item.Query.Surface())) > 1 }},
		{"composite", func(item *Item) bool { return item.Query.Mention.Composite }},
		{"outside", func(item *Item) bool { return !item.InSet() }},
	}
}

// WithoutContext is the slice of mentions none of whose concepts has a context
// among the exemplars of a model.
func WithoutContext(contexts []ctxnorm.Exemplar, ids *IDs) Slice {
	seen := make(map[ctxnorm.ConceptID]bool)
	for i := range contexts {
		for _, id := range contexts[i].Mention.Concepts {
			seen[ids.Canonical(id)] = true
		}
	}
	return Slice{"without context", func(item *Item) bool {
		return item.InSet() && !slices.ContainsFunc(item.Gold, func(id ctxnorm.ConceptID) bool { return seen[id] })
	}}
}

// isAbbreviation reads the definitions of a document once.
func isAbbreviation() func(*Item) bool {
	var doc *ctxnorm.Document
	var defined *matcher.Expander
	return func(item *Item) bool {
		q := &item.Query
		if looksLikeAcronym(q.Surface()) {
			return true
		}
		if q.Document != doc { // items of a document follow each other
			doc, defined = q.Document, matcher.NewExpander(q.Text)
		}
		_, ok := defined.Expand(q.Surface())
		return ok
	}
}

// looksLikeAcronym reports whether a mention is one word of 2 to 10 letters and
// digits, at least two of them capitals and at least half of the letters: AIDS,
// TdP, MODY2, CL/P, but not Gout.
func looksLikeAcronym(surface string) bool {
	const longest = 10
	if strings.ContainsFunc(surface, unicode.IsSpace) {
		return false
	}
	upper, letters, signs := 0, 0, 0
	for _, r := range surface {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			signs++
		}
		if unicode.IsLetter(r) {
			letters++
		}
		if unicode.IsUpper(r) {
			upper++
		}
	}
	return signs <= longest && upper >= 2 && 2*upper >= letters
}
