package tokenizer

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/rangetable"
)

// assigned holds the characters of Unicode 8, whose categories Hugging Face's library uses (crate unicode_categories).
// Go's tables also have later ones, and categories of a few characters of Unicode 8 have changed in them.
var assigned = rangetable.Assigned("8.0.0")

// isRemoved reports whether BertNormalizer removes a character: a control character except tab and line breaks, a
// format character, private use, or the replacement character.
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

// isPunctuation reports whether a character is a word of its own: ASCII that is not a letter, digit or space, or a
// character of the category P.
func isPunctuation(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return '!' <= r && r <= '/' || ':' <= r && r <= '@' || '[' <= r && r <= '`' || '{' <= r && r <= '~'
	case r == 0x166d || r == 0x111c9: // now in other categories
		return true
	}
	return unicode.IsPunct(r) && unicode.Is(assigned, r)
}

// isNonspacingMark reports whether a character is an accent, that is, of the category Mn.
func isNonspacingMark(r rune) bool {
	switch r {
	case 0x1734: // now in another category
		return true
	case 0x1885, 0x1886, 0xa9bd, 0x111c9: // in other categories then
		return false
	}
	return r >= 0x300 && unicode.Is(unicode.Mn, r) && unicode.Is(assigned, r)
}

// isChinese reports whether a character is in the blocks of ideographs that BERT treats specially.
func isChinese(r rune) bool {
	return r >= 0x3400 && (r <= 0x4dbf || 0x4e00 <= r && r <= 0x9fff || 0xf900 <= r && r <= 0xfaff ||
		0x20000 <= r && r <= 0x2a6df || 0x2a700 <= r && r <= 0x2b73f || 0x2b740 <= r && r <= 0x2b81f ||
		0x2b920 <= r && r <= 0x2ceaf || 0x2f800 <= r && r <= 0x2fa1f)
}
