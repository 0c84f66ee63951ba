package normalize

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/ctxnorm/ctxnorm/internal/language"
)

var unspaced = &language.Rules.Unspaced

// katakanaName is a name of a Greek letter in Katakana.
type katakanaName struct {
	name   string
	letter rune
}

// katakanaNames are the names that stand for a letter wherever they stand, longer names before those that they begin
// with.
var katakanaNames = func() []katakanaName {
	var all []katakanaName
	for letter, names := range unspaced.GreekLetters {
		if strings.ContainsRune(unspaced.Syllables, letter) {
			continue
		}
		for _, name := range names {
			all = append(all, katakanaName{name, letter})
		}
	}
	slices.SortFunc(all, func(a, b katakanaName) int { return strings.Compare(b.name, a.name) })
	return all
}()

// japaneseGreekVariants returns the variants of a name in a script without spaces in which a Greek letter is written
// as the letter or by its name in Katakana, and is joined to what is beside it or not:
//
//	βサラセミア       β-サラセミア, ベータサラセミア
//	α1-アンチトリプシン  α1アンチトリプシン, アルファ1-アンチトリプシン
func japaneseGreekVariants(name string) []Variant {
	if !strings.ContainsFunc(name, IsUnspacedScript) {
		return nil
	}
	var all []Variant
	sites := 0
	for at := 0; at < len(name) && sites < maxGreekLetters; {
		letter, size := japaneseGreekAt(name, at)
		if letter == 0 {
			_, size = utf8.DecodeRuneInString(name[at:])
			at += size
			continue
		}
		sites++
		left, rest := name[:at], name[at+size:]
		after := strings.TrimLeft(rest, " ")
		right := strings.TrimLeft(after, "0123456789")
		digits := after[:len(after)-len(right)]
		if digits == "" {
			right = rest
		} else if len(after) < len(rest) {
			digits = " " + digits
		}
		at += size
		onlyLetter := !strings.ContainsFunc(left, unicode.IsLetter) && !strings.ContainsFunc(right, unicode.IsLetter)
		if onlyLetter || combines(rest) || combines(right) {
			continue
		}
		for _, written := range append([]string{string(letter)}, unspaced.GreekLetters[letter]...) {
			add := func(left, digits, right string, gapAfter string) {
				form := left + written + digits + right
				if form == name {
					return
				}
				v := Variant{Form: form}
				if gapAfter != "" {
					v.Gap = countTokens(strings.ToLower(gapAfter))
				}
				all = append(all, v)
			}
			add(left, digits, right, "")
			if left != "" {
				other, added := toggleEnd(left)
				add(other, digits, right, added)
			}
			if right != "" {
				other, added := toggleStart(right, left+written+digits)
				add(left, digits, other, added)
			}
			if digits != "" {
				other, added := toggleStart(digits, left+written)
				add(left, other, right, added)
			}
		}
	}
	return all
}

// maxGreekLetters is the largest number of Greek letters of a name that are written in other ways: each variant is
// as long as the name.
const maxGreekLetters = 8

// toggleEnd returns s without the space at its end, or with one, and then what is before that space.
func toggleEnd(s string) (other, added string) {
	if without, ok := strings.CutSuffix(s, " "); ok {
		return without, ""
	}
	return s + " ", s
}

// toggleStart returns s without the space at its start, or with one, and then what is before that space.
func toggleStart(s, before string) (other, added string) {
	if without, ok := strings.CutPrefix(s, " "); ok {
		return without, ""
	}
	return " " + s, before
}

// japaneseGreekAt returns the Greek letter that stands at name[at:] and the length of how it is written, or 0. A letter
// beside another Greek one is part of a Greek word.
func japaneseGreekAt(name string, at int) (letter rune, size int) {
	first, size := utf8.DecodeRuneInString(name[at:])
	if unspaced.GreekLetters[first] != nil {
		before, _ := utf8.DecodeLastRuneInString(name[:at])
		after, _ := utf8.DecodeRuneInString(name[at+size:])
		if unicode.Is(unicode.Greek, before) || unicode.Is(unicode.Greek, after) {
			return 0, 0
		}
		return first, size
	}
	if first < '\u30a0' || first > '\u30ff' { // Katakana
		return 0, 0
	}
	for _, k := range katakanaNames {
		if strings.HasPrefix(name[at:], k.name) {
			return k.letter, len(k.name)
		}
	}
	return 0, 0
}

// combines reports whether s begins with a mark, whose form depends on what is before it.
func combines(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return s != "" && (unicode.IsMark(first) || !norm.NFKC.PropertiesString(s).BoundaryBefore())
}

// countTokens returns the number of tokens of a text.
func countTokens(s string) int {
	n := normalizers.Get().(*Normalizer)
	defer normalizers.Put(n)
	n.normalize(s, &lowerCase)
	return len(n.tokens)
}

// longVowelDashes are signs that are written for the mark ー of a long vowel. Those of longVowelMarks stand for hardly
// anything else behind Katakana: the normalization of mecab-ipadic-NEologd replaces them everywhere.
const (
	longVowelDashes = longVowelMarks + "-−‐"
	longVowelMarks  = "－―─"
)

// longVowelDash returns the length of the dash that raw begins with, if it may stand for the mark of a long vowel:
// Katakana follow, and not the name of a Greek letter, which a hyphen joins, or behind one of longVowelMarks anything
// but a letter or number of another script: アレルギ－性, and not サブスタンス－P. It returns 0 for anything else.
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
		if strings.HasPrefix(rest, k.name) {
			return 0
		}
	}
	return size
}

