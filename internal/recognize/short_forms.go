package recognize

import (
	"iter"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/text"
)

// longStart is how far a found mention may start from where a long form does, in bytes.
const (
	longStartBefore = 40
	longStartBehind = 12
)

// maxHeadGap is how far behind a short form, in bytes, the last word of its mention begins at most.
const maxHeadGap = 3

// maxPasses is how often the occurrences of one short form are gone through. A text that gives it another meaning more
// often was written by nobody, and would take time by the square of its length.
const maxPasses = 100

// longFormKind is what the long form of a short form is.
type longFormKind int

const (
	longIsNone longFormKind = iota
	longIsMention
	longIsPart // of a mention: "glucose-6-phosphate dehydrogenase (G6PD) deficiency"
)

// settledForm is what the definitions of a short form have said so far.
type settledForm struct {
	passes  int
	kind    longFormKind // of the last pass
	changes int          // of all mentions, after that
}

// shortForms makes each short form that the text defines a mention where its long form is one, and none where it is
// not. Of several definitions of a short form the last one decides.
func (r *Recognizer) shortForms(body string, definitions []abbrev.Definition, all []found) []found {
	var shorts []string
	for _, d := range definitions {
		shorts = append(shorts, d.Short.Of(body))
	}
	occurrences := abbrev.SpansOfAll(body, shorts)
	settled := make(map[string]settledForm, len(occurrences))
	x := newMentionIndex(all)
	for i, d := range definitions {
		if d.Short.Start < d.Long.End {
			continue // "SF (long form)": both stand alone
		}
		before, short := settled[shorts[i]], shorts[i]
		kind, mention := x.longForm(&d)
		unchanged := before.passes > 0 && before.kind == kind && before.changes == x.changes && kind != longIsPart
		if unchanged || before.passes == maxPasses {
			continue
		}
		for _, o := range occurrences[short] {
			switch {
			case kind == longIsPart:
				r.shortOfPart(body, &d, mention, o, x)
			case kind == longIsNone:
				x.remove(o, func(s text.Span) bool { return s == o })
			case !x.overlaps(o):
				x.add(found{o, mention.score})
			}
		}
		settled[short] = settledForm{before.passes + 1, kind, x.changes}
	}
	all = x.mentions()
	slices.SortStableFunc(all, func(a, b found) int { return a.Span.Compare(b.Span) })
	return all
}

// shortOfPart handles an occurrence of a short form that stands for a part of a mention: with the mention's last word
// behind it, it is a mention.
func (r *Recognizer) shortOfPart(body string, d *abbrev.Definition, around found, o text.Span, x *mentionIndex) {
	if around.Start <= o.Start && o.Start < around.End {
		return
	}
	head := ""
	for _, t := range tokenize(body, text.Span{Start: d.Short.End, End: around.End}) {
		if startsWithWord(t.word) {
			head = t.word
		}
	}
	end := o.End
	behind := tokenize(body, text.Span{Start: o.End, End: min(len(body), o.End+len(head)+maxHeadGap)})
	for len(behind) > 0 && behind[0].word == "-" {
		behind = behind[1:]
	}
	with := head != "" && len(behind) > 0 && behind[0].word == head && behind[0].Start > o.End
	if with {
		end = behind[0].End
	}
	x.remove(text.Span{Start: o.Start, End: end}, func(text.Span) bool { return true })
	if with || r.isGeneric(head) {
		x.add(found{text.Span{Start: o.Start, End: end}, around.score})
	}
}

// mentionIndex finds mentions by their place.
type mentionIndex struct {
	all     []found // also those that were removed, in the order in which they were added
	removed []bool
	blocks  map[int][]int // positions in all of the mentions that have a byte in a block of the text
	changes int
}

// blockBytes is the size of a block: few mentions are in one, and few are in several.
const blockBytes = 64

func newMentionIndex(all []found) *mentionIndex {
	x := &mentionIndex{blocks: make(map[int][]int)}
	for _, f := range all {
		x.add(f)
	}
	return x
}

// mentions returns the mentions in the order in which they were added.
func (x *mentionIndex) mentions() []found {
	var all []found
	for i, f := range x.all {
		if !x.removed[i] {
			all = append(all, f)
		}
	}
	return all
}

func (x *mentionIndex) add(f found) {
	for block := range blocksOf(f.Span) {
		x.blocks[block] = append(x.blocks[block], len(x.all))
	}
	x.all, x.removed = append(x.all, f), append(x.removed, false)
	x.changes++
}

// remove removes the mentions that overlap a span, if their own span is one that is asked for.
func (x *mentionIndex) remove(span text.Span, ask func(text.Span) bool) {
	for _, i := range slices.Collect(x.overlapping(span)) {
		if x.removed[i] || !ask(x.all[i].Span) {
			continue
		}
		for block := range blocksOf(x.all[i].Span) {
			x.blocks[block] = slices.DeleteFunc(x.blocks[block], func(at int) bool { return at == i })
		}
		x.removed[i] = true
		x.changes++
	}
}

// overlaps reports whether a mention overlaps a span.
func (x *mentionIndex) overlaps(span text.Span) bool {
	for range x.overlapping(span) {
		return true
	}
	return false
}

// overlapping yields the positions of the mentions that overlap a span, one that is in several blocks several times.
func (x *mentionIndex) overlapping(span text.Span) iter.Seq[int] {
	return func(yield func(int) bool) {
		for block := range blocksOf(span) {
			for _, i := range x.blocks[block] {
				if f := x.all[i]; f.Start < span.End && span.Start < f.End && !yield(i) {
					return
				}
			}
		}
	}
}

// blocksOf yields the blocks of a span.
func blocksOf(span text.Span) iter.Seq[int] {
	return func(yield func(int) bool) {
		for block := span.Start / blockBytes; block*blockBytes < span.End; block++ {
			if !yield(block) {
				return
			}
		}
	}
}

// longForm returns what the long form of a definition is, and the mention that it is or is a part of, of several the
// one that was added last.
func (x *mentionIndex) longForm(d *abbrev.Definition) (longFormKind, found) {
	latest := func(span text.Span, ask func(f found) bool) int {
		last := -1
		for i := range x.overlapping(span) {
			if ask(x.all[i]) {
				last = max(last, i)
			}
		}
		return last
	}
	mostBehind := d.Long.Start + longStartBehind
	whole := latest(text.Span{Start: d.Long.End - 1, End: d.Long.End}, func(f found) bool {
		return f.End == d.Long.End && f.Start >= d.Long.Start-longStartBefore && f.Start <= mostBehind
	})
	if whole >= 0 {
		return longIsMention, x.all[whole]
	}
	around := latest(text.Span{Start: d.Short.End, End: max(d.Short.End, mostBehind) + 1}, func(f found) bool {
		return f.Start <= mostBehind && f.End > d.Short.End
	})
	if around >= 0 {
		return longIsPart, x.all[around]
	}
	return longIsNone, found{}
}
