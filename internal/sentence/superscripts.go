package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsCitation reports whether a superscript after some text is a reference number, which is a list of numbers after a
// word ("fever³,⁴") or at the end of a sentence, or the letter of a footnote. "m²" and "Ser⁴⁷³" are not citations.
func IsCitation(before, superscript string) bool {
	numbers := strings.TrimSpace(superscript)
	word := before[len(strings.TrimRightFunc(before, unicode.IsLetter)):]
	if strings.Trim(numbers, "abcdefgh, ") == "" && numbers != "" { // of footnotes: "fever(a,b)"
		return utf8.RuneCountInString(word) >= minNotedWord
	}
	if strings.Trim(numbers, "0123456789,;[]()-–— \n\t\u00a0") != "" || strings.IndexAny(numbers, "0123456789[(") != 0 {
		return false // "−1" is an exponent
	}
	if word == "" {
		last, _ := utf8.DecodeLastRuneInString(before)
		return strings.ContainsRune(".,;:)]”’\"'", last)
	}
	return utf8.RuneCountInString(word) > 2 && !aminoAcids[word] || strings.Contains(numbers, ",")
}

// minNotedWord is the minimum number of letters of a word before a footnote letter.
const minNotedWord = 4

// aminoAcids have superscript numbers for their positions.
var aminoAcids = map[string]bool{
	"Ala": true, "Arg": true, "Asn": true, "Asp": true, "Cys": true, "Gln": true, "Glu": true, "Gly": true,
	"His": true, "Ile": true, "Leu": true, "Lys": true, "Met": true, "Phe": true, "Pro": true, "Ser": true,
	"Thr": true, "Trp": true, "Tyr": true, "Val": true,
}
