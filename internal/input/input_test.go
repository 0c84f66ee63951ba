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
		if got, err := readText(test.content); err != nil || got != test.want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, test.want)
		}
	}
}

// TestOpenNamesTheFile opens what is not there, is no file, or ends early.
func TestOpenNamesTheFile(t *testing.T) {
	dir := t.TempDir()
	for name, test := range map[string]struct{ content, want string }{
		"broken.gz":           {"\x1f\x8bnot gzip", dir + "/broken.gz: "},
		"names.tsv.xz":        {unhex(t, xzA)[:8], dir + "/names.tsv.xz: xz data ends in its header: unexpected EOF"},
		"missing":             {"", "open " + dir + "/missing: "},
		"https://x.example/d": {"", dir + "/https://x.example/d: is an address, want a file"},
	} {
		if test.content != "" {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(test.content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Open(dir + "/" + name); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %s", name, err, test.want)
		}
	}
	const address = "https://x.example/d"
	if _, err := Open(address); err == nil || !strings.HasPrefix(err.Error(), address+": is an address, want a file") {
		t.Errorf("%s: error %v", address, err)
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
