package assertion

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/sentence"
	"github.com/ctxnorm/ctxnorm/text"
)

// segments splits a text into segments, which contain their scopes. They are its sentences, or parts of them if a note
// writes statements without full stops and spaces between them:
//
//	No fever            a line that begins anew
//	• Cough             an item of a list
//	no edema.Lungs      a full stop without a space
//	No rash  Edema      two spaces before a capital
//
// A question and its answer ("Fever? No.") are one segment, and so are a question mark and the finding it doubts
// ("?PE").
func segments(body string) []text.Span {
	sentences := sentence.Split(body)
	var all []text.Span
	for i := 0; i < len(sentences); i++ {
		s := sentences[i]
		for i+1 < len(sentences) && joins(body, s, sentences[i+1]) {
			i++
			s.End = sentences[i].End
		}
		start := s.Start
		for at := start + 1; at < s.End; at++ {
			if cut := cutAt(body, s, at); cut > start {
				all = appendTrimmed(all, body, start, cut)
				start = cut
			}
		}
		all = appendTrimmed(all, body, start, s.End)
	}
	return all
}

func appendTrimmed(all []text.Span, body string, start, end int) []text.Span {
	trimmed := strings.TrimSpace(body[start:end])
	if trimmed == "" {
		return all
	}
	start += strings.Index(body[start:end], trimmed)
	return append(all, text.Span{Start: start, End: start + len(trimmed)})
}

// joins reports whether the next sentence answers the question at the end of s, or begins with a finding it doubts.
func joins(body string, s, next text.Span) bool {
	question := s.Of(body)
	asks := strings.HasSuffix(question, "?") || strings.HasSuffix(question, "...")
	if !asks || strings.Contains(body[s.End:next.Start], "\n\n") {
		return false
	}
	asked := strings.TrimRight(question, "?")
	before, _ := utf8.DecodeLastRuneInString(asked)
	if len(asked) < len(question) && (asked == "" || unicode.IsSpace(before) || before == '(') {
		return next.Start-s.End <= 1
	}
	_, _, ok := answerAt(next.Of(body))
	return ok
}

// cutAt returns where a segment ends because of the character at body[at], or 0 if it does not end there.
func cutAt(body string, s text.Span, at int) int {
	switch c := body[at]; {
	case c == '\n' && body[at-1] == '\r':
	case c == '\n' || c == '\r':
		before := body[s.Start+strings.LastIndexAny(body[s.Start:at], "\r\n")+1 : at]
		if beginsAnew(strings.TrimSpace(before), strings.TrimSpace(body[at:s.End])) {
			return at + 1
		}
	case c == ' ' && body[at-1] != ' ' && body[at+1] == ' ':
		rest := strings.TrimLeft(body[at:s.End], " ")
		last, _ := utf8.DecodeLastRuneInString(body[s.Start:at])
		if unicode.IsUpper(normalize.FirstRune(rest)) && unicode.IsLower(last) && !isUnfinished(body[s.Start:at]) {
			return s.End - len(rest)
		}
	case (c == ')' || c == '.' && countsOn(body[s.Start:at])) && at+1 < s.End && body[at+1] == ' ':
		return itemStart(body[s.Start:at], s.Start)
	case c == '.' && endsWithoutSpace(body[s.Start:at], body[at+1:s.End]):
		return at + 1
	case body[at-1] == ' ' && (c == '#' || c == 0xE2 && strings.ContainsRune(sentence.Bullets, normalize.FirstRune(body[at:s.End]))):
		return at
	}
	return 0
}

// itemStart returns the start of the number at the end of before, if that numbers an item within a line, as in "1)
// fever 2) cough"; otherwise it returns 0. base is the position of before.
func itemStart(before string, base int) int {
	words := strings.TrimRight(before, "0123456789")
	if len(words) == len(before) || !strings.HasSuffix(words, " ") ||
		strings.LastIndexByte(words, '(') > strings.LastIndexByte(words, ')') {
		return 0
	}
	return base + len(words)
}

