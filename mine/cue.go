package mine

import "strings"

// The kinds of pairs that a [Finder] finds.
const (
	Abbreviation = "abbreviation"  // left is the short form, right the long form
	AlsoKnownAs  = "also known as" // one is another name of the other
	Formerly     = "formerly"      // one of them is a name no longer in use
	Or           = "or"            // "left, or right, is"
	Bracket      = "bracket"       // "left (right)"; right may be a remark
	Gloss        = "gloss"         // "right (left)"
)

// A cue is the words that say that two names mean the same: one adverb or two and
// a verb ("also known as", "now commonly called"), a word that does alone
// ("synonym"), or, in brackets, one of the adverbs that do ("(formerly …").
var (
	sameAdverbs   = wordSet(`also alternatively colloquially commonly frequently generally occasionally often otherwise popularly sometimes variously`)
	formerAdverbs = wordSet(`formerly previously historically originally traditionally now currently recently`)
	degrees       = wordSet(`more most`) // adverbs of an adverb
	aloneAdverbs  = wordSet(`formerly previously`)
	alone         = wordSet(`aka a.k.a a.k.a. synonym synonyms`)
	verbs         = map[string][]string{ // and what follows them
		"known": {"as"}, "called": nil, "termed": nil, "named": nil, "referred": {"to", "as"},
		"designated": {"as"}, "labeled": {"as"}, "labelled": {"as"}, "renamed": nil,
	}
)

// firstWords are those that a cue begins with.
var firstWords = union(sameAdverbs, formerAdverbs, degrees, alone)

// lastWords are those that a cue ends with.
var lastWords = wordSet(`a.k.a a.k.a. aka as called formerly named previously renamed synonym synonyms termed`)

// longestCue is the most words that a cue has: "now commonly referred to as".
const longestCue = 5

// cueAt reads the cue that begins at text[at] or after white space there, and
// gives its kind and where it ends.
func cueAt(text string, at int) (kind string, end int, ok bool) {
	t := next(text, at)
	first := strings.ToLower(t.Of(text))
	if !firstWords[first] { // nearly always
		return "", 0, false
	}
	if alone[first] {
		if colon := next(text, t.End); colon.class == ':' {
			t = colon
		}
		return AlsoKnownAs, t.End, true
	}
	adverbs := 0
	for ; adverbs < 2; adverbs++ {
		adverb := strings.ToLower(t.Of(text))
		if formerAdverbs[adverb] {
			kind = Formerly
		} else if sameAdverbs[adverb] && kind == "" {
			kind = AlsoKnownAs
		} else if !sameAdverbs[adverb] && !degrees[adverb] {
			break
		}
		if aloneAdverbs[adverb] {
			end = t.End
		}
		t = next(text, t.End)
	}
	if kind == "" {
		return "", 0, false
	}
	rest, known := verbs[t.Of(text)]
	if !known {
		return kind, end, adverbs == 1 && end > 0 && previous(text, at).class == '('
	}
	end = t.End
	for _, want := range rest {
		t := next(text, end)
		if t.Of(text) != want {
			return "", 0, false
		}
		end = t.End
	}
	return kind, end, true
}

// cueBefore finds the cue that ends before text[at], and gives its kind and
// where it begins: the longest one, so that "now commonly called" is not taken
// for "commonly called".
func cueBefore(text string, at int) (kind string, start int, ok bool) {
	if t := previous(text, at); t.class != ':' && !isOne(text, t, lastWords) {
		return "", 0, false // nearly always
	}
	first := at
	for range longestCue {
		t := previous(text, first)
		if t.class != word && t.class != ':' {
			break
		}
		first = t.Start
		if k, end, found := cueAt(text, first); found && next(text, end).Start >= at {
			kind, start, ok = k, first, true
		}
	}
	return kind, start, ok
}
