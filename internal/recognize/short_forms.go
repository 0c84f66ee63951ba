package recognize

import (
	"maps"
	"slices"
	"sort"

	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/text"
)

const (
	longStartBefore = 40 // how far a found mention may start from where a long form does, in bytes
	longStartBehind = 12
	maxHeadGap      = 3 // how far behind a short form, in bytes, the last word of its mention begins at most
)

// shortForm is what the definition of a short form makes of its occurrences.
type shortForm struct {
	mention, part bool   // the long form is a mention, or a part of one: "glucose-6-phosphate dehydrogenase (G6PD) deficiency"
	of            found  // that mention
	head          string // the last word of it, of a part
}

// shortForms makes each short form that the text defines a mention where its long form is one, and none where it is
// not. Of several definitions of a short form the last one decides. all is in order, and no two overlap.
func (r *Recognizer) shortForms(body string, definitions []abbrev.Definition, all []found) []found {
	forms := make(map[string]shortForm)
	for _, d := range definitions {
		if d.Short.Start < d.Long.End { // of "SF (long form)" both stand alone
			continue
		}
		if f := shortFormOf(body, &d, all); !f.mention || !forms[d.Short.Of(body)].mention {
			forms[d.Short.Of(body)] = f
		}
	}
	type change struct {
		text.Span // of an occurrence, and the mention that it may be
		shortForm
		whole bool
	}
	var changes []change
	for short, spans := range abbrev.SpansOfAll(body, slices.Collect(maps.Keys(forms))) {
		for _, o := range spans {
			c := change{Span: o, shortForm: forms[short]}
			if c.part && c.of.Start <= o.Start && o.Start < c.of.End {
				continue
			}
			if end := endOfHead(body, o.End, c.head); c.part && end > 0 {
				c.End, c.whole = end, true
			}
			changes = append(changes, c)
		}
	}
	slices.SortFunc(changes, func(a, b change) int { return a.Compare(b.Span) })
	var changed []found
	for _, c := range changes {
		for len(all) > 0 && all[0].Start < c.End {
			changed, all = append(changed, all[0]), all[1:]
		}
		first := firstBehind(changed, c.Start)
		overlapping := changed[first:]
		isIt := len(overlapping) == 1 && overlapping[0].Span == c.Span
		if c.part || !c.mention && isIt {
			changed = changed[:first]
		}
		if c.mention && len(overlapping) == 0 || c.part && (c.whole || r.look(c.head).isGeneric()) {
			changed = append(changed, found{c.Span, c.of.score})
		}
	}
	return append(changed, all...)
}

// shortFormOf returns what a definition says, given the mentions of the text.
func shortFormOf(body string, d *abbrev.Definition, all []found) (f shortForm) {
	begins := func(f found) bool { return f.Start <= d.Long.Start+longStartBehind }
	whole, isWhole := mentionAt(all, d.Long.End-1)
	if isWhole && whole.End == d.Long.End && whole.Start >= d.Long.Start-longStartBefore && begins(whole) {
		return shortForm{mention: true, of: whole}
	}
	if f.of, f.part = mentionAt(all, d.Short.End); !f.part || !begins(f.of) {
		return shortForm{}
	}
	for _, t := range tokenize(body, text.Span{Start: d.Short.End, End: f.of.End}) {
		if startsWithWord(t.word) {
			f.head = t.word
		}
	}
	return f
}

// endOfHead returns the end of the word head behind a short form that ends at a byte of the text, or 0.
func endOfHead(body string, at int, head string) int {
	behind := tokenize(body, text.Span{Start: at, End: min(len(body), at+len(head)+maxHeadGap)})
	for len(behind) > 0 && behind[0].word == "-" {
		behind = behind[1:]
	}
	if head != "" && len(behind) > 0 && behind[0].word == head && behind[0].Start > at {
		return behind[0].End
	}
	return 0
}

// mentionAt returns the mention that a byte of the text is in.
func mentionAt(all []found, at int) (f found, ok bool) {
	if i := firstBehind(all, at); i < len(all) && all[i].Start <= at {
		return all[i], true
	}
	return f, false
}

// firstBehind returns the index of the first mention that ends behind a byte of the text.
func firstBehind(all []found, at int) int {
	return sort.Search(len(all), func(i int) bool { return all[i].End > at })
}
