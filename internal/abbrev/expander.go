package abbrev

import (
	"strings"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// Expander expands the short forms of one document. The zero value is for a document without definitions. It is safe
// for concurrent use.
type Expander struct {
	definitions definedForms
	letters     definedForms // definitions of single letters
}

// maxUndefined is the maximum length in bytes of a string that [Expander.ExpandOr] looks up in undefined: the 10
// letters and numbers of a short form, and as many signs.
const maxUndefined = 2 * normalize.MaxShortForm

// NewExpander returns an expander for a text. It uses the definitions that [Find] returns, and implied, which
// [FindImplied] returned.
func NewExpander(body string, implied ...Definition) *Expander {
	e := new(Expander)
	e.definitions.add(body, append(Find(body), implied...))
	e.letters.add(body, findLetters(body))
	return e
}

// Expand returns surface, which begins at byte at of the text, with each short form replaced by its long form. If there
// are several definitions, the last one before it counts, or else the first. In "action potential (AP)" the bracket is
// removed. A short form must be a whole word, with or without a plural s: "APs" and "AP-related" if AP is defined. Case
// counts, so "all" is not ALL. A single letter must be the whole surface. Expand reports whether it replaced any.
func (e *Expander) Expand(surface string, at int) (string, bool) { return e.ExpandOr(surface, at, nil) }

// ExpandOr is like [Expander.Expand], but calls undefined for the long form of strings that the document does not
// define. Such a string is one or more consecutive words, as written.
func (e *Expander) ExpandOr(surface string, at int, undefined lookup) (string, bool) {
	if long, ok := e.letters.longForm(surface, at); ok {
		return long, true
	}
	found := e.definitions.occurrences(surface, at, undefined)
	if len(found) == 0 {
		return surface, false
	}
	return writeOut(surface, Find(surface), found).text, true
}

// lookup returns the long form of a short form.
type lookup = func(short string) (long string, ok bool)

// longestPrefix looks up the prefixes of s that end with a word and have at most limit bytes, longest first. It looks
// up each as written and then without a plural s.
func longestPrefix(s string, limit int, find lookup) (long string, size int) {
	for end := min(len(s), limit+len("s")); end > 0; end-- {
		if next, _ := utf8.DecodeRuneInString(s[end:]); end < len(s) &&
			(normalize.JoinsWords(next) || !utf8.RuneStart(s[end])) {
			continue
		}
		if long, ok := find(s[:end]); ok {
			return long, end
		}
		if singular, ok := strings.CutSuffix(s[:end], "s"); ok {
			if long, ok := find(singular); ok {
				return long, end
			}
		}
	}
	return "", 0
}
