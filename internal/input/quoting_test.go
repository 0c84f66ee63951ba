package input

import (
	"encoding/csv"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestPlainQuotes(t *testing.T) {
	for _, test := range []struct{ written, want string }{
		{"a,\"b \\\"c\\\" d\"\n", "a,\"b \"\"c\"\" d\"\n"},
		{"\"x \\\"y\\\", z\",\"\\\\ \\\"\"\n", "\"x \"\"y\"\", z\",\"\\ \"\"\"\n"},
		{"\"say \\\"\",b,\"c \\\"d\\\"\"\n", "\"say \"\"\",b,\"c \"\"d\"\"\"\n"}, // the third cell shows what the first means
		{"\"C:\\\",b\n", "\"C:\\\",b\n"},                                         // RFC 4180
		{"\"C:\\\"\"x\",b\n", "\"C:\\\"\"x\",b\n"},
		{"a\\\"b,c\\d\n", "a\\\"b,c\\d\n"}, // not within quotes
		{"=\"00123\",=\"7\"\n", "\"00123\",\"7\"\n"},
		{"a=\"b\",\"x,=\"\"y\"\"\"\n", "a=\"b\",\"x,=\"\"y\"\"\"\n"},
		{"=\"a\"&B2,=\"open\n", "=\"a\"&B2,=\"open\n"},
		{"plain,\"a \"\"b\"\"\"\n", "plain,\"a \"\"b\"\"\"\n"},
		{"", ""}, {"\\", "\\"}, {"a,=", "a,="},
	} {
		got, err := io.ReadAll(NewPlainQuotes(strings.NewReader(test.written), ','))
		if string(got) != test.want || err != nil {
			t.Errorf("%q is %q, %v, want %q", test.written, got, err, test.want)
		}
	}
	// What chunks cut, once the file has shown its escapes.
	const shown, shownWant = "\"\\\"a\"\n", "\"\"\"a\"\n"
	const row = "\"b \\\"c\\\"\",a,=\"9\",=\n=\"007\",=\"8\",=\"a\"&B2,\"x\n=\"\",y\"\n"
	const rowWant = "\"b \"\"c\"\"\",a,\"9\",=\n\"007\",\"8\",=\"a\"&B2,\"x\n=\"\",y\"\n"
	for rows, chunks := range map[int]func(io.Reader) io.Reader{
		3:      iotest.OneByteReader,
		20_000: func(r io.Reader) io.Reader { return r }, // 30 chunks
	} {
		rest := chunks(strings.NewReader(strings.Repeat(row, rows)))
		got, err := io.ReadAll(NewPlainQuotes(io.MultiReader(strings.NewReader(shown), rest), ','))
		want := shownWant + strings.Repeat(rowWant, rows)
		if string(got) != want || err != nil {
			at := 0
			for at < min(len(got), len(want)) && got[at] == want[at] {
				at++
			}
			t.Errorf("%d rows, %v: %q, want %q", rows, err, got[at:min(len(got), at+80)], want[at:min(len(want), at+80)])
		}
	}
}

// TestPlainQuotesOverReads has each kind of quote where the bytes that are read at a time end.
func TestPlainQuotesOverReads(t *testing.T) {
	const written, want = "=\"007\",\"x \\\"y\\\" \\\\\"\n", "\"007\",\"x \"\"y\"\" \\\"\n"
	for before := bufferSize - len(written); before <= bufferSize; before++ {
		first := strings.Repeat("a", before-1) + "\n"
		got, err := io.ReadAll(NewPlainQuotes(strings.NewReader(first+written), ','))
		if string(got) != first+want || err != nil {
			t.Fatalf("after %d bytes %q, %v, want %q", before, got[before:], err, want)
		}
	}
	got, err := io.ReadAll(iotest.OneByteReader(NewPlainQuotes(strings.NewReader(written), ',')))
	if string(got) != want || err != nil {
		t.Errorf("byte by byte %q, %v, want %q", got, err, want)
	}
}

// FuzzPlainQuotes reads what encoding/csv writes as it is.
func FuzzPlainQuotes(f *testing.F) {
	f.Add("a", "b \"c\"", "\\")
	f.Add("C:\\", "=", "=\"x\"")
	f.Add("\\\"", "a\\\"b", "\n")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		if strings.HasPrefix(a, "=\"") { // as a formula
			return
		}
		var written strings.Builder
		w := csv.NewWriter(&written)
		w.Write([]string{a, b, c})
		w.Flush()
		got, err := io.ReadAll(NewPlainQuotes(strings.NewReader(written.String()), ','))
		if string(got) != written.String() || err != nil {
			t.Errorf("%q is %q, %v", written.String(), got, err)
		}
	})
}
