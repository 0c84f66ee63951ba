package matcher

import (
	"strings"
	"unicode/utf8"
)

// Expander writes out the abbreviations of one document.
type Expander struct {
	definitions map[string]string // short form -> long form
	longest     int               // bytes of a short form
}

// undefinedLength is the longest string in bytes that [Expander.ExpandOr] asks for:
// twice what a short form has of letters and numbers leaves room for signs.
const undefinedLength = 2 * maxShort

// NewExpander takes the definitions that [Abbreviations] finds in text. Of two
// for one short form the first counts.
func NewExpander(text string) *Expander {
	e := &Expander{definitions: make(map[string]string)}
	add := func(short, long string) {
		if _, known := e.definitions[short]; !known && utf8.RuneCountInString(short) > 1 {
			e.definitions[short] = long
			e.longest = max(e.longest, len(short))
		}
	}
	found := Abbreviations(text)
	for _, a := range found {
		add(a.Short.Of(text), a.Long.Of(text))
	}
	for _, a := range found {
		// "action potentials (APs)" defines AP as well.
		if singular, ok := strings.CutSuffix(a.Short.Of(text), "s"); ok {
			add(singular, a.Long.Of(text))
		}
	}
	return e
}

// Expand replaces each short form that stands in surface as a word, or as a word
// with a plural s, by its long form: "APs" and "AP-related" where AP is defined.
// It reports whether there was any. Case counts, so that "all" is not ALL.
func (e *Expander) Expand(surface string) (string, bool) { return e.ExpandOr(surface, nil) }

// ExpandOr is [Expander.Expand], but asks undefined for the long form of what the
// document does not define, words and what may be several of them, as they stand.
func (e *Expander) ExpandOr(surface string, undefined func(short string) (long string, ok bool)) (string, bool) {
	var out strings.Builder
	expanded := false
	boundary := true // no letter or number stands before surface[i:]
	for i := 0; i < len(surface); {
		if long, size := e.longAt(surface[i:], undefined); boundary && size > 0 {
			out.WriteString(long)
			i += size
			boundary, expanded = false, true
			continue
		}
		r, size := utf8.DecodeRuneInString(surface[i:])
		boundary = !isWord(r)
		out.WriteString(surface[i : i+size])
		i += size
	}
	return out.String(), expanded
}

// longAt is the long form of the short form that s begins with, the longest there
// is, and how much of s that is; 0 where there is none.
func (e *Expander) longAt(s string, undefined func(string) (string, bool)) (long string, size int) {
	defined := func(short string) (string, bool) {
		long, ok := e.definitions[short]
		return long, ok
	}
	if long, size = longest(s, e.longest, defined); size == 0 && undefined != nil {
		long, size = longest(s, undefinedLength, undefined)
	}
	return long, size
}

// longest looks up what s begins with up to the end of a word, the longest first,
// and without a plural s after what is as it stands.
func longest(s string, limit int, lookup func(short string) (string, bool)) (long string, size int) {
	for end := min(len(s), limit+len("s")); end > 0; end-- {
		if next, _ := utf8.DecodeRuneInString(s[end:]); end < len(s) && (isWord(next) || !utf8.RuneStart(s[end])) {
			continue
		}
		if long, ok := lookup(s[:end]); ok {
			return long, end
		}
		if singular, ok := strings.CutSuffix(s[:end], "s"); ok {
			if long, ok := lookup(singular); ok {
				return long, end
			}
		}
	}
	return "", 0
}
