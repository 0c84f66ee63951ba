package normalize

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/language"
)

var unspaced = &language.Rules.Unspaced

// katakanaName is the name of a Greek letter in Katakana.
type katakanaName struct {
	name, letter string // in Katakana and in English
	isSyllable   bool   // also occurs in words without meaning the letter
}

// katakanaNames holds the names of Greek letters; longer names come before their prefixes.
var katakanaNames = func() []katakanaName {
	var all []katakanaName
	for letter, names := range unspaced.GreekLetters {
		for _, name := range names {
			all = append(all, katakanaName{name, lang.GreekLetters[letter], strings.ContainsRune(unspaced.Syllables, letter)})
		}
	}
	slices.SortFunc(all, func(a, b katakanaName) int { return strings.Compare(b.name, a.name) })
	return all
}()

// UnspacedReading returns the reading of a text in normal form at a character of a script without spaces, the length
// that it replaces, and whether the text may also be read unchanged. The length is 0 if it can only be read unchanged.
//
//	Greek     ベータサラセミア     betaサラセミア
//	spelling  ウィルス性肝炎      ウイルス性肝炎
//	numeral   二型糖尿病         2型糖尿病
//	vowel     アルツハイマー病     アルツハイマ病: the mark at the end of a word of five characters or more
func UnspacedReading(normal []byte, at int) (form string, size int, maybeAsIs bool) {
	r, size := utf8.DecodeRune(normal[at:])
	if unicode.Is(unicode.Katakana, r) {
		for _, k := range katakanaNames {
			if hasPrefix(normal[at:], k.name) {
				return k.letter, len(k.name), k.isSyllable
			}
		}
	}
	if usual, size := otherSpellings.usual(normal[at:]); size > 0 {
		return usual, size, false
	}
	for isASCIIWord(r) && at+size < len(normal) && isASCIIWord(rune(normal[at+size])) {
		size++
	}
	next, _ := utf8.DecodeRune(normal[at+size:])
	switch {
	case r == 'ー':
		const minWord = 5
		if next != 'ー' && !unicode.Is(unicode.Katakana, next) && katakanaSuffix(normal[:at])+1 >= minWord {
			return "", size, false
		}
	case strings.ContainsRune(unspaced.Counters, next):
		before := string(normal[max(0, at-32) : at+size])
		if numeral := before[len(before)-numeralSuffix(before):]; len(numeral) == size && numberOf(numeral) > 0 {
			return arabicNumerals[numberOf(numeral)-1], size, false
		}
	}
	return "", 0, true
}

func isASCIIWord(r rune) bool { return r < utf8.RuneSelf && IsWordRune(r) }

// katakanaSuffix returns the number of Katakana characters at the end of a text.
func katakanaSuffix(text []byte) (n int) {
	for ; ; n++ {
		r, size := utf8.DecodeLastRune(text)
		if r != 'ー' && !unicode.Is(unicode.Katakana, r) {
			return n
		}
		text = text[:len(text)-size]
	}
}

func hasPrefix(text []byte, prefix string) bool {
	return len(text) >= len(prefix) && string(text[:len(prefix)]) == prefix
}

// longVowelDashes are signs used in place of the long vowel mark ー. After Katakana, those in longVowelMarks hardly ever
// mean anything else: the normalization of mecab-ipadic-NEologd always replaces them.
const (
	longVowelDashes = longVowelMarks + "-−‐"
	longVowelMarks  = "－―─"
)

// longVowelDash returns the length of the dash at the beginning of raw, if it may stand for the long vowel mark, else
// 0. It may if Katakana follow that are not the name of a Greek letter, which a hyphen would join. One of
// longVowelMarks may unless a letter or number of another script follows: アレルギ－性, but not サブスタンス－P.
func longVowelDash(raw string) int {
	dash, size := utf8.DecodeRuneInString(raw)
	if raw == "" || !strings.ContainsRune(longVowelDashes, dash) {
		return 0
	}
	rest := raw[size:]
	next, _ := utf8.DecodeRuneInString(rest)
	isMark := strings.ContainsRune(longVowelMarks, dash) && next != dash
	if isMark && (!IsWordRune(next) || unicode.In(next, unicode.Han, unicode.Hiragana)) {
		return size
	}
	if !unicode.Is(unicode.Katakana, next) {
		return 0
	}
	for _, k := range katakanaNames {
		if !k.isSyllable && strings.HasPrefix(rest, k.name) {
			return 0
		}
	}
	return size
}

