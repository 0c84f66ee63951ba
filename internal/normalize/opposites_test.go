package normalize

import "testing"

func TestAreOpposed(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"left", "right", true},
		{"acute", "chronic", true},
		{Stem("acute"), Stem("chronic"), true},
		{"hypotension", "hypertension", true},
		{Stem("hypokalemia"), Stem("hyperkalemia"), true},
		{"bradycardia", "tachycardia", true},
		{"hypotension", "hyperkalemia", false}, // another rest
		{"hypo", "hyper", false},               // no rest
		{"1", "2", true},
		{"b6", "b12", true},
		{"b6", "c6", false}, // of different series; the letters are not alone
		{"c7", "c6", true},
		{"2a", "2b", true},
		{"b", "c", true},
		{"b", "2", false},
		{"alpha", "beta", true},
		{"alpha", "b", false},
		{"brca1", "brca2", false}, // more than three letters: often names of one disease
		{"left", "left", false},
		{"kidney", "renal", false},
		{"", "a", false},
	} {
		for _, pair := range [][2]string{{tc.a, tc.b}, {tc.b, tc.a}} {
			if got := AreOpposed(pair[0], pair[1]); got != tc.want {
				t.Errorf("AreOpposed(%q, %q) is %t, want %t", pair[0], pair[1], got, tc.want)
			}
		}
	}
}
