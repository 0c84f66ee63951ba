package abbrev

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

// definedForms holds the short forms that the texts of one document define, and their
// long forms. The zero value holds none and is ready for use.
//
// A position of the document counts the bytes of its texts, in the order in which they were added.
type definedForms struct {
	direct    map[string][]longForm // of a short form, in the order of the document
	singular  map[string][]longForm // of a short form without its plural s
	maxLength int                   // bytes of the longest short form
	length    int                   // bytes of the texts
}

// longForm is what a short form stands for from a position of the document on.
type longForm struct {
	from int
	text string // as the definition writes it
}

// add adds a text of the document with the definitions that [Find] found in it, and returns the
// position of its start. Of several definitions of a short form each holds from its place on, and
// the first also before. Those after the first count if the initials of the long form are the short
// form: others are seldom definitions, as in "Ca (compared with controls)". "action potentials (APs)"
// also defines AP, unless AP has a definition of its own.
func (d *definedForms) add(body string, found []Definition) (start int) {
	if d.direct == nil && len(found) > 0 {
		d.direct, d.singular = make(map[string][]longForm), make(map[string][]longForm)
	}
	start = d.length
	d.length += len(body)
	add := func(to map[string][]longForm, short, long string, at int) {
		known := to[short]
		if n := len(known); n > 0 &&
			(normalize.Normal(known[n-1].text) == normalize.Normal(long) || matchInitials(short, long) != 0) {
			return
		}
		to[short] = append(known, longForm{start + at, long})
		d.maxLength = max(d.maxLength, len(short))
	}
	for _, a := range found {
		short, long := a.Short.Of(body), a.Long.Of(body)
		add(d.direct, short, long, a.Short.Start)
		if singular, ok := strings.CutSuffix(short, "s"); ok && utf8.RuneCountInString(singular) > 1 {
			add(d.singular, singular, long, a.Short.Start)
		}
	}
	return start
}

// reset removes all definitions.
func (d *definedForms) reset() {
	clear(d.direct)
	clear(d.singular)
	d.maxLength, d.length = 0, 0
}

// longForm returns the long form of a short form as written, at a position of the document. Case
// counts, and a plural s.
func (d *definedForms) longForm(short string, at int) (long string, ok bool) {
	forms := d.direct[short]
	if forms == nil {
		forms = d.singular[short]
	}
	if forms == nil {
		return "", false
	}
	return longFormAt(forms, at), true
}

// longFormAt returns the last of forms that holds at a position, or the first.
func longFormAt(forms []longForm, at int) string {
	after, _ := slices.BinarySearchFunc(forms, at+1, func(f longForm, at int) int { return cmp.Compare(f.from, at) })
	return forms[max(0, after-1)].text
}

// occurrence is a defined short form in a text.
type occurrence struct {
	text.Span        // of the short form, with its plural s if it has one
	Long      string // the long form, as the definition writes it
}

// occurrences appends the short forms in body, which begins at a position of the document, to dst, in order. A short
// form must be a whole word, with or without a plural s, and case counts, as in [Expander.Expand]. Of occurrences that
// overlap, the first counts, and of those that begin together the longest.
func (d *definedForms) occurrences(dst []occurrence, body string, start int) []occurrence {
	first := len(dst)
	for span := range d.places(body) {
		before, _ := utf8.DecodeLastRuneInString(body[:span.Start])
		if span.Start > 0 && normalize.JoinsWords(before) {
			continue
		}
		long, _ := d.longForm(span.Of(body), start+span.Start)
		if !endsWord(body, span.End) {
			if !strings.HasPrefix(body[span.End:], "s") || !endsWord(body, span.End+1) {
				continue
			}
			if span.End++; d.defines(span.Of(body)) {
				continue // it is a short form of its own
			}
		}
		dst = append(dst, occurrence{span, long})
	}
	all := dst[first:]
	if len(all) < 2 {
		return dst
	}
	slices.SortFunc(all, func(a, b occurrence) int { // no two have the same span
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

// places yields where the short forms stand in body, as words or within them. A few are searched for one after the
// other, which is many times as fast as looking up what begins at each character, but takes time by their number.
func (d *definedForms) places(body string) iter.Seq[text.Span] {
	const few = 50
	return func(yield func(text.Span) bool) {
		if len(d.direct)+len(d.singular) > few {
			for at := range body {
				for end := at + 1; end <= min(at+d.maxLength, len(body)); end++ {
					if d.defines(body[at:end]) && !yield(text.Span{Start: at, End: end}) {
						return
					}
				}
			}
			return
		}
		shorts := slices.Collect(maps.Keys(d.direct))
		for short := range d.singular {
			if d.direct[short] == nil {
				shorts = append(shorts, short)
			}
		}
		for _, short := range shorts {
			for at := 0; ; {
				i := strings.Index(body[at:], short)
				if i < 0 {
					break
				}
				at += i
				if !yield(text.Span{Start: at, End: at + len(short)}) {
					return
				}
				_, size := utf8.DecodeRuneInString(body[at:])
				at += size
			}
		}
	}
}

func (d *definedForms) defines(short string) bool {
	_, ok := d.longForm(short, 0)
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
