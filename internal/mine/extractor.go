package mine

import (
	"strings"

	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/text"
)

// PatternExtractor extracts definitions of abbreviations and names in apposition. It
// implements [corpus.PairExtractor]. The zero value is ready for use.
type PatternExtractor struct{}

// extractorVersion is the version of the patterns. Raise it when a change extracts
// other pairs from the same text.
const extractorVersion = "3"

// Fingerprint returns the version of the patterns.
func (PatternExtractor) Fingerprint() string { return extractorVersion }

// Extract appends the pairs of a text to dst, see [corpus.PairExtractor]. They are the
// definitions (kind "abbreviation"), and these patterns, in which one of A and B is a
// mention and the other a phrase:
//
//	A, also known as B    A is also called B    A (aka B)    kind "also known as"
//	A, formerly B         A (previously known as B)          kind "formerly"
//	A, or B,                                                 kind "or"
//	A (B)                                                    kind "bracket", or "gloss" if B is the mention
//
// The mention is the left side of the pair, whichever of A and B it is. Of an
// abbreviation, the left side is the short form.
func (PatternExtractor) Extract(dst []corpus.SynonymPair, body string, definitions []abbrev.Definition,
	mentions []text.Mention) []corpus.SynonymPair {
	for _, d := range definitions {
		dst = append(dst, corpus.SynonymPair{Kind: kindAbbreviation, Left: d.Short.Of(body), Right: d.Long.Of(body)})
	}
	for _, m := range mentions {
		if kind, other, ok := appositionAfter(body, m.Span); ok {
			dst = append(dst, corpus.SynonymPair{Kind: kind, Left: m.Of(body), Right: other.Of(body)})
		}
		if kind, other, ok := appositionBefore(body, m.Span); ok {
			dst = append(dst, corpus.SynonymPair{Kind: kind, Left: m.Of(body), Right: other.Of(body)})
		}
	}
	return dst
}

// appositionAfter returns the phrase that follows a name in apposition, and the kind of
// the pair.
func appositionAfter(body string, name text.Span) (kind string, phrase text.Span, ok bool) {
	connector := nextToken(body, name.End)
	at := name.End
	switch {
	case connector.class == '(', connector.class == '[', connector.class == ',',
		isWordIn(body, connector, lang.Copulas):
		at = connector.End
	case connector.class != word:
		return "", phrase, false
	}
	if connector.class == word && connector.Start == name.End { // "gout-like"
		return "", phrase, false
	}
	kind, at, ok = cueAt(body, at)
	if !ok {
		inside := nextToken(body, connector.End)
		switch {
		case connector.class == ',' && inside.Of(body) == lang.Or && beginsSentence(body, name.Start):
			kind, at = kindOr, inside.End
		case connector.class == '(' && connector.Start > name.End: // unlike V(T)
			kind, at = kindBracket, connector.End
		default:
			return "", phrase, false
		}
	}
	if !beginsPhrase(body, name.Start) {
		return "", phrase, false
	}
	phrase, stop := phraseAfter(body, at)
	switch kind {
	case kindOr:
		ok = stop.class == ','
	case kindBracket:
		ok = stop.class == ')'
	default:
		ok = stop.Of(body) != lang.And // "hereditary sensory and autonomic …"
	}
	return kind, phrase, ok && phrase.Len() > 0
}

// appositionBefore returns the phrase that precedes a name in apposition, and the kind
// of the pair.
func appositionBefore(body string, name text.Span) (kind string, phrase text.Span, ok bool) {
	stop := nextToken(body, name.End)
	if stop.class == word && (stop.Start == name.End || !lang.FunctionWords[stop.Of(body)]) {
		return "", phrase, false // the noun phrase continues after the name
	}
	connector := previousToken(body, name.Start)
	if connector.End == name.Start && connector.class == word { // "non-gout"
		return "", phrase, false
	}
	for connector.class == quote || isWordIn(body, connector, lang.Determiners) {
		connector = previousToken(body, connector.Start)
	}
	switch {
	case connector.class == '(':
		spaced := previousToken(body, connector.Start).End < connector.Start // unlike V(T)
		kind, phrase, ok = phraseUpTo(body, kindGloss, connector.Start, stop.class == ')' && spaced)
		return kind, phrase, ok && opensPhrase(body, phrase.Start)
	case connector.class == word && connector.Of(body) == lang.Or:
		comma := previousToken(body, connector.Start)
		kind, phrase, ok = phraseUpTo(body, kindOr, comma.Start, comma.class == ',' && stop.class == ',')
		return kind, phrase, ok && beginsSentence(body, phrase.Start)
	}
	kind, start, ok := cueBefore(body, connector.End)
	if !ok {
		return "", phrase, false
	}
	switch connector = previousToken(body, start); {
	case connector.class == '(', connector.class == '[', connector.class == ',',
		isWordIn(body, connector, lang.Copulas):
		return phraseUpTo(body, kind, connector.Start, true)
	}
	return phraseUpTo(body, kind, start, connector.class == word)
}

