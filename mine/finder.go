package mine

import (
	"ctxnorm"
	"ctxnorm/corpus"
	"ctxnorm/matcher"
)

// Finder finds definitions of abbreviations and names in apposition. It is the
// [corpus.Miner] of a corpus.
type Finder struct{}

// finderVersion is raised when other pairs are found in the same text.
const finderVersion = "3"

// Fingerprint is the version of the patterns.
func (Finder) Fingerprint() string { return finderVersion }

// Mine appends the pairs of text, see [corpus.Miner]. Beside the definitions of
// [matcher.Abbreviations] these are the patterns, where one side is a mention and
// the other a phrase:
//
//	A, also known as B    A is also called B    A (aka B)    kind AlsoKnownAs
//	A, formerly B         A (previously known as B)          kind Formerly
//	A, or B,                                                 kind Or
//	A (B)                                                    kind Bracket, or Gloss if B is the mention
//
// The mention is the left side of the pair whichever of A and B it is.
func (Finder) Mine(dst []corpus.Pair, text string, mentions []ctxnorm.Mention) []corpus.Pair {
	for _, a := range matcher.Abbreviations(text) {
		dst = append(dst, corpus.Pair{Kind: Abbreviation, Left: a.Short.Of(text), Right: a.Long.Of(text)})
	}
	for _, m := range mentions {
		if kind, other, ok := after(text, m.Span); ok {
			dst = append(dst, corpus.Pair{Kind: kind, Left: m.Of(text), Right: other.Of(text)})
		}
		if kind, other, ok := before(text, m.Span); ok {
			dst = append(dst, corpus.Pair{Kind: kind, Left: m.Of(text), Right: other.Of(text)})
		}
	}
	return dst
}
