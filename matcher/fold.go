package matcher

import (
	"unicode"
	"unicode/utf8"
)

// strokes are Latin letters that Unicode does not take apart, as they are
// written where the letter is wanting.
var strokes = map[rune]string{
	'ß': "ss", 'ẞ': "SS", 'æ': "ae", 'Æ': "AE", 'œ': "oe", 'Œ': "OE",
	'ø': "o", 'Ø': "O", 'ł': "l", 'Ł': "L", 'đ': "d", 'Đ': "D", 'ı': "i",
}

func appendAllFolded(dst, form []byte, lower bool) []byte {
	for _, r := range string(form) {
		dst = appendFolded(dst, r, lower)
	}
	return dst
}

// appendFolded appends one rune of a word, in lower case if that is asked for.
func appendFolded(dst []byte, r rune, lower bool) []byte {
	if plain, ok := strokes[r]; ok {
		if !lower {
			return append(dst, plain...)
		}
		for _, letter := range plain {
			dst = utf8.AppendRune(dst, unicode.ToLower(letter))
		}
		return dst
	}
	if lower {
		r = unicode.ToLower(r)
	}
	if r == 'ς' {
		r = 'σ' // the form of sigma at the end of a word
	}
	return utf8.AppendRune(dst, r)
}

// unspaced reports whether r is of a script that is written without spaces
// between words. The mark that lengthens a Katakana vowel belongs to no script
// in Unicode's tables and is one of them here.
func unspaced(r rune) bool {
	const firstUnspaced, prolongedSound = '\u0e00', 'ー' // Thai is the first block of these scripts
	return r >= firstUnspaced && (r == prolongedSound || unicode.In(r,
		unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}
