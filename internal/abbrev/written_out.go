package abbrev

import (
	"slices"
	"sort"
	"strings"

	"github.com/ctxnorm/ctxnorm/text"
)

// WithLonger adds longer names to the mentions of a text that [Tagger.Tag] found: names with an abbreviated part, or
// with a part that is followed by its abbreviation: "G6PD deficiency" and "glucose-6-phosphate dehydrogenase (G6PD)
// deficiency". They replace the mentions within them. found holds the text's definitions, and start its position in the
// document.
func (t *Tagger) WithLonger(mentions []text.Mention, body string, found []Definition, start int) []text.Mention {
	w := writeOut(body, found, t.definitions.occurrences(body, start, nil))
	if len(w.changes) == 0 {
		return mentions
	}
	var longer []text.Mention
	for _, m := range t.dict.Tag(nil, w.text) {
		if span, ok := w.around(m.Span); ok {
			m.Span = span
			longer = append(longer, m)
		}
	}
	return Overlay(nil, longer, mentions)
}

// writtenOut is a text with its short forms replaced by long forms, and without the brackets that define them.
type writtenOut struct {
	text    string
	changes []writtenChange // in order
}

// writtenChange is a short form and its long form, or a bracket and an empty span.
type writtenChange struct{ body, written text.Span }

func writeOut(body string, found []Definition, occurrences []occurrence) *writtenOut {
	replaced := slices.Clone(occurrences)
	for _, d := range found {
		if bracket, ok := d.Bracket(body); ok {
			spaced := text.Span{Start: min(d.Long.End, d.Short.End), End: bracket.End}
			replaced = append(replaced, occurrence{Span: spaced})
		}
	}
	slices.SortStableFunc(replaced, func(a, b occurrence) int { return a.Compare(b.Span) })
	w := new(writtenOut)
	var out strings.Builder
	done := 0 // bytes of body
	for _, o := range replaced {
		if o.Start < done {
			continue
		}
		out.WriteString(body[done:o.Start])
		at := out.Len()
		out.WriteString(o.Long)
		done = o.End
		w.changes = append(w.changes, writtenChange{o.Span, text.Span{Start: at, End: out.Len()}})
	}
	out.WriteString(body[done:])
	w.text = out.String()
	return w
}

// around returns the span of the original text for a span of the written-out one, if that contains a change and more,
// and does not end within a change.
func (w *writtenOut) around(s text.Span) (span text.Span, ok bool) {
	first := sort.Search(len(w.changes), func(i int) bool { return w.changes[i].written.End > s.Start })
	behind := sort.Search(len(w.changes), func(i int) bool { return w.changes[i].written.Start >= s.End })
	if first >= behind {
		return span, false
	}
	inside := w.changes[first:behind]
	if !s.Contains(inside[0].written) || !s.Contains(inside[len(inside)-1].written) || inside[0].written == s {
		return span, false
	}
	last := inside[len(inside)-1]
	return text.Span{
		Start: inside[0].body.Start - (inside[0].written.Start - s.Start),
		End:   last.body.End + s.End - last.written.End,
	}, true
}
