package normalize

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// katakanaLetters are the names of Greek letters in Japanese, the usual one first. Letters whose names are also
// words or syllables (ミュー, パイ, カイ) are left out.
var katakanaLetters = map[rune][]string{
	'α': {"アルファ", "アルファー"}, 'β': {"ベータ", "ベーター"}, 'γ': {"ガンマ", "ガンマー"}, 'δ': {"デルタ"},
	'ε': {"イプシロン", "エプシロン"}, 'ζ': {"ゼータ"}, 'θ': {"シータ"}, 'κ': {"カッパ"}, 'λ': {"ラムダ"},
	'σ': {"シグマ"}, 'τ': {"タウ"}, 'ω': {"オメガ"},
}

// lettersByKatakana are the letters that a name in Katakana stands for wherever it stands, longer names before those
// that they begin with. タウ is not among them: タウリン would be a τリン, as in τリン酸化.
var lettersByKatakana = []struct {
	name   string
	letter rune
}{
	{"アルファー", 'α'}, {"アルファ", 'α'}, {"ベーター", 'β'}, {"ベータ", 'β'}, {"ガンマー", 'γ'}, {"ガンマ", 'γ'}, {"デルタ", 'δ'},
	{"イプシロン", 'ε'}, {"エプシロン", 'ε'}, {"ゼータ", 'ζ'}, {"シータ", 'θ'}, {"カッパ", 'κ'}, {"ラムダ", 'λ'}, {"シグマ", 'σ'}, {"オメガ", 'ω'},
}

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
		for _, written := range append([]string{string(letter)}, katakanaLetters[letter]...) {
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
	if katakanaLetters[first] != nil {
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
	for _, k := range lettersByKatakana {
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

// longVowelDashes are signs that are written for the mark ー of a long vowel.
const longVowelDashes = "-－−―‐─"

// longVowelDash returns the length of the dash that raw begins with, if it may stand for the mark of a long vowel:
// Katakana follow, and not the name of a Greek letter, which a hyphen joins. It returns 0 for anything else.
func longVowelDash(raw string) int {
	dash, size := utf8.DecodeRuneInString(raw)
	if raw == "" || !strings.ContainsRune(longVowelDashes, dash) {
		return 0
	}
	rest := raw[size:]
	if next, _ := utf8.DecodeRuneInString(rest); !unicode.Is(unicode.Katakana, next) {
		return 0
	}
	for _, k := range lettersByKatakana {
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
