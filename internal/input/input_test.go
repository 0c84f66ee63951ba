package input

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	"github.com/ctxnorm/ctxnorm/files"
)

// gzipped returns the members, each compressed with gzip, concatenated.
func gzipped(t *testing.T, members ...string) string {
	t.Helper()
	var compressed bytes.Buffer
	for _, member := range members {
		w := gzip.NewWriter(&compressed)
		if _, err := io.WriteString(w, member); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return compressed.String()
}

func TestNewReaderDecodesText(t *testing.T) {
	tests := map[string]struct{ content, want string }{
		"plain":                {"naïve\n", "naïve\n"},
		"empty":                {"", ""},
		"one byte":             {"\x1f", "\x1f"},
		"UTF-8 mark":           {"\xef\xbb\xbfa\n", "a\n"},
		"UTF-16 little-endian": {"\xff\xfea\x00\xef\x00", "aï"},
		"UTF-16 big-endian":    {"\xfe\xff\x00a\x00\xef", "aï"},
		"UTF-32 little-endian": {"\xff\xfe\x00\x00a\x00\x00\x00\xef\x00\x00\x00", "aï"},
		"UTF-32 big-endian":    {"\x00\x00\xfe\xff\x00\x00\x00a", "a"},
		"gzip":                 {gzipped(t, "a\n"), "a\n"},
		"gzip of two members":  {gzipped(t, "a\n", "b\n"), "a\nb\n"},
		"gzip with a mark":     {gzipped(t, "\xef\xbb\xbfa\n"), "a\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r, err := NewReader(strings.NewReader(test.content))
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestOpenNamesTheFile(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.gz")
	if err := os.WriteFile(broken, []byte("\x1f\x8bnot gzip"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{broken, filepath.Join(t.TempDir(), "missing")} {
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("Open(%q) returned error %v, want one that names the file", path, err)
		}
	}
	if _, err := Open("https://x.example/d.obo"); err == nil || !strings.Contains(err.Error(), "is an address, want a file") {
		t.Errorf("Open of an address returned error %v", err)
	}
}

// line is the result of one call of Next.
type line struct {
	Number int
	Text   string
	Error  string
}

func readLines(t *testing.T, r *bufio.Reader) []line {
	t.Helper()
	lines := NewLines(r, files.Limits{})
	var got []line
	for {
		text, err := lines.Next()
		if err == io.EOF {
			return got
		}
		read := line{Number: lines.Number(), Text: text}
		if err != nil {
			if _, ok := err.(*LineError); !ok {
				t.Fatalf("line %d: %v", lines.Number(), err)
			}
			read.Error = err.Error()
		}
		got = append(got, read)
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 3*bufferSize)
	r := bufio.NewReaderSize(strings.NewReader("a\r\n\nnaïve\nna\xefve\n"+long+"\nend"), bufferSize)
	want := []line{
		{1, "a", ""},
		{2, "", ""},
		{3, "naïve", ""},
		{4, "", "want UTF-8, got byte 0xef at offset 2 (is the file Latin-1 or Shift-JIS?)"},
		{5, long, ""},
		{6, "end", ""},
	}
	if diff := cmp.Diff(want, readLines(t, r)); diff != "" {
		t.Error(diff)
	}
}

// paddedReader returns n bytes "x" and then the content of rest.
type paddedReader struct {
	n    int
	rest io.Reader
}

func (e *paddedReader) Read(p []byte) (int, error) {
	if e.n == 0 {
		return e.rest.Read(p)
	}
	n := min(len(p), e.n)
	e.n -= n
	for i := range p[:n] {
		p[i] = 'x'
	}
	return n, nil
}

func TestLinesContinueAfterTooLongLine(t *testing.T) {
	r := bufio.NewReaderSize(&paddedReader{int(files.DefaultLimits.Line) + 1, strings.NewReader("\nnext\n")}, bufferSize)
	want := []line{
		{1, "", "want a line of at most 16777216 bytes (Limits.Line), got 16777218"}, // the limit + 1, and the line end
		{2, "next", ""},
	}
	if diff := cmp.Diff(want, readLines(t, r)); diff != "" {
		t.Error(diff)
	}
}

func TestLinesConsumeNothingMore(t *testing.T) {
	r := bufio.NewReaderSize(strings.NewReader("# comment\nrest\n"), bufferSize)
	if _, err := NewLines(r, files.Limits{}).Next(); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if string(rest) != "rest\n" {
		t.Errorf("rest is %q, want %q", rest, "rest\n")
	}
}

func TestQuote(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"a\t\"b\"", `"a\t\"b\""`},
		{strings.Repeat("ï", 60), `"` + strings.Repeat("ï", 60) + `"`},
		{strings.Repeat("ï", 61), `"` + strings.Repeat("ï", 60) + `"…`},
	} {
		if got := Quote(test.text); got != test.want {
			t.Errorf("Quote(%q) = %s, want %s", test.text, got, test.want)
		}
	}
}

// TestCarriageReturns reads lines that end with CR alone: a file of them is no line.
func TestCarriageReturns(t *testing.T) {
	for content, want := range map[string]string{
		"a\rb\r":    "want lines that end with LF or CRLF, got CR alone",
		"a\rb":      "want lines that end with LF or CRLF, got CR alone",
		"a\r":       "",
		"a\rb\n":    "",
		"a\r\nb\rc": "",
	} {
		r, err := NewReader(strings.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		_, err = NewLines(r, files.Limits{}).Next()
		if got := fmt.Sprint(err); err == nil && want != "" || err != nil && got != want {
			t.Errorf("%q: error %v, want %q", content, err, want)
		}
	}
}
