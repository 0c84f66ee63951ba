package normalize

import (
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestAcronymForms shows how the acronym tests differ.
func TestAcronymForms(t *testing.T) {
	tests := []struct {
		s                                       string
		mostly, acronym, short, atMostHalf, all bool
	}{
		{"", false, false, false, true, false},
		{"AIDS", true, true, true, true, true},
		{"TdP", true, true, true, true, false},
		{"MODY2", true, true, true, true, true},
		{"CL/P", true, true, true, true, true},
		{"Gout", false, false, false, false, false},
		{"APs", true, true, true, true, false},             // plural
		{"Lung Cancer", false, false, false, false, false}, // a title
		{"II", true, true, false, true, true},              // Roman numeral
		{"MEN 2", true, false, true, true, true},           // two words
		{"(AIDS)", true, true, false, true, true},          // begins with a bracket
		{"p53", false, false, false, true, false},          // digits count as capitals
		{"12", false, false, false, true, false},
		{"DIABETES MELLITUS", false, false, false, true, true},
		{"ABCDEFGH123", true, false, false, true, true}, // 8 letters and 3 digits
	}
	for _, test := range tests {
		for _, form := range []struct {
			name      string
			got, want bool
		}{
			{"MostlyCapitals", MostlyCapitals(test.s), test.mostly},
			{"LooksLikeAcronym", LooksLikeAcronym(test.s), test.acronym},
			{"LooksLikeShortForm", LooksLikeShortForm(test.s), test.short},
			{"AtMostHalfLowercase", AtMostHalfLowercase(test.s), test.atMostHalf},
			{"AllCapitals", AllCapitals(test.s), test.all},
		} {
			must.Equal(t, form.got, form.want, form.name, test.s)
		}
	}
}

func TestSingularShortForm(t *testing.T) {
	tests := []struct{ short, singular string }{
		{"APs", "AP"},
		{"IL2s", "IL2"},
		{"As", "As"},
		{"Hbs", "Hbs"},
		{"AIDS", "AIDS"},
		{"12s", "12"},
		{"s", "s"},
		{"", ""},
	}
	for _, test := range tests {
		must.Equal(t, SingularShortForm(test.short), test.singular, "SingularShortForm", test.short)
	}
}

func TestHasCapitalsOf(t *testing.T) {
	for want, pairs := range map[bool][]string{ // a name and a mention, separated by a slash
		true: {"Apple Inc./Apple", "Apple Inc./APPLE", "Apple/Apples", "Bank of America/Bank of America",
			"Bank of America/BANK OF AMERICA", "eBay/Ebay", "apple/Apple", "apple (Malus)/apple", "りんご/りんご", "/apple"},
		false: {"Apple Inc./apple", "Apple/apples", "Apple/an apple", "The Gap/The gap", "Bank of America/bank of America",
			"eBay/ebay", "Nestlé/nestlé"},
	} {
		for _, pair := range pairs {
			name, mention, _ := strings.Cut(pair, "/")
			must.Equal(t, HasCapitalsOf(name, mention), want, mention, name)
		}
	}
}
