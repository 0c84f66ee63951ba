package pubmed

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// checkCDATAEnd finds the one sequence that text may not hold as it is.
func checkCDATAEnd(text []byte) fault {
	if i := bytes.Index(text, cdataEnd); i >= 0 {
		return fault{i, "]]> outside a CDATA section"}
	}
	return fault{}
}

// checkReferences finds the first reference in b that means no character.
func checkReferences(b []byte) fault {
	for at := 0; ; {
		i := bytes.IndexByte(b[at:], '&')
		if i < 0 {
			return fault{}
		}
		_, n, f := reference(b[at+i:])
		if f.reason != "" {
			return f.shift(at + i)
		}
		at += i + n
	}
}

// appendDecoded appends b with its references replaced by what they mean.
func appendDecoded(dst, b []byte) ([]byte, fault) {
	for at := 0; ; {
		i := bytes.IndexByte(b[at:], '&')
		if i < 0 {
			return append(dst, b[at:]...), fault{}
		}
		dst = append(dst, b[at:at+i]...)
		r, n, f := reference(b[at+i:])
		if f.reason != "" {
			return dst, f.shift(at + i)
		}
		dst = utf8.AppendRune(dst, r)
		at += i + n
	}
}

// maxReference is the length of the references that are understood, in bytes:
// enough for &#x10FFFF; with two dozen zeros before the number.
const maxReference = 32

// reference is the character that b, which begins with '&', refers to, and the
// length of the reference.
func reference(b []byte) (r rune, n int, f fault) {
	end := bytes.IndexByte(b[:min(len(b), maxReference)], ';')
	if end < 0 {
		return 0, 0, fault{0, "& that begins no reference"}
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
			return 0, 0, faultf(0, "unknown entity %q", b[:end+1])
		}
		var ok bool
		if r, ok = number(body[1:]); !ok {
			return 0, 0, faultf(0, "%q is not the number of a character", b[:end+1])
		}
	}
	return r, end + 1, fault{}
}

// number reads the digits of a character reference: decimal, or hexadecimal
// after an x.
func number(digits []byte) (rune, bool) {
	base := rune(10)
	if len(digits) > 0 && digits[0] == 'x' {
		base, digits = 16, digits[1:]
	}
	r := rune(0)
	for _, c := range digits {
		d := digit(c)
		if d >= base {
			return 0, false
		}
		if r = r*base + d; r > utf8.MaxRune {
			return 0, false
		}
	}
	return r, len(digits) > 0 && isLegal(r)
}

// digit is the value of a hexadecimal digit, and 16 for any other byte.
func digit(c byte) rune {
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

// collapse makes runs of white space one space and trims the ends, in place.
func collapse(b []byte) []byte {
	kept := collapsedPrefix(b)
	spaced := kept == 0 || b[kept-1] == ' ' // at the start, as if a space had come before
	for _, c := range b[kept:] {
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

// collapsedPrefix is the length of a prefix of b, in whole words, that has single
// spaces only and none at its start: mostly all of b but the last few bytes.
func collapsedPrefix(b []byte) int {
	before := uint64(0x80) // the byte before the word was a space
	i := 0
	for ; i+8 <= len(b); i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		spaces := equals(w, ' ')
		if spaces&(spaces<<8|before) != 0 || controls(w) != 0 {
			break
		}
		before = spaces >> 56
	}
	return i
}
