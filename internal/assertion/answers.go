package assertion

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/sentence"
	"github.com/ctxnorm/ctxnorm/text"
)

// answers holds the value of each of [language.Assertion.Answers].
var answers = func() map[string]value {
	of := make(map[string]value)
	for v, phrases := range lang.Answers {
		for phrase := range strings.SplitSeq(phrases, ",") {
			of[strings.Join(strings.Fields(phrase), " ")] = v
		}
	}
	return of
}()

// Patterns of what forms and notes write between words.
var (
	answerEnd   = regexp.MustCompile(`[.,;)\]\r\n\t|]|  | \(`)                            // behind an answer
	year        = regexp.MustCompile(`^(?:in )?(?:\d{1,2}[./-])?(?:19|20)\d\d$`)          // "pneumonia (2015)"
	bracketSign = regexp.MustCompile(`^[-−–+][)\]]`)                                      // "(-)" behind its bracket
	box         = regexp.MustCompile(`^(?:\[[ _]\]|☐|□|(\[[xX✓✔]\]|☑|☒))`)                // of a form; a group if it is checked
	moreSigns   = regexp.MustCompile(`^\pL(?s:.*) [-+]\pL.`)                              // "LOC -headache +nausea" behind its sign
	itemSign    = regexp.MustCompile(`^(?:[` + sentence.Bullets + `]|[-*·+#–—>](?s:.)|` + // of a list: "- ", "2) ", "(b) "
		`\(?(?:\d{1,3}|\pL)[.)] )`)
)

// answerAt returns the value and the length of the answer that s begins with. Nothing of its statement follows it:
// "No" is an answer, "No history of stroke" is none.
func answerAt(s string) (v value, size int, ok bool) {
	const maxBytes = 24 // longer than every answer
	rest := strings.TrimLeft(s, " \t")
	phrase := rest
	if end := answerEnd.FindStringIndex(rest); end != nil {
		phrase = rest[:end[0]]
	}
	phrase = strings.TrimRight(phrase, " ")
	if year.MatchString(phrase) {
		return historical, len(s) - len(rest) + len(phrase), true
	}
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
	usual:      {acts: [dimensions]bool{polarity: true}},
	uncertain:  {acts: [dimensions]bool{polarity: true}, before: [dimensions]value{polarity: uncertain}},
	negated:    {acts: [dimensions]bool{polarity: true}, before: [dimensions]value{polarity: negated}},
	historical: {acts: [dimensions]bool{temporality: true}, before: [dimensions]value{temporality: historical}},
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
	signFirst bool // signs stand before the findings: "(+) cough (-) fever"
	hasBoxes  bool // the segment is a form
	boxBehind bool // and its boxes stand behind their findings, "fever [x]", not before them, "[x] fever"
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
		next := firstWord(s[i+1:])
		if lang.ClauseStarters[next] || affirmed(s[i+1:]) {
			f.add(i, i+1, answerEffects[usual])
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
			f.add(i, len(s)-len(after), signEffects[negated])
		}
	case 0xE2: // a dash or a box
		f.box(i)
		if i > 0 && (strings.HasPrefix(s[i-1:], " – ") || strings.HasPrefix(s[i-1:], " — ")) {
			f.answer(i, i+len("– "))
		}
	}
}

// label adds the start of the label that ends at end: a scope does not reach over it.
func (f *signFinder) label(end int) {
	if at := labelStart(f.segment, end); at > 0 {
		_, size := utf8.DecodeLastRuneInString(f.segment[:at])
		f.add(at-size, at, termination)
	}
}

// answer adds the answer after the mark segment[at:end], and reports whether there is one.
func (f *signFinder) answer(at, end int) bool {
	v, size, ok := answerAt(f.segment[end:])
	if !ok || v == historical && !strings.ContainsAny(f.segment[at:at+1], "([:") { // "n = 2015"
		return false
	}
	if !isList(f.segment[:at]) {
		f.label(len(strings.TrimRight(f.segment[:at], " ")))
	}
	f.add(end, end+size, answerEffects[v])
	return true
}

// colon adds what the colon at i says: "Stroke: No", "Pertinent negatives: fever".
func (f *signFinder) colon(i int) {
	isLabel := endsLabel(f.segment, i)
	if (isLabel || len(lastWord(f.segment[:i])) > 2) && f.answer(i, i+1) || !isLabel { // "fever:none"
		return
	}
	f.label(i)
	if start := labelStart(f.segment, i); start >= 0 {
		if v, ok := lang.ListLabels[strings.ToLower(f.segment[start:i])]; ok {
			f.add(start, i+1, signEffects[v])
		}
	}
}

// questionMark adds what the question mark at i says: "?PE", "Fever? No", "Appendicitis?".
func (f *signFinder) questionMark(i int) {
	before, after := strings.TrimRight(f.segment[:i], "?"), f.segment[i+1:]
	if strings.HasPrefix(after, "?") {
		return // the last of several counts
	}
	opens := before == "" || strings.HasSuffix(before, " ") || strings.HasSuffix(before, "(")
	if opens && precedesWord(after) {
		f.add(i, i+1, signEffects[uncertain])
	} else if !f.answer(i, i+1) && doubts(before, after) {
		f.add(i, i+1, answerEffects[uncertain])
	}
}

