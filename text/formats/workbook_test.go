package formats

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
)

// dateSheet is a sheet of which Excel has changed every cell below the header.
type dateSheet struct {
	rows [][]string
	read int
}

func (s *dateSheet) Name() string         { return "Sheet1" }
func (s *dateSheet) OtherNames() []string { return nil }
func (s *dateSheet) Close() error         { return nil }

func (s *dateSheet) Next() ([]string, int, error) {
	if s.read == len(s.rows) {
		return nil, s.read, io.EOF
	}
	s.read++
	return s.rows[s.read-1], s.read, nil
}

func (s *dateSheet) Changed(column int) string {
	if s.read == 1 {
		return ""
	}
	return "the date " + s.rows[s.read-1][column]
}

// TestChangedCells warns of a date in a column of mentions, and not of one in a column that is copied.
func TestChangedCells(t *testing.T) {
	var warnings []string
	r := NewReader(strings.NewReader(zipMark), "dates.xlsx", Options{
		OpenWorkbook: func(io.Reader, files.Limits) (Sheet, error) {
			return &dateSheet{rows: [][]string{{"Seen", "mention"}, {"2024-05-01", "1-Aug"}}}, nil
		},
		Warn: func(w *RecordError) { warnings = append(warnings, w.Error()) },
	})
	docs, faults := readAll(t, r)
	if len(docs) != 1 || len(faults) > 0 {
		t.Fatalf("%d documents and faults %q, want 1 and none", len(docs), faults)
	}
	want := []string{"dates.xlsx:2: cell 2 is the date 1-Aug, and is read as it is shown: Excel has changed what was typed"}
	if !slices.Equal(warnings, want) {
		t.Errorf("warnings %q, want %q", warnings, want)
	}
}
