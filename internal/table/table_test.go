package table

import (
	"io"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
)

func TestSniff(t *testing.T) {
	isHeader := func(cells []string) bool { return slices.Contains(cells, "id") && len(cells) > 1 }
	for text, want := range map[string]string{
		"id,name\nD1,a;b\n":                        ",",
		"id;name\nD1;a, b\n":                       ";",
		"a list of rivers\n\nid\tname\nD1\ta, b\n": "\t",
		"rivers, of 2020\nid,name\n":               "", // two cells, and no title
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

// sheet is a sheet whose cells were dates.
type sheet [][]string

func (s *sheet) Next() ([]string, int, error) {
	if len(*s) == 0 {
		return nil, 0, io.EOF
	}
	row := (*s)[0]
	*s = (*s)[1:]
	return row, 7, nil
}

func (s *sheet) Changed(column int) string { return []string{"", "the date 1-Aug"}[column] }

func TestSheetRows(t *testing.T) {
	rows := SheetRows(&sheet{{"", " "}, {"a", "1-Aug"}, {"a row that is long", ""}}, files.Limits{Record: 10})
	row, err := rows.Next()
	if err != nil || row.Line != 7 || row.Changed[1] != "the date 1-Aug" || len(row.Changed) != 1 {
		t.Errorf("%+v, %v", row, err)
	}
	if _, err := rows.Next(); err == nil || err.Error() != "row 7: want a row of a sheet of at most 10 bytes (Limits.Record), got more" {
		t.Errorf("error %v", err)
	}
}
