package segment

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"ctxnorm"
)

// MaxBytes is the length of the longest sentence. What has no boundary for
// longer, such as a table pasted into an abstract, is cut at white space: no
// encoder's window holds more (2,000 bytes are some 400 word pieces).
const MaxBytes = 2000

// Sentences gives the sentences of text in order, trimmed of white space. They
// do not overlap, and every character that is not white space lies in one.
func Sentences(text string) []ctxnorm.Span {
	flat := joinLines(text)
	const usual = 100 // bytes of a sentence, or more
	spans := make([]ctxnorm.Span, 0, 1+len(text)/usual)
	start := 0
	for cut := range boundaries(flat) {
		cut = behindClosers(flat, cut)
		if cut <= start || cut < len(flat) && continues(flat, start, cut) {
			continue
		}
		spans = appendCapped(spans, text, start, cut)
		start = cut
	}
	return spans
}

// Around is the sentence that holds m, or the stretch from the first to the
// last of its sentences where m crosses a boundary. It always contains m, which
// may also be empty or lie in white space; positions outside text are moved to
// its ends.
func Around(text string, m ctxnorm.Span) ctxnorm.Span {
	m.Start = min(max(m.Start, 0), len(text))
	m.End = min(max(m.End, m.Start), len(text))
	return Holding(Sentences(text), m)
}

// Holding is [Around] for sentences already split, in order.
func Holding(sentences []ctxnorm.Span, m ctxnorm.Span) ctxnorm.Span {
	whole := m
	i := sort.Search(len(sentences), func(i int) bool { return sentences[i].End >= m.Start })
	for ; i < len(sentences) && sentences[i].Start <= m.End; i++ {
		s := sentences[i]
		if m.Len() == 0 {
			return s
		}
		if s.Start < m.End && m.Start < s.End {
			whole.Start = min(whole.Start, s.Start)
			whole.End = max(whole.End, s.End)
		}
	}
	return whole
}

// appendCapped appends text[start:end] to spans, trimmed, in pieces of at most
// MaxBytes.
func appendCapped(spans []ctxnorm.Span, text string, start, end int) []ctxnorm.Span {
	for {
		start += len(text[start:end]) - len(strings.TrimLeftFunc(text[start:end], unicode.IsSpace))
		end = start + len(strings.TrimRightFunc(text[start:end], unicode.IsSpace))
		if start == end {
			return spans
		}
		if end-start <= MaxBytes {
			return append(spans, ctxnorm.Span{Start: start, End: end})
		}
		cut := start + capAt(text[start:start+MaxBytes])
		spans = appendCapped(spans, text, start, cut)
		start = cut
	}
}

// capAt is where a stretch that is too long is cut: behind the last white space
// of its second half, else behind its last whole rune.
func capAt(long string) int {
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

// joinLines puts a space for every line break that is not part of a blank line,
// so that text broken over lines reads as one. No byte moves.
func joinLines(text string) string {
	if strings.IndexByte(text, '\n') < 0 && strings.IndexByte(text, '\r') < 0 {
		return text
	}
	flat := []byte(text)
	for i := 0; i < len(flat); {
		if !isSpace(flat[i]) {
			i++
			continue
		}
		end, breaks := i, 0
		for ; end < len(flat) && isSpace(flat[end]); end++ {
			if flat[end] == '\n' || flat[end] == '\r' && (end+1 == len(flat) || flat[end+1] != '\n') {
				breaks++
			}
		}
		if breaks == 1 {
			for ; i < end; i++ {
				flat[i] = ' '
			}
		}
		i = end
	}
	return string(flat)
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }
