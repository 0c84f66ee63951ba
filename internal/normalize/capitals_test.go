package normalize

import "testing"

func TestHasCapitalsOf(t *testing.T) {
	for _, c := range []struct {
		name, mention string
		want          bool
	}{
		{"Apple Inc.", "Apple", true},
		{"Apple Inc.", "APPLE", true},
		{"Apple", "Apples", true},
		{"Apple Inc.", "apple", false},
		{"Apple", "apples", false},
		{"Apple", "an apple", false},
		{"The Gap", "The gap", false},
		{"Bank of America", "Bank of America", true},
		{"Bank of America", "BANK OF AMERICA", true},
		{"Bank of America", "bank of America", false},
		{"eBay", "ebay", false},
		{"eBay", "Ebay", true},
		{"apple", "Apple", true},
		{"apple (Malus)", "apple", true},
		{"Nestlé", "nestlé", false},
		{"りんご", "りんご", true},
		{"", "apple", true},
	} {
		if got := HasCapitalsOf(c.name, c.mention); got != c.want {
			t.Errorf("%q of %q: %v, want %v", c.mention, c.name, got, c.want)
		}
	}
}
