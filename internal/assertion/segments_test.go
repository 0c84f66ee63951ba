package assertion

import "testing"

func TestItemSize(t *testing.T) {
	for line, want := range map[string]int{
		"- fever": 1, "• fever": len("•"), "2) fever": 2, "2. fever": 2, "123. fever": 4, "(b) fever": 3, "a. fever": 2,
		"12 lesions": 0, "1234. fever": 0, "2.5 mg": 0, "2.": 0, "fever. Cough": 0, "-": 0, "": 0,
	} {
		if got := itemSize(line); got != want {
			t.Errorf("%q: %d, want %d", line, got, want)
		}
	}
}