// isLengthened reports whether r is a Katakana syllable whose vowel can be long.
func isLengthened(r rune) bool {
	return unicode.Is(unicode.Katakana, r) && !strings.ContainsRune("ンッー", r)
}

// usualSpelling normalizes a word in a script without spaces to one spelling for each word and number: see
// [CanonicalTokens].
func usualSpelling(word string) string {
	if isASCII(word) || !strings.ContainsFunc(word, IsUnspacedScript) {
		return word
	}
	return otherSpellings.replace([]byte(replaceCounted(word, func(n int) string { return arabicNumerals[n-1] })))
}

// otherSpellings holds the spellings for scripts without spaces.
var otherSpellings = func() spellings {
	all := make(spellings)
	for _, same := range unspaced.Spellings {
		for _, other := range same[1:] {
			first, _ := utf8.DecodeRuneInString(other)
			all[first] = append(all[first], [2]string{other, same[0]})
		}
	}
	for _, others := range all {
		for i := range others {
			others[i][1] = all.replace([]byte(others[i][1])) // うつ is 鬱 in Japanese, which is 郁 in Chinese
		}
	}
	return all
}()

// spellings holds pairs of a spelling and the usual one, by the first character of the former.
type spellings map[rune][][2]string

// usual returns the usual spelling of the beginning of a text and the length it replaces, or 0 if there is no other
// spelling.
func (s spellings) usual(text []byte) (usual string, size int) {
	first, _ := utf8.DecodeRune(text)
	for _, pair := range s[first] {
		if hasPrefix(text, pair[0]) {
			return pair[1], len(pair[0])
		}
	}
	return "", 0
}

// replace replaces all spellings in a text by the usual ones.
func (s spellings) replace(text []byte) string {
	var out []byte
	for len(text) > 0 {
		usual, size := s.usual(text)
		if size == 0 {
			_, size = utf8.DecodeRune(text)
			usual = string(text[:size])
		}
		out, text = append(out, usual...), text[size:]
	}
	return string(out)
}

// numberOf returns the number from 1 to 9 for a numeral in normal form, or 0.
func numberOf(numeral string) int {
	for _, numerals := range [][]string{arabicNumerals[:9], romanNumerals[:9], strings.Split(unspaced.Numerals, "")} {
		if at := slices.Index(numerals, numeral); at >= 0 {
			return at + 1
		}
	}
	return 0
}

// replaceCounted replaces the numbers from 1 to 9 before a counter in a text in normal form: 2 in 2型.
func replaceCounted(name string, by func(n int) string) string {
	var out strings.Builder
	done := 0
	for end, r := range name {
		if !strings.ContainsRune(unspaced.Counters, r) {
			continue
		}
		start := end - numeralSuffix(name[:end])
		if n := numberOf(name[start:end]); n > 0 {
			out.WriteString(name[done:start] + by(n))
			done = end
		}
	}
	return out.String() + name[done:]
}

// numeralSuffix returns the length of the numeral, or of the letters and digits, at the end of s.
func numeralSuffix(s string) int {
	isNumeral := func(r rune) bool { return strings.ContainsRune(unspaced.Numerals+"十百", r) }
	if last, _ := utf8.DecodeLastRuneInString(s); isNumeral(last) {
		return len(s) - len(strings.TrimRightFunc(s, isNumeral))
	}
	return len(s) - len(strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyz0123456789"))
}

// unspacedSeries returns a word in a script without spaces with a mark in place of each number that has a counter and
// of each opposite. Words with the same result exclude each other. It is empty for a word without such parts.
func unspacedSeries(word string) string {
	if isASCII(word) || !strings.ContainsFunc(word, IsUnspacedScript) {
		return ""
	}
	marked := replaceCounted(markedOpposites.Replace(word), func(int) string { return "0" })
	if marked == word {
		return ""
	}
	return marked
}

var markedOpposites = func() *strings.Replacer {
	var pairs []string
	for _, opposites := range unspaced.Opposites {
		mark := "<" + usualSpelling(opposites[0]) + ">"
		pairs = append(pairs, usualSpelling(opposites[0]), mark, usualSpelling(opposites[1]), mark)
	}
	return strings.NewReplacer(pairs...)
}()
