package link

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

// Uniform returns a document whose text is written like dictionaries, so that texts that look the same get the same
// answers. The text is in Unicode's normalization form C, which composes letters with their marks, has ASCII spaces and
// line ends, and no invisible characters, see [normalize.IsInvisible]. Words that were hyphenated at the end of a line
// are joined, see [brokenWords], and HTML tags and references are removed, see [normalize.Markup].
//
// back maps a span of the uniform document to the span of the original one, extended to whole letters with their marks.
// If the text is uniform already, or a mention ends within a letter and its marks, a line-end hyphen or a tag, Uniform
// returns doc itself, and back is nil.
func Uniform(doc *text.Document, isWord func(string) bool) (uniform *text.Document, back func(text.Span) text.Span) {
	written, changes := makeUniform(doc.Text, isWord)
	whole := len(changes) > 0
	forth := func(s text.Span) text.Span {
		u, ok := changes.uniformSpan(s)
		whole = whole && ok
		return u
	}
	same := *doc
	same.Text, same.Mentions = written, slices.Clone(doc.Mentions)
	for i := range same.Mentions {
		m := &same.Mentions[i]
		m.Span, m.Fragments = forth(m.Span), slices.Clone(m.Fragments)
		for j := range m.Fragments {
			m.Fragments[j] = forth(m.Fragments[j])
		}
	}
	if !whole {
		return doc, nil
	}
	return &same, changes.writtenSpan
}

// FindIn runs find on the uniform document, see [Uniform], and returns a copy of doc with the mentions found there.
func FindIn(doc *text.Document, isWord func(string) bool, find func(*text.Document) *text.Document) *text.Document {
	uniform, back := Uniform(&text.Document{ID: doc.ID, Text: doc.Text}, isWord)
	found := find(uniform)
	if back == nil {
		return found
	}
	found.Text = doc.Text
	for i := range found.Mentions {
		found.Mentions[i].Span = back(found.Mentions[i].Span)
	}
	return found
}

// keyForm returns the form of a text by which corrections are indexed, and its changes. A text and its uniform form
// have the same key form, whichever words that joins, because keyForm joins all that may be one word.
func keyForm(s string) (string, changes) {
	return makeUniform(s, func(string) bool { return true })
}

// uniformRune returns the replacement of a character and whether it has one: a space for a space of any width, a line
// feed for any end of a line, nothing for an invisible character. It keeps tabs, because they separate cells.
func uniformRune(r rune) (as string, other bool) {
	switch {
	case r < utf8.RuneSelf && r != '\r' && r != '\v' && r != '\f':
		return "", false
	case r == '\r', r == '\v', r == '\u0085', r == '\u2028':
		return "\n", true
	case r == '\u2029':
		return "\n\n", true
	case r == '\f', unicode.Is(unicode.Zs, r): // a sentence may continue after the end of a page
		return " ", true
	}
	return "", normalize.IsInvisible(r)
}

// A change is a segment of a text that is rewritten in the uniform text: written is its span in the original, uniform
// its span in the result.
type change struct{ written, uniform text.Span }

// changes are the rewritten segments of a text, in order.
type changes []change

// makeUniform returns the uniform form of a text and its changes.
func makeUniform(s string, isWord func(string) bool) (string, changes) {
	edits := normalize.Markup(s)
	for _, gap := range brokenWords(s, isWord) {
		edits = append(edits, normalize.Edit{Span: gap})
	}
	isOther := func(r rune) bool { _, other := uniformRune(r); return other }
	if len(edits) == 0 && norm.NFC.IsNormalString(s) && !strings.ContainsFunc(s, isOther) { // the usual case
		return s, nil
	}
	slices.SortStableFunc(edits, func(a, b normalize.Edit) int { return cmp.Compare(a.Start, b.Start) })
	var uniform []byte
	var changed changes
	var parts norm.Iter
	for parts.InitString(norm.NFC, s); !parts.Done(); {
		c := change{text.Span{Start: parts.Pos()}, text.Span{Start: len(uniform)}}
		part := parts.Next()
		c.written.End = parts.Pos()
		for len(edits) > 0 && edits[0].End <= c.written.Start {
			edits = edits[1:]
		}
		first, size := utf8.DecodeRune(part)
		if len(edits) > 0 && edits[0].Start <= c.written.Start {
			if last := len(changed) - 1; last >= 0 && edits[0].Start < c.written.Start { // within an edit
				changed[last].written.End = max(changed[last].written.End, c.written.End)
				continue
			}
			part, c.written.End = []byte(edits[0].As), max(c.written.End, edits[0].End)
		} else if as, other := uniformRune(first); other {
			if first != '\r' || !strings.HasPrefix(s[c.written.End:], "\n") { // of "\r\n" only the second is kept
				uniform = append(uniform, as...)
			}
			part = part[size:]
		}
		uniform = append(uniform, part...)
		c.uniform.End = len(uniform)
		if string(uniform[c.uniform.Start:]) != c.written.Of(s) {
			changed = append(changed, c)
		}
	}
	return string(uniform), changed
}

// last returns the last segment before the first one for which isBehind is true, or an empty one if that is the first.
func (cs changes) last(isBehind func(change) bool) change {
	if i := sort.Search(len(cs), func(i int) bool { return isBehind(cs[i]) }); i > 0 {
		return cs[i-1]
	}
	return change{}
}

// uniformSpan converts a span of the original text to a span of the uniform text. It returns false if the span starts
// or ends within a rewritten segment.
func (cs changes) uniformSpan(s text.Span) (text.Span, bool) {
	at := func(written int) (int, bool) {
		c := cs.last(func(c change) bool { return c.written.Start > written })
		if written >= c.written.End {
			return written - c.written.End + c.uniform.End, true
		}
		return c.uniform.Start, written == c.written.Start
	}
	start, isStart := at(s.Start)
	end, isEnd := at(s.End)
	return text.Span{Start: start, End: end}, isStart && isEnd
}

// writtenSpan converts a span of the uniform text to a span of the original text, extended to whole segments, without
// invisible characters at its ends.
func (cs changes) writtenSpan(s text.Span) text.Span {
	first := cs.last(func(c change) bool { return c.uniform.Start > s.Start })
	last := cs.last(func(c change) bool { return c.uniform.Start >= s.End })
	start := first.written.Start
	if s.Start >= first.uniform.End {
		start = s.Start - first.uniform.End + first.written.End
	}
	return text.Span{Start: start, End: max(start, last.written.End, s.End-last.uniform.End+last.written.End)}
}
