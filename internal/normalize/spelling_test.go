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
