// Package abbrev finds the abbreviations that a text defines, as in "celiac disease (CD)", and expands them.
//
// To expand the abbreviations of mentions, call [NewExpander] with the document's text and [Expander.Expand] for each
// mention. To get the definitions themselves, call [Find]. Package mine collects the definitions of a whole corpus.
package abbrev

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

// definedForms maps the short forms that a document's texts define to their long forms. The zero value is ready for
// use.
//
// Positions in the document count the bytes of its texts, in the order in which they were added.
type definedForms struct {
	direct    map[string][]longForm // by short form, in the order of the document
	singular  map[string][]longForm // by short form without its plural s
	maxLength int                   // in bytes, of the longest short form
	begins    [256]bool             // first bytes of the short forms
	length    int                   // of the texts so far, in bytes
}

// longForm is the long form of a short form, starting at a position of the document.
type longForm struct {
	from int
	text string // as written in the definition
}

// add adds a text of the document with its definitions, see [Find] and [FindImplied]. It returns the position of its
// start.
//
// Each of several definitions of a short form holds from its own place on, and the first also before. Definitions after
// the first count only if the initials of the long form are the short form: others are seldom definitions, as in "Ca
// (compared with controls)". "action potentials (APs)" also defines AP, unless AP has a definition of its own.
func (d *definedForms) add(body string, found []Definition) (start int) {
	if d.direct == nil {
		d.direct, d.singular = make(map[string][]longForm), make(map[string][]longForm)
	}
	start = d.length
	d.length += len(body)
	add := func(to map[string][]longForm, short, long string, at int) {
		known := to[short]
		if n := len(known); n > 0 &&
			(normalize.Normal(known[n-1].text) == normalize.Normal(long) || matchInitials(short, phraseOf(long)) != 0) {
			return
		}
		to[short] = append(known, longForm{start + at, long})
		d.maxLength = max(d.maxLength, len(short))
		d.begins[short[0]] = true
	}
	for _, a := range found {
		short, long := a.Short.Of(body), cmp.Or(a.implied, a.Long.Of(body))
		add(d.direct, short, long, a.Short.Start)
		if singular, ok := strings.CutSuffix(short, "s"); ok && utf8.RuneCountInString(singular) > 1 {
			add(d.singular, singular, long, a.Short.Start)
		}
	}
	return start
}

// longForm returns the long form of a short form as written, by the last definition before a position of the document,
// or else the first one. Case counts, and a plural s.
func (d *definedForms) longForm(short string, at int) (long string, ok bool) {
	for _, forms := range [][]longForm{d.direct[short], d.singular[short]} {
		if len(forms) > 0 {
			after, _ := slices.BinarySearchFunc(forms, at+1, func(f longForm, at int) int { return cmp.Compare(f.from, at) })
			return forms[max(0, after-1)].text, true
		}
	}
	return "", false
}

// occurrence is a place in a text where a defined short form occurs.
type occurrence struct {
	text.Span        // of the short form, including its plural s
	Long      string // the long form as written in the definition
}

// occurrences returns the short forms in body, which begins at position start of the document, in order. A short form
// must be a whole word, with or without a plural s, and case counts, as in [Expander.Expand]. If occurrences overlap,
// the first counts; if they begin together, the longest. undefined, which may be nil, looks up short forms that the
// document does not define.
func (d *definedForms) occurrences(body string, start int, undefined lookup) (found []occurrence) {
	for at, size := 0, 1; at < len(body); at, size = at+size, 1 {
		if undefined == nil && !d.begins[body[at]] || !utf8.RuneStart(body[at]) {
			continue
		}
		if last, _ := utf8.DecodeLastRuneInString(body[:at]); at > 0 && normalize.JoinsWords(last) {
			continue
		}
		defined := func(short string) (long string, ok bool) { return d.longForm(short, start+at) }
		long, n := longestPrefix(body[at:], d.maxLength, defined)
		if n == 0 && undefined != nil {
			long, n = longestPrefix(body[at:], maxUndefined, undefined)
		}
		if n > 0 {
			found, size = append(found, occurrence{text.Span{Start: at, End: at + n}, long}), n
		}
	}
	return found
}

// Overlay merges two lists of mentions of a text and appends them to dst, ordered by Start: the mentions tagged by
// definitions, and the tagged mentions that do not overlap them. If a tagged mention covers all defined ones that it
// overlaps and is longer, it replaces them: "AD dementia" is a name of its own. Both lists must be ordered by Start,
// and the mentions of a list must not overlap.
func Overlay(dst, tagged, defined []text.Mention) []text.Mention {
	for len(tagged) > 0 || len(defined) > 0 {
		switch {
		case len(defined) == 0 || len(tagged) > 0 && tagged[0].End <= defined[0].Start:
			dst, tagged = append(dst, tagged[0]), tagged[1:]
		case len(tagged) == 0 || defined[0].End <= tagged[0].Start:
			dst, defined = append(dst, defined[0]), defined[1:]
		default:
			overlapping := 0
			coversAll := true
			for ; overlapping < len(defined) && defined[overlapping].Start < tagged[0].End; overlapping++ {
				d := &defined[overlapping]
				coversAll = coversAll && tagged[0].Contains(d.Span) && tagged[0].Len() > d.Len()
			}
			if coversAll {
				defined = defined[overlapping:]
			} else {
				tagged = tagged[1:]
			}
		}
	}
	return dst
}