// countsOn reports whether the number at the end of before follows another item's: "1. fever 2".
func countsOn(before string) bool {
	words := strings.TrimRight(before, "0123456789")
	n, err := strconv.Atoi(before[len(words):])
	return err == nil && strings.Contains(" "+words, " "+strconv.Itoa(n-1)+". ")
}

// beginsAnew reports whether a line begins a new statement after the line before it.
func beginsAnew(before, after string) bool {
	line := after
	if i := strings.IndexAny(line, "\r\n"); i >= 0 {
		line = line[:i]
	}
	i := strings.IndexByte(line, ':')
	return before == "" || after == "" || lang.Headings[strings.ToLower(before)] || itemSign.MatchString(after) ||
		i > 0 && strings.Count(line[:i], " ") < maxLabelWords && endsLabel(line, i) ||
		lang.StatementOpeners[normalize.FirstWord(line)] || strings.HasSuffix(before, ":") ||
		unicode.IsUpper(normalize.FirstRune(line)) && !strings.ContainsAny(before[len(before)-1:], ",(/&-") &&
			!isUnfinished(before)
}

// isUnfinished reports whether s ends with a word that never ends a statement.
func isUnfinished(s string) bool { return lang.Unfinished[strings.ToLower(normalize.LastWord(s))] }

// endsWithoutSpace reports whether a full stop between before and after ends a sentence although no space follows: "no
// edema.Lungs are clear". It follows a word of three letters or a bracket, and a capitalized word follows it.
func endsWithoutSpace(before, after string) bool {
	const minLetters = 3
	if !unicode.IsUpper(normalize.FirstRune(after)) {
		next, word := normalize.FirstWord(after), normalize.LastWord(before)
		return len(next) >= minLetters && strings.HasPrefix(after, next) &&
			len(word) >= minLetters && word == strings.ToLower(word) && word != "www"
	}
	if strings.HasSuffix(before, ")") || strings.HasSuffix(before, "%") {
		return true
	}
	word := normalize.LastWord(before)
	if len(word) >= minLetters && len(word) < len(before) && strings.ToLower(word[1:]) == word[1:] {
		// "www.Example.Com" is one word
		return before[len(before)-len(word)-1] != '.' && before[len(before)-len(word)-1] != '@'
	}
	second := after[utf8.RuneLen(normalize.FirstRune(after)):]
	return len(word) == 0 && before != "" && unicode.IsDigit(rune(before[len(before)-1])) &&
		unicode.IsLower(normalize.FirstRune(second))
}

// maxLabelWords is the maximum number of words in a label, such as "Review of systems" in "Review of systems: no
// fever".
const maxLabelWords = 6

// endsLabel reports whether the colon at s[i] can follow a label: it follows a letter or a closing bracket and precedes
// a space or the end. The colons of "10:30" and "Title:subtitle" do not.
func endsLabel(s string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s[:i], " "))
	return (unicode.IsLetter(before) || before == ')') && (i+1 == len(s) || unicode.IsSpace(rune(s[i+1])))
}

// labelStart returns the start of the label that ends at s[end], or -1 if there is none. A label consists of the words
// after the last punctuation mark, bullet, line break or double space; within a sentence, of capitalized words before the
// colon.
func labelStart(s string, end int) int {
	start, words, capitals := end, 0, -1 // capitals is the start of the capitalized words, or -1
	broken := false
	for at := end; ; {
		trimmed := strings.TrimRight(s[:at], " ")
		if trimmed == "" {
			return start
		}
		spaced := at-len(trimmed) > 1 && unicode.IsUpper(normalize.FirstRune(s[start:]))
		if words > 0 && (spaced || strings.ContainsAny(trimmed[len(trimmed)-1:], ".,;:!?\n\r\t|=-*")) {
			return start
		}
		if words == maxLabelWords {
			return capitals
		}
		at = strings.LastIndexAny(trimmed, " \t\r\n,;:") + 1
		word := trimmed[at:]
		start, words = at, words+1
		if broken = broken || !unicode.IsUpper(normalize.FirstRune(word)); !broken {
			capitals = at
		}
		if broken && capitals >= 0 {
			return capitals
		}
	}
}
