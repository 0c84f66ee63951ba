package table

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// readRows returns the rows of a table, or "line: error" for rows that cannot be read.
func readRows(t testing.TB, table string, delimiter byte) (rows [][]string) {
	t.Helper()
	r := NewReader(bufio.NewReader(strings.NewReader(table)), Dialect{Delimiter: string(delimiter)}, files.Limits{}, 0)
	for {
		row, err := r.Next()
		cells := row.Cells
		var malformed *input.LineError
		switch {
		case err == io.EOF:
			return rows
		case errors.As(err, &malformed):
			cells = []string{fmt.Sprintf("%d: %v", row.Line, err)}
		case err != nil:
			t.Fatal(err)
		}
		rows = append(rows, cells)
	}
}

// TestTooManyCells checks that a row with more cells than a sheet allows ends reading.
func TestTooManyCells(t *testing.T) {
	for cells, want := range map[int]string{maxColumns: "", maxColumns + 1: "line 2: 16385 cells, want at most 16384 in a row, as Excel has"} {
		table := "a,b\n" + strings.Repeat(",", cells-1) + "\n"
		r := NewReader(bufio.NewReader(strings.NewReader(table)), Dialect{Delimiter: ","}, files.Limits{}, 0)
		_, first := r.Next()
		if _, err := r.Next(); first != nil || (want == "") != (err == nil) || err != nil && err.Error() != want {
			t.Errorf("%d cells: %v, %v; want %s", cells, first, err, want)
		}
	}
}

