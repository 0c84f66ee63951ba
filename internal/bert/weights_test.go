//go:build torch

package bert

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/bert/berttest"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// TestRowsOfMarkers: ids that the tokenizer has and the table lacks get rows near the
// mean; rows that the table has are not changed.
func TestRowsOfMarkers(t *testing.T) {
	const width = 32
	tok, err := tokenizer.Open(berttest.Tiny())
	if err != nil {
		t.Fatal(err)
	}
	defer tok.Close()
	start, end := tok.Markers()
	markers := [2]int32{start, end}
	old := load(t, berttest.Tiny(), false)
	rows := int(old.Config.VocabSize)
	if tok.Size() != rows+2 {
		t.Fatalf("%d ids and %d rows, want two more ids than rows", tok.Size(), rows)
	}
	tableOf := func(m *Model) []float32 {
		return m.Trained.Values()[:int(m.Config.VocabSize)*width]
	}
	grown, err := LoadModel(berttest.Tiny(), tok, false, 5)
	if err != nil {
		t.Fatal(err)
	}
	defer grown.Drop()
	table := tableOf(grown)
	if len(table) != (rows+2)*width || !slices.Equal(table[:rows*width], tableOf(old)) {
		t.Error("the rows of the file have changed")
	}
	mean := make([]float64, width)
	for i, v := range tableOf(old) {
		mean[i%width] += float64(v) / float64(rows)
	}
	for k, id := range markers {
		for j := range width {
			// the tiny model's table has standard deviation 0.3, the noise a tenth of that
			if d := math.Abs(float64(table[int(id)*width+j]) - mean[j]); d > 5*0.03 {
				t.Errorf("row of marker %d is %v from the mean at %d", k, d, j)
			}
		}
	}
	if slices.Equal(table[rows*width:(rows+1)*width], table[(rows+1)*width:]) {
		t.Error("the markers have equal rows")
	}

	spare, err := loadModel(berttest.Tiny(), rows-10, [2]int32{int32(rows - 9), int32(rows - 8)}, false, 5)
	if err != nil {
		t.Fatal(err)
	}
	defer spare.Drop()
	if diff := cmp.Diff(tableOf(old), tableOf(spare)); diff != "" {
		t.Errorf("a table with spare rows changed:\n%s", diff)
	}
}

// TestWriteModel: the weights written are those read, pooler included, with trained and
// with frozen tables.
func TestWriteModel(t *testing.T) {
	want := berttest.Weights(t, berttest.Tiny())
	for _, freeze := range []bool{false, true} {
		m := load(t, berttest.Tiny(), freeze)
		dir := t.TempDir()
		if err := m.Write(dir); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, berttest.Weights(t, dir)); diff != "" {
			t.Errorf("frozen tables %v (-read +written):\n%s", freeze, diff)
		}
		config, err := ReadConfig(dir)
		if err != nil {
			t.Fatal(err)
		}
		if config.VocabSize != m.Config.VocabSize {
			t.Errorf("vocab_size %d, want %d", config.VocabSize, m.Config.VocabSize)
		}
	}
}
