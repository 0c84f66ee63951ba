package normalize

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A sign belongs to a word that means something else without it:
//
//	CD4+, O-, Ca²⁺, p53-/-, ER (-), 3+, C++, C#, 5 %   behind it; a hyphen counts if it joins no other word
//	> 3, ≤.05, +/-2, -2.5                              before a number: >3, ≤0.05, ±2, −2.5
//	.5, 5.0, 1,000, 0,5, 1:10                          in a number: 0.5, 5, 1000, 0.5, 1:10
//
// The normal form of a minus is −, which is no hyphen.
const (
	minus        = "−"
	plusAndMinus = "+" + minus
	maxSigns     = 8 // bytes, more than any of allSigns
)

var allSigns = map[string]bool{"+": true, "++": true, "+++": true, minus: true, plusAndMinus: true,
	"+/+": true, "+/" + minus: true, minus + "/+": true, minus + "/" + minus: true}

func isMinus(r rune) bool { return strings.ContainsRune("-−–⁻－", r) }
func isPlus(r rune) bool  { return strings.ContainsRune("+⁺＋", r) }

// sign reads a sign at raw[i:] into a token, and returns where the text goes on, i if there is none, and whether the
// token ends there; n.open says that its letters go on. gap says whether anything separates raw[i:] from the last token.
func (n *Normalizer) sign(raw string, i int, gap bool) (next int, ends bool) {
	form, size, ends := n.signBehind(raw, i, gap)
	if size == 0 {
		if form, size = signBefore(raw, i); size == 0 {
			return i, true
		}
		n.startToken(i, true)
		ends = false
	}
	n.segment = append(n.segment[:0], form...)
	n.extendToken(i + size)
	n.open = !ends && JoinsWords(firstRune(raw[i+size:]))
	return i + size, ends
}

// signBehind returns the normal form and the length of a sign at raw[i:] that belongs to the last token, and whether it
// ends that.
func (n *Normalizer) signBehind(raw string, i int, gap bool) (form string, size int, ends bool) {
	if len(n.tokens) == 0 {
		return "", 0, true
	}
	last := &n.tokens[len(n.tokens)-1]
	word := raw[last.Raw.Start:last.Raw.End]
	normal := n.normal[last.Normal.Start:]
	switch {
	case gap && (last.Raw.End != i-1 || raw[i-1] != ' '):
	case raw[i] == '%' && isDigit(word[len(word)-1]):
		return "%", 1, true
	case raw[i] == '.' || raw[i] == ',' || raw[i] == ':':
		if !gap {
			form, size = decimals(string(normal), word, raw[i:])
		}
		return form, size, size == 0
	case !endsInWord(normal):
	case raw[i] == '(':
		form, size = plusMinus(raw[i+1:])
		after, closed := strings.CutPrefix(raw[i+1+size:], ")")
		next := firstRune(after)
		if size == 0 || !closed || form == plusAndMinus || next == '-' || !hasLetter(word) || JoinsWords(next) && !hasDigit(word) {
			return "", 0, true
		}
		return form, size + 2, true
	case !gap:
		form, size = signOf(word, raw[i:])
	}
	return form, size, true
}

// signOf returns the sign that stands directly behind a word.
func signOf(word, rest string) (form string, size int) {
	if form, size = plusMinus(rest); size == 0 {
		if rest[0] == '#' && hasLetter(word) && len(word) <= 2 && !JoinsWords(firstRune(rest[1:])) {
			return "#", 1
		}
		return "", 0
	}
	if form == plusAndMinus && rest[size-1] == '-' && JoinsWords(firstRune(rest[size:])) {
		return "+", size - 1 // Na+-dependent
	}
	next, first := firstRune(rest[size:]), firstRune(rest)
	isOne := form == minus
	switch {
	case unicode.IsMark(next), form == plusAndMinus:
		return "", 0
	case JoinsWords(next): // CD4+CD25+
		if form != "+" || !hasLetter(word) || !hasDigit(word) || !unicode.IsLetter(next) {
			return "", 0
		}
	case isOne && (!hasLetter(word) || (first == '-' || first == '–') && joinsNext(word, rest[size:])):
		return "", 0
	}
	return form, size
}

// plusMinus returns the normal form and the length of the signs that a text begins with: one of allSigns.
func plusMinus(s string) (form string, size int) {
	for size < len(s) && len(form) < maxSigns {
		r, length := utf8.DecodeRuneInString(s[size:])
		switch {
		case isPlus(r):
			form += "+"
		case isMinus(r):
			form += minus
		case r == '/' && size > 0:
			form += "/"
		default:
			length = 0
		}
		if length == 0 {
			break
		}
		size += length
	}
	if before, isBefore := strings.CutSuffix(form, "/"); isBefore { // of the next word: CD4+/CD8+
		form, size = before, size-1
	}
	if !allSigns[form] {
		return "", 0
	}
	return form, size
}

// joinsNext reports whether a hyphen behind a word is not a minus: it ends a line, or joins the word to what follows it
// ("hypo- and hyperkalemia", "TNF- alpha").
func joinsNext(word, rest string) bool {
	const longest = 4 // letters of a word in capitals
	hasCapital := countLetters(word).capitals > 0
	space := rest[:len(rest)-len(strings.TrimLeftFunc(rest, unicode.IsSpace))]
	next := rest[len(space):]
	second := next[:len(next)-len(strings.TrimLeftFunc(next, JoinsWords))]
	switch {
	case lang.WordPrefixes[strings.ToLower(word)], strings.Contains(space, "\n"):
		return true
	case next != "" && space == "" && !strings.ContainsRune(")],;:.?!/", firstRune(next)):
		return true
	case next == "", space == "", next[0] == '(':
		return !hasDigit(word) && utf8.RuneCountInString(word) > 1 && (!hasCapital || len(word) > longest)
	}
	return lang.Suspending[strings.ToLower(second)] || isDigit(next[0]) || !hasDigit(word) && (!hasCapital || len(word) != 2)
}

