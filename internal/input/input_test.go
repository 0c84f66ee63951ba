package input

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// gzipped returns the members, each compressed with gzip, concatenated.
func gzipped(t *testing.T, members ...string) string {
	t.Helper()
	var compressed bytes.Buffer
	for _, member := range members {
		w := gzip.NewWriter(&compressed)
		must.Get(io.WriteString(w, member))
		must.Succeed(t, w.Close())
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
		must.Equal(t, must.Get(readText(test.content)), test.want, name)
	}
}

// TestOpenNamesTheFile opens paths that do not exist, are not files, or end early.
func TestOpenNamesTheFile(t *testing.T) {
	dir := t.TempDir()
	for name, test := range map[string]struct{ content, want string }{
		"broken.gz":           {"\x1f\x8bnot gzip", dir + "/broken.gz: "},
		"names.tsv.xz":        {unhex(t, xzA)[:8], dir + "/names.tsv.xz: xz data ends in its header: unexpected EOF"},
		"missing":             {"", "open " + dir + "/missing: "},
		"https://x.example/d": {"", dir + "/https://x.example/d: is an address, want a file"},
	} {
		if test.content != "" {
			must.Succeed(t, os.WriteFile(filepath.Join(dir, name), []byte(test.content), 0o600))
		}
		if _, err := Open(dir + "/" + name); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %s", name, err, test.want)
		}
	}
	must.Succeed(t, os.WriteFile(dir+"/short.gz", []byte("a"), 0o600))
	must.Succeed(t, must.Get(Open(dir+"/short.gz")).Close()) // too short for gzip, and not the start of its header
	const address = "https://x.example/d"
	if _, err := Open(address); err == nil || !strings.HasPrefix(err.Error(), address+": is an address, want a file") {
		t.Errorf("%s: error %v", address, err)
	}
}

func TestLinesConsumeNothingMore(t *testing.T) {
	r := bufio.NewReaderSize(strings.NewReader("# comment\nrest\n"), bufferSize)
	must.Get(NewLines(r, files.Limits{}).Next())
	rest := must.Get(io.ReadAll(r))
	must.Equal(t, string(rest), "rest\n", "rest")
}

func TestQuote(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"a\t\"b\"", `"a\t\"b\""`},
		{strings.Repeat("ï", 60), `"` + strings.Repeat("ï", 60) + `"`},
		{strings.Repeat("ï", 61), `"` + strings.Repeat("ï", 60) + `"…`},
	} {
		must.Equal(t, Quote(test.text), test.want, "Quote", test.text)
	}
}

// TestUndecoded: bytes that are undefined in an encoding are an error of their line, and other lines are read.
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
		r := must.Get(NewEncodedReader(strings.NewReader(c.data), c.encoding))
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
