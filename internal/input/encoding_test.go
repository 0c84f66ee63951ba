package input

import (
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
)

// TestUndecoded: bytes that an encoding lacks are an error of their line, and the other lines are read.
func TestUndecoded(t *testing.T) {
	for _, c := range []struct{ encoding, data, first, want string }{
		{"shift_jis", "He had \x81\x20 river fever\nflood\n", "", `want text in the encoding that was named, got bytes that it lacks after the 7 characters "He had "`},
		{"euc-kr", "\xff\nflood\n", "", `want text in the encoding that was named, got bytes that it lacks after the 0 characters ""`},
		{"windows-1253", "caf\xd2\nflood\n", "", `want text in the encoding that was named, got bytes that it lacks after the 3 characters "caf"`},
		{"cp1252", "caf\xe9\nflood\n", "café", ""},
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