// decimals returns the form and the length of the decimal places, or of a group of three digits, behind a number, which
// is written in the text as raw.
func decimals(number, raw, rest string) (form string, size int) {
	number = strings.TrimLeft(number, "<>≤≥±−")
	digits := rest[1:]
	digits = digits[:len(digits)-len(strings.TrimLeft(digits, "0123456789"))]
	size = 1 + len(digits)
	switch {
	case digits == "" || strings.Trim(number, "0123456789.:") != "", unicode.IsMark(firstRune(rest[size:])), IsInvisible(firstRune(rest[size:])):
		return "", 0
	case rest[0] == ':':
		return rest[:size], size
	case rest[0] == ',' && number != "0":
		if len(digits) != 3 || number[0] == '0' || strings.ContainsAny(number, ".:") || len(number) > 3 && !strings.Contains(raw, ",") {
			return "", 0
		}
		return digits, size
	}
	after := rest[size:]
	if strings.ContainsAny(number, ".:") || len(after) > 1 && after[0] == '.' && isDigit(after[1]) {
		return "." + digits, size // one of several numbers: 1.2.0
	}
	if digits = strings.TrimRight(digits, "0"); digits != "" {
		digits = "." + digits
	}
	return digits, size
}

// isDecimal reports whether a text begins with decimal places.
func isDecimal(s string) bool {
	if !strings.HasPrefix(s, ".") {
		return false
	}
	_, size := decimals("0", "", s)
	return size > 0
}

// signBefore returns the sign at raw[i:] that stands before a number.
func signBefore(raw string, i int) (form string, size int) {
	before, _ := utf8.DecodeLastRuneInString(raw[:i])
	first, size := utf8.DecodeRuneInString(raw[i:])
	rest := raw[i+size:]
	switch {
	case first == '.':
		if IsWordRune(before) || before == '.' {
			return "", 0
		}
		if form, size = decimals("0", "", raw[i:]); size > 0 {
			form = "0" + form
		}
		return form, size
	case isMinus(first):
		whole := strings.TrimLeft(rest, "0123456789")
		if i > 0 && before != ' ' && before != '(' || len(whole) == len(rest) || first == '-' && !isDecimal(whole) {
			return "", 0
		}
		return minus, size
	case strings.ContainsRune("<>≤≥", first) && before != '-' && before != '=':
		form = string(first)
		if after, ok := strings.CutPrefix(rest, "="); ok {
			rest, form = after, map[rune]string{'<': "≤", '>': "≥"}[first]
		}
	case first == '±':
		form = "±"
	default:
		if run, length := plusMinus(raw[i:]); run == "+/"+minus || run == plusAndMinus {
			form, rest = "±", raw[i+length:]
		}
	}
	number := strings.TrimLeft(rest, " ")
	digits := strings.TrimLeft(number, "0123456789")
	switch {
	case form == "" || number == "":
		return "", 0
	case len(digits) < len(number):
	case isDecimal(number):
		form += "0"
	default:
		return "", 0
	}
	return form, len(raw) - i - len(number)
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// endsInWord reports whether a word ends in a letter or number of a script with spaces.
func endsInWord(word []byte) bool {
	last, _ := utf8.DecodeLastRune(word)
	return JoinsWords(last)
}

func hasLetter(word string) bool { return strings.ContainsFunc(word, unicode.IsLetter) }

func hasDigit(word string) bool { return strings.ContainsAny(word, "0123456789") }

// BareLength returns the length of a word in normal form without a plus or minus behind it: of CD4 in CD4+. A number, and
// a word with other signs, is nothing without them.
func BareLength(word []byte) int {
	last, size := utf8.DecodeLastRune(word)
	bare := word[:len(word)-size]
	if last != '+' && string(word[len(bare):]) != minus || !endsInWord(bare) || isDigit(bare[0]) {
		return len(word)
	}
	return len(bare)
}

// partsOf returns the words of a normal form with the signs and the unit that belong to a word as words of their own, and
// forms of drugs written out: "cd4 positive", "81 mg tablet".
func partsOf(words []string) []string {
	parts := make([]string, 0, len(words)+1)
	for _, word := range words {
		bare := word[:BareLength([]byte(word))]
		unit := strings.TrimLeft(word, "<>≤≥±−.0123456789")
		form := ""
		if len(parts) > 0 && lang.Units[parts[len(parts)-1]] {
			form = lang.DrugForms[word]
		}
		switch {
		case len(bare) < len(word):
			parts = append(parts, bare, lang.Signs[word[len(bare):]])
		case lang.Units[unit]:
			if number := word[:len(word)-len(unit)]; number != "" {
				parts = append(parts, number)
			}
			parts = append(parts, cmp.Or(lang.DrugForms[unit], unit))
		case form != "":
			parts = append(parts, form)
		default:
			parts = append(parts, word)
		}
	}
	return parts
}

// decimalPoints returns a name with points for the decimal commas before units: "2,5 mg" is 2.5 mg.
func decimalPoints(name string) string {
	for at := strings.IndexByte(name, ','); at > 0 && at+1 < len(name); {
		rest := strings.TrimLeft(name[at+1:], "0123456789")
		unit, _, _ := strings.Cut(strings.ToLower(strings.TrimLeft(rest, " ")), " ")
		if isDigit(name[at-1]) && isDigit(name[at+1]) && len(name)-at-1-len(rest) != 3 && lang.Units[unit] {
			name = name[:at] + "." + name[at+1:]
		}
		next := strings.IndexByte(name[at+1:], ',')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return name
}
