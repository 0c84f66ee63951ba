package mine

import (
	"slices"
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

// newText returns the tokens of a text, with an additional one of class 0 at each end. A full stop after a name is not
// part of it: "hepatitis B."
func newText(body string, names []text.Mention) *textTokens {
	tokens := append(make([]token, 0, len(body)/6), token{}) // about the average length of English tokens
	for at := 0; ; at = tokens[len(tokens)-1].End {
		rest := strings.TrimLeftFunc(body[at:], unicode.IsSpace)
		start := len(body) - len(rest)
		if rest == "" {
			return &textTokens{body, append(tokens, token{Span: text.Span{Start: start, End: start}})}
		}
		first, size := utf8.DecodeRuneInString(rest)
		class := classOf(first)
		if class == word {
			if end := strings.IndexFunc(rest, endsWord); end >= 0 {
				rest = rest[:end]
			}
			if size = len(rest); endsWithFullStop(rest) || rest[size-1] == '.' &&
				slices.ContainsFunc(names, func(m text.Mention) bool { return m.End == start+size-1 }) {
				size--
			}
			if size == 0 {
				class, size = '.', 1
			}
		}
		tokens = append(tokens, token{Span: text.Span{Start: start, End: start + size}, class: class})
	}
}

// endsWord reports whether a rune ends the word before it.
func endsWord(r rune) bool {
	return (r < 'A' || r > 'z' || r == '[' || r == ']') && (r < '0' || r > '9') && (unicode.IsSpace(r) || classOf(r) != word)
}

// endsWithFullStop reports whether a word ends with the full stop of its sentence. An initial ("S. aureus") and letters
// with stops ("a.k.a.") do not.
func endsWithFullStop(s string) bool {
	bare, ok := strings.CutSuffix(s, ".")
	return ok && (bare == "" || len(bare) > 1 && !strings.Contains(bare, "."))
}

// textTokens is a text with its tokens. Its methods take indexes of tokens.
type textTokens struct {
	body   string
	tokens []token
}

// of returns the indexes of the first and last tokens of a name. It returns false if one of them extends beyond the
// name: "non-gout", "gout-like".
func (x *textTokens) of(name text.Span) (first, last int, ok bool) {
	inside := x.tokens[1 : len(x.tokens)-1]
	first, begins := slices.BinarySearchFunc(inside, name.Start, func(t token, at int) int { return t.Start - at })
	last, ends := slices.BinarySearchFunc(inside, name.End, func(t token, at int) int { return t.End - at })
	return first + 1, last + 1, begins && ends
}

// class returns the class of a token.
func (x *textTokens) class(i int) rune { return x.tokens[i].class }

// is reports whether a token is a word in set, in any case.
func (x *textTokens) is(i int, set map[string]bool) bool {
	return x.class(i) == word && set[strings.ToLower(x.written(i))]
}

// written returns a token as written in the text.
func (x *textTokens) written(i int) string { return x.tokens[i].Of(x.body) }
