package assertion

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/sentence"
	"github.com/ctxnorm/ctxnorm/text"
)

// answers maps each phrase of [language.Assertion.Answers] to its value.
var answers = func() map[string]value {
	of := make(map[string]value)
	for _, l := range language.Languages {
		for v, phrases := range l.Assertion.Answers {
			for phrase := range strings.SplitSeq(strings.ToLower(phrases), ",") {
				of[strings.Join(strings.Fields(phrase), " ")] = v
			}
		}
	}
	return of
}()

// Patterns of answers, as a whole and before a label ("Fever: No Cough: Yes"), and of the marks that forms and notes put
// between words.
var (
	wholeAnswer = regexp.MustCompile(`^[ \t]*([^.,;)\]\r\n\t|]{1,24}?) *(?:[.,;)\]\r\n\t|]|  +(?:[^\p{Ll} ]|[\pL ]{1,20}:)| \(|$)`)
	labelBehind = regexp.MustCompile(`^[ \t]*(\pL+) +\p{Lu}[^:.,;()\]\r\n\t|]{0,20}[\pL)] *:(?:\s|$)`)
	year        = regexp.MustCompile(`^(?:in )?(?:\d{1,2}[./-])?(?:19|20)\d\d$`)           // "pneumonia (2015)"
	bracketSign = regexp.MustCompile(`^[-−–+][)\]]`)                                       // "(-)" after its bracket
	box         = regexp.MustCompile(`^(?:\[[ _]\]|[☐□✗✘❌]|(\[[xX✓✔]\]|[☑☒✓✔✅]))`)         // of a form; the group matches if it is checked
	moreSigns   = regexp.MustCompile(`^(?:\pL(?s:.*) [-+]| \pL(?s:.*) \+ ?)\pL.`)          // "LOC -headache +nausea" after its sign
	itemSign    = regexp.MustCompile(`^(?:[` + sentence.Bullets + `]|[-*·+#–—>?](?s:.)|` + // of a list: "- ", "2) ", "(b) ", "?"
		`\(?(?:\d{1,3}|\pL)[.)] )`)
)

// answerAt returns the value and the length of the answer at the start of s. Its statement must end there, or a label
// follows: "No" is an answer, "No history of stroke" is not.
func answerAt(s string) (v value, size int, ok bool) {
	for _, pattern := range []*regexp.Regexp{wholeAnswer, labelBehind} {
		found := pattern.FindStringSubmatchIndex(s)
		if found == nil {
			continue
		}
		phrase := s[found[2]:found[3]]
		if v, ok = answers[strings.Join(strings.Fields(strings.ToLower(phrase)), " ")]; ok {
			return v, found[3], true
		}
		if year.MatchString(phrase) {
			return historical, found[3], true
		}
	}
	return usual, 0, false
}

// answerEffects returns the effects of an answer on the findings before it.
func answerEffects(v value) *effects {
	e := new(effects)
	e.acts[v.Dimension()], e.before[v.Dimension()] = true, v
	return e
}

// signEffects returns the effects of a sign on the findings after it.
func signEffects(v value) *effects {
	e := new(effects)
	e.acts[v.Dimension()], e.after[v.Dimension()] = true, v
	return e
}

// sign is punctuation with a meaning: its span in a segment, and its effects. Words within the span are not terms.
type sign struct {
	text.Span
	effects *effects
}

// signs appends the signs of a segment to dst: starts of labels, answers, and marks such as "(-)", "-ve", "?PE" and a
// semicolon.
func signs(dst []sign, segment string) []sign {
	f := signFinder{segment: segment, found: dst}
	for i := range len(segment) {
		f.signAt(i)
	}
	return f.found
}

// signFinder finds the signs of a segment.
type signFinder struct {
	segment   string
	found     []sign
	signFirst bool // signs precede the findings: "(+) cough (-) fever"
	hasBoxes  bool // the segment is a form
	boxBehind bool // its boxes follow their findings, "fever [x]", rather than precede them, "[x] fever"
}

func (f *signFinder) add(start, end int, e *effects) {
	f.found = append(f.found, sign{text.Span{Start: start, End: end}, e})
}

// signAt adds the sign at segment[i:], if there is one.
func (f *signFinder) signAt(i int) {
	s := f.segment
	switch s[i] {
	case ';':
		f.add(i, i+1, termination)
	case ',':
		next := normalize.FirstWord(s[i+1:])
		if lang.ClauseStarters[next] || affirmed(s[i+1:]) {
			f.add(i, i+1, answerEffects(usual))
		} else if lang.PastEnds[next] {
			f.add(i, i+1, pastEnds)
		}
	case ':':
		f.colon(i)
	case '?':
		f.questionMark(i)
	case '.':
		if strings.HasSuffix(s[:i], "..") && !strings.HasPrefix(s[i+1:], ".") {
			f.answer(i-len(".."), i+1)
		}
	case '\t', '|', '=':
		if i > 0 {
			f.answer(i, i+1)
		}
	case '(', '[':
		if !f.box(i) {
			f.bracket(i)
		}
	case '-', '+':
		f.plusOrMinus(i)
	case 0xC3: // "Ø fever"
		if after, isNo := strings.CutPrefix(s[i:], "Ø"); isNo && (i == 0 || s[i-1] == ' ') && precedesWord(after) {
			f.add(i, len(s)-len(after), signEffects(negated))
		}
	case 0xE2: // a dash or a box
		f.box(i)
		if i > 0 && (strings.HasPrefix(s[i-1:], " – ") || strings.HasPrefix(s[i-1:], " — ")) {
			f.answer(i, i+len("– "))
		}
	}
}

