package link

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

// Uniform returns a document whose text is written as dictionaries are, so that texts that look the same get the same
// answers: in Unicode's normalization form C, where letters and their marks are together, with spaces and line ends of
// ASCII, without invisible characters, see [normalize.IsInvisible], and with words in one piece that were hyphenated at
// the end of a line, see [brokenWords]. back returns the span of the document that a span of the uniform one is,
// extended to whole letters with their marks. If the text is written so, or a mention ends within a letter and its
// marks, or within the hyphen of a word, Uniform returns doc itself, and back is nil.
func Uniform(doc *text.Document, isWord func(string) bool) (uniform *text.Document, back func(text.Span) text.Span) {
	breaks := brokenWords(doc.Text, isWord)
	if len(breaks) == 0 && isUniform(doc.Text) {
		return doc, nil
	}
	written, changes := makeUniform(doc.Text, breaks)
	whole := true
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

// FindIn returns a copy of the document with the mentions that find finds in the uniform one, see [Uniform].
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

// isUniform reports whether makeUniform changes nothing, without breaks.
func isUniform(s string) bool {
	isASCII := true
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			isASCII = false
		} else if s[i] == '\r' || s[i] == '\v' || s[i] == '\f' {
			return false
		}
	}
	return isASCII || norm.NFC.IsNormalString(s) &&
		!strings.ContainsFunc(s, func(r rune) bool { _, other := uniformRune(r); return other })
}

// keyForm returns the form of a text by which corrections are found, and what it changed. It is the same for the text
// and for its uniform form, whichever words that joins: it joins all that may be one.
func keyForm(s string) (string, changes) {
	breaks := brokenWords(s, func(string) bool { return true })
	if len(breaks) == 0 && isUniform(s) {
		return s, nil
	}
	return makeUniform(s, breaks)
}

// uniformRune returns what a character is written as, if that is something else: a space of any width as a space, any
// end of a line as a line feed, and an invisible character as nothing. A tab stays, since it separates cells.
func uniformRune(r rune) (as string, other bool) {
	switch {
	case r < utf8.RuneSelf && r != '\r' && r != '\v' && r != '\f':
		return "", false
	case r == '\r', r == '\v', r == '\u0085', r == '\u2028':
		return "\n", true
	case r == '\u2029':
		return "\n\n", true
	case r == '\f', unicode.Is(unicode.Zs, r): // a sentence may go on behind the end of a page
		return " ", true
	}
	return "", normalize.IsInvisible(r)
}

// A change is a segment of a text, the span written, that has another form in the uniform text, the span uniform.
type change struct{ written, uniform text.Span }

// changes are the segments of a text that have another form in the uniform one, in their order.
type changes []change

// makeUniform returns the uniform form of a text, from which breaks are left out, and what it changed.
func makeUniform(s string, breaks []text.Span) (string, changes) {
	var uniform []byte
	var changed changes
	var parts norm.Iter
	for parts.InitString(norm.NFC, s); !parts.Done(); {
		c := change{text.Span{Start: parts.Pos()}, text.Span{Start: len(uniform)}}
		part := parts.Next()
		c.written.End = parts.Pos()
		for len(breaks) > 0 && breaks[0].End <= c.written.Start {
			breaks = breaks[1:]
		}
		first, size := utf8.DecodeRune(part)
		if len(breaks) > 0 && breaks[0].Start <= c.written.Start {
			part = nil
		} else if as, other := uniformRune(first); other {
			if first != '\r' || !strings.HasPrefix(s[c.written.End:], "\n") { // of "\r\n" the second is left
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

// uniformSpan returns a span of the text as one of the uniform text. It reports false if the span ends within a segment
// that has another form.
func (cs changes) uniformSpan(s text.Span) (text.Span, bool) {
	at := func(written int) (int, bool) {
		i := sort.Search(len(cs), func(i int) bool { return cs[i].written.Start > written }) - 1
		switch {
		case i < 0:
			return written, true
		case written >= cs[i].written.End:
			return written - cs[i].written.End + cs[i].uniform.End, true
		}
		return cs[i].uniform.Start, written == cs[i].written.Start
	}
	start, isStart := at(s.Start)
	end, isEnd := at(s.End)
	return text.Span{Start: start, End: end}, isStart && isEnd
}

// writtenSpan returns the span of the text that a span of the uniform text is, extended to whole segments, without
// invisible characters at its ends.
func (cs changes) writtenSpan(s text.Span) text.Span {
	written := s
	if i := sort.Search(len(cs), func(i int) bool { return cs[i].uniform.Start > s.Start }) - 1; i >= 0 {
		written.Start = cs[i].written.Start
		if s.Start >= cs[i].uniform.End {
			written.Start = s.Start - cs[i].uniform.End + cs[i].written.End
		}
	}
	if i := sort.Search(len(cs), func(i int) bool { return cs[i].uniform.Start >= s.End }) - 1; i >= 0 {
		written.End = max(cs[i].written.End, s.End-cs[i].uniform.End+cs[i].written.End)
	}
	written.End = max(written.Start, written.End)
	return written
}
