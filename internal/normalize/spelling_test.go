package normalize

import (
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

func TestSpellingCorrector(t *testing.T) {
	c := NewSpellingCorrector([]string{
		"Cirrhosis of liver", "Bacteremia", "Renal failure", "Hypertension", "Hypotension", "Neuropathy", "myopathy",
		"Lissencephaly 1", "Sjögren syndrome", "mastitis", "gastritis", "adenoma", "adenome",
	})
	const misspelt = "cirrohsis of liver bactermia bacterremia bacteremea failre sjogran syndrome"
	const corrected = "cirrhosis of liver bacteremia bacteremia bacteremia failure sjogren syndrome"
	must.Equal(t, c.Mention(misspelt), corrected)
	for _, word := range []string{
		"hypertension",   // known
		"hyprtension",    // one letter short of hypertension, one from hypotension
		"bactermea",      // two errors
		"eacteremia",     // different first letter
		"venal",          // too short
		"lissencephaly2", // not only letters
		"adenom",         // one letter short of two words
		"",
	} {
		must.Equal(t, c.Mention(word), word)
	}
}

func FuzzSpellingCorrector(f *testing.F) {
	f.Add("cirrhosis of liver", "cirrohsis")
	f.Add("\xffaaaaaaaa", "aaaaaaaa\xff")
	f.Add("αβγδεζη", "αβγδεηζ")
	f.Fuzz(func(t *testing.T, name, query string) {
		c := NewSpellingCorrector([]string{name})
		normal := Normal(query)
		once := c.Mention(normal)
		must.Equal(t, c.Mention(once), once, normal, "corrected twice")
		if known := Normal(name); c.Mention(known) != known {
			t.Errorf("the name %q is corrected to %q", known, c.Mention(known))
		}
	})
}

func TestTypingErrors(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		most int
		want int
	}{
		{"ulcer", "ulcer", 2, 0},
		{"ulcr", "ulcer", 2, 1},   // a missing letter
		{"ullcer", "ulcer", 2, 1}, // an extra one
		{"ulcet", "ulcer", 2, 1},  // a wrong one
		{"ucler", "ulcer", 2, 1},  // neighbors exchanged
		{"uclet", "ulcer", 2, 2},  // exchanged, and a wrong one
		{"ulcera", "ulcer", 0, 1},
		{"ca", "abc", 3, 3}, // an exchanged pair is not changed again
		{"fever", "ulcer", 2, 3},
		{"øse", "öse", 1, 1}, // letters, not bytes
		{"", "ab", 2, 2},
	} {
		must.Equal(t, TypingErrors(tc.a, tc.b, tc.most), tc.want, "TypingErrors", tc.a, tc.b, tc.most)
		must.Equal(t, TypingErrors(tc.b, tc.a, tc.most), tc.want, "TypingErrors", tc.b, tc.a, tc.most)
	}
}
