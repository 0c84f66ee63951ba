package link

import (
	"slices"

	"golang.org/x/text/unicode/norm"

	"github.com/ctxnorm/ctxnorm/text"
)

// Composed returns a document whose text is in Unicode's normalization form C, in which dictionaries are written,
// so that a text in form D, where letters and their marks are apart, gets the same answers. back returns the span
// of the document that a span of the composed one is, extended to whole letters with their marks. If the text has
// that form, or a mention ends within a letter and its marks, Composed returns doc itself, and back is nil.
func Composed(doc *text.Document) (composed *text.Document, back func(text.Span) text.Span) {
	if norm.NFC.IsNormalString(doc.Text) {
		return doc, nil
	}
	var written []byte
	var from, to []int // boundaries, in the text and in the composed one
	var parts norm.Iter
	for parts.InitString(norm.NFC, doc.Text); !parts.Done(); {
		from, to = append(from, parts.Pos()), append(to, len(written))
		written = append(written, parts.Next()...)
	}
	from, to = append(from, len(doc.Text)), append(to, len(written))
	whole := true
	forth := func(s text.Span) text.Span {
		start, isStart := slices.BinarySearch(from, s.Start)
		end, isEnd := slices.BinarySearch(from, s.End)
		if whole = whole && isStart && isEnd; !whole {
			return s
		}
		return text.Span{Start: to[start], End: to[end]}
	}
	same := *doc
	same.Text, same.Mentions = string(written), slices.Clone(doc.Mentions)
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
	return &same, func(s text.Span) text.Span {
		start, exact := slices.BinarySearch(to, s.Start)
		if !exact {
			start--
		}
		end, _ := slices.BinarySearch(to, s.End)
		return text.Span{Start: from[start], End: from[end]}
	}
}

// composedSpan returns a span of s as one of the composed text.
func composedSpan(s string, span text.Span) text.Span {
	return text.Span{Start: len(norm.NFC.String(s[:span.Start])), End: len(norm.NFC.String(s[:span.End]))}
}
