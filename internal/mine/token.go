package mine

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/text"
)

// token is a word or a mark of punctuation.
type token struct {
	text.Span
	class rune // word, quote, the mark itself, or 0 at either end of the text
}

const (
	word  = 'w'
	quote = '"'
)

// classOf returns the class of a mark of punctuation, and word for any other rune.
func classOf(r rune) rune {
	switch r {
	case ',', ';', ':', '(', ')', '[', ']':
		return r
	case '"', '“', '”', '‘', '«', '»':
		return quote
	}
	return word
}

// nextToken returns the token that begins at body[at], after any white space there.
func nextToken(body string, at int) token {
	rest := strings.TrimLeftFunc(body[at:], unicode.IsSpace)
	start := len(body) - len(rest)
	if rest == "" {
		return token{Span: text.Span{Start: start, End: start}}
	}
	first, size := utf8.DecodeRuneInString(rest)
	if class := classOf(first); class != word {
		return token{text.Span{Start: start, End: start + size}, class}
	}
	if size = strings.IndexFunc(rest, endsWord); size < 0 {
		size = len(rest)
	}
	if endsWithFullStop(rest[:size]) {
		size--
	}
	if size == 0 {
		return token{text.Span{Start: start, End: start + 1}, '.'}
	}
	return token{text.Span{Start: start, End: start + size}, word}
}

// previousToken returns the token that ends at body[at], before any white space there.
func previousToken(body string, at int) token {
	rest := strings.TrimRightFunc(body[:at], unicode.IsSpace)
	end := len(rest)
	if rest == "" {
		return token{}
	}
	last, size := utf8.DecodeLastRuneInString(rest)
	if class := classOf(last); class != word {
		return token{text.Span{Start: end - size, End: end}, class}
	}
	start := 0
	if i := strings.LastIndexFunc(rest, endsWord); i >= 0 {
		_, size := utf8.DecodeRuneInString(rest[i:])
		start = i + size
	}
	if endsWithFullStop(rest[start:]) {
		return token{text.Span{Start: end - 1, End: end}, '.'}
	}
	return token{text.Span{Start: start, End: end}, word}
}

// endsWord reports whether a rune ends the word before it.
func endsWord(r rune) bool {
	if 'A' <= r && r <= 'z' && r != '[' && r != ']' { // the usual case
		return false
	}
	return unicode.IsSpace(r) || classOf(r) != word
}

// endsWithFullStop reports whether a word ends with the full stop of its sentence. An
// initial ("S. aureus") and letters with stops ("a.k.a.") do not.
func endsWithFullStop(s string) bool {
	bare, ok := strings.CutSuffix(s, ".")
	return ok && (bare == "" || len(bare) > 1 && !strings.Contains(bare, "."))
}