// TestQuotes checks that an unclosed quote never pulls other rows into its cell.
func TestQuotes(t *testing.T) {
	for _, test := range []struct {
		name, table string
		delimiter   byte
		want        [][]string
	}{
		{"to the end", "a,\"b\nc,d\ne,f\n", ',', [][]string{{`1: want a quote at the end of the cell that begins with one, got "a,\"b"`}, {"c", "d"}, {"e", "f"}}},
		{"to a quote in another cell", "a,\"b\nc,d \"e\" f\ng,h\n", ',', [][]string{{`1: want a quote at the end of the cell that begins with one, got "a,\"b"`}, {"c", `d "e" f`}, {"g", "h"}}},
		{"with tabs", "a\t\"b c\td\ne\tf\n", '\t', [][]string{{"a", `"b c`, "d"}, {"e", "f"}}},
		{"with tabs, closed within the cell", "a\t\"b,\" c\td\ne\tf\n", '\t', [][]string{{"a", `"b," c`, "d"}, {"e", "f"}}},
		{"with tabs, beside a cell in quotes", "\"a\"\"b\"\t\"b c\td\n", '\t', [][]string{{`a"b`, `"b c`, "d"}}},
		{"with tabs, a quotation at both ends", "a\t\"b\" and \"c\"\td\n", '\t', [][]string{{"a", `"b" and "c"`, "d"}}},
		{"with tabs, to a quote in another row", "a\t\"b\nc\td 5\"\ne\n", '\t', [][]string{{"a", `"b`}, {"c", `d 5"`}, {"e"}}},
		{"with tabs, several lines", "a\t\"b\nc\"\td\n", '\t', [][]string{{"a", "b\nc", "d"}}},
		{"last line", "a,\"", ',', [][]string{{`1: want a quote at the end of the cell that begins with one, got "a,\""`}}},
		{"several lines", "a,\"b\n\n\"\"c\"\"\",d\r\n\r\ne\n", ',', [][]string{{"a", "b\n\n\"c\"", "d"}, {"e"}}},
		{"not doubled", "\"a \"b\" c\",d\n", ',', [][]string{{`a "b" c`, "d"}}},
		{"empty cells", ",\"\",\n\"\",\"\"", ',', [][]string{{"", "", ""}, {"", ""}}},
		{"backslashes before quotes", "\"a, \\\"b\\\"\",\"x \\\\ \\\"\"\n", ',', [][]string{{`a, "b"`, `x \ "`}}},
		{"a backslash before a quote, told by a later cell", "\"say \\\"\",b,\"c \\\"d\\\"\"\n", ',', [][]string{{`say "`, "b", `c "d"`}}},
		{"a backslash before a quote, told by a later row", "\"a\\\\b\",c\nd,\"e \\\"f\\\"\"\n", ',', [][]string{{`a\b`, "c"}, {"d", `e "f"`}}},
		{"a backslash at the end of a cell", "\"C:\\\",b\n\"C:\\\"\"x\",b\n", ',', [][]string{{`C:\`, "b"}, {`C:\"x`, "b"}}},
		{"a backslash at the end of a cell, behind a stray quote", "\"a\"b\",c\n\"C:\\\",d\n", ',', [][]string{{`a"b`, "c"}, {`C:\`, "d"}}},
		{"backslashes without quotes", "a\\\"b,c\\d\n", ',', [][]string{{`a\"b`, `c\d`}}},
		{"texts as formulas", "=\"00123\",=\"7\"\na=\"b\",\"x,=\"\"y\"\"\"\n=\"a\"&B2,=\n", ',', [][]string{{"00123", "7"}, {`a="b"`, `x,="y"`}, {`="a"&B2`, "="}}},
		{"no formulas with tabs", "=\"a\"\tb\n", '\t', [][]string{{`="a"`, "b"}}},
		{"not UTF-8", "a,\"b\n\xff\",c\nd\n", ',', [][]string{{`1: want a quote at the end of the cell that begins with one, got "a,\"b"`}, {"2: want UTF-8, got byte 0xff at offset 0 (is the file Latin-1 or Shift-JIS?)"}, {"d"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			must.Equal(t, readRows(t, test.table, test.delimiter), test.want, "rows")
		})
	}
}

// TestRowsAgainstCSV compares the rows of well-formed tables with those of encoding/csv.
func TestRowsAgainstCSV(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	pieces := []string{"a", "Ä", `"`, ",", "\t", "\n", " ", ";", `\`, "="}
	for range 3000 {
		delimiter := []rune{',', '\t', ';'}[r.IntN(3)]
		var b strings.Builder
		w := csv.NewWriter(&b)
		w.Comma, w.UseCRLF = delimiter, r.IntN(2) == 0
		for range 1 + r.IntN(4) {
			cells := make([]string, 1+r.IntN(4))
			pieces := pieces
			if delimiter == '\t' { // a cell with a tab and a line feed is read as two rows
				pieces = slices.DeleteFunc(slices.Clone(pieces), func(piece string) bool { return piece == "\t" })
			}
			for i := range cells {
				for range r.IntN(6) {
					cells[i] += pieces[r.IntN(len(pieces))]
				}
			}
			must.Succeed(t, w.Write(cells))
		}
		w.Flush()
		reader := csv.NewReader(strings.NewReader(b.String()))
		reader.Comma, reader.FieldsPerRecord = delimiter, -1
		want := must.Get(reader.ReadAll())
		if got := readRows(t, b.String(), byte(delimiter)); !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("%q: got %q, want %q", b.String(), got, want)
		}
	}
}

// FuzzRows checks that every line is in exactly one row, and that reading ends.
func FuzzRows(f *testing.F) {
	f.Add("a,\"b\nc\",d\n\"e")
	f.Add("\"a\"b\"\n\"\"\"\n")
	f.Fuzz(func(t *testing.T, table string) {
		lines := strings.Count(table, "\n") + 1
		for _, delimiter := range []byte{',', '\t'} {
			if rows := readRows(t, table, delimiter); len(rows) > lines {
				t.Errorf("%d rows of %d lines", len(rows), lines)
			}
		}
	})
}

func TestSniff(t *testing.T) {
	isHeader := func(cells []string) bool { return slices.Contains(cells, "id") && len(cells) > 1 }
	for text, want := range map[string]string{
		"id,name\nD1,a;b\n":                        ",",
		"id;name\nD1;a, b\n":                       ";",
		"a list of rivers\n\nid\tname\nD1\ta, b\n": "\t",
		"rivers, of 2020\nid,name\n":               "", // two cells, so not a title
		"id;name":                                  ";",
		"one\ntwo\n":                               "",
	} {
		if got := Sniff([]byte(text), isHeader); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	words := NewWords([]Word[int]{{1, "id code* q#"}, {2, "*name"}, {3, "*syn*"}})
	for name, want := range map[string]int{"ID": 1, "Code_2": 1, "Full Name": 2, "mesh-synonyms": 3, "ids": 0, "Q12": 1} {
		if got, found := words.Role(Plain(name)); got != want || found != (want > 0) {
			t.Errorf("%s: %d, %t, want %d", name, got, found, want)
		}
	}
}
