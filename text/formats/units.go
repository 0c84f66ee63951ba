package formats

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/text"
)

// Unit is the unit in which a file counts offsets.
type Unit string

// The units of offsets. autoUnit counts code points, and takes another unit for a mention
// whose text is found in no other way.
const (
	autoUnit   Unit = ""
	CodePoints Unit = "codepoints"
	Bytes      Unit = "bytes"
	UTF16      Unit = "utf16"
)

// onceCRLF is the unit of tools that read a text with CR LF for its line breaks, count code points in it with LF alone,
// and write the text as it was. It is never given, but found.
const onceCRLF Unit = "crlf"

// first returns the length in bytes of the first character of s, and how much it counts in this unit.
func (u Unit) first(s string) (size, count int) {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case u == Bytes:
		return size, size
	case u == UTF16:
		return size, utf16.RuneLen(r)
	case u == onceCRLF && strings.HasPrefix(s, "\r\n"):
		return 2, 1
	}
	return size, 1
}

// offsets returns the offsets of s in this unit.
func (u Unit) offsets(s string) *text.Offsets {
	if u == autoUnit || u == CodePoints {
		return text.NewOffsets(s)
	}
	return text.NewOffsetsIn(s, u.first)
}

// count returns the length of s in this unit.
func (u Unit) count(s string) int { return u.offsets(s).Len() }