// label adds a sign at the start of the label that ends at end. No scope extends across it.
func (f *signFinder) label(end int) {
	if at := labelStart(f.segment, end); at > 0 {
		_, size := utf8.DecodeLastRuneInString(f.segment[:at])
		f.add(at-size, at, termination)
	}
}

// answer adds the answer after the mark segment[at:end] and reports whether there is one.
func (f *signFinder) answer(at, end int) bool {
	v, size, ok := answerAt(f.segment[end:])
	if !ok || v == historical && !strings.ContainsAny(f.segment[at:at+1], "([:") || // "n = 2015"
		v == otherPerson && strings.Contains(f.segment[:at], ":") { // "FHx: gout (father), asthma"
		return false
	}
	if !isList(f.segment[:at]) {
		f.label(len(strings.TrimRight(f.segment[:at], " ")))
	}
	f.add(end, end+size, answerEffects(v))
	return true
}

// colon adds the sign of the colon at i: "Stroke: No", "Pertinent negatives: fever".
func (f *signFinder) colon(i int) {
	isLabel := endsLabel(f.segment, i)
	if (isLabel || len(normalize.LastWord(f.segment[:i])) > 2) && f.answer(i, i+1) || !isLabel { // "fever:none"
		return
	}
	f.label(i)
	if start := labelStart(f.segment, i); start >= 0 {
		if v, ok := lang.ListLabels[strings.ToLower(f.segment[start:i])]; ok {
			f.add(start, i+1, signEffects(v))
		}
	}
}

// questionMark adds the sign of the question mark at i: "?PE", "Fever? No", "Appendicitis?".
func (f *signFinder) questionMark(i int) {
	before, after := strings.TrimRight(f.segment[:i], "?"), f.segment[i+1:]
	if strings.HasPrefix(after, "?") {
		return // the last of several counts
	}
	opens := before == "" || strings.HasSuffix(before, " ") || strings.HasSuffix(before, "(")
	if opens && precedesWord(after) {
		f.add(i, i+1, signEffects(uncertain))
	} else if !f.answer(i, i+1) && doubts(before, after) {
		f.add(i, i+1, answerEffects(uncertain))
	}
}

// bracket adds the sign of the bracket at i: "fever (-)", "(-)fever", "fever (denies)".
func (f *signFinder) bracket(i int) {
	s := f.segment
	end, v := ")", negated
	if s[i] == '[' {
		end = "]"
	}
	sign := bracketSign.FindString(s[i+1:])
	if sign == "" {
		if i > 0 && !startsItem(s[:i]) {
			_, size, ok := answerAt(s[i+1:])
			if after := strings.TrimLeft(s[i+1+size:], " "); ok && (strings.HasPrefix(after, end) || strings.HasPrefix(after, ",")) {
				f.answer(i, i+1)
			}
		}
		return
	}
	if sign[0] == '+' {
		v = usual
	}
	size := strings.Index(s[i:], end) + 1
	after := s[i+size:]
	before := startsItem(s[:i]) || s[i-1] == ' ' && unicode.IsLetter(normalize.FirstRune(after)) // "(-)fever"
	if before || f.signFirst && precedesWord(after) {
		f.signFirst = f.signFirst || precedesWord(after)
		f.add(i, i+size, signEffects(v))
	} else {
		f.label(len(strings.TrimRight(s[:i], " ")))
		f.add(i, i+size, answerEffects(v))
	}
}

// box adds the sign of a form's box at i: "[x] fever [ ] cough", "fever [x]", "Stroke: [ ] yes [x] no". It reports
// whether there is one.
func (f *signFinder) box(i int) bool {
	found := box.FindStringSubmatchIndex(f.segment[i:])
	if found == nil {
		return false
	}
	size, checked := found[1], found[2] >= 0
	before, after := strings.TrimRight(f.segment[:i], " "), strings.TrimLeft(f.segment[i+size:], " ")
	choice := normalize.FirstWord(after)
	v, isChoice := answers[choice]
	if isChoice && strings.HasPrefix(strings.ToLower(after), choice) {
		end := len(f.segment) - len(after) + len(choice)
		if strings.HasSuffix(before, ":") {
			f.label(len(before) - 1)
		}
		if checked {
			f.add(i, end, answerEffects(v))
		} else {
			f.add(i, end, &effects{})
		}
		return true
	}
	if v = negated; checked {
		v = usual
	}
	if !f.hasBoxes {
		f.hasBoxes, f.boxBehind = true, !startsItem(before) && strings.Trim(before, "-*• ") != ""
	}
	e := signEffects(v)
	if f.boxBehind {
		e = answerEffects(v)
	}
	f.add(i, i+size, e)
	return true
}

