package assertion

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

// answers holds the value of each of [language.Assertion.Answers].
var answers = func() map[string]value {
	of := make(map[string]value)
	for v, phrases := range english.Answers {
		for phrase := range strings.SplitSeq(phrases, ",") {
			of[strings.Join(strings.Fields(phrase), " ")] = v
		}
	}
	return of
}()

// answerAt returns the value and the length of the answer that s begins with. Nothing of its statement follows it:
// "No" is an answer, "No history of stroke" is none.
func answerAt(s string) (v value, size int, ok bool) {
	const maxBytes = 24 // longer than every answer
	rest := strings.TrimLeft(s, " \t")
	end := strings.IndexAny(rest, ".,;)]\r\n\t|")
	if i := strings.Index(rest, "  "); i >= 0 && (end < 0 || i < end) {
		end = i
	}
	if i := strings.Index(rest, " ("); i >= 0 && (end < 0 || i < end) {
		end = i
	}
	if end < 0 {
		end = len(rest)
	}
	phrase := strings.TrimRight(rest[:end], " ")
	if len(phrase) > maxBytes {
		phrase = phrase[:maxBytes]
	}
	if v, ok = answers[strings.Join(strings.Fields(strings.ToLower(phrase)), " ")]; !ok {
		// "Fever: No Cough: Yes"
		first, next, _ := strings.Cut(phrase, " ")
		if i := strings.IndexByte(next, ':'); i > 0 && endsLabel(next, i) && unicode.IsUpper(firstRune(next)) {
			v, ok = answers[strings.ToLower(first)]
			phrase = first
		}
	}
	return v, len(s) - len(rest) + len(phrase), ok
}

// answerEffects are the effects of an answer on the findings before it, by its value.
var answerEffects = map[value]*effects{
	usual:     {acts: [dimensions]bool{polarity: true}},
	uncertain: {acts: [dimensions]bool{polarity: true}, before: [dimensions]value{polarity: uncertain}},
	negated:   {acts: [dimensions]bool{polarity: true}, before: [dimensions]value{polarity: negated}},
}

// signEffects are the effects of a sign on the findings after it, by its value.
var signEffects = map[value]*effects{
	usual:     {acts: [dimensions]bool{polarity: true}},
	uncertain: {acts: [dimensions]bool{polarity: true}, after: [dimensions]value{polarity: uncertain}},
	negated:   {acts: [dimensions]bool{polarity: true}, after: [dimensions]value{polarity: negated}},
}

// sign is what punctuation says in a segment: a span of it, and its effects. Words within the span are no terms.
type sign struct {
	text.Span
	effects *effects
}

// signs appends the signs of a segment to dst: where a label begins, answers, and marks such as "(-)", "-ve", "?PE" and
// a semicolon.
func signs(dst []sign, s string) []sign {
	add := func(start, end int, e *effects) { dst = append(dst, sign{text.Span{Start: start, End: end}, e}) }
	label := func(end int) { // a scope does not reach over the start of a label
		if at := labelStart(s, end); at > 0 {
			_, size := utf8.DecodeLastRuneInString(s[:at])
			add(at-size, at, termination)
		}
	}
	answer := func(at, end int) bool { // after the mark s[at:end]
		v, size, ok := answerAt(s[end:])
		if ok {
			if !isList(s[:at]) {
				label(len(strings.TrimRight(s[:at], " ")))
			}
			add(end, end+size, answerEffects[v])
		}
		return ok
	}
	signFirst := false // signs stand before the findings: "(+) cough (-) fever"
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case ';':
			add(i, i+1, termination)
		case ',':
			if english.ClauseStarters[firstWord(s[i+1:])] || affirmed(s[i+1:]) {
				add(i, i+1, answerEffects[usual])
			} else if next := firstWord(s[i+1:]); next == "with" || next == "on" {
				add(i, i+1, pastEnds)
			}
		case ':':
			if !endsLabel(s, i) || answer(i, i+1) {
				continue
			}
			label(i)
			if start := labelStart(s, i); start >= 0 {
				if v, ok := english.ListLabels[strings.ToLower(s[start:i])]; ok {
					add(start, i+1, signEffects[v])
				}
			}
		case '?':
			next := strings.TrimLeft(s[i+1:], " ")
			if i == 0 || s[i-1] == ' ' || s[i-1] == '(' {
				if next != "" && unicode.IsLetter(firstRune(next)) {
					add(i, i+1, signEffects[uncertain])
				}
			} else if !answer(i, i+1) && doubts(s[:i], s[i+1:]) {
				add(i, i+1, answerEffects[uncertain])
			}
		case '.':
			if strings.HasSuffix(s[:i], "..") && !strings.HasPrefix(s[i+1:], ".") {
				answer(i-len(".."), i+1)
			}
		case '\t', '|', '=':
			if i > 0 {
				answer(i, i+1)
			}
		case '(', '[':
			if v, ok := plusMinus(s[i+1:]); ok {
				size := strings.IndexByte(s[i:], closing(c)) + 1
				before := startsItem(s[:i]) || s[i-1] == ' ' && unicode.IsLetter(firstRune(s[i+size:])) // "(-)fever"
				if before || signFirst && precedesWord(s[i+size:]) {
					signFirst = signFirst || precedesWord(s[i+size:])
					add(i, i+size, signEffects[v])
				} else {
					label(len(strings.TrimRight(s[:i], " ")))
					add(i, i+size, answerEffects[v])
				}
			} else if i > 0 && !startsItem(s[:i]) {
				_, size, ok := answerAt(s[i+1:])
				if ok && strings.HasPrefix(strings.TrimLeft(s[i+1+size:], " "), string(closing(c))) {
					answer(i, i+1)
				}
			}
		case '-', '+':
			v := usual
			if c == '-' {
				v = negated
			}
			if (i == 0 || s[i-1] == ' ') && isWord(s[i+1:], "ve") {
				e := signEffects[v]
				if after := strings.TrimLeft(s[i+3:], " "); after == "" || strings.ContainsAny(after[:1], ".,;)") {
					e = answerEffects[v]
				}
				add(i, i+3, e)
				continue
			}
			if before := strings.TrimRight(s[:i], " "); precedesWord(s[i+1:]) && (before == "" && c == '+' ||
				before != "" && strings.ContainsAny(before[len(before)-1:], ",;:") || signFirst && s[i-1] == ' ') {
				add(i, i+1, signEffects[v])
				signFirst = true
				continue
			}
			if c == '-' && i > 0 && s[i-1] == ' ' && strings.HasPrefix(s[i+1:], " ") {
				answer(i, i+1)
			}
		case 0xE2: // a dash
			for _, dash := range []string{" – ", " — "} {
				if i > 0 && strings.HasPrefix(s[i-1:], dash) {
					answer(i, i-1+len(dash))
				}
			}
		}
	}
	return dst
}

