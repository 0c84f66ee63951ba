package normalize

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A sign belongs to a word whose meaning would differ without it:
//
//	CD4+, O-, Ca²⁺, p53-/-, ER (-), 3+, C++, C#, 5 %   after a word; a hyphen counts if it joins no other word
//	> 3, ≤.05, +/-2, -2.5                              before a number: >3, ≤0.05, ±2, −2.5
//	.5, 5.0, 1,000, 0,5, 1:10                          in a number: 0.5, 5, 1000, 0.5, 1:10
//
// The normal form of a minus is −, which is not a hyphen.
const (
	minus   = "−"
	digits  = "0123456789"
	numeric = "<>≤≥±−" // before a number
)

var (
	signForms = strings.NewReplacer("⁺", "+", "＋", "+", "-", minus, "–", minus, "⁻", minus, "－", minus,
		">=", "≥", "<=", "≤", "≥=", "≥", "≤=", "≤")
	behindWord   = regexp.MustCompile(`^(?:[-−–⁻－+⁺＋]/[-−–⁻－+⁺＋]|[+⁺＋]{1,3}|[-−–⁻－])`)
	beforeNumber = regexp.MustCompile(`^(?:([<>≤≥]=?|±|\+/?[-−–⁻－]) {0,4}(\.?)[0-9]|([−–⁻－])[0-9]|(-)[0-9]{1,9}\.[0-9])`)
	// inNumber matches groups of three digits, several numbers, or decimal places.
	inNumber     = regexp.MustCompile(`^(?:((?:,[0-9]{3})+)(?:[^0-9]|$)|([.:][0-9]+(?:[.:][0-9]+)+|:[0-9]+)|[.,][0-9]+)`)
	decimalComma = regexp.MustCompile(`(?i),([0-9]{1,2} *(?:` +
		strings.Join(slices.Sorted(maps.Keys(lang.Units)), "|") + `)(?: |$))`)
)

// sign reads a sign at raw[i:] into a token. It returns the position after it, or i if there is none, and whether the
// token ends there; n.open is set if its letters may continue. gap tells whether anything separates raw[i:] from the
// last token.
func (n *Normalizer) sign(raw string, i int, gap bool) (next int, ends bool) {
	form, size := "", 0
	if raw[i] != '.' || gap || len(n.tokens) == 0 {
		form, size = signBefore(raw, i)
	}
	if size > 0 {
		n.startToken(i, true)
	} else if form, size, ends = n.signBehind(raw, i, gap); size == 0 {
		return i, true
	}
	n.segment = append(n.segment[:0], form...)
	n.extendToken(i + size)
	n.open = !ends && JoinsWords(FirstRune(raw[i+size:]))
	return i + size, ends
}

// signBehind returns the normal form and the length of a sign at raw[i:] that belongs to the last token, and whether it
// ends that token.
func (n *Normalizer) signBehind(raw string, i int, gap bool) (form string, size int, ends bool) {
	if len(n.tokens) == 0 {
		return "", 0, true
	}
	last := n.tokens[len(n.tokens)-1]
	word, normal := last.Raw.Of(raw), n.normal[last.Normal.Start:]
	switch {
	case gap && (last.Raw.End != i-1 || raw[i-1] != ' '):
	case raw[i] == '%' && isDigit(word[len(word)-1]):
		return "%", 1, true
	case strings.IndexByte(".,:", raw[i]) >= 0:
		if !gap {
			form, size = decimals(string(normal), raw[i:])
		}
		return form, size, false
	case !endsInWord(normal):
	case raw[i] == '(':
		form, size = plusMinus(raw[i+1:])
		after, closed := strings.CutPrefix(raw[i+1+size:], ")")
		next := FirstRune(after)
		if size == 0 || !closed || next == '-' || !hasLetter(word) || JoinsWords(next) && !hasDigit(word) {
			return "", 0, true
		}
		return form, size + 2, true
	case gap:
	case raw[i] == '#':
		if hasLetter(word) && len(word) <= 2 && !JoinsWords(FirstRune(raw[i+1:])) {
			return "#", 1, true
		}
	case raw[i] == '-' && JoinsWords(FirstRune(raw[i+1:])): // the usual case
	default:
		if form, size = plusMinus(raw[i:]); size > 0 && joinsNext(word, form, raw[i:], size) {
			return "", 0, true
		}
	}
	return form, size, true
}

