package mine

import "github.com/ctxnorm/ctxnorm/internal/language"

// The kinds of pairs that a [PatternExtractor] finds.
const (
	kindAbbreviation = "abbreviation"  // left is the short form, right the long form
	kindAlsoKnownAs  = "also known as" // one is another name of the other
	kindFormerly     = "formerly"      // one of them is an old name
	kindBracket      = "bracket"       // "left (right)"; right may be a remark
	kindGloss        = "gloss"         // "right (left)"
)

var lang = &language.Rules.Synonyms

// maxCueWords is the number of words in the longest cue: "now commonly referred to as".
const maxCueWords = 5

// cueAt returns the kind of the cue that begins with token i, and the index of the token after it.
func (x *textTokens) cueAt(i int) (kind string, end int, ok bool) {
	start := i
	if x.is(i, lang.StandaloneCues) {
		if x.class(i+1) == ':' {
			i++
		}
		return kindAlsoKnownAs, i + 1, true
	}
	for ; i < start+2; i++ {
		switch {
		case x.is(i, lang.FormerAdverbs):
			kind = kindFormerly
		case x.is(i, lang.SameAdverbs) && kind == "":
			kind = kindAlsoKnownAs
		}
		if !x.is(i, lang.FormerAdverbs) && !x.is(i, lang.SameAdverbs) && !x.is(i, lang.DegreeAdverbs) {
			break
		}
		if x.is(i, lang.StandaloneAdverbs) {
			end = i + 1
		}
	}
	rest, known := lang.CueVerbs[x.written(i)]
	switch {
	case kind == "":
		return "", 0, false
	case !known:
		return kind, end, i == start+1 && end > 0 && x.class(start-1) == '('
	}
	i++
	for _, want := range rest {
		if x.written(i) != want {
			return "", 0, false
		}
		i++
	}
	return kind, i, true
}

// cueBefore returns the kind and the first token of the longest cue that ends before token i, so that "now commonly
// called" is not mistaken for "commonly called".
func (x *textTokens) cueBefore(i int) (kind string, start int, ok bool) {
	for at := i - 1; at >= i-maxCueWords && (x.class(at) == word || x.class(at) == ':'); at-- {
		if k, end, found := x.cueAt(at); found && end >= i {
			kind, start, ok = k, at, true
		}
	}
	return kind, start, ok
}
