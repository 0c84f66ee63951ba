package formats

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

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/input"
)

// readRows returns the rows of a table, "line: error" for those that cannot be read.
func readRows(t testing.TB, table string, delimiter byte) (rows [][]string) {
	t.Helper()
	r := newRowReader(bufio.NewReader(strings.NewReader(table)), delimiter, files.Limits{})
	for {
		cells, line, err := r.next()
		var malformed *input.LineError
		switch {
		case err == io.EOF:
			return rows
		case errors.As(err, &malformed):
			cells = []string{fmt.Sprintf("%d: %v", line, err)}
		case err != nil:
			t.Fatal(err)
		}
		rows = append(rows, cells)
	}
}

// TestUnclosedQuotes: a quote that is not closed never takes other rows into its cell.
func TestUnclosedQuotes(t *testing.T) {
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
		{"not UTF-8", "a,\"b\n\xff\",c\nd\n", ',', [][]string{{`1: want a quote at the end of the cell that begins with one, got "a,\"b"`}, {"2: want UTF-8, got byte 0xff at offset 0 (is the file Latin-1 or Shift-JIS?)"}, {"d"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, readRows(t, test.table, test.delimiter)); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
		})
	}
}

// TestRowsAgainstCSV compares well-formed tables with what encoding/csv reads.
func TestRowsAgainstCSV(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	pieces := []string{"a", "Ä", `"`, ",", "\t", "\n", " ", ";"}
	for range 3000 {
		delimiter := []rune{',', '\t', ';'}[r.IntN(3)]
		var b strings.Builder
		w := csv.NewWriter(&b)
		w.Comma, w.UseCRLF = delimiter, r.IntN(2) == 0
		for range 1 + r.IntN(4) {
			cells := make([]string, 1+r.IntN(4))
			pieces := pieces
			if delimiter == '\t' { // a tab and a line feed in one cell are taken for two rows
				pieces = slices.DeleteFunc(slices.Clone(pieces), func(piece string) bool { return piece == "\t" })
			}
			for i := range cells {
				for range r.IntN(6) {
					cells[i] += pieces[r.IntN(len(pieces))]
				}
			}
			if err := w.Write(cells); err != nil {
				t.Fatal(err)
			}
		}
		w.Flush()
		reader := csv.NewReader(strings.NewReader(b.String()))
		reader.Comma, reader.FieldsPerRecord = delimiter, -1
		want, err := reader.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if got := readRows(t, b.String(), byte(delimiter)); !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("%q: got %q, want %q", b.String(), got, want)
		}
	}
}

// FuzzRows: every line is in one row, and reading ends.
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

// TestTableOffsets reads mentions of a table by offsets. What is read although the file may mean something else
// is a warning.
func TestTableOffsets(t *testing.T) {
	const content = "text\tstart\tend\tmention\n" +
		"é asthma, asthma\t3\t9\tasthma\n" + // bytes
		"β-cell\t0\t6\tb-cell\n" +
		"asthma, asthma\t8\t\tasthma\n" + // the second one
		"asthma\t\t6\tasthma\n" +
		"asthma\t2\t\t\n"
	var warnings []string
	r := NewReader(strings.NewReader(content), "file", Options{Warn: func(e *RecordError) { warnings = append(warnings, e.Error()) }})
	docs, problems := readAll(t, r)
	var got []string
	for _, doc := range docs {
		for _, m := range doc.Mentions {
			got = append(got, fmt.Sprint(m.Start, " ", m.Of(doc.Text)))
		}
	}
	if want := []string{"3 asthma", "0 β-cell", "8 asthma"}; !slices.Equal(got, want) {
		t.Errorf("mentions %q, want %q", got, want)
	}
	if want := []string{
		`file:2: mention at 3-9: "asthma" is there if offsets count bytes`,
		`file:3: mention at 0-6: the mention says "b-cell", the text "β-cell"; it is taken to be normalized`,
	}; !slices.Equal(warnings, want) {
		t.Errorf("warnings %q, want %q", warnings, want)
	}
	if want := []string{
		`file:5: want a start with the end 6, or neither, got none`,
		`file:6: want an end or a mention with the start 2, got none`,
	}; !slices.Equal(problems, want) {
		t.Errorf("problems %q, want %q", problems, want)
	}
}
