package corpus

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRecordSet compares sets with maps.
func TestRecordSet(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		set, want := new(recordSet), make(map[int32]bool)
		for range random.IntN(50) {
			record := random.Int32N(300)
			set.add(record)
			want[record] = true
		}
		var members []int32
		for record := range int32(400) {
			if set.has(record) != want[record] {
				t.Fatalf("has(%d) is %v, want %v", record, set.has(record), want[record])
			}
			if want[record] {
				members = append(members, record)
			}
		}
		if got := slices.Collect(set.all()); !slices.Equal(got, members) {
			t.Fatalf("all returned %v, want %v", got, members)
		}
	}
	var empty *recordSet
	if empty.has(0) || len(slices.Collect(empty.all())) > 0 {
		t.Error("the nil set is not empty")
	}
}