// phraseUpTo returns kind and the phrase before body[at]. It reports whether ok is set
// and the phrase is neither empty nor the end of a longer one.
func phraseUpTo(body, kind string, at int, ok bool) (string, text.Span, bool) {
	if !ok {
		return "", text.Span{}, false
	}
	phrase := phraseBefore(body, at)
	return kind, phrase, phrase.Len() > 0 && !isWordIn(body, previousToken(body, phrase.Start), lang.Continuers)
}

// isWordIn reports whether a token is a word of a set. Case does not count.
func isWordIn(body string, t token, set map[string]bool) bool {
	return t.class == word && set[strings.ToLower(t.Of(body))]
}

// beginsSentence reports whether a phrase at body[at] begins its sentence. A determiner
// may precede it.
func beginsSentence(body string, at int) bool {
	t := previousToken(body, at)
	if isWordIn(body, t, lang.Determiners) {
		t = previousToken(body, t.Start)
	}
	return t.class == 0 || t.class == '.'
}

// beginsPhrase reports whether a name at body[at] is neither the end of a longer phrase
// nor the broader term in one ("a form of cancer").
func beginsPhrase(body string, at int) bool {
	t := previousToken(body, at)
	switch {
	case t.class == quote:
		return beginsPhrase(body, t.Start)
	case t.class != word:
		return true
	case t.End == at: // "non-gout"
		return false
	case t.Of(body) == lang.Of:
		return !isWordIn(body, previousToken(body, t.Start), lang.KindNouns)
	}
	return isWordIn(body, t, lang.Determiners) ||
		isWordIn(body, t, lang.FunctionWords) && !isWordIn(body, t, lang.Conjunctions)
}

const maxPhraseWords = 7

// phraseAfter returns the phrase that begins after body[at], and the token that ends
// it. The phrase is empty if there is none.
func phraseAfter(body string, at int) (phrase text.Span, stop token) {
	t := nextToken(body, at)
	for t.class == quote || isWordIn(body, t, lang.Determiners) {
		t = nextToken(body, t.End)
	}
	phrase = text.Span{Start: t.Start, End: t.Start}
	for words := 0; t.class == word && !lang.FunctionWords[t.Of(body)]; words++ {
		if words == maxPhraseWords {
			return text.Span{}, t
		}
		phrase.End = t.End
		t = nextToken(body, t.End)
	}
	if t.class == quote {
		t = nextToken(body, t.End)
	}
	return phrase, t
}

// phraseBefore returns the phrase that ends before body[at], empty if there is none.
func phraseBefore(body string, at int) text.Span {
	t := previousToken(body, at)
	if t.class == quote {
		t = previousToken(body, t.Start)
	}
	phrase := text.Span{Start: t.End, End: t.End}
	for words := 0; t.class == word && !isWordIn(body, t, lang.FunctionWords); words++ {
		if isWordIn(body, t, lang.Determiners) && previousToken(body, t.Start).Of(body) != lang.Of {
			return phrase
		}
		if words == maxPhraseWords {
			return text.Span{}
		}
		phrase.Start = t.Start
		t = previousToken(body, t.Start)
	}
	return phrase
}

// opensPhrase reports whether the words before a phrase at body[at] show that the
// phrase begins there, and is not the end of a longer one such as "problems with
// coordination (ataxia)" or "blood in the urine (hematuria)".
func opensPhrase(body string, at int) bool {
	t := previousToken(body, at)
	if isWordIn(body, t, lang.Determiners) {
		t = previousToken(body, t.Start)
		return !isWordIn(body, t, lang.Prepositions)
	}
	return t.class != word || isWordIn(body, t, lang.Openers)
}
