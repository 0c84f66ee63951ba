package input

import (
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
)

// TestUndecoded: bytes that an encoding lacks are an error of their line, and the other lines are read.
func TestUndecoded(t *testing.T) {
	const lacks = "want text in the encoding of the file, got bytes that it lacks after the "
	for _, c := range []struct{ encoding, data, first, want string }{
		{"shift_jis", "He had \x81\x20 river fever\nflood\n", "", `want text in the encoding of the file, got bytes that it lacks after the 7 characters "He had "`},
		{"euc-kr", "\xff\nflood\n", "", `want text in the encoding of the file, got bytes that it lacks after the 0 characters ""`},
		{"windows-1253", "caf\xd2\nflood\n", "", `want text in the encoding of the file, got bytes that it lacks after the 3 characters "caf"`},
		{"cp1252", "caf\xe9\nflood\n", "café", ""},
		{"", "\xff\xfeg\x00i\x00\n\x00f\x00l\x00o\x00o\x00d\x00\n\x00", "gi", ""},
		{"", "\xfe\xff\xff\xfd\x00\n\x00f\x00l\x00o\x00o\x00d\x00\n", "\uFFFD", ""}, // written so
		{"", "\xff\xfe\x3c\xd8\x0d\xdf\n\x00f\x00l\x00o\x00o\x00d\x00\n\x00", "\U0001f30d", ""},
		{"", "\xff\xfeg\x00\x3c\xd8\n\x00f\x00l\x00o\x00o\x00d\x00\n\x00", "", lacks + `1 characters "g"`},
		{"", "\xff\xfe\x0d\xdfg\x00\n\x00f\x00l\x00o\x00o\x00d\x00\n\x00", "", lacks + `0 characters ""`},
		{"utf-16be", "\x00g\xd8\x3c\x00\n\x00f\x00l\x00o\x00o\x00d", "", lacks + `1 characters "g"`},
		{"", "\xff\xfe\x00\x00g\x00\x00\x00\n\x00\x00\x00f\x00\x00\x00l\x00\x00\x00o\x00\x00\x00o\x00\x00\x00d\x00\x00\x00", "g", ""},
		{"", "\x00\x00\xfe\xff\x00\x11\x00\x00\x00\x00\x00\n\x00\x00\x00f\x00\x00\x00l\x00\x00\x00o\x00\x00\x00o\x00\x00\x00d", "", lacks + `0 characters ""`},
		{"utf-8", "\uFFFD read\nflood\n", "\uFFFD read", ""}, // written so
		{"utf-8", "caf\xe9\nflood\n", "", "want UTF-8, got byte 0xe9 at offset 3 (is the file Latin-1 or Shift-JIS?)"},
	} {
		r, err := NewEncodedReader(strings.NewReader(c.data), c.encoding)
		if err != nil {
			t.Fatal(err)
		}
		lines := NewLines(r, files.Limits{})
		first, err := lines.Next()
		if first != c.first || (err != nil || c.want != "") && (err == nil || err.Error() != c.want) {
			t.Errorf("%s: %q, %v; want %q, %s", c.encoding, first, err, c.first, c.want)
		}
		if second, err := lines.Next(); second != "flood" || err != nil {
			t.Errorf("%s: the second line is %q, %v", c.encoding, second, err)
		}
	}
}
