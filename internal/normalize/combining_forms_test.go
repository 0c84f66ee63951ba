package normalize

import (
	"slices"
	"strings"
	"testing"
)

func TestNameWords(t *testing.T) {
	for _, same := range [][]string{
		{"nephropathy", "Nephropathies", "kidney disease", "diseases of the kidney"},
		{"myalgia", "muscle pains"},
		{"cardiomyopathy", "heart muscle disease"},
		{"hepatosplenomegaly", "liver and spleen enlargement"},
		{"lymphadenopathy", "lymph node disease"},
		{"neuropathic pain", "nerve disease with pain"},
		{"ototoxicity", "toxicity of the ear"},
		{"haemorrhagic nephropathy", "hemorrhage, kidney disease"},
	} {
		want := NameWords(same[0])
		for _, text := range same[1:] {
			if got := NameWords(text); !slices.Equal(got, want) {
				t.Errorf("the words of %q are %q, and of %q %q", same[0], want, text, got)
			}
		}
	}
}

func TestPlainWordsOfOtherWords(t *testing.T) {
	// A word of which a part is unknown, that has only a beginning or only an ending.
	for _, word := range []string{"polyneuropathy", "myelopathy", "cardiac", "pathy", "toxic", "algia", "homeopathy", "colon", "o", "", "糖尿病"} {
		if got, want := PlainWords(word), []string{Stem(word)}; !slices.Equal(got, want) {
			t.Errorf("PlainWords(%q) = %q, want %q", word, got, want)
		}
	}
}

// TestCombiningFormsAreDistinct checks that a word is split in one way, whatever the order of the forms.
func TestCombiningFormsAreDistinct(t *testing.T) {
	check := func(lists [256][]combiningForm, contains func(s, part string) bool) {
		t.Helper()
		for _, list := range lists {
			for i, a := range list {
				for j, b := range list {
					if i != j && contains(a.form, b.form) {
						t.Errorf("%q and %q both fit a word", a.form, b.form)
					}
				}
			}
		}
	}
	check(combiningBeginnings, strings.HasPrefix)
	check(combiningEndings, strings.HasSuffix)
}
