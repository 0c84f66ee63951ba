package knnindex

import (
	"slices"
	"testing"
)

// TestHugePagesKeepNumbers moves numbers of all lengths about that of a page, from all
// kinds of places in one.
func TestHugePagesKeepNumbers(t *testing.T) {
	const page = 2 << 20 / 4
	numbers := make([]uint32, 4*page)
	for i := range numbers {
		numbers[i] = uint32(i)
	}
	want := slices.Clone(numbers)
	for _, start := range []int{0, 1, 1024, page - 1, page, page + 1} {
		for _, length := range []int{0, 1, page - 1, page, page + 1, 2*page - 1, 3*page - 1 - start/2} {
			toHugePages(numbers[start : start+length])
		}
	}
	toHugePages[float32](nil)
	if !slices.Equal(numbers, want) {
		t.Error("numbers changed")
	}
}
