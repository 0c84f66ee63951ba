package formats

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"
)

// TestChangedCells warns of a date in a column of mentions, and not of one in a column that is copied.
func TestChangedCells(t *testing.T) {
	book := excelize.NewFile()
	for cell, value := range map[string]any{"A1": "Seen", "B1": "mention", "A2": time.Now(), "B2": time.Date(2024, 8, 1, 0, 0, 0, 0, time.UTC)} {
		if err := book.SetCellValue("Sheet1", cell, value); err != nil {
			t.Fatal(err)
		}
	}
	var content bytes.Buffer
	if err := book.Write(&content); err != nil {
		t.Fatal(err)
	}
	var warnings []string
	docs, faults := readAll(t, NewReader(&content, "dates.xlsx", Options{
		Workbooks: true, Warn: func(w *RecordError) { warnings = append(warnings, w.Error()) },
	}))
	if len(docs) != 1 || len(faults) > 0 {
		t.Fatalf("%d documents and faults %q, want 1 and none", len(docs), faults)
	}
	want := []string{"dates.xlsx:2: cell 2 is the date Aug-24, and is read as it is shown: Excel has changed what was typed"}
	if !slices.Equal(warnings, want) {
		t.Errorf("warnings %q, want %q", warnings, want)
	}
}
