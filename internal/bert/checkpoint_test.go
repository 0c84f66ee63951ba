package bert

import (
	"math"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestWords: a row of the word table is the same alone, in the table and in the written file, even if the original file
// lacks it. Rows that the file lacks are near the mean of the others, and differ.
func TestWords(t *testing.T) {
	const stored, added = 125, 2
	c := must.Get(ReadCheckpoint(fixtures.TinyBERT(), stored+added, 5))
	defer c.Close()
	width := int(c.Config.Hidden)
	if len(c.storedWords) != stored*width {
		t.Fatalf("the file has %d numbers, want %d", len(c.storedWords), stored*width)
	}
	first := slices.Clone(c.Word(stored)) // before the table is computed
	table := c.Tensor(wordTable)
	if len(table) != (stored+added)*width || !slices.Equal(first, table[stored*width:][:width]) {
		t.Fatalf("the table has %d numbers, want %d and the row of the first id that was added", len(table),
			(stored+added)*width)
	}
	mean := make([]float64, width)
	for i, v := range table[:stored*width] {
		mean[i%width] += float64(v) / stored
	}
	for i, v := range table[stored*width:] {
		// The table of the tiny model has the standard deviation .3, the noise a tenth of it.
		if d := math.Abs(float64(v) - mean[i%width]); d > 5*.03 {
			t.Errorf("number %d of the rows that were added is %v from the mean", i, d)
		}
	}
	if slices.Equal(c.Word(stored), c.Word(stored+1)) {
		t.Error("the rows that were added are equal")
	}
	for id := range int32(stored + added) {
		must.Equal(t, c.Word(id), table[int(id)*width:][:width], "the row of id", id, "is not that of the table")
	}
	dir := t.TempDir()
	must.Succeed(t, c.Write(dir))
	written := must.Get(ReadCheckpoint(dir, stored+added, 6))
	defer written.Close()
	must.Equal(t, written.Tensor(wordTable), table, "another table was written")
}
