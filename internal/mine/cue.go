package mine

import (
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/language"
)

// The kinds of pairs that a [PatternExtractor] finds.
const (
	kindAbbreviation = "abbreviation"  // left is the short form, right the long form
	kindAlsoKnownAs  = "also known as" // one is another name of the other
	kindFormerly     = "formerly"      // one of them is a name no longer in use
	kindOr           = "or"            // "left, or right, is"
	kindBracket      = "bracket"       // "left (right)"; right may be a remark
	kindGloss        = "gloss"         // "right (left)"
)

var lang = &language.Rules.Synonyms

// maxCueWords is the number of words in the longest cue: "now commonly referred to as".
const maxCueWords = 5

// cueAt returns the kind and the end of the cue that begins at body[at], after any
// white space there.
func cueAt(body string, at int) (kind string, end int, ok bool) {
	t := nextToken(body, at)
	first := strings.ToLower(t.Of(body))
	if lang.StandaloneCues[first] {
		if colon := nextToken(body, t.End); colon.class == ':' {
			t = colon
		}
		return kindAlsoKnownAs, t.End, true
	}
	adverbs := 0
	for ; adverbs < 2; adverbs++ {
		adverb := strings.ToLower(t.Of(body))
		if lang.FormerAdverbs[adverb] {
			kind = kindFormerly
		} else if lang.SameAdverbs[adverb] && kind == "" {
			kind = kindAlsoKnownAs
		} else if !lang.SameAdverbs[adverb] && !lang.DegreeAdverbs[adverb] {
			break
		}
		if lang.StandaloneAdverbs[adverb] {
			end = t.End
		}
		t = nextToken(body, t.End)
	}
	if kind == "" {
		return "", 0, false
	}
	rest, known := lang.CueVerbs[t.Of(body)]
	if !known {
		return kind, end, adverbs == 1 && end > 0 && previousToken(body, at).class == '('
	}
	end = t.End
	for _, want := range rest {
		t := nextToken(body, end)
		if t.Of(body) != want {
			return "", 0, false
		}
		end = t.End
	}
	return kind, end, true
}

// cueBefore returns the kind and the start of the longest cue that ends before
// body[at], so that "now commonly called" is not mistaken for "commonly called".
func cueBefore(body string, at int) (kind string, start int, ok bool) {
	first := at
	for range maxCueWords {
		t := previousToken(body, first)
		if t.class != word && t.class != ':' {
			break
		}
		first = t.Start
		if k, end, found := cueAt(body, first); found && nextToken(body, end).Start >= at {
			kind, start, ok = k, first, true
		}
	}
	return kind, start, ok
}
