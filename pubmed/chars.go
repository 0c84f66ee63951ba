package pubmed

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"unicode/utf8"
)

// legalPrefix returns the length of the longest prefix of b that consists of complete
// characters that XML allows, and the reason why the next character is not allowed.
// The reason is empty if the prefix extends to the end of b, or to an incomplete
// character there.
//
// Eight bytes are tested at once. Most words of eight bytes contain only printable
// ASCII characters and line feeds; otherwise the first other byte is tested alone.
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

// isLegal reports whether r is a Char, production [2] of XML 1.0.
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

// isSpace reports whether c is white space, production [3] (S) of XML 1.0.
func isSpace(c byte) bool {
	return c <= ' ' && (c == ' ' || c == '\n' || c == '\t' || c == '\r')
}

// nameChars is the set of bytes that may occur in a name, productions [4] and [4a]
// of XML 1.0, except that every character beyond ASCII counts as a letter.
var nameChars = func() (table [256]bool) {
	for c := range table {
		table[c] = 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			c == '_' || c == ':' || c == '-' || c == '.' || c >= utf8.RuneSelf
	}
	return table
}()

// nameLength returns the length of the longest prefix of b that consists of
// nameChars.
func nameLength(b []byte) int {
	for i, c := range b {
		if !nameChars[c] {
			return i
		}
	}
	return len(b)
}

// startsName reports whether a name may start with c, which is in nameChars.
func startsName(c byte) bool { return c != '-' && c != '.' && (c < '0' || c > '9') }

// The functions below test the eight bytes of a word at once; the lowest byte is the
// first. The result has the top bit set in each byte that passes the test.
// See Warren, "Hacker's Delight", 2nd edition, section 6-1.
const (
	everyByte = 0x0101010101010101 // times a byte value: that value in each byte
	topBits   = 0x80 * everyByte
	lowBits   = 0x7f * everyByte
)

// notASCII tests for bytes above 0x7f.
func notASCII(w uint64) uint64 { return w & topBits }

// controls tests for bytes below 0x20. The sum of the low seven bits and 0x60 reaches
// the top bit if they are 0x20 or more, and never carries into the next byte.
func controls(w uint64) uint64 { return ^(w&lowBits + 0x60*everyByte) &^ w & topBits }

// equals tests for bytes equal to c.
func equals(w uint64, c byte) uint64 {
	x := w ^ uint64(c)*everyByte
	return ^(x&lowBits + lowBits | x) & topBits
}
