package normalize

import "testing"

func TestTypingErrors(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		most int
		want int
	}{
		{"ulcer", "ulcer", 2, 0},
		{"ulcr", "ulcer", 2, 1},   // a letter left out
		{"ullcer", "ulcer", 2, 1}, // one too many
		{"ulcet", "ulcer", 2, 1},  // another one
		{"ucler", "ulcer", 2, 1},  // neighbors exchanged
		{"uclet", "ulcer", 2, 2},  // exchanged, and another one
		{"ulcera", "ulcer", 0, 1},
		{"ca", "abc", 3, 3}, // a pair that was exchanged is not changed again
		{"fever", "ulcer", 2, 3},
		{"øse", "öse", 1, 1}, // letters, not bytes
		{"", "ab", 2, 2},
	} {
		if got := TypingErrors(tc.a, tc.b, tc.most); got != tc.want {
			t.Errorf("TypingErrors(%q, %q, %d) is %d, want %d", tc.a, tc.b, tc.most, got, tc.want)
		}
		if got := TypingErrors(tc.b, tc.a, tc.most); got != tc.want {
			t.Errorf("TypingErrors(%q, %q, %d) is %d, want %d", tc.b, tc.a, tc.most, got, tc.want)
		}
	}
}
