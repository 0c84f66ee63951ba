package recognize

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/sentence"
	"github.com/ctxnorm/ctxnorm/text"
)

// token is a run of letters and digits, or any other single character except a space. In scripts without spaces between
// words, each letter is a token, as in the tagger.
type token struct {
	text.Span
	raw        string // as written
	word       string // in lower case; a number of n digits is n zeros, at most four
	possessive int    // length of a following "'s", which is not a token of its own
}

// maxTokens is the length at which a sentence is cut. The cut is after the last of its cutMarks in the second half of
// these tokens if there is one, so it does not split a mention.
const (
	maxTokens = 160
	cutMarks  = ",;:、，；："
)

// sentencesOf returns the sentences of a text as tokens. It drops brackets that define a short form, so "von
// Hippel-Lindau (VHL) disease" is one name.
func sentencesOf(body string, definitions []abbrev.Definition) [][]token {
	var sentences [][]token
	brackets := definingBrackets(body, definitions)
	end := 0 // of the brackets that start before a token
	for _, span := range sentence.Split(body) {
		tokens := tokenize(body, span)
		kept := tokens[:0]
		for _, t := range tokens {
			for len(brackets) > 0 && brackets[0].Start <= t.Start {
				end = max(end, brackets[0].End)
				brackets = brackets[1:]
			}
			if t.End > end {
				kept = append(kept, t)
			}
		}
		for len(kept) > 0 { // nothing may be left of a sentence
			n := cutLength(kept)
			sentences = append(sentences, kept[:n:n])
			kept = kept[n:]
		}
	}
	return sentences
}

// cutLength returns how many of the remaining tokens of a sentence are kept together.
func cutLength(tokens []token) int {
	if len(tokens) <= maxTokens {
		return len(tokens)
	}
	for n := maxTokens; n > maxTokens/2; n-- {
		if strings.Contains(cutMarks, tokens[n-1].raw) {
			return n
		}
	}
	return maxTokens
}

// definingBrackets returns the brackets of definitions, ordered by start.
func definingBrackets(body string, definitions []abbrev.Definition) (brackets []text.Span) {
	for _, d := range definitions {
		if bracket, ok := d.Bracket(body); ok {
			brackets = append(brackets, bracket)
		}
	}
	slices.SortFunc(brackets, func(a, b text.Span) int { return a.Start - b.Start })
	return brackets
}

// tokenize returns the tokens of a span of a text.
func tokenize(body string, span text.Span) []token {
	var tokens []token
	for at := span.Start; at < span.End; {
		first, size := utf8.DecodeRuneInString(body[at:span.End])
		end := at + size
		if unicode.IsSpace(first) {
			at = end
			continue
		}
		possessive := 0
		if isWordRune(first) {
			for end < span.End {
				r, size := utf8.DecodeRuneInString(body[end:span.End])
				if !isWordRune(r) || !unicode.IsMark(r) && (isUnspaced(first) || isUnspaced(r)) {
					break
				}
				end += size
			}
			possessive = possessiveAt(body[end:span.End])
		}
		raw := body[at:end]
		if strings.Contains(normalize.Hyphens, raw) {
			raw = "-"
		}
		t := token{text.Span{Start: at, End: end}, raw, foldWord(raw), possessive}
		tokens = append(tokens, t)
		at = end + t.possessive
	}
	return tokens
}

// possessiveAt returns the length of the "'s" that a text begins with, including a space if a tokenizer has split it
// off: "Parkinson's disease" and "Parkinson 's disease" have the same words as "Parkinson disease".
func possessiveAt(rest string) int {
	for _, mark := range []string{"'s", "’s", " 's", " ’s"} {
		if n := len(mark); len(rest) >= n && strings.EqualFold(rest[:n], mark) && !startsWithWord(rest[n:]) {
			return n
		}
	}
	return 0
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// isUnspaced reports whether a letter is a token of its own because its script has no spaces. In Katakana, including
// the long vowel mark ー, a run of letters is one token.
func isUnspaced(r rune) bool {
	return normalize.IsUnspacedScript(r) && r != 'ー' && !unicode.Is(unicode.Katakana, r)
}

// isHiragana reports whether a token is a letter of Hiragana: a particle or an ending, which does not belong to the
// mention after it.
func isHiragana(word string) bool { return unicode.Is(unicode.Hiragana, normalize.FirstRune(word)) }

// isShort reports whether a word is too short to end a mention that is not a name. In scripts without spaces between
// words a single letter is long enough.
func isShort(word string) bool {
	return utf8.RuneCountInString(word) < 3 && (!isUnspaced(normalize.FirstRune(word)) || isHiragana(word))
}

// foldWord returns the form in which words are counted.
func foldWord(raw string) string {
	if strings.IndexFunc(raw, func(r rune) bool { return !unicode.IsDigit(r) }) < 0 {
		return "0000"[:min(4, utf8.RuneCountInString(raw))]
	}
	return strings.ToLower(raw)
}

// startsWithLetter and startsWithWord distinguish words from numbers and other characters.
func startsWithLetter(word string) bool { return unicode.IsLetter(normalize.FirstRune(word)) }
func startsWithWord(word string) bool   { return isWordRune(normalize.FirstRune(word)) }

func wholeText(body string) text.Span { return text.Span{Start: 0, End: len(body)} }
