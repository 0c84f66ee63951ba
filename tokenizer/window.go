package tokenizer

import "slices"

// body holds the tokens between [CLS] and [SEP].
type body struct {
	ids   []int32
	marks []markedSpan // in order, without overlaps; one is that of the queried mention
}

// markedSpan is a mention with its markers.
type markedSpan struct {
	TokenSpan
	mention int // position in the mentions of the document, or queried
}

// query returns the mark of the queried mention.
func (b *body) query() markedSpan {
	return b.marks[slices.IndexFunc(b.marks, func(m markedSpan) bool { return m.mention == queried })]
}

// fit cuts the body to at most budget tokens around the queried mention.
func (b *body) fit(budget int) {
	for len(b.ids) > budget {
		query := b.query().TokenSpan
		if query.Len() > budget {
			b.keep(query)
			b.delete(budget-1, len(b.ids)-1) // the end of the mention, not its marker
			return
		}
		w := window(query, len(b.ids), budget)
		cut := slices.IndexFunc(b.marks, func(m markedSpan) bool { return w.cuts(m.TokenSpan) })
		if cut < 0 {
			b.keep(w)
			return
		}
		b.unmark(cut) // two tokens fewer, so the window moves
	}
}

// window returns the range of budget tokens, of n, with the query as close to its middle as the ends allow. It contains
// the query, which must not be longer than budget.
func window(query TokenSpan, n, budget int) TokenSpan {
	before := (budget - query.Len()) / 2
	start := min(max(query.Start-before, 0), n-budget)
	return TokenSpan{start, start + budget}
}

// cuts reports whether o is partly inside s.
func (s TokenSpan) cuts(o TokenSpan) bool {
	overlaps := o.Start < s.End && s.Start < o.End
	return overlaps && !s.contains(o)
}

func (s TokenSpan) contains(o TokenSpan) bool { return s.Start <= o.Start && o.End <= s.End }

// unmark removes the markers of marks[i].
func (b *body) unmark(i int) {
	m := b.marks[i]
	b.marks = slices.Delete(b.marks, i, i+1)
	b.delete(m.End-1, m.End)
	b.delete(m.Start, m.Start+1)
}

// delete removes the tokens start:end and moves the marks after them.
func (b *body) delete(start, end int) {
	b.ids = slices.Delete(b.ids, start, end)
	for i := range b.marks {
		m := &b.marks[i]
		if m.Start >= end {
			m.Start -= end - start
		}
		if m.End >= end {
			m.End -= end - start
		}
	}
}

// keep removes the tokens outside w and the marks that are not completely inside it. The mark of the query must be
// inside.
func (b *body) keep(w TokenSpan) {
	b.ids = b.ids[w.Start:w.End]
	b.marks = slices.DeleteFunc(b.marks, func(m markedSpan) bool { return !w.contains(m.TokenSpan) })
	for i := range b.marks {
		b.marks[i].Start -= w.Start
		b.marks[i].End -= w.Start
	}
}
