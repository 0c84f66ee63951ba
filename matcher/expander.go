package matcher

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Expander writes out the abbreviations of one document.
type Expander struct {
	definitions []definition // the longest short form first
}

type definition struct{ short, long string }

// NewExpander takes the definitions that [Abbreviations] finds in text. Of two
// for one short form the first counts.
func NewExpander(text string) *Expander {
	e := &Expander{}
	seen := make(map[string]bool)
	add := func(short, long string) {
		if utf8.RuneCountInString(short) > 1 && !seen[short] {
			seen[short] = true
			e.definitions = append(e.definitions, definition{short, long})
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
	slices.SortStableFunc(e.definitions, func(a, b definition) int { return cmp.Compare(len(b.short), len(a.short)) })
	return e
}

// Expand replaces each short form that stands in surface as a word, or as a word
// with a plural s, by its long form: "APs" and "AP-related" where AP is defined.
// It reports whether there was any. Case counts, so that "all" is not ALL.
func (e *Expander) Expand(surface string) (string, bool) {
	var out strings.Builder
	expanded := false
	boundary := true // no letter or number stands before surface[i:]
	for i := 0; i < len(surface); {
		if long, size := e.definedAt(surface[i:]); boundary && size > 0 {
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

// definedAt is the long form of the short form that s begins with, and how much
// of s that is; 0 where there is none.
func (e *Expander) definedAt(s string) (long string, size int) {
	for _, d := range e.definitions {
		rest, ok := strings.CutPrefix(s, d.short)
		if !ok {
			continue
		}
		for _, suffix := range []string{"", "s"} {
			after, ok := strings.CutPrefix(rest, suffix)
			if next, _ := utf8.DecodeRuneInString(after); ok && (after == "" || !isWord(next)) {
				return d.long, len(s) - len(after)
			}
		}
	}
	return "", 0
}
