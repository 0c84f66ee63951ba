package table

import (
	"bytes"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// Blank rows are skipped, text that became a date is reported, and the size of a row is limited.
func TestWorksheetRows(t *testing.T) {
	file, packed := excelize.NewFile(), new(bytes.Buffer)
	for i, cells := range [][]any{{" ", ""}, {"a", time.Date(2025, 8, 1, 0, 0, 0, 0, time.UTC)}, {strings.Repeat("a", 6000), strings.Repeat("b", 6000)}} {
		must.Succeed(t, file.SetSheetRow("Sheet1", "A"+strconv.Itoa(i+1), &cells))
	}
	must.Succeed(t, file.Write(packed))
	sheet := must.Get(OpenWorksheet(packed, "", files.Limits{Record: 10_000}))
	defer sheet.Close()
	if row, err := sheet.Next(); err != nil || row.Line != 2 || row.Changed[0] != "" || row.Changed[1] != "the date "+row.Cells[1] {
		t.Errorf("%+v, %v", row, err)
	}
	if _, err := sheet.Next(); err == nil || err.Error() != "row 3: want a row of a sheet of at most 10000 bytes (Limits.Record), got more" {
		t.Errorf("error %v", err)
	}
}

// If merged cells overlap, which Excel never writes, those that begin last count.
func TestOverlappingMergedCells(t *testing.T) {
	const last = 100
	s := &Worksheet{scanned: scanned{merged: make(map[int][]mergedColumn)}, filling: make(map[int]filling)}
	for first := 1; first < last; first++ {
		s.merged[first] = []mergedColumn{{0, last}}
	}
	for s.number = 1; s.number < last; s.number++ {
		s.fill([]string{strconv.Itoa(s.number), "x"})
	}
	if cells := s.fill([]string{"", "x"}); cells[0] != "99" || len(s.filling) != 1 {
		t.Errorf("%q of %d merged cells, want 99 of one", cells, len(s.filling))
	}
}
