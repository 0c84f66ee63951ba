package matcher

import (
	"math/rand/v2"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// TestSpellAll holds names that are spelt side by side against each by itself.
func TestSpellAll(t *testing.T) {
	names := []string{"", "Haemorrhagic tumours", "of the", "TNFα"}
	for range 500 { // for all cores
		names = append(names, names[:4]...)
	}
	var want []Spelt
	for _, name := range names {
		want = append(want, Spelt{name, Spelling(name)})
	}
	if diff := gocmp.Diff(want, SpellAll(names)); diff != "" {
		t.Error(diff)
	}
}

// TestAmerican replaces British spellings in random words at once and one by one.
func TestAmerican(t *testing.T) {
	parts := []string{
		"behaviour", "centre", "colour", "fibre", "isation", "labour", "odour", "sulph", "tumour", "oea",
		"o", "e", "a", "our", "tre", "ph", "is", "col", "in",
	}
	british := []string{
		"behaviour", "behavior", "centre", "center", "colour", "color", "fibre", "fiber", "isation", "ization",
		"labour", "labor", "odour", "odor", "sulph", "sulf", "tumour", "tumor", "oea", "ea",
	}
	r := rand.New(rand.NewPCG(1, 13))
	for range 20_000 {
		word := ""
		for range 1 + r.IntN(5) {
			word += parts[r.IntN(len(parts))]
		}
		want := word
		for i := 0; i < len(british); i += 2 {
			want = strings.ReplaceAll(want, british[i], british[i+1])
		}
		if got := americanSpellings.Replace(word); got != want {
			t.Fatalf("%q is %q, want %q", word, got, want)
		}
	}
}

// TestPluralsEnd holds the table to what singular looks at first.
func TestPluralsEnd(t *testing.T) {
	for _, p := range plurals {
		if last := p.suffix[len(p.suffix)-1]; last != 's' && last != 'a' {
			t.Errorf("plural -%s ends in neither s nor a", p.suffix)
		}
	}
}

func BenchmarkSpelling(b *testing.B) {
	for name, d := range benchDictionaries(b) {
		_, names := namesOf(d)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				spellEach(names)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*d.CountNames()), "ns/name")
		})
	}
}
