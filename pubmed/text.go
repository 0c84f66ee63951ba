package pubmed

import (
	"bytes"
	"unicode/utf8"
)

// checkCDATAEnd returns a problem if the text contains "]]>", which is not allowed in
// character data.
func checkCDATAEnd(text []byte) problem {
	if i := bytes.Index(text, cdataEnd); i >= 0 {
		return problem{i, "]]> outside a CDATA section"}
	}
	return problem{}
}

// checkReferences returns a problem if some reference in b does not stand for a
// character.
func checkReferences(b []byte) problem {
	for at := 0; ; {
		i := bytes.IndexByte(b[at:], '&')
		if i < 0 {
			return problem{}
		}
		_, n, p := decodeReference(b[at+i:])
		if p.reason != "" {
			return p.shift(at + i)
		}
		at += i + n
	}
}

// appendDecoded appends b to dst with its references decoded.
func appendDecoded(dst, b []byte) ([]byte, problem) {
	for at := 0; ; {
		i := bytes.IndexByte(b[at:], '&')
		if i < 0 {
			return append(dst, b[at:]...), problem{}
		}
		dst = append(dst, b[at:at+i]...)
		r, n, p := decodeReference(b[at+i:])
		if p.reason != "" {
			return dst, p.shift(at + i)
		}
		dst = utf8.AppendRune(dst, r)
		at += i + n
	}
}

// maxReference is the length of the longest reference that is decoded, in bytes:
// enough for &#x10FFFF; with two dozen leading zeros.
const maxReference = 32

// decodeReference returns the character of the reference at the start of b, which
// starts with '&', and the length of the reference in bytes.
func decodeReference(b []byte) (r rune, n int, p problem) {
	end := bytes.IndexByte(b[:min(len(b), maxReference)], ';')
	if end < 0 {
		return 0, 0, problem{0, "& does not begin a reference"}
	}
	body := b[1:end]
	switch string(body) {
	case "amp":
		r = '&'
	case "lt":
		r = '<'
	case "gt":
		r = '>'
	case "quot":
		r = '"'
	case "apos":
		r = '\''
	default:
		if len(body) == 0 || body[0] != '#' {
			return 0, 0, problemf(0, "unknown entity %q", b[:end+1])
		}
		var ok bool
		if r, ok = parseCharNumber(body[1:]); !ok {
			return 0, 0, problemf(0, "%q is not the number of a character", b[:end+1])
		}
	}
	return r, end + 1, problem{}
}

// parseCharNumber parses the number of a character reference: decimal digits, or x and
// hexadecimal digits. It reports whether that is the number of a legal character.
func parseCharNumber(digits []byte) (rune, bool) {
	base := rune(10)
	if len(digits) > 0 && digits[0] == 'x' {
		base, digits = 16, digits[1:]
	}
	r := rune(0)
	for _, c := range digits {
		d := hexDigit(c)
		if d >= base {
			return 0, false
		}
		if r = r*base + d; r > utf8.MaxRune {
			return 0, false
		}
	}
	return r, len(digits) > 0 && isLegal(r)
}

// hexDigit returns the value of a hexadecimal digit, or 16 for any other byte.
func hexDigit(c byte) rune {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0')
	case 'a' <= c && c <= 'f':
		return rune(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return rune(c-'A') + 10
	}
	return 16
}

// collapse replaces each run of white space by one space and removes leading and
// trailing white space. It modifies b in place.
func collapse(b []byte) []byte {
	kept, spaced := 0, true // the start counts as after a space
	for _, c := range b {
		if c > ' ' {
			b[kept], spaced = c, false
			kept++
			continue
		}
		if isSpace(c) {
			if spaced {
				continue
			}
			c, spaced = ' ', true
		} else {
			spaced = false
		}
		b[kept] = c
		kept++
	}
	if spaced && kept > 0 {
		kept--
	}
	return b[:kept]
}
