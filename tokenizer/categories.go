package tokenizer

import (
	"unicode"
	"unicode/utf8"
)

// The categories of characters are those of Unicode 8, which Hugging Face's library has (crate
// unicode_categories): Go's tables without the late characters, which came after. A range of those
// also covers old characters of other categories, and numbers that are no characters yet.

var (
	lateFormats = ranges([][2]uint32{{0x890, 0x8e2}, {0x110cd, 0x1343f}})

	latePunctuation = ranges([][2]uint32{
		{0x61d, 0x61d}, {0x9fd, 0xa76}, {0xc77, 0xc84}, {0x1b7d, 0x1b7e}, {0x2e43, 0x2e5d}, {0x10ead, 0x10f89},
		{0x1144b, 0x1145d}, {0x11660, 0x116b9}, {0x1183b, 0x11fff}, {0x12ff1, 0x12ff2}, {0x16e97, 0x16fe2},
		{0x1e95e, 0x1e95f},
	})

	lateMarks = ranges([][2]uint32{
		{0x7fd, 0x7fd}, {0x898, 0x8e1}, {0x9fe, 0x9fe}, {0xafa, 0xaff}, {0xb55, 0xb55}, {0xc04, 0xc3c},
		{0xd00, 0xd00}, {0xd3b, 0xd3c}, {0xd81, 0xd81}, {0xeba, 0xeba}, {0xece, 0xece}, {0x180f, 0x1886},
		{0x1abf, 0x1ace}, {0x1df6, 0x1dfb}, {0xa82c, 0xa82c}, {0xa8c5, 0xa8c5}, {0xa8ff, 0xa8ff}, {0xa9bd, 0xa9bd},
		{0x10d24, 0x10f85}, {0x11070, 0x11074}, {0x110c2, 0x110c2}, {0x111c9, 0x111c9}, {0x111cf, 0x111cf},
		{0x1123e, 0x11241}, {0x1133b, 0x1133b}, {0x11438, 0x1145e}, {0x1182f, 0x13455}, {0x16f4f, 0x16f4f},
		{0x16fe4, 0x16fe4}, {0x1cf00, 0x1cf46}, {0x1e000, 0x1e4ef}, {0x1e944, 0x1e94a},
	})
)

// ranges returns the table of sorted ranges, each with its last character.
func ranges(pairs [][2]uint32) *unicode.RangeTable {
	t := new(unicode.RangeTable)
	for _, p := range pairs {
		t.R32 = append(t.R32, unicode.Range32{Lo: p[0], Hi: p[1], Stride: 1})
	}
	return t
}

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
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co) && !unicode.Is(lateFormats, r)
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
	return unicode.IsPunct(r) && !unicode.Is(latePunctuation, r)
}

// isNonspacingMark reports whether a character is an accent: of the category Mn.
func isNonspacingMark(r rune) bool {
	const wasMark = 0x1734 // of another category since
	return r == wasMark || r >= 0x300 && unicode.Is(unicode.Mn, r) && !unicode.Is(lateMarks, r)
}

// isChinese reports whether a character is in the blocks of ideographs that BERT tells apart.
func isChinese(r rune) bool {
	return r >= 0x3400 && (r <= 0x4dbf || 0x4e00 <= r && r <= 0x9fff || 0xf900 <= r && r <= 0xfaff ||
		0x20000 <= r && r <= 0x2a6df || 0x2a700 <= r && r <= 0x2b73f || 0x2b740 <= r && r <= 0x2b81f ||
		0x2b920 <= r && r <= 0x2ceaf || 0x2f800 <= r && r <= 0x2fa1f)
}
