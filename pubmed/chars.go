package pubmed

import (
	"fmt"
	"unicode/utf8"
)

// legalPrefix returns the length of the longest prefix of b that consists of complete characters allowed in XML, and
// the reason why the next character is not allowed. The reason is empty if the prefix extends to the end of b or to an
// incomplete character there.
func legalPrefix(b []byte) (n int, reason string) {
	for i := 0; i < len(b); {
		c := b[i]
		if c >= ' ' && c < utf8.RuneSelf || c == '\n' {
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		switch isInvalid := r == utf8.RuneError && size == 1; {
		case isInvalid && !utf8.FullRune(b[i:]):
			return i, ""
		case isInvalid:
			return i, fmt.Sprintf("byte 0x%02x is not valid UTF-8", c)
		case !isLegal(r):
			return i, fmt.Sprintf("illegal character %U", r)
		}
		i += size
	}
	return len(b), ""
}

// isLegal reports whether r is a Char, production [2] of XML 1.0.
func isLegal(r rune) bool {
	return r >= ' ' && r != 0xFFFE && r != 0xFFFF && utf8.ValidRune(r) || r == '\t' || r == '\n' || r == '\r'
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

// nameLength returns the length of the longest prefix of b that consists of nameChars.
func nameLength(b []byte) int {
	for i, c := range b {
		if !nameChars[c] {
			return i
		}
	}
	return len(b)
}

// startsName reports whether a name may start with c. c must be in nameChars.
func startsName(c byte) bool { return c != '-' && c != '.' && (c < '0' || c > '9') }
