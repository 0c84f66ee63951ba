package mine

import (
	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/text"
)

// PatternExtractor extracts definitions of abbreviations and names in apposition. It implements [corpus.PairExtractor].
// The zero value is ready for use.
type PatternExtractor struct{}

// extractorVersion is the version of the patterns. Raise it when a change extracts different pairs from the same text.
const extractorVersion = "4"

// Fingerprint returns the version of the patterns.
func (PatternExtractor) Fingerprint() string { return extractorVersion }

// Extract appends the pairs of a text to dst, see [corpus.PairExtractor]. They are the definitions (kind
// "abbreviation") and the following patterns, in which one of A and B is a mention and the other a phrase:
//
//	A, also known as B    A is also called B    A (aka B)    kind "also known as"
//	A, formerly B         A (previously known as B)          kind "formerly"
//	A (B)                                                    kind "bracket", or "gloss" if B is the mention
//
// The mention is always the left side of the pair, whether it is A or B. The left side of an abbreviation is the short
// form.
func (PatternExtractor) Extract(dst []corpus.SynonymPair, body string, definitions []abbrev.Definition,
	mentions []text.Mention) []corpus.SynonymPair {
	for _, d := range definitions {
		dst = append(dst, corpus.SynonymPair{Kind: kindAbbreviation, Left: d.Short.Of(body), Right: d.Long.Of(body)})
	}
	if len(mentions) == 0 {
		return dst
	}
	x := newText(body, mentions)
	for _, m := range mentions {
		first, last, ok := x.of(m.Span)
		if !ok {
			continue
		}
		if kind, phrase, ok := x.appositionAfter(first, last); ok {
			dst = append(dst, corpus.SynonymPair{Kind: kind, Left: m.Of(body), Right: phrase.Of(body)})
		}
		if kind, phrase, ok := x.appositionBefore(first, last); ok {
			dst = append(dst, corpus.SynonymPair{Kind: kind, Left: m.Of(body), Right: phrase.Of(body)})
		}
	}
	return dst
}

// isSpaced reports whether a token follows white space.
func (x *textTokens) isSpaced(i int) bool { return x.tokens[i-1].End < x.tokens[i].Start }

// appositionAfter returns the phrase that follows a name in apposition, and the kind of the pair.
func (x *textTokens) appositionAfter(first, last int) (kind string, phrase text.Span, ok bool) {
	connector := last + 1
	at := connector
	switch class := x.class(connector); {
	case class == '(', class == '[', class == ',', x.is(connector, lang.Copulas):
		at++
	case class != word:
		return "", phrase, false
	}
	if kind, at, ok = x.cueAt(at); !ok {
		if x.class(connector) != '(' || !x.isSpaced(connector) { // V(T)
			return "", phrase, false
		}
		kind, at = kindBracket, connector+1
	}
	if !x.beginsPhrase(first) {
		return "", phrase, false
	}
	phrase, stop := x.phraseAfter(at)
	if ok = x.written(stop) != lang.And; kind == kindBracket { // "hereditary sensory and autonomic …"
		ok = x.class(stop) == ')'
	}
	return kind, phrase, ok && phrase.Len() > 0
}

// appositionBefore returns the phrase that precedes a name in apposition, and the kind of the pair.
func (x *textTokens) appositionBefore(first, last int) (kind string, phrase text.Span, ok bool) {
	stop, connector := last+1, first-1
	if x.class(stop) == word && !lang.FunctionWords[x.written(stop)] {
		return "", phrase, false // the noun phrase continues after the name
	}
	for x.class(connector) == quote || x.is(connector, lang.Determiners) {
		connector--
	}
	start := 0
	if x.class(connector) == '(' {
		phrase, start, ok = x.phraseBefore(connector)
		return kindGloss, phrase, ok && x.class(stop) == ')' && x.isSpaced(connector) && x.opensPhrase(start)
	}
	if kind, start, ok = x.cueBefore(connector + 1); !ok {
		return "", phrase, false
	}
	switch connector = start - 1; {
	case x.class(connector) == '(', x.class(connector) == '[', x.class(connector) == ',', x.is(connector, lang.Copulas):
		start = connector
	case x.class(connector) != word:
		return "", phrase, false
	}
	phrase, _, ok = x.phraseBefore(start)
	return kind, phrase, ok
}

// beginsPhrase reports whether a name is neither the end of a longer phrase nor the broader term in one ("a form of
// cancer").
func (x *textTokens) beginsPhrase(first int) bool {
	before := first - 1
	for x.class(before) == quote {
		before--
	}
	switch {
	case x.class(before) != word:
		return true
	case before < first-1 && x.tokens[before].End == x.tokens[before+1].Start:
		return false
	case x.written(before) == lang.Of:
		return !x.is(before-1, lang.KindNouns)
	}
	return x.is(before, lang.Determiners) || x.is(before, lang.FunctionWords) && !x.is(before, lang.Conjunctions)
}

const maxPhraseWords = 7

// phraseAfter returns the phrase that begins with token i, or an empty one, and the token that ends it.
func (x *textTokens) phraseAfter(i int) (phrase text.Span, stop int) {
	for x.class(i) == quote || x.is(i, lang.Determiners) {
		i++
	}
	first := i
	for ; x.class(i) == word && !lang.FunctionWords[x.written(i)]; i++ {
		if i == first+maxPhraseWords {
			return phrase, i
		}
	}
	if i > first {
		phrase = text.Span{Start: x.tokens[first].Start, End: x.tokens[i-1].End}
	}
	if x.class(i) == quote {
		i++
	}
	return phrase, i
}

// phraseBefore returns the phrase that ends before token i, and its first token. It returns false if the phrase is
// empty or the end of a longer one.
func (x *textTokens) phraseBefore(i int) (phrase text.Span, first int, ok bool) {
	if x.class(i-1) == quote {
		i--
	}
	first = i
	for x.class(first-1) == word && !x.is(first-1, lang.FunctionWords) &&
		(!x.is(first-1, lang.Determiners) || x.written(first-2) == lang.Of) {
		if first == i-maxPhraseWords {
			return phrase, first, false
		}
		first--
	}
	if first == i || x.is(first-1, lang.Continuers) {
		return phrase, first, false
	}
	return text.Span{Start: x.tokens[first].Start, End: x.tokens[i-1].End}, first, true
}

// opensPhrase reports whether the words before a phrase show that it begins there and is not the end of a longer one,
// such as "problems with coordination (ataxia)" or "blood in the urine (hematuria)".
func (x *textTokens) opensPhrase(first int) bool {
	before := first - 1
	if x.is(before, lang.Determiners) {
		return !x.is(before-1, lang.Prepositions)
	}
	return x.class(before) != word || x.is(before, lang.Openers)
}