// isList reports whether the findings of a list have one answer: "Cyanosis, clubbing and edema: none". The list begins
// its segment, and each item is a few words that are no statement.
func isList(before string) bool {
	const maxItemWords = 3
	items := strings.FieldsFunc(strings.ReplaceAll(before, " and ", ","), func(r rune) bool { return r == ',' })
	return len(items) > 1 && !strings.ContainsAny(before, ".;:?!=()[]\t\n") && !hasClause(before) &&
		!slices.ContainsFunc(items, func(item string) bool {
			words := strings.Fields(item)
			return len(words) > maxItemWords || len(words) > 0 && english.ClauseStarters[strings.ToLower(words[0])]
		})
}

// doubts reports whether a question mark says that a finding is uncertain, given what is before and after it in the
// segment: it ends a few words that are no question, as in "Appendicitis?".
func doubts(before, after string) bool {
	const maxWords = 4
	words := strings.Fields(before)
	return strings.Trim(after, ") .") == "" && len(words) > 0 && len(words) <= maxWords &&
		!english.QuestionWords[strings.ToLower(words[0])]
}

// precedesWord reports whether s begins with a word, after spaces.
func precedesWord(s string) bool { return unicode.IsLetter(firstRune(strings.TrimLeft(s, " "))) }

// plusMinus returns the value of the sign in a bracket, as in "(-)" and "(+)", after the opening bracket.
func plusMinus(s string) (value, bool) {
	for sign, v := range map[string]value{"-": negated, "−": negated, "–": negated, "+": usual} {
		if rest, ok := strings.CutPrefix(s, sign); ok && rest != "" && (rest[0] == ')' || rest[0] == ']') {
			return v, true
		}
	}
	return usual, false
}

func closing(open byte) byte {
	if open == '(' {
		return ')'
	}
	return ']'
}

// startsItem reports whether an item of a list begins after before.
func startsItem(before string) bool {
	before = strings.TrimRight(before, " \t\r\n")
	return before == "" || strings.ContainsAny(before[len(before)-1:], ",;:.)]")
}

// isWord reports whether s begins with a word.
func isWord(s, word string) bool {
	rest, ok := strings.CutPrefix(s, word)
	return ok && !normalize.IsWordRune(firstRune(rest))
}

// affirmed reports whether the part of a statement after a comma says that its finding is there: "no fever, ascites
// present", "no chills, cough x 3 days".
func affirmed(after string) bool {
	if i := strings.IndexAny(after, ",;\r\n"); i >= 0 {
		after = after[:i]
	}
	words := strings.Fields(strings.ToLower(strings.TrimRight(after, ". ")))
	for i, word := range words[:max(0, len(words)-1)] {
		if i > 0 && word == "x" && unicode.IsDigit(firstRune(words[i+1])) {
			return true
		}
	}
	return len(words) > 1 && english.Affirmations[words[len(words)-1]]
}

// pastEnds is the effect of ", with" and ", on": "history of asthma, with fever", "history of stroke, on warfarin".
var pastEnds = &effects{acts: [dimensions]bool{polarity: true, temporality: true}, past: true}

// firstWord returns the first word of s in lower case.
func firstWord(s string) string {
	s = strings.TrimLeft(s, " \t\r\n")
	if i := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }); i >= 0 {
		s = s[:i]
	}
	return strings.ToLower(s)
}
