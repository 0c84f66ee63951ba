package tokenizer

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/rangetable"
)

// assigned holds the characters of Unicode 8, whose categories Hugging Face's library has (crate
// unicode_categories). Go's tables have the later ones too, and a few of Unicode 8 have other categories there.
var assigned = rangetable.Assigned("8.0.0")

// isRemoved reports whether BertNormalizer removes a character: a control character but for tab and
// line breaks, a format character, private use, or the replacement character.
func isRemoved(r rune) bool {
	switch {
	case r == '\t' || r == '\n' || r == '\r':
		return false
	case r < utf8.RuneSelf:
		return r < ' ' || r == 0x7f
	case r == utf8.RuneError:
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co) && unicode.Is(assigned, r)
}

// isPunctuation reports whether a character is a word of its own: ASCII that is no letter, digit or
// space, or a character of the category P.
func isPunctuation(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return '!' <= r && r <= '/' || ':' <= r && r <= '@' || '[' <= r && r <= '`' || '{' <= r && r <= '~'
	case r == 0x166d || r == 0x111c9: // of other categories since
		return true
	}
	return unicode.IsPunct(r) && unicode.Is(assigned, r)
}

// isNonspacingMark reports whether a character is an accent: of the category Mn.
func isNonspacingMark(r rune) bool {
	switch r {
	case 0x1734: // of another category since
		return true
	case 0x1885, 0x1886, 0xa9bd, 0x111c9: // of other categories then
		return false
	}
	return r >= 0x300 && unicode.Is(unicode.Mn, r) && unicode.Is(assigned, r)
}

// isChinese reports whether a character is in the blocks of ideographs that BERT tells apart.
func isChinese(r rune) bool {
	return r >= 0x3400 && (r <= 0x4dbf || 0x4e00 <= r && r <= 0x9fff || 0xf900 <= r && r <= 0xfaff ||
		0x20000 <= r && r <= 0x2a6df || 0x2a700 <= r && r <= 0x2b73f || 0x2b740 <= r && r <= 0x2b81f ||
		0x2b920 <= r && r <= 0x2ceaf || 0x2f800 <= r && r <= 0x2fa1f)
}
