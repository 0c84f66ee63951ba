package mine

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ctxnorm"
)

// token is a word or a mark of punctuation.
type token struct {
	ctxnorm.Span
	class rune // word, quote, the mark itself, or 0 at the end of the text
}

const (
	word  = 'w'
	quote = '"'
)

// classOf is the class of a mark, or word.
func classOf(r rune) rune {
	switch r {
	case ',', ';', ':', '(', ')', '[', ']':
		return r
	case '"', '“', '”', '‘', '«', '»':
		return quote
	}
	return word
}

// next is the token that begins at text[at] or after white space there.
func next(text string, at int) token {
	rest := strings.TrimLeftFunc(text[at:], unicode.IsSpace)
	start := len(text) - len(rest)
	if rest == "" {
		return token{Span: ctxnorm.Span{Start: start, End: start}}
	}
	first, size := utf8.DecodeRuneInString(rest)
	if class := classOf(first); class != word {
		return token{ctxnorm.Span{Start: start, End: start + size}, class}
	}
	if size = strings.IndexFunc(rest, endsWord); size < 0 {
		size = len(rest)
	}
	if fullStop(rest[:size]) {
		size--
	}
	if size == 0 {
		return token{ctxnorm.Span{Start: start, End: start + 1}, '.'}
	}
	return token{ctxnorm.Span{Start: start, End: start + size}, word}
}

// previous is the token that ends at text[at] or before white space there.
func previous(text string, at int) token {
	rest := strings.TrimRightFunc(text[:at], unicode.IsSpace)
	end := len(rest)
	if rest == "" {
		return token{}
	}
	last, size := utf8.DecodeLastRuneInString(rest)
	if class := classOf(last); class != word {
		return token{ctxnorm.Span{Start: end - size, End: end}, class}
	}
	start := 0
	if i := strings.LastIndexFunc(rest, endsWord); i >= 0 {
		_, size := utf8.DecodeRuneInString(rest[i:])
		start = i + size
	}
	if fullStop(rest[start:]) {
		return token{ctxnorm.Span{Start: end - 1, End: end}, '.'}
	}
	return token{ctxnorm.Span{Start: start, End: end}, word}
}

func endsWord(r rune) bool {
	if 'A' <= r && r <= 'z' && r != '[' && r != ']' { // nearly always
		return false
	}
	return unicode.IsSpace(r) || classOf(r) != word
}

// fullStop reports whether a word ends with the full stop of its sentence: an
// initial ("S. aureus") and letters with stops ("a.k.a.") do not.
func fullStop(s string) bool {
	bare, ok := strings.CutSuffix(s, ".")
	return ok && (bare == "" || len(bare) > 1 && !strings.Contains(bare, "."))
}
