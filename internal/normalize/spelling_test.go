package normalize

import (
	"testing"
)

func TestSpellingCorrector(t *testing.T) {
	c := NewSpellingCorrector([]string{
		"Cirrhosis of liver", "Bacteremia", "Renal failure", "Hypertension", "Hypotension", "Neuropathy", "myopathy",
		"Lissencephaly 1", "Sjögren syndrome", "mastitis", "gastritis", "adenoma", "adenome",
	})
	tests := []struct{ normal, want string }{
		{"cirrohsis of liver", "cirrhosis of liver"}, // neighbors exchanged
		{"bactermia", "bacteremia"},                  // a letter missing
		{"bacterremia", "bacteremia"},                // one too many
		{"bacteremea", "bacteremia"},                 // one wrong
		{"hypertension", "hypertension"},             // known
		{"hyprtension", "hyprtension"},               // one letter short of hypertension, one from hypotension
		{"bactermea", "bactermea"},                   // two errors
		{"eacteremia", "eacteremia"},                 // another first letter
		{"failre", "failure"},                        // six letters
		{"venal", "venal"},                           // too short
		{"lissencephaly2", "lissencephaly2"},         // not only letters
		{"sjogran syndrome", "sjogren syndrome"},
		{"adenom", "adenom"}, // one letter short of two words
		{"", ""},
	}
	for _, test := range tests {
		if got := c.correct(test.normal); got != test.want {
			t.Errorf("%q: got %q, want %q", test.normal, got, test.want)
		}
	}
}

func FuzzSpellingCorrector(f *testing.F) {
	f.Add("cirrhosis of liver", "cirrohsis")
	f.Add("\xffaaaaaaaa", "aaaaaaaa\xff")
	f.Add("αβγδεζη", "αβγδεηζ")
	f.Fuzz(func(t *testing.T, name, query string) {
		c := NewSpellingCorrector([]string{name})
		normal := Normal(query)
		once := c.correct(normal)
		if again := c.correct(once); again != once {
			t.Errorf("%q is corrected to %q and then to %q", normal, once, again)
		}
		if known := Normal(name); c.correct(known) != known {
			t.Errorf("the name %q is corrected to %q", known, c.correct(known))
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
