package pubmed

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// checkReferences returns a problem if a reference in b does not stand for a character.
func checkReferences(b []byte) (p problem) {
	if bytes.IndexByte(b, '&') >= 0 {
		_, p = appendDecoded(nil, b)
	}
	return p
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

// maxReference is the maximum length, in bytes, of a reference that is decoded: enough for &#x10FFFF; with two dozen
// leading zeros.
const maxReference = 32

// decodeReference returns the character of the reference at the start of b, which
// starts with '&', and the length of the reference in bytes.
func decodeReference(b []byte) (r rune, n int, p problem) {
	end := bytes.IndexByte(b[:min(len(b), maxReference)], ';')
	if end < 0 {
		return 0, 0, problem{0, "& does not begin a reference"}
	}
	body := b[1:end]
	if r := predefined[string(body)]; r != 0 {
		return r, end + 1, problem{}
	}
	number, isNumber := bytes.CutPrefix(body, []byte("#"))
	if !isNumber {
		return 0, 0, problemf(0, "unknown entity %q", b[:end+1])
	}
	base := 10
	if digits, isHex := bytes.CutPrefix(number, []byte("x")); isHex {
		base, number = 16, digits
	}
	code, err := strconv.ParseUint(string(number), base, 31)
	if err != nil || !isLegal(rune(code)) {
		return 0, 0, problemf(0, "%q is not the number of a character", b[:end+1])
	}
	return rune(code), end + 1, problem{}
}

// predefined holds the predefined entities of XML.
var predefined = map[string]rune{"amp": '&', "lt": '<', "gt": '>', "quot": '"', "apos": '\''}

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
