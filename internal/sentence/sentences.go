package sentence

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/text"
)

// maxBytes is the maximum length of a sentence. Longer text without a boundary, such as a table pasted into an
// abstract, is cut at white space. No encoder's window holds more: 2,000 bytes are about 400 word pieces.
const maxBytes = 2000

// Split returns the byte spans of the sentences of body in order, without white space at their ends. They do not
// overlap, and each character except white space is in one of them.
func Split(body string) []text.Span {
	flat := joinLines(body)
	const typicalBytes = 100 // of a sentence; most are longer
	spans := make([]text.Span, 0, 1+len(body)/typicalBytes)
	start := 0
	for _, end := range boundaries(flat) {
		end = afterClosers(flat, end)
		if end <= start {
			continue
		}
		if end < len(flat) {
			if at, ok := itemStart(body, flat, start, end); ok {
				if at > start {
					spans = appendItems(spans, body, flat, start, at)
					start = at
				}
				continue
			}
			if continues(flat, start, end) {
				continue
			}
		}
		spans = appendItems(spans, body, flat, start, end)
		start = end
	}
	return spans
}

// Around returns the span of the sentence of body that contains m. If m crosses a boundary, the span extends from the
// first of its sentences to the last. The span always contains m, even if m is empty or in white space. Positions of m
// outside body are moved to its ends.
func Around(body string, m text.Span) text.Span {
	m.Start = min(max(m.Start, 0), len(body))
	m.End = min(max(m.End, m.Start), len(body))
	return AroundIn(Split(body), m)
}

// AroundIn is [Around] for the sentences of a text that [Split] returned and a span of the text. Use it for several
// spans of one text.
func AroundIn(sentences []text.Span, m text.Span) text.Span {
	span := m
	i := sort.Search(len(sentences), func(i int) bool { return sentences[i].End >= m.Start })
	for ; i < len(sentences) && sentences[i].Start <= m.End; i++ {
		s := sentences[i]
		if m.Len() == 0 {
			return s
		}
		if s.Start < m.End && m.Start < s.End {
			span.Start = min(span.Start, s.Start)
			span.End = max(span.End, s.End)
		}
	}
	return span
}

// appendLimited appends body[start:end] to spans, without white space at its ends, in spans of at most maxBytes.
func appendLimited(spans []text.Span, body string, start, end int) []text.Span {
	for {
		start += len(body[start:end]) - len(strings.TrimLeftFunc(body[start:end], unicode.IsSpace))
		end = start + len(strings.TrimRightFunc(body[start:end], unicode.IsSpace))
		if start == end {
			return spans
		}
		if end-start <= maxBytes {
			return append(spans, text.Span{Start: start, End: end})
		}
		cut := start + lastCut(body[start:start+maxBytes])
		spans = appendLimited(spans, body, start, cut)
		start = cut
	}
}

// lastCut returns where to cut a text that is too long: before the last white space in its second half, or after its
// last complete character if there is none.
func lastCut(long string) int {
	if at := strings.LastIndexFunc(long, unicode.IsSpace); at >= len(long)/2 {
		return at
	}
	for at := len(long); at > len(long)-utf8.UTFMax; at-- {
		if r, size := utf8.DecodeLastRuneInString(long[:at]); r != utf8.RuneError || size != 1 {
			return at
		}
	}
	return len(long) // not UTF-8
}

// joinLines replaces each line break by spaces unless it is part of a blank line, so that a sentence can span several
// lines. Byte positions stay the same.
func joinLines(body string) string {
	var joined strings.Builder
	for rest := body; ; {
		at := strings.IndexAny(rest, "\r\n")
		if at < 0 {
			return joined.String() + rest
		}
		before, after := strings.TrimRight(rest[:at], " \t"), strings.TrimLeft(rest[at:], " \t\r\n")
		gap := rest[len(before) : len(rest)-len(after)]
		if strings.Count(gap, "\n")+strings.Count(gap, "\r")-strings.Count(gap, "\r\n") == 1 {
			gap = strings.Repeat(" ", len(gap))
		}
		joined.WriteString(before + gap)
		rest = after
	}
}
