package link

import (
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// ExcludedByCase reports whether none of the names of a concept that are most like the mention may be meant, since the
// mention has small letters where they have capitals: see [normalize.HasCapitalsOf].
func ExcludedByCase(concept *kb.Concept, surface string) bool {
	names := matchedNames(concept, appendTrigrams(nil, normalize.Normal(surface)))
	return len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool {
		return normalize.HasCapitalsOf(name, surface)
	})
}

// WithoutOtherCase removes the names that a tagger found in a document where their case excludes all of their concepts.
// Short forms that the document defines stay.
func WithoutOtherCase(doc *text.Document, dict *kb.Dictionary) {
	doc.Mentions = slices.DeleteFunc(doc.Mentions, func(m text.Mention) bool {
		surface := m.Of(doc.Text)
		return m.LongForm == "" && len(m.Concepts) > 0 && !slices.ContainsFunc(m.Concepts, func(id kb.ConceptID) bool {
			return !ExcludedByCase(dict.Lookup(id), surface)
		})
	})
}
