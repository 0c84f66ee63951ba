package link

import (
	"cmp"
	"context"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// NameCandidates sets the names of the candidates of mentions, and of their broader concepts, from the dictionary.
func NameCandidates(ctx context.Context, mentions []linked.Mention, dict *kb.Dictionary) error {
	return parallel.For(ctx, len(mentions), 0, func(i int) {
		m := &mentions[i]
		setNames(cmp.Or(m.ResolvedText, m.Text), m.Broader, dict, m.Candidates, m.Suggested)
		for _, sub := range m.SubMentions {
			setNames(sub.Text, sub.Broader, dict, sub.Candidates, sub.Suggested)
		}
	})
}

// CrossReference adds the dictionary's identifiers in other vocabularies to the candidates of mentions.
func CrossReference(mentions []linked.Mention, dict *kb.Dictionary) {
	add := func(candidates []linked.Candidate) {
		for i := range candidates {
			if concept := dict.Lookup(candidates[i].Concept); concept != nil {
				candidates[i].Xrefs = concept.Xrefs
			}
		}
	}
	for i := range mentions {
		add(mentions[i].Candidates)
		for _, sub := range mentions[i].SubMentions {
			add(sub.Candidates)
		}
	}
}

// setNames sets the names of the candidates in lists and of broader, which may be nil, for a mention that is read as
// surface.
func setNames(surface string, broader *linked.Broader, dict *kb.Dictionary, lists ...[]linked.Candidate) {
	if broader != nil {
		broader.Name = nameOf(broader.Concept, dict.Lookup(broader.Concept))
	}
	wanted := trigramsOf(surface)
	for _, candidates := range lists {
		for i := range candidates {
			c := &candidates[i]
			concept := dict.Lookup(c.Concept)
			c.Name = nameOf(c.Concept, concept)
			c.MatchedName = c.Name
			if names := matchedNames(concept, wanted); len(names) > 0 {
				c.MatchedName = names[0]
			}
		}
	}
}

// nameOf returns the preferred name of a concept, or id if concept is nil.
func nameOf(id kb.ConceptID, concept *kb.Concept) string {
	if concept == nil {
		return string(id)
	}
	return concept.PreferredName()
}

// matchedNames returns the names of a concept that are most similar to the mention with the trigrams wanted: names with
// the same normal form, or else those that share most of its trigrams. It returns nil if the concept has no name.
func matchedNames(concept *kb.Concept, wanted []trigram) []string {
	if concept == nil {
		return nil
	}
	best := -1.
	var matched []string
	for _, name := range concept.Names() {
		likeness := dice(wanted, trigramsOf(name))
		if likeness > best {
			best, matched = likeness, matched[:0]
		}
		if likeness == best {
			matched = append(matched, name)
		}
	}
	return matched
}

// trigram packs three characters of 21 bits each, the size of a code point.
type trigram uint64

// trigramsOf returns the sequences of three characters of a normalized text with a space at either end, sorted.
func trigramsOf(s string) []trigram {
	runes := []rune(" " + normalize.Normal(s) + " ")
	grams := make([]trigram, len(runes)-2)
	for i := range grams {
		grams[i] = trigram(runes[i])<<42 | trigram(runes[i+1])<<21 | trigram(runes[i+2])
	}
	slices.Sort(grams)
	return grams
}

// dice returns Dice's coefficient of two ascending lists: twice the number of common elements, divided by the number of
// all.
func dice(a, b []trigram) float64 {
	if len(a)+len(b) == 0 {
		return 1
	}
	both, all := 0, len(a)+len(b)
	for len(a) > 0 && len(b) > 0 {
		switch first := min(a[0], b[0]); {
		case b[0] > first:
			a = a[1:]
		case a[0] > first:
			b = b[1:]
		default:
			both, a, b = both+1, a[1:], b[1:]
		}
	}
	return 2 * float64(both) / float64(all)
}

// ExcludedByCase reports whether letter case rules out all names of a concept that are most similar to the mention,
// because the mention has small letters where they have capitals: see [normalize.HasCapitalsOf].
func ExcludedByCase(concept *kb.Concept, surface string) bool {
	names := matchedNames(concept, trigramsOf(surface))
	return len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool {
		return normalize.HasCapitalsOf(name, surface)
	})
}

// WithoutOtherCase removes the names in a document for which letter case rules out all of their concepts. It keeps
// short forms that the document defines.
func WithoutOtherCase(doc *text.Document, dict *kb.Dictionary) {
	doc.Mentions = slices.DeleteFunc(doc.Mentions, func(m text.Mention) bool {
		surface := m.Of(doc.Text)
		return m.LongForm == "" && len(m.Concepts) > 0 && !slices.ContainsFunc(m.Concepts, func(id kb.ConceptID) bool {
			return !ExcludedByCase(dict.Lookup(id), surface)
		})
	})
}