// plusMinus returns the normal form and the length of the signs at the beginning of a text.
func plusMinus(s string) (form string, size int) {
	if s == "" || s[0] < utf8.RuneSelf && s[0] != '+' && s[0] != '-' { // the usual case
		return "", 0
	}
	size = len(behindWord.FindString(head(s)))
	return signForms.Replace(s[:size]), size
}

// joinsNext reports whether a sign after a word, s[:size], does not belong to the word: it ends a line, or joins the
// word to the next ("hypo- and hyperkalemia", "TNF- alpha").
func joinsNext(word, form, s string, size int) bool {
	const longest = 4 // letters of a word in capitals
	rest := s[size:]
	next := strings.TrimLeftFunc(rest, unicode.IsSpace)
	space := rest[:len(rest)-len(next)]
	lower := strings.ToLower(word)
	isSigned := hasDigit(word) || lang.Signed[lower]
	isShort := isSigned || len(word) == 1 || countLetters(word).capitals > 0 && len(word) <= longest
	switch {
	case JoinsWords(FirstRune(rest)): // CD4+CD25+
		return form != "+" || !hasLetter(word) || !hasDigit(word) || isDigit(rest[0])
	case form != minus:
		return false
	case !hasLetter(word):
		return true
	case s[0] != '-' && !strings.HasPrefix(s, "–"):
		return false
	case !isShort, lang.WordPrefixes[lower], strings.Contains(space, "\n"):
		return true
	case next == "", strings.ContainsRune(")],;:.?!/", FirstRune(rest)), space != "" && next[0] == '(':
		return false
	case space == "", isDigit(next[0]):
		return true
	}
	second := next[:len(next)-len(strings.TrimLeftFunc(next, JoinsWords))]
	return lang.Suspending[strings.ToLower(second)] || !isSigned && len(word) != 2
}

// decimals returns the form and the length of the continuation of a number: decimal places, a group of three digits, or
// other numbers.
func decimals(number, rest string) (form string, size int) {
	if len(rest) < 2 || !isDigit(rest[1]) {
		return "", 0
	}
	number = strings.TrimLeft(number, numeric)
	if number == "" || strings.Trim(number, digits) != "" {
		return "", 0
	}
	at := inNumber.FindStringSubmatchIndex(rest)
	switch form, size = rest[:at[1]], at[1]; {
	case at[3] > 0 && number == "0":
		form, size = form[:4], 4
	case at[3] > 0 && len(number) <= 3:
		return strings.ReplaceAll(form[:at[3]], ",", ""), at[3]
	case at[5] > 0:
		return form, size
	case form[0] == ',' && number != "0":
		return "", 0
	}
	return strings.TrimRight("."+form[1:], ".0"), size
}

// signBefore returns the sign at raw[i:] if it precedes a number.
func signBefore(raw string, i int) (form string, size int) {
	before, _ := utf8.DecodeLastRuneInString(raw[:i])
	if raw[i] == '.' {
		if form, size = decimals("0", raw[i:]); before == '.' || size == 0 {
			return "", 0
		}
		return "0" + form, size
	}
	if strings.IndexByte("(%#,:", raw[i]) >= 0 || raw[i] == '-' && (i+1 == len(raw) || !isDigit(raw[i+1])) {
		return "", 0
	}
	at := beforeNumber.FindStringSubmatchIndex(head(raw[i:]))
	switch {
	case at == nil:
		return "", 0
	case at[2] < 0:
		if i > 0 && before != ' ' && before != '(' {
			return "", 0
		}
		return minus, max(at[7], at[9])
	case before == '-' || before == '=':
		return "", 0
	}
	form = "±"
	if raw[i] != '+' {
		form = signForms.Replace(raw[i : i+at[3]])
	}
	return form + strings.Repeat("0", at[5]-at[4]), at[4]
}

