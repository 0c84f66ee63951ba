package formats

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/text"
)

// Unit is the unit in which a file counts offsets.
type Unit string

// The units of offsets. AutoUnit counts code points, and takes another unit for a mention
// whose text is found in no other way.
const (
	AutoUnit   Unit = ""
	CodePoints Unit = "codepoints"
	Bytes      Unit = "bytes"
	UTF16      Unit = "utf16"
)

// ParseUnit returns the unit called name, ignoring case; the empty name is [AutoUnit].
func ParseUnit(name string) (Unit, error) {
	unit := Unit(strings.ToLower(name))
	if unit != AutoUnit && !slices.Contains([]Unit{CodePoints, Bytes, UTF16}, unit) {
		return "", fmt.Errorf("unit of offsets %q: want %s, %s or %s", name, CodePoints, Bytes, UTF16)
	}
	return unit, nil
}

// byteOffset returns the byte offset of an offset in this unit, and false if it is outside
// the text or within a character.
func (u Unit) byteOffset(o *text.Offsets, offset int) (int, bool) {
	switch u {
	case Bytes:
		s := o.Text()
		inside := offset >= 0 && offset <= len(s)
		return offset, inside && (offset == len(s) || utf8.RuneStart(s[offset]))
	case UTF16:
		units := 0
		for at, r := range o.Text() {
			if units >= offset {
				return at, units == offset && offset >= 0
			}
			units += utf16Len(r)
		}
		return len(o.Text()), units == offset
	}
	return o.Byte(offset)
}

// count returns the length of s in this unit.
func (u Unit) count(s string) int {
	switch u {
	case Bytes:
		return len(s)
	case UTF16:
		units := 0
		for _, r := range s {
			units += utf16Len(r)
		}
		return units
	}
	return utf8.RuneCountInString(s)
}

// utf16Len returns the number of UTF-16 code units of r.
func utf16Len(r rune) int {
	if r > 0xffff {
		return 2
	}
	return 1
}