// isLengthened reports whether r is a Katakana syllable whose vowel can be long.
func isLengthened(r rune) bool {
	return unicode.Is(unicode.Katakana, r) && r != 'ン' && r != 'ッ' && r != 'ー'
}

// longVowelVariants returns a name without the mark of a long vowel at the end of each of its words in Katakana, of
// five characters or more: アルツハイマー病 is also アルツハイマ病. There are at most four.
func longVowelVariants(name string) []Variant {
	const minWord, maxLongVowels = 5, 4
	if !strings.Contains(name, "ー") {
		return nil
	}
	var all []Variant
	length := 0 // of the word in Katakana before a character
	for i, r := range name + " " {
		if unicode.Is(unicode.Katakana, r) || r == 'ー' {
			length++
			continue
		}
		if before, ok := strings.CutSuffix(name[:i], "ー"); ok && length >= minWord && len(all) < maxLongVowels {
			all = append(all, Variant{Form: before + name[i:]})
		}
		length = 0
	}
	return all
}

// maxSpellings is the largest number of variants of a name by its spellings.
const maxSpellings = 8

// spellingVariants returns the variants of a name, in normal form and in a script without spaces, in which one word is
// spelled otherwise, wherever it stands, or one number: ウイルス性肝炎 is also ウィルス性肝炎, and 2型糖尿病 ii型糖尿病 and 二型糖尿病.
func spellingVariants(name string) []Variant {
	if !strings.ContainsFunc(name, IsUnspacedScript) {
		return nil
	}
	var all []Variant
	for _, spellings := range unspaced.Spellings {
		for _, from := range spellings {
			for _, to := range spellings {
				if form := strings.ReplaceAll(name, from, to); form != name {
					all = append(all, Variant{Form: form})
				}
			}
		}
	}
	for at, size := range countedNumbers(name) {
		if len(all) >= maxSpellings {
			break
		}
		number := numberOf(name[at : at+size])
		for _, to := range []string{arabicNumerals[number-1], romanNumerals[number-1], string([]rune(unspaced.Numerals)[number-1])} {
			if form := name[:at] + to + name[at+size:]; form != name {
				all = append(all, Variant{Form: form})
			}
		}
	}
	return all[:min(len(all), maxSpellings)]
}

// usualSpelling returns a word in normal form and in a script without spaces with one spelling for each word and
// number: see [spellingVariants].
func usualSpelling(word string) string {
	if isASCII(word) || !strings.ContainsFunc(word, IsUnspacedScript) {
		return word
	}
	word = usualSpellings.Replace(word)
	var out strings.Builder
	done := 0
	for at, size := range countedNumbers(word) {
		out.WriteString(word[done:at] + arabicNumerals[numberOf(word[at:at+size])-1])
		done = at + size
	}
	return out.String() + word[done:]
}

var usualSpellings = func() *strings.Replacer {
	var pairs []string
	for _, spellings := range unspaced.Spellings {
		for _, other := range spellings[1:] {
			pairs = append(pairs, other, spellings[0])
		}
	}
	return strings.NewReplacer(pairs...)
}()

// numberOf returns the number from 1 to 9 that a numeral in normal form stands for, or 0.
func numberOf(numeral string) int {
	for _, numerals := range [][]string{arabicNumerals[:9], romanNumerals[:9], strings.Split(unspaced.Numerals, "")} {
		if at := slices.Index(numerals, numeral); at >= 0 {
			return at + 1
		}
	}
	return 0
}

// countedNumbers yields the places and lengths of the numbers from 1 to 9 in a text in normal form that a counter
// follows: 2 of 2型.
func countedNumbers(name string) iter.Seq2[int, int] {
	return func(yield func(at, size int) bool) {
		for end, r := range name {
			if !strings.ContainsRune(unspaced.Counters, r) {
				continue
			}
			start := end - numeralSuffix(name[:end])
			if numberOf(name[start:end]) > 0 && !yield(start, end-start) {
				return
			}
		}
	}
}

// numeralSuffix returns the length of the numeral, or of the letters and digits, that s ends with.
func numeralSuffix(s string) int {
	isNumeral := func(r rune) bool { return strings.ContainsRune(unspaced.Numerals+"十百", r) }
	if last, _ := utf8.DecodeLastRuneInString(s); isNumeral(last) {
		return len(s) - len(strings.TrimRightFunc(s, isNumeral))
	}
	return len(s) - len(strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyz0123456789"))
}

// unspacedSeries returns a word in a script without spaces with a mark in place of each number with its counter and of
// each opposite: words of which it is the same exclude each other. It is empty for a word that has none.
func unspacedSeries(word string) string {
	if isASCII(word) || !strings.ContainsFunc(word, IsUnspacedScript) {
		return ""
	}
	marked := markedOpposites.Replace(word)
	var out strings.Builder
	done := 0
	for at, size := range countedNumbers(marked) {
		out.WriteString(marked[done:at] + "0")
		done = at + size
	}
	if done == 0 && marked == word {
		return ""
	}
	return out.String() + marked[done:]
}

var markedOpposites = func() *strings.Replacer {
	var pairs []string
	for _, opposites := range unspaced.Opposites {
		pairs = append(pairs, opposites[0], "<"+opposites[0]+">", opposites[1], "<"+opposites[0]+">")
	}
	return strings.NewReplacer(pairs...)
}()
