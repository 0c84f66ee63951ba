package input

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/files"
)

// FuzzLines compares the lines of any content, read through a small buffer, with the result of splitting the content.
func FuzzLines(f *testing.F) {
	for _, content := range []string{
		"", "a", "a\nb\r\n\nc", "\r\r\n", "\r\rx", "caf\xe9\nok", strings.Repeat("x", 100) + "\nshort\n", "病気\n",
		"a\rb\r", "a\rb", "a\r", "a\rb\n", "a\r\nb\rc", "12345678901234567890\n1234567890123456789\n",
	} {
		f.Add(content, uint8(20))
	}
	f.Fuzz(func(t *testing.T, content string, limit uint8) {
		content = strings.ReplaceAll(content, "\x00", "\x01") // a long line of zeros ends the reading
		lines, number := NewLines(bufio.NewReaderSize(strings.NewReader(content), 16), files.Limits{Line: int64(limit) + 1}), 0
		for want := range strings.SplitAfterSeq(content, "\n") {
			if want == "" { // after the last line ending
				continue
			}
			number++
			got, err := lines.Next()
			if lines.Number() != number {
				t.Fatalf("line %d has the number %d", number, lines.Number())
			}
			tooLong := len(want) > int(limit)+1
			oldMac := number == 1 && !strings.HasSuffix(want, "\n") && strings.Contains(strings.TrimSuffix(want, "\r"), "\r")
			want = strings.TrimSuffix(strings.TrimSuffix(want, "\n"), "\r")
			if tooLong || oldMac || !utf8.ValidString(want) {
				if _, ok := errors.AsType[*LineError](err); !ok {
					t.Fatalf("line %d is %q: error %v, want a LineError", number, want, err)
				}
			} else if err != nil || got != want {
				t.Fatalf("line %d is %q, %v, want %q", number, got, err, want)
			}
		}
		if line, err := lines.Next(); err != io.EOF {
			t.Fatalf("after the last line: %q, %v, want EOF", line, err)
		}
	})
}
