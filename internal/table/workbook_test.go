package table

import (
	"strconv"
	"testing"
)

// Where merged cells overlap, which Excel never writes, those that begin last count, whatever their number.
func TestOverlappingMergedCells(t *testing.T) {
	const last = 100
	s := &Worksheet{merged: make(map[int][]mergedColumn), filling: make(map[int]filling)}
	for first := 1; first < last; first++ {
		s.merged[first] = []mergedColumn{{0, first, last}}
	}
	for s.number = 1; s.number < last; s.number++ {
		s.fill([]string{strconv.Itoa(s.number), "x"})
	}
	if cells := s.fill([]string{"", "x"}); cells[0] != "99" || len(s.filling) != 1 {
		t.Errorf("%q of %d merged cells, want 99 of one", cells, len(s.filling))
	}
}