// bracket adds what the bracket at i says: "fever (-)", "(-)fever", "fever (denies)".
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
			if ok && strings.HasPrefix(strings.TrimLeft(s[i+1+size:], " "), end) {
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
	before := startsItem(s[:i]) || s[i-1] == ' ' && unicode.IsLetter(firstRune(after)) // "(-)fever"
	if before || f.signFirst && precedesWord(after) {
		f.signFirst = f.signFirst || precedesWord(after)
		f.add(i, i+size, signEffects[v])
	} else {
		f.label(len(strings.TrimRight(s[:i], " ")))
		f.add(i, i+size, answerEffects[v])
	}
}

// box adds what the box of a form at i says: "[x] fever [ ] cough", "fever [x]", "Stroke: [ ] yes [x] no". It reports
// whether there is one.
func (f *signFinder) box(i int) bool {
	found := box.FindStringSubmatchIndex(f.segment[i:])
	if found == nil {
		return false
	}
	size, checked := found[1], found[2] >= 0
	before, after := strings.TrimRight(f.segment[:i], " "), strings.TrimLeft(f.segment[i+size:], " ")
	choice := firstWord(after)
	v, isChoice := answers[choice]
	if isChoice && strings.HasPrefix(strings.ToLower(after), choice) {
		end := len(f.segment) - len(after) + len(choice)
		if checked {
			f.label(len(strings.TrimRight(before, ": ")))
			f.add(i, end, answerEffects[v])
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
	e := signEffects[v]
	if f.boxBehind {
		e = answerEffects[v]
	}
	f.add(i, i+size, e)
	return true
}

// plusOrMinus adds what the sign at i says: "+ve fever", "cough, -fever", "fever - denies".
func (f *signFinder) plusOrMinus(i int) {
	s, v := f.segment, usual
	if s[i] == '-' {
		v = negated
	}
	before, after := strings.TrimRight(s[:i], " "), s[i+1:]
	rest, isSign := strings.CutPrefix(after, lang.SignEnding)
	switch {
	case (i == 0 || s[i-1] == ' ') && isSign && !normalize.IsWordRune(firstRune(rest)):
		e := signEffects[v]
		if rest = strings.TrimLeft(rest, " "); rest == "" || strings.ContainsAny(rest[:1], ".,;)") {
			e = answerEffects[v]
		}
		f.add(i, i+1+len(lang.SignEnding), e)
	case precedesWord(after) && (before == "" && (s[i] == '+' || moreSigns.MatchString(after)) ||
		before != "" && strings.ContainsAny(before[len(before)-1:], ",;:.") || f.signFirst && s[i-1] == ' '):
		f.add(i, i+1, signEffects[v])
		f.signFirst = true
	case before != "" && s[i-1] == ' ' && (after == "" || strings.ContainsAny(after[:1], ",.;)")): // "cough +, rash -"
		f.add(i, i+1, answerEffects[v])
	case s[i] == '-' && i > 0 && s[i-1] == ' ' && strings.HasPrefix(after, " "):
		f.answer(i, i+1)
	}
}

// isList reports whether the findings of a list have one answer: "Cyanosis, clubbing and edema: none". The list begins
// its segment, and each item is a few words that are no statement.
func isList(before string) bool {
	const maxItemWords = 3
	for _, conjunction := range lang.Conjunctions {
		before = strings.ReplaceAll(before, " "+conjunction+" ", ",")
	}
	items := strings.Split(before, ",")
	items = slices.DeleteFunc(items, func(item string) bool { return item == "" })
	return len(items) > 1 && !strings.ContainsAny(before, ".;:?!=()[]\t\n") && !hasClause(before) &&
		!slices.ContainsFunc(items, func(item string) bool {
			words := strings.Fields(item)
			return len(words) > maxItemWords || len(words) > 0 && (lang.ClauseStarters[strings.ToLower(words[0])] ||
				lang.Affirmations[strings.ToLower(words[len(words)-1])])
		})
}

// doubts reports whether a question mark says that a finding is uncertain, given what is before and after it in the
// segment: it ends a few words that are no question, as in "Appendicitis?".
func doubts(before, after string) bool {
	const maxWords = 4
	words := strings.Fields(before)
	return strings.Trim(after, ") .") == "" && len(words) > 0 && len(words) <= maxWords &&
		!lang.QuestionWords[strings.ToLower(words[0])]
}

// precedesWord reports whether s begins with a word, after spaces.
func precedesWord(s string) bool { return unicode.IsLetter(firstRune(strings.TrimLeft(s, " "))) }

// startsItem reports whether an item of a list begins after before.
func startsItem(before string) bool {
	before = strings.TrimRight(before, " \t\r\n")
	return before == "" || strings.ContainsAny(before[len(before)-1:], ",;:.)]")
}

// affirmed reports whether the part of a statement after a comma says that its finding is there: "no fever, ascites
// present", "no chills, cough x 3 days", "no fever, mild cough".
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
	lasting := slices.Index(words, lang.Lasting)
	return len(words) > 1 && lang.Affirmations[words[len(words)-1]] ||
		lasting > 0 && lasting+1 < len(words) && unicode.IsDigit(firstRune(words[lasting+1]))
}

// pastEnds is the effect of ", with" and ", on": "history of asthma, with fever", "history of stroke, on warfarin".
var pastEnds = &effects{acts: [dimensions]bool{polarity: true, temporality: true}, past: true}

// firstWord returns the first word of s in lower case.
func firstWord(s string) string {
	s = strings.TrimLeft(s, " \t\r\n")
	return strings.ToLower(s[:len(s)-len(strings.TrimLeftFunc(s, unicode.IsLetter))])
}