// plusOrMinus adds the sign of the plus or minus at i: "+ve fever", "cough, -fever", "fever - denies".
func (f *signFinder) plusOrMinus(i int) {
	s, v := f.segment, usual
	if s[i] == '-' {
		v = negated
	}
	before, after := strings.TrimRight(s[:i], " "), s[i+1:]
	rest, isSign := strings.CutPrefix(after, lang.SignEnding)
	switch {
	case (i == 0 || s[i-1] == ' ') && isSign && !normalize.IsWordRune(normalize.FirstRune(rest)):
		e := signEffects(v)
		if rest = strings.TrimLeft(rest, " "); rest == "" || strings.ContainsAny(rest[:1], ".,;)") {
			e = answerEffects(v)
		}
		f.add(i, i+1+len(lang.SignEnding), e)
	case precedesWord(after) && (before == "" && (s[i] == '+' || moreSigns.MatchString(after)) ||
		before != "" && strings.ContainsAny(before[len(before)-1:], ",;:.") || f.signFirst && s[i-1] == ' '):
		f.add(i, i+1, signEffects(v))
		f.signFirst = true
	case before != "" && s[i-1] == ' ' && (after == "" || strings.ContainsAny(after[:1], ",.;)")): // "cough +, rash -"
		f.add(i, i+1, answerEffects(v))
	case s[i] == '-' && i > 0 && s[i-1] == ' ' && strings.HasPrefix(after, " "):
		f.answer(i, i+1)
	}
}

// isList reports whether before is a list of findings with a common answer: "Cyanosis, clubbing and edema: none". The
// list must begin its segment, and each item must be a few words without a statement.
func isList(before string) bool {
	const maxItemWords = 3
	for _, conjunction := range lang.Conjunctions {
		before = strings.ReplaceAll(before, " "+conjunction+" ", ",")
	}
	items := strings.FieldsFunc(before, func(r rune) bool { return r == ',' })
	return len(items) > 1 && !strings.ContainsAny(before, ".;:?!=()[]\t\n0123456789") && !hasClause(before) &&
		!slices.ContainsFunc(items, func(item string) bool {
			words := strings.Fields(item)
			return len(words) > maxItemWords || len(words) > 0 && (lang.ClauseStarters[strings.ToLower(words[0])] ||
				lang.Affirmations[strings.ToLower(words[len(words)-1])])
		})
}

// doubts reports whether a question mark makes a finding uncertain, given the text before and after it in the segment:
// it must end a few words that are not a question, as in "Appendicitis?".
func doubts(before, after string) bool {
	const maxWords = 4
	words := strings.Fields(before)
	return strings.Trim(after, ") .") == "" && len(words) > 0 && len(words) <= maxWords &&
		!lang.QuestionWords[strings.ToLower(words[0])]
}

// precedesWord reports whether s begins with a word, possibly after spaces.
func precedesWord(s string) bool {
	return unicode.IsLetter(normalize.FirstRune(strings.TrimLeft(s, " ")))
}

// startsItem reports whether an item of a list begins after before.
func startsItem(before string) bool {
	before = strings.TrimRight(before, " \t\r\n")
	return before == "" || strings.ContainsAny(before[len(before)-1:], ",;:.)]")
}

// affirmed reports whether the part of a statement after a comma affirms its finding: "no fever, ascites present", "no
// chills, cough x 3 days", "no fever, mild cough".
func affirmed(after string) bool {
	isAlternative := slices.ContainsFunc(lang.Alternatives, func(word string) bool { // "no pain, mild or severe"
		return strings.Contains(after, " "+word+" ")
	})
	if i := strings.IndexAny(after, ",;\r\n"); i >= 0 {
		after = after[:i]
	}
	words := strings.Fields(strings.ToLower(strings.TrimRight(after, ". ")))
	if len(words) > 1 && lang.Degrees[words[0]] && !isAlternative {
		return true
	}
	lasting := slices.IndexFunc(words, func(word string) bool { return lang.Lasting[word] })
	return len(words) > 1 && lang.Affirmations[words[len(words)-1]] ||
		lasting > 0 && lasting+1 < len(words) && unicode.IsDigit(normalize.FirstRune(words[lasting+1]))
}

// pastEnds holds the effects of ", with" and ", on": "history of asthma, with fever", "history of stroke, on warfarin".
var pastEnds = &effects{acts: [dimensions]bool{polarity: true, temporality: true}, past: true}
