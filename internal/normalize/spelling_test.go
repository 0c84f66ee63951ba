package normalize

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unicode/utf8"
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

// TestSpellingCorrectorAgainstDistance compares corrections with the distances to all words.
func TestSpellingCorrectorAgainstDistance(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, seed))
	word := func() string {
		letters := make([]rune, 4+r.IntN(5))
		for i := range letters {
			letters[i] = []rune("abα")[r.IntN(3)]
		}
		return string(letters)
	}
	corrected := 0
	for range 300 {
		names := make([]string, 30)
		for i := range names {
			names[i] = word()
		}
		c := NewSpellingCorrector(names)
		query := word()
		var near []string
		for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
			if TypingErrors(query, name, 2) == 1 && []rune(query)[0] == []rune(name)[0] {
				near = append(near, name)
			}
		}
		want := query
		if utf8.RuneCountInString(query) >= minCorrected && !slices.Contains(names, query) && len(near) == 1 {
			want = near[0]
			corrected++
		}
		if got := c.correct(query); got != want {
			t.Fatalf("names %q: %q is corrected to %q, want %q", names, query, got, want)
		}
	}
	if corrected == 0 {
		t.Error("no word was corrected")
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
