package mine

import (
	"strings"

	"ctxnorm"
)

// after finds the phrase that is set beside the name before it.
func after(text string, name ctxnorm.Span) (kind string, phrase ctxnorm.Span, ok bool) {
	link := next(text, name.End)
	at := name.End
	switch {
	case link.class == '(', link.class == '[', link.class == ',', isOne(text, link, copulas):
		at = link.End
	case link.class != word:
		return "", phrase, false
	}
	if link.class == word && link.Start == name.End { // "gout-like"
		return "", phrase, false
	}
	kind, at, ok = cueAt(text, at)
	if !ok {
		inside := next(text, link.End)
		switch {
		case link.class == ',' && inside.Of(text) == "or" && beginsSentence(text, name.Start):
			kind, at = Or, inside.End
		case link.class == '(' && link.Start > name.End: // not like V(T)
			kind, at = Bracket, link.End
		default:
			return "", phrase, false
		}
	}
	if !beginsPhrase(text, name.Start) {
		return "", phrase, false
	}
	phrase, stop := phraseAfter(text, at)
	switch kind {
	case Or:
		ok = stop.class == ','
	case Bracket:
		ok = stop.class == ')'
	default:
		ok = stop.Of(text) != "and" // "hereditary sensory and autonomic …"
	}
	return kind, phrase, ok && phrase.Len() > 0
}

// before finds the phrase that is set beside the name after it.
func before(text string, name ctxnorm.Span) (kind string, phrase ctxnorm.Span, ok bool) {
	stop := next(text, name.End)
	if stop.class == word && (stop.Start == name.End || !functionWords[stop.Of(text)]) {
		return "", phrase, false // the name goes on
	}
	link := previous(text, name.Start)
	if link.End == name.Start && link.class == word { // "non-gout"
		return "", phrase, false
	}
	for link.class == quote || isOne(text, link, determiners) {
		link = previous(text, link.Start)
	}
	switch {
	case link.class == '(':
		apart := previous(text, link.Start).End < link.Start // not like V(T)
		kind, phrase, ok = beside(text, Gloss, link.Start, stop.class == ')' && apart)
		return kind, phrase, ok && opensPhrase(text, phrase.Start)
	case link.class == word && link.Of(text) == "or":
		comma := previous(text, link.Start)
		kind, phrase, ok = beside(text, Or, comma.Start, comma.class == ',' && stop.class == ',')
		return kind, phrase, ok && beginsSentence(text, phrase.Start)
	}
	kind, start, ok := cueBefore(text, link.End)
	if !ok {
		return "", phrase, false
	}
	switch link = previous(text, start); {
	case link.class == '(', link.class == '[', link.class == ',', isOne(text, link, copulas):
		return beside(text, kind, link.Start, true)
	}
	return beside(text, kind, start, link.class == word)
}

// beside is the phrase before text[at], if ok.
func beside(text, kind string, at int, ok bool) (string, ctxnorm.Span, bool) {
	if !ok {
		return "", ctxnorm.Span{}, false
	}
	phrase := phraseBefore(text, at)
	return kind, phrase, phrase.Len() > 0 && !isOne(text, previous(text, phrase.Start), continuers)
}

// isOne reports whether a token is a word of a set, whatever its case.
func isOne(text string, t token, set map[string]bool) bool {
	return t.class == word && set[strings.ToLower(t.Of(text))]
}

// beginsSentence reports whether a phrase at text[at] begins its sentence but
// for a determiner.
func beginsSentence(text string, at int) bool {
	t := previous(text, at)
	if isOne(text, t, determiners) {
		t = previous(text, t.Start)
	}
	return t.class == 0 || t.class == '.'
}

// conjunctions join what is before them to what is after: "nausea and vomiting
// (NV)" is not about vomiting.
var conjunctions = wordSet(`and or nor to vs versus`)

// beginsPhrase reports whether a name that begins at text[at] is not the end of
// a longer phrase, nor what that phrase is a kind of.
func beginsPhrase(text string, at int) bool {
	t := previous(text, at)
	switch {
	case t.class == quote:
		return beginsPhrase(text, t.Start)
	case t.class != word:
		return true
	case t.End == at: // "non-gout"
		return false
	case t.Of(text) == "of":
		return !isOne(text, previous(text, t.Start), kindsOf)
	}
	return isOne(text, t, determiners) || isOne(text, t, functionWords) && !isOne(text, t, conjunctions)
}

const mostWords = 7 // of a phrase

// phraseAfter is the phrase that begins behind text[at], and the token that ends
// it. The phrase is empty if there is none.
func phraseAfter(text string, at int) (phrase ctxnorm.Span, stop token) {
	t := next(text, at)
	for t.class == quote || isOne(text, t, determiners) {
		t = next(text, t.End)
	}
	phrase = ctxnorm.Span{Start: t.Start, End: t.Start}
	for words := 0; t.class == word && !functionWords[t.Of(text)]; words++ {
		if words == mostWords {
			return ctxnorm.Span{}, t
		}
		phrase.End = t.End
		t = next(text, t.End)
	}
	if t.class == quote {
		t = next(text, t.End)
	}
	return phrase, t
}

// phraseBefore is the phrase that ends before text[at], empty if there is none.
func phraseBefore(text string, at int) ctxnorm.Span {
	t := previous(text, at)
	if t.class == quote {
		t = previous(text, t.Start)
	}
	phrase := ctxnorm.Span{Start: t.End, End: t.End}
	for words := 0; t.class == word && !isOne(text, t, functionWords); words++ {
		if isOne(text, t, determiners) && previous(text, t.Start).Of(text) != "of" {
			return phrase
		}
		if words == mostWords {
			return ctxnorm.Span{}
		}
		phrase.Start = t.Start
		t = previous(text, t.Start)
	}
	return phrase
}

// opensPhrase reports whether what stands before a phrase at text[at] leaves no
// doubt that the phrase begins there: it is not the end of "problems with
// coordination (ataxia)" nor of "blood in the urine (hematuria)".
func opensPhrase(text string, at int) bool {
	t := previous(text, at)
	if isOne(text, t, determiners) {
		t = previous(text, t.Start)
		return !isOne(text, t, prepositions)
	}
	return t.class != word || isOne(text, t, openers)
}
