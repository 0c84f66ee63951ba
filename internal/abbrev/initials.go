package abbrev

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// reading is a way to find the long form of a short form: it returns the start of the long form at the end of a phrase,
// or -1. It applies to the short forms that match a pattern, or to all if that is nil.
type reading struct {
	shorts *regexp.Regexp
	start  func(short string, in phrase) int
}

var (
	byInitials = reading{nil, matchInitials}
	byLetters  = reading{nil, longFormStart}

	// readings are tried in this order.
	readings = []reading{
		byInitials,
		{regexp.MustCompile(`^\p{Lu}\(?[a-rt-z]\)?$`), matchInitialsAnyOrder}, // an index: "ambient temperature (Ta)"
		byLetters,
		{regexp.MustCompile(`^[\p{Lu}()]+$`), matchInitialsAnyOrder}, // from Latin: "myotonic dystrophy (DM)"
		{regexp.MustCompile(`\pL.*\pL.*\pL.*\d$`), matchNumbered},
	}
)

// phrase is the text before a short form, with its words.
type phrase struct {
	text  string
	words []initialWord
}

// initialWord is a word of a phrase, or a part of a hyphenated word.
type initialWord struct {
	start   int
	initial rune   // in lower case
	word    string // in lower case, with what follows it
}

// is reports whether the word begins with a letter of a short form, or is its number: II for "T2DM".
func (w initialWord) is(letter rune) bool {
	return letter == w.initial || letter == lang.Numbers[strings.TrimRightFunc(w.word, normalize.IsNoWordRune)]
}

// matchInitials returns the start of the words at the end of a phrase with the letters and numbers of short as their
// initials, in order, or -1. Linking words may be skipped:
//
//	PPIs  proton pump inhibitors
//	IIEF  International Index of Erectile Function
//	HDL   non-|high-density lipoprotein
//
// It is the first strategy of Ab3P (Sohn et al., BMC Bioinformatics 2008). The algorithm of Schwartz & Hearst takes the
// shortest long form, which here is "pump inhibitors". It prefers words that are not linking words: TTN is transient
// tachypnea of the newborn, not "tachypnea of the newborn".
func matchInitials(short string, in phrase) int {
	if at := alignInitials(short, in, true); at >= 0 {
		return at
	}
	return alignInitials(short, in, false)
}

// alignInitials is [matchInitials] with or without linking words that match a letter.
func alignInitials(short string, in phrase, content bool) int {
	letters, words := shortFormLetters(short), in.words
	at := len(words)
	for i, letter := range slices.Backward(letters) {
		at--
		for at > 0 && i < len(letters)-1 && (content || !words[at].is(letter)) && lang.LinkingWords[words[at].word] {
			at--
		}
		if at < 0 || !words[at].is(letter) || content && lang.LinkingWords[words[at].word] {
			return -1
		}
	}
	return words[at].start
}

// matchInitialsAnyOrder returns the start of the words at the end of a phrase with the letters of short as their
// initials, in any order, one word for each letter, or -1.
func matchInitialsAnyOrder(short string, in phrase) int {
	letters := shortFormLetters(short)
	if len(in.words) < len(letters) {
		return -1
	}
	words := in.words[len(in.words)-len(letters):]
	var initials []rune
	for _, word := range words {
		initials = append(initials, word.initial)
	}
	slices.Sort(letters)
	slices.Sort(initials)
	if !slices.Equal(letters, initials) || lang.FunctionWords[words[0].word] {
		return -1
	}
	return words[0].start
}

// matchNumbered returns the start of the long form of short without its number, or -1: "partial least squares (PLS-1)".
func matchNumbered(short string, in phrase) int {
	letters := strings.TrimRight(short, "-0123456789")
	at := alignInitials(letters, in, true)
	if at >= 0 || strings.Contains(letters, " ") {
		return at
	}
	at = longFormStart(letters, in)
	if at >= 0 && strings.Contains(in.text[at:], ", ") {
		return -1
	}
	return at
}

// longFormStart returns the start of the shortest long form of short at the end of a phrase, or -1: its first word
// begins with the first letter of short, and the others follow in order (findBestLongForm of the paper). That word is
// not a function word: the long form of AD is "anxiety and depression", not "and depression".
func longFormStart(short string, in phrase) int {
	letters := lettersOf(short)
	for _, word := range slices.Backward(in.words) {
		if word.initial != letters[0] || lang.FunctionWords[word.word] {
			continue
		}
		rest := letters
		for _, r := range in.text[word.start:] {
			if len(rest) > 0 && unicode.ToLower(r) == rest[0] {
				rest = rest[1:]
			}
		}
		if len(rest) == 0 {
			return len(upToBreak.FindString(in.text[:word.start]))
		}
	}
	return -1
}

// upToBreak matches a text up to its last white space or slash after a word: "of Ngn3/paired box factor 6".
var upToBreak = regexp.MustCompile(`^(?s:.*)(?:[\s\p{Zs}]|[\pL\pN)]/)`)

// shortFormLetters returns the letters and numbers of a short form in lower case, without a plural s.
func shortFormLetters(short string) []rune { return lettersOf(normalize.SingularShortForm(short)) }

// lettersOf returns the letters and numbers of a string in lower case.
func lettersOf(s string) []rune {
	return slices.DeleteFunc([]rune(strings.ToLower(s)), normalize.IsNoWordRune)
}

// phraseOf returns a phrase; a hyphenated word counts as several.
func phraseOf(text string) phrase {
	words := make([]initialWord, 0, 2*normalize.MaxShortForm) // most long forms have fewer
	inside := false
	for i, r := range text {
		was := inside
		if inside = normalize.IsWordRune(r) || inside && r == '\''; inside && !was {
			words = append(words, initialWord{start: i, initial: unicode.ToLower(r)})
		}
	}
	end := len(text)
	for i := range slices.Backward(words) {
		words[i].word = strings.ToLower(strings.TrimSpace(text[words[i].start:end]))
		end = words[i].start
	}
	return phrase{text, words}
}
