//go:build torch

package torch

import "testing"

func TestShapes(t *testing.T) {
	widths, tokens := map[int]bool{}, map[int]bool{}
	for n := range 513 {
		width := shapeWidth(n)
		if width < n || n > 8 && 2*width > 3*n+1 {
			t.Errorf("%d tokens get a width of %d", n, width)
		}
		widths[width] = true
		if n > 128 {
			continue
		}
		for rows := 1; rows*width <= maxBatchTokens; rows *= 2 {
			tokens[rows*width] = true
		}
	}
	// 8 12 16 24 32 48 64 96 128 192 256 384 512
	if len(widths) != 13 {
		t.Errorf("%d widths, want 13: %v", len(widths), widths)
	}
	// 4 times 2, 3, 4, 6, 8, 12, … 512: 2^1 to 2^9 and 3*2^0 to 3*2^7
	if len(tokens) != 9+8 {
		t.Errorf("%d numbers of tokens, want 17: %v", len(tokens), tokens)
	}
	lengths := map[int]bool{}
	for n := range maxBatchTokens + 1 {
		length := shapeTokens(n)
		if length < n || n > 8 && 4*length >= 5*n+4 {
			t.Errorf("a batch of %d tokens gets %d", n, length)
		}
		lengths[length] = true
	}
	// 8, 4 for each doubling after
	if len(lengths) != 1+4*8 {
		t.Errorf("%d lengths of batches, want 33: %v", len(lengths), lengths)
	}
	for left := 1; left < 300; left++ {
		for most := 1; most <= 256; most *= 2 {
			n := takeRows(left, most)
			if n < 1 || n > left || shapeRows(n) > most || 4*n < 3*shapeRows(n) {
				t.Errorf("of %d inputs %d are taken into at most %d rows", left, n, most)
			}
		}
	}
}
