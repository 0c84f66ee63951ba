package pubmed

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"unicode/utf8"
)

// legalPrefix is the length of the longest prefix of b that consists of whole
// characters that XML allows. The reason says what is wrong with the next one;
// it is empty where b ends, if need be in the middle of a character.
//
// Most words of eight bytes hold ASCII and line feeds only. Of others, the first
// byte that is neither is looked at alone.
func legalPrefix(b []byte) (n int, reason string) {
	i := 0
	for i < len(b) {
		if i+8 <= len(b) {
			w := binary.LittleEndian.Uint64(b[i:])
			special := notASCII(w) | controls(w)&^equals(w, '\n')
			if special == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(special) / 8
		}
		c := b[i]
		switch {
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(b[i:])
			if size == 1 {
				if !utf8.FullRune(b[i:]) {
					return i, ""
				}
				return i, fmt.Sprintf("byte 0x%02x is not valid UTF-8", c)
			}
			if !isLegal(r) {
				return i, fmt.Sprintf("illegal character %U", r)
			}
			i += size
		case c < ' ' && !isSpace(c):
			return i, fmt.Sprintf("illegal character %U", rune(c))
		default:
			i++
		}
	}
	return i, ""
}

// isLegal is production [2], Char, of XML 1.0.
func isLegal(r rune) bool {
	switch {
	case r < ' ':
		return r == '\t' || r == '\n' || r == '\r'
	case r < 0xD800:
		return true
	case r < 0xE000: // surrogates
		return false
	}
	return r <= 0x10FFFF && r != 0xFFFE && r != 0xFFFF
}

// isSpace is production [3], S, of XML 1.0.
func isSpace(c byte) bool {
	return c <= ' ' && (c == ' ' || c == '\n' || c == '\t' || c == '\r')
}

// nameChars marks the bytes of a name, productions [4] and [4a] of XML 1.0.
// Every character beyond ASCII is taken for a letter.
var nameChars = func() (table [256]bool) {
	for c := range table {
		table[c] = 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			c == '_' || c == ':' || c == '-' || c == '.' || c >= utf8.RuneSelf
	}
	return table
}()

// nameLength is the length of the name that b begins with.
func nameLength(b []byte) int {
	for i, c := range b {
		if !nameChars[c] {
			return i
		}
	}
	return len(b)
}

// startsName reports whether a name may begin with c, a byte of nameChars.
func startsName(c byte) bool { return c != '-' && c != '.' && (c < '0' || c > '9') }
