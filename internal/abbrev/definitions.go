package abbrev

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

// Definitions holds the short forms that the texts of one document define, and their
// long forms. The zero value holds none and is ready for use.
type Definitions struct {
	direct    map[string]string // short form -> long form
	singular  map[string]string // short form without its plural s -> long form
	maxLength int               // bytes of the longest short form
}

// Add adds the definitions that [Find] found in body. Of several definitions of a short
// form the first that is added counts. "action potentials (APs)" also defines AP, unless
// AP has a definition of its own.
func (d *Definitions) Add(body string, found []Definition) {
	if d.direct == nil && len(found) > 0 {
		d.direct, d.singular = make(map[string]string), make(map[string]string)
	}
	add := func(to map[string]string, short, long string) {
		if _, known := to[short]; !known && utf8.RuneCountInString(short) > 1 {
			to[short] = long
			d.maxLength = max(d.maxLength, len(short))
		}
	}
	for _, a := range found {
		short, long := a.Short.Of(body), a.Long.Of(body)
		add(d.direct, short, long)
		if singular, ok := strings.CutSuffix(short, "s"); ok {
			add(d.singular, singular, long)
		}
	}
}

// Reset removes all definitions.
func (d *Definitions) Reset() {
	clear(d.direct)
	clear(d.singular)
	d.maxLength = 0
}

// LongForm returns the long form of a short form as written. Case counts, and a plural s.
func (d *Definitions) LongForm(short string) (long string, ok bool) {
	if long, ok = d.direct[short]; !ok {
		long, ok = d.singular[short]
	}
	return long, ok
}

// Occurrence is a defined short form in a text.
type Occurrence struct {
	text.Span        // of the short form, with its plural s if it has one
	Long      string // the long form, as the definition writes it
}

// Occurrences appends the short forms in body to dst, in order. A short form must be a
// whole word, with or without a plural s, and case counts, as in [Expander.Expand]. Of
// occurrences that overlap, the first counts, and of those that begin together the
// longest.
//
// It searches for one short form after another, since a document defines few, and
// searching for a string is many times as fast as looking up every word.
func (d *Definitions) Occurrences(dst []Occurrence, body string) []Occurrence {
	first := len(dst)
	for short, long := range d.direct {
		dst = d.appendOccurrences(dst, body, short, long)
	}
	for short, long := range d.singular {
		if _, known := d.direct[short]; !known {
			dst = d.appendOccurrences(dst, body, short, long)
		}
	}
	all := dst[first:]
	if len(all) < 2 {
		return dst
	}
	slices.SortFunc(all, func(a, b Occurrence) int { // no two have the same span
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	kept := all[:0]
	for _, o := range all {
		if len(kept) > 0 && o.Start < kept[len(kept)-1].End {
			continue
		}
		kept = append(kept, o)
	}
	return dst[:first+len(kept)]
}

// appendOccurrences appends the occurrences of one short form in body to dst.
func (d *Definitions) appendOccurrences(dst []Occurrence, body, short, long string) []Occurrence {
	for at := 0; ; {
		i := strings.Index(body[at:], short)
		if i < 0 {
			return dst
		}
		span := text.Span{Start: at + i, End: at + i + len(short)}
		_, size := utf8.DecodeRuneInString(body[span.Start:])
		at = span.Start + size
		if before, _ := utf8.DecodeLastRuneInString(body[:span.Start]); span.Start > 0 && normalize.JoinsWords(before) {
			continue
		}
		if !endsWord(body, span.End) {
			if !strings.HasPrefix(body[span.End:], "s") || !endsWord(body, span.End+1) {
				continue
			}
			if span.End++; d.defines(span.Of(body)) {
				continue // it is a short form of its own
			}
		}
		dst = append(dst, Occurrence{span, long})
	}
}

func (d *Definitions) defines(short string) bool {
	_, ok := d.LongForm(short)
	return ok
}

// endsWord reports whether no letter or number of the same word follows at body[end].
func endsWord(body string, end int) bool {
	if end == len(body) {
		return true
	}
	next, _ := utf8.DecodeRuneInString(body[end:])
	return utf8.RuneStart(body[end]) && !normalize.JoinsWords(next)
}

// Overlay appends the mentions of a text to dst, ordered by Start: those tagged by their
// definition, and those of tagged that do not overlap one of them. But a tagged mention
// stays where it is longer than all defined ones that it overlaps and covers them, which
// are left out: "AD dementia" is a name of its own. Both lists are ordered by Start, and
// the mentions of each do not overlap.
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
