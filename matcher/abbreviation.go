package matcher

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"ctxnorm"
)

// Abbreviation is the definition of a short form in a text.
type Abbreviation struct {
	Short, Long ctxnorm.Span
}

// maxShort is the longest that a short form may be, in letters and numbers.
const maxShort = 10

// furthest is how many bytes a definition may reach to each side of its bracket:
// 15 words of a long form are less. It keeps the time linear in the text.
const furthest = 400

// Abbreviations finds the definitions in a text, both "long form (SF)" and
// "SF (long form)", in the order of their brackets.
//
// It is the algorithm of Schwartz & Hearst, "A simple algorithm for identifying
// abbreviation definitions in biomedical text", PSB 2003, with the limits of the
// program they published: a short form has at most two words and 2 to 10 letters
// and numbers, the long form at most min(n+5, 2n) words for a short form of n.
// Words whose initials the short form is are preferred to what it finds, and taken
// where it finds none, in another order: see byInitials and byMixedInitials.
func Abbreviations(text string) []Abbreviation {
	var found []Abbreviation
	for open := range openingBrackets(text) {
		if !opens(text, open) {
			continue
		}
		end := closing(text, open)
		if end < 0 {
			continue
		}
		inside := trim(text, ctxnorm.Span{Start: open + 1, End: end})
		if a, ok := longBefore(text, open, inside); ok {
			found = append(found, a)
		} else if a, ok := shortBefore(text, open, inside); ok {
			found = append(found, a)
		}
	}
	return found
}

// openingBrackets gives the places of '(' and '[' in a text, in order. Each is
// looked for alone, since looking for one byte is many times as fast as for two.
func openingBrackets(text string) iter.Seq[int] {
	after := func(at int, bracket byte) int {
		if i := strings.IndexByte(text[at:], bracket); i >= 0 {
			return at + i
		}
		return len(text)
	}
	return func(yield func(int) bool) {
		round, square := after(0, '('), after(0, '[')
		for {
			at := min(round, square)
			if at == len(text) || !yield(at) {
				return
			}
			if at == round {
				round = after(at+1, '(')
			} else {
				square = after(at+1, '[')
			}
		}
	}
}

// opens reports whether a definition may stand in the bracket at text[at]: one
// with a space before it, not part of a formula like V(T).
func opens(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	return unicode.IsSpace(before)
}

