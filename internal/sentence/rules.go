package sentence

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/language"
)

var lang = &language.Rules.Sentences

// continues reports whether the sentence that begins at start continues after end, so that end is not a boundary.
func continues(text string, start, end int) bool {
	if strings.HasSuffix(text[:end], "\n") || strings.HasSuffix(text[:end], "\r") {
		return false // a blank line
	}
	before := strings.TrimRightFunc(text[start:end], unicode.IsSpace)
	after := strings.TrimLeftFunc(text[end:], unicode.IsSpace)
	if closesLater(before, after) || citesQuotation(before, after) {
		return true
	}
	if strings.HasSuffix(before, "!") { // the company "Yahoo!"
		next, _ := utf8.DecodeRuneInString(after)
		return unicode.IsLower(next)
	}
	if !strings.HasSuffix(before, ".") { // rare
		before = strings.TrimRight(before, ` )]}"'”’`)
	}
	before, stopped := strings.CutSuffix(before, ".")
	return stopped && stopOfWord(before, after)
}

// afterClosers returns the position after the closing brackets and quotation marks that follow end. UAX 29 puts the
// last bracket of "(see above. )" into the next sentence.
func afterClosers(text string, end int) int {
	for at := end; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		at += size
		switch {
		case unicode.In(r, unicode.Pe, unicode.Pf):
			end = at
		case r != ' ':
			return end
		}
	}
	return end
}

// stopOfWord reports whether the full stop between before and after belongs to the last word of before and does not end
// a sentence.
func stopOfWord(before, after string) bool {
	word := lastWord(before)
	if word == "" {
		return (strings.HasSuffix(before, "N°") || strings.HasSuffix(before, "n°")) && isNumber(after)
	}
	before = before[:len(before)-len(word)]
	switch {
	case lang.NeverLast[word]:
		return true
	case lang.BeforeNumber[word]:
		return isNumber(after)
	case dotted.MatchString(word), lang.SeldomLast[word]: // "i.v", "U.S", "al"
		return !opensSentence(after)
	case utf8.RuneCountInString(word) == 1:
		return isInitial(before) && !opensSentence(after)
	}
	return false
}

// isNumber reports whether s begins with a number, possibly after a capital: "No. A13".
func isNumber(s string) bool {
	s = strings.TrimLeft(s[:min(len(s), 2)], "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	return s != "" && '0' <= s[0] && s[0] <= '9'
}

// citesQuotation reports whether a quotation ends in before and the bracket after it, which ends the sentence, is its
// source: "it helps" (Smith 55).
func citesQuotation(before, after string) bool {
	return (strings.HasSuffix(before, `"`) || strings.HasSuffix(before, "”")) && source.MatchString(after)
}

var (
	source = regexp.MustCompile(`^\([^)]{0,80}\)\.`)
	// Short parts with full stops between them, such as "U.S" or "Ph.D", but not the end of an Internet address.
	dotted = regexp.MustCompile(`^[^.]{0,2}(?:\.[^.]{0,2})+$`)
)

// isInitial reports whether a single letter after before is the initial of a person or genus ("J. Smith", "S.
// Typhimurium") rather than the end of "hepatitis B", "4 C" or "mg/L".
func isInitial(before string) bool {
	trimmed := strings.TrimRight(before, " ")
	if trimmed == before && before != "" && !strings.HasSuffix(before, "(") && !strings.HasSuffix(before, "[") {
		return false // part of a longer word
	}
	last, _ := utf8.DecodeLastRuneInString(trimmed)
	if unicode.IsDigit(last) {
		return false
	}
	word := lastWord(trimmed)
	if lang.Conjunctions[word] { // "vitamins A and C"
		word = lastWord(strings.TrimRight(strings.TrimSuffix(trimmed, word), " "))
		return utf8.RuneCountInString(word) != 1
	}
	return !lang.BeforeLetter[strings.ToLower(word)]
}

// lastWord returns the run of letters at the end of s, including full stops inside it.
func lastWord(s string) string {
	rest := strings.TrimRightFunc(s, func(r rune) bool { return r == '.' || unicode.IsLetter(r) })
	return strings.TrimLeft(s[len(rest):], ".")
}

// opensSentence reports whether text begins with a word that is rarely capitalized inside a sentence.
func opensSentence(text string) bool {
	return lang.Openers[text[:len(text)-len(strings.TrimLeftFunc(text, unicode.IsLetter))]]
}

// closesLater reports whether a bracket that is open at the end of before is closed early in after, so that the
// boundary is inside it, as in "(n = 12. Table 2)".
func closesLater(before, after string) bool {
	const back, ahead = 400, 200 // in bytes; limits the cost of a bracket that is never closed
	before = before[max(0, len(before)-back):]
	after = after[:min(ahead, len(after))]
	return nextCloses(after, ")", "]") && leavesOpen(before) ||
		nextCloses(after, "）", "］", "」") && strings.LastIndexAny(before, "（［「") > strings.LastIndexAny(before, "）］」")
}

// nextCloses reports whether the first bracket of s is one of closers.
func nextCloses(s string, closers ...string) bool {
	first := len(s)
	for _, closer := range closers {
		if i := strings.Index(s[:first], closer); i >= 0 {
			first = i
		}
	}
	return first < len(s) && !strings.ContainsAny(s[:first], "([（［「")
}

// leavesOpen reports whether s contains an opening bracket that it does not close.
func leavesOpen(s string) bool {
	closed := 0
	for i := len(s) - 1; i >= 0; i-- {
		switch s[i] {
		case ')', ']':
			closed++
		case '(', '[':
			if closed == 0 {
				return true
			}
			closed--
		}
	}
	return false
}
