package kbfile

import "testing"

func TestSameLanguage(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"ENG", "en", true}, {"ENG", "en-GB", true}, {"eng", "ENG", true},
		{"GER", "de", true}, {"FRE", "fr-CA", true}, {"DUT", "nl", true}, {"JPN", "ja", true},
		{"ENG", "de", false}, {"ENG", "", false}, {"ENG", "not a language", false},
	} {
		if got := sameLanguage(test.a, test.b); got != test.want {
			t.Errorf("sameLanguage(%q, %q) = %t", test.a, test.b, got)
		}
	}
}