// closing is the position of the bracket that closes the one at open, or -1.
func closing(text string, open int) int {
	opens, closes := text[open], byte(')')
	if opens == '[' {
		closes = ']'
	}
	depth := 0
	for i := open; i < min(len(text), open+furthest); i++ {
		switch text[i] {
		case opens:
			depth++
		case closes:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// longBefore takes what stands in the bracket, up to a comma or semicolon, as a
// short form and looks for its long form before the bracket.
func longBefore(text string, open int, inside ctxnorm.Span) (Abbreviation, bool) {
	short := inside
	if i := strings.IndexAny(short.Of(text), ",;"); i >= 0 {
		short = trim(text, ctxnorm.Span{Start: short.Start, End: short.Start + i})
	}
	if !validShort(short.Of(text)) {
		return Abbreviation{}, false
	}
	before := lastWords(text, open, maxLongWords(short.Of(text)))
	before = trim(text, ctxnorm.Span{Start: sentenceStart(text, before.Start, open), End: before.End})
	for _, find := range []func(short, text string) int{byInitials, longForm, byMixedInitials} {
		if a, ok := define(text, short, before, find); ok {
			return a, true
		}
	}
	return Abbreviation{}, false
}

// shortBefore takes what stands in the bracket as a long form of the word
// before the bracket.
func shortBefore(text string, open int, inside ctxnorm.Span) (Abbreviation, bool) {
	short := lastWords(text, open, 1)
	if !hasUpper(short.Of(text)) { // nearly always
		return Abbreviation{}, false
	}
	short.Start = sentenceStart(text, short.Start, open)
	if !hasUpper(short.Of(text)) || !validShort(short.Of(text)) {
		return Abbreviation{}, false
	}
	if i := strings.IndexAny(inside.Of(text), ";"); i >= 0 {
		inside = trim(text, ctxnorm.Span{Start: inside.Start, End: inside.Start + i})
	}
	return define(text, short, inside, longForm)
}

func hasUpper(s string) bool { return strings.ContainsFunc(s, unicode.IsUpper) }

// define finds the long form of short at the end of within, where find says.
func define(text string, short, within ctxnorm.Span, find func(short, text string) int) (Abbreviation, bool) {
	at := find(short.Of(text), within.Of(text))
	if at < 0 {
		return Abbreviation{}, false
	}
	long := ctxnorm.Span{Start: within.Start + at, End: within.End}
	return Abbreviation{Short: short, Long: long}, validLong(short.Of(text), long.Of(text))
}

// longForm is where the long form of short begins in text, which ends with it,
// or -1: from the end, each letter or number of short is found in text, the first
// at the beginning of a word (findBestLongForm of the paper).
func longForm(short, text string) int {
	at := len(text)
	for end := len(short); end > 0; {
		want, size := utf8.DecodeLastRuneInString(short[:end])
		end -= size
		if !isWord(want) {
			continue
		}
		want = unicode.ToLower(want)
		for {
			if at == 0 {
				return -1
			}
			r, size := utf8.DecodeLastRuneInString(text[:at])
			at -= size
			if unicode.ToLower(r) != want {
				continue
			}
			if end > 0 {
				break
			}
			if before, _ := utf8.DecodeLastRuneInString(text[:at]); at == 0 || !isWord(before) {
				break
			}
		}
	}
	space := strings.LastIndexFunc(text[:at], unicode.IsSpace)
	if space < 0 {
		return 0
	}
	_, size := utf8.DecodeRuneInString(text[space:])
	return space + size
}

// lastWords is the span of the last n words before text[end], of fewer where
// they begin further away than a definition reaches.
func lastWords(text string, end, n int) ctxnorm.Span {
	words := trim(text, ctxnorm.Span{Start: reach(text, end), End: end})
	at := words.End
	for ; n > 0; n-- {
		at = spaceBefore(text, words.Start, at, false)
		if n == 1 || at == words.Start {
			break
		}
		at = spaceBefore(text, words.Start, at, true)
	}
	words.Start = at
	return words
}

// spaceBefore is the start of the run of white space, or of anything else, that
// text[first:end] ends with.
func spaceBefore(text string, first, end int, space bool) int {
	for end > first {
		r, size := rune(text[end-1]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeLastRuneInString(text[first:end])
		}
		if isSpace := (r <= ' ' || r >= utf8.RuneSelf) && unicode.IsSpace(r); isSpace != space {
			break
		}
		end -= size
	}
	return end
}

// reach is how far before text[end] a definition may begin: at a space, where
// that is not the beginning of the text.
func reach(text string, end int) int {
	first := end - furthest
	if first <= 0 {
		return 0
	}
	return first + max(0, strings.IndexFunc(text[first:end], unicode.IsSpace))
}

// sentenceStart is where the sentence or the bracket begins that text[first:end]
// ends in, first if it begins before. A sentence is told by a full stop with a
// space and a capital after it: good enough for the few words that a long form
// has.
func sentenceStart(text string, first, end int) int {
	closed := 0 // brackets
	for i := end - 1; i >= max(first, 2); i-- {
		switch c := text[i]; {
		case c >= 'A' && c <= 'Z' && text[i-1] == ' ' && (text[i-2] == '.' || text[i-2] == '?'):
			return i
		case c == ')', c == ']':
			closed++
		case c == '(', c == '[':
			if closed--; closed < 0 {
				return i + 1
			}
		}
	}
	return first
}

// trim leaves out the white space at both ends of a span.
func trim(text string, s ctxnorm.Span) ctxnorm.Span {
	left := strings.TrimLeftFunc(s.Of(text), unicode.IsSpace)
	s.Start = s.End - len(left)
	s.End = s.Start + len(strings.TrimRightFunc(left, unicode.IsSpace))
	return s
}
