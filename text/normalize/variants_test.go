package normalize

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestVariants(t *testing.T) {
	tests := []struct{ name, want string }{ // a word that must not follow space has a hyphen before it
		{"liver cancer", "liver cancers"},
		{"cancers of the breast", "cancer of the breast, cancers of the breasts"},
		{"tumor", "tumors, tumour, tumours"},
		{"tumours", "tumor, tumors, tumour"},
		{"haemorrhage", "haemorrhages, hemorrhage, hemorrhages"},
		{"stenosis", "stenoses"},
		{"metastases", "metastasis"},
		{"anomaly", "anomalies"},
		{"abscess", "abscesses"},
		{"reflex", "reflexes"},
		{"rash", "rashes"},
		{"herpes", ""},
		{"virus", ""},
		{"diabetes", ""},
		{"drugs", ""}, // the name of a class
		{"gout", "gouts"},
		{"flu", ""},
		{"hepatitis c", ""},
		{"type 2", ""},
		{"糖尿病", ""},
		{"ß", ""},
		{"tnf α", "tnf alpha, tnf-a, tnfalpha, tnfα"},
		{"tnf alpha", "tnf alphas, tnf α, tnf-a, tnfalpha, tnfα"},
		{"tnfα", "tnf alpha, tnf α, tnf-a, tnfalpha"},
		{"α thalassemia", "alpha thalassemia, α thalassaemia, α thalassaemias, α thalassemias"},
		{"α", ""},
		{"ααα", ""},
		{"ω 3", "omega 3"},
	}
	for _, test := range tests {
		var forms []string
		for _, v := range Variants(test.name) {
			words := strings.Split(v.Form, " ")
			if v.Hyphen > 0 {
				words[v.Hyphen-1] += "-" + words[v.Hyphen]
				words = slices.Delete(words, v.Hyphen, v.Hyphen+1)
			}
			forms = append(forms, strings.Join(words, " "))
		}
		slices.Sort(forms)
		if diff := cmp.Diff(test.want, strings.Join(slices.Compact(forms), ", ")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.name, diff)
		}
	}
}

func FuzzVariants(f *testing.F) {
	for _, name := range []string{"liver cancers", "TNF-α", "tumour of the brain", "糖尿病", "a of"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		name := Normal(raw)
		if name == "" {
			return
		}
		for _, v := range Variants(name) {
			if v.Form == name || Normal(v.Form) != v.Form {
				t.Errorf("%q: variant %q is the name or not in normal form", name, v.Form)
			}
			if v.Hyphen < 0 || v.Hyphen >= len(strings.Split(v.Form, " ")) {
				t.Errorf("%q: variant %q has no word %d", name, v.Form, v.Hyphen)
			}
		}
	})
}

// TestVariantsOfLongName checks that the variants of a name take time in proportion to its
// length: by the square of its words these take minutes.
func TestVariantsOfLongName(t *testing.T) {
	done := make(chan []Variant, 1)
	go func() { done <- Variants(strings.Repeat("breast cancer ", 75_000) + "asthma") }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("a name of 1 MB still has no variants after 20 s")
	}
}
