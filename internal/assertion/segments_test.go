package assertion

import "testing"

func TestItemSign(t *testing.T) {
	for line, want := range map[string]bool{
		"- fever": true, "• fever": true, "2) fever": true, "2. fever": true, "123. fever": true, "(b) fever": true, "a. fever": true,
		"12 lesions": false, "1234. fever": false, "2.5 mg": false, "2.": false, "fever. Cough": false, "-": false, "": false,
	} {
		if got := itemSign.MatchString(line); got != want {
			t.Errorf("%q: %t, want %t", line, got, want)
		}
	}
}