// head returns a prefix of a text that is longer than any sign before a number or after a word.
func head(s string) string { return s[:min(len(s), 32)] }

// FirstRune returns the first character of s, or an invalid one if s is empty.
func FirstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// FirstWord returns the first word of a text in small letters, or "" if the text begins with punctuation.
func FirstWord(s string) string {
	s = strings.TrimLeftFunc(s, unicode.IsSpace)
	return strings.ToLower(s[:len(s)-len(strings.TrimLeftFunc(s, unicode.IsLetter))])
}

// LastWord returns the letters at the end of a text.
func LastWord(s string) string { return s[len(strings.TrimRightFunc(s, unicode.IsLetter)):] }

// endsInWord reports whether a word ends in a letter or number of a script with spaces.
func endsInWord(word []byte) bool {
	last, _ := utf8.DecodeLastRune(word)
	return JoinsWords(last)
}

func hasLetter(word string) bool { return strings.ContainsFunc(word, unicode.IsLetter) }

func hasDigit(word string) bool { return strings.ContainsAny(word, digits) }

// BareLength returns the length of a word in normal form without a final plus or minus: for CD4+ that of CD4. It never
// cuts a number or a word with other signs.
func BareLength(word []byte) int {
	last, size := utf8.DecodeLastRune(word)
	bare := word[:len(word)-size]
	if last != '+' && string(word[len(bare):]) != minus || !endsInWord(bare) || isDigit(bare[0]) {
		return len(word)
	}
	return len(bare)
}

// partsOf splits the sign, the unit and the Greek letters of each word in a normal form into separate words, and writes
// out drug forms: "cd4 positive", "81 mg tablet", "tgf beta 1".
func partsOf(words []string) []string {
	parts := make([]string, 0, len(words)+1)
	for _, word := range words {
		bare := word[:BareLength([]byte(word))]
		unit := strings.TrimLeft(word, numeric+"."+digits)
		canBeForm := lang.Units[unit] || len(parts) > 0 && lang.Units[parts[len(parts)-1]]
		switch {
		case len(bare) < len(word):
			parts, word = append(parts, bare), lang.Signs[word[len(bare):]]
		case lang.Units[unit] && len(unit) < len(word):
			parts, word = append(parts, word[:len(word)-len(unit)]), unit
		}
		if form := lang.DrugForms[word]; canBeForm && form != "" {
			word = form
		}
		if lang.Units[word] {
			parts = append(parts, word) // μg
		} else {
			parts = appendLetters(parts, word)
		}
	}
	return parts
}

// appendLetters appends a word, with each of its Greek letters as a separate word. In ASCII, that is the name of a Greek
// letter followed by at most one letter and a number. A word of three Greek letters is a Greek word.
//
//	tnfα, tnfalpha, β2, beta2, γδ, ikappab
func appendLetters(parts []string, word string) []string {
	if isASCII(word) {
		stem := strings.TrimRight(word, digits)
		for _, name := range lang.LetterNames {
			if bare, rest, ok := strings.Cut(stem, name); ok && len(rest) <= 1 && rest != "s" {
				return appendNonEmpty(parts, bare, name, rest+word[len(stem):])
			}
		}
		return append(parts, word)
	}
	const fewestOfWord = 3
	if strings.TrimFunc(word, isGreek) == "" && utf8.RuneCountInString(word) >= fewestOfWord {
		return append(parts, word)
	}
	for at := strings.IndexFunc(word, isGreek); at >= 0; at = strings.IndexFunc(word, isGreek) {
		_, size := utf8.DecodeRuneInString(word[at:])
		parts, word = appendNonEmpty(parts, word[:at], word[at:at+size]), word[at+size:]
	}
	return appendNonEmpty(parts, word)
}

func isGreek(r rune) bool { return unicode.Is(unicode.Greek, r) }

func appendNonEmpty(dst []string, words ...string) []string {
	return append(dst, slices.DeleteFunc(words, func(word string) bool { return word == "" })...)
}
