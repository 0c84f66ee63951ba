package recognize

import (
	"maps"
	"slices"
	"sort"

	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/text"
)

const (
	longStartBefore = 40 // how far a found mention may start before its long form, in bytes
	longStartBehind = 12
	maxHeadGap      = 3 // the largest distance, in bytes, between a short form and the last word of its mention
)

// shortForm tells how to treat occurrences of a defined short form.
type shortForm struct {
	mention, part bool   // the long form is a mention or in one: "glucose-6-phosphate dehydrogenase (G6PD) deficiency"
	of            found  // that mention
	head          string // its last word, if the long form is part of it
}

// definitionsIn returns the definitions of short forms behind their long forms. In "SF (long form)" each stands by
// itself.
func definitionsIn(body string) []abbrev.Definition {
	return slices.DeleteFunc(abbrev.Find(body), func(d abbrev.Definition) bool { return d.Short.Start < d.Long.End })
}

// shortForms makes each short form defined by the text a mention exactly if its long form is one. If it has several
// definitions, the last one decides. all is in order, and its mentions do not overlap.
func (r *Recognizer) shortForms(body string, definitions []abbrev.Definition, all []found) []found {
	forms := make(map[string]shortForm)
	for _, d := range definitions {
		if f := shortFormOf(body, &d, all); !f.mention || !forms[d.Short.Of(body)].mention {
			forms[d.Short.Of(body)] = f
		}
	}
	type change struct {
		text.Span // the span of an occurrence and of the mention that it may be
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

// shortFormOf classifies the short form of a definition, given the mentions of the text.
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

// endOfHead returns the end of the word head that follows a short form ending at byte at, or 0.
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

// mentionAt returns the mention that contains a byte of the text.
func mentionAt(all []found, at int) (f found, ok bool) {
	if i := firstBehind(all, at); i < len(all) && all[i].Start <= at {
		return all[i], true
	}
	return f, false
}

// firstBehind returns the index of the first mention that ends after a byte of the text.
func firstBehind(all []found, at int) int {
	return sort.Search(len(all), func(i int) bool { return all[i].End > at })
}
