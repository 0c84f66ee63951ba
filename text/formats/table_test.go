package formats

import (
	"slices"
	"testing"
)

// TestHeader names the columns of a table that was an output before.
func TestHeader(t *testing.T) {
	h := NewTable(&WriterOptions{})
	got := h.Names(&Row{Source: []Column{{"source_text", "a"}, {"text", "b"}, {"id", "1"}, {"case", "2"}}})
	if want := append([]string{"source_text", "source_source_text", "source_id", "case"}, RowColumns()...); !slices.Equal(got, want) {
		t.Errorf("columns %q, want %q", got, want)
	}
}
