package sense

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

func TestEnglish(t *testing.T) {
	for _, word := range []string{"thrush", "Thrush", "thrushes", "stroke"} {
		if senses := English(word); len(senses) < 2 {
			t.Errorf("%s: %v", word, senses)
		}
	}
	cold := English("colds")
	if len(cold) != 2 || cold[0].Name != "common cold" || cold[1].Name != "" {
		t.Errorf("cold: %+v", cold)
	}
	for _, word := range []string{"", "hepatitis", "common cold", "a"} {
		if senses := English(word); senses != nil {
			t.Errorf("%q: %v, want none", word, senses)
		}
	}
}

// TestEnglishFile: words are in their base form and in order of the alphabet, senses differ, and only the
// first, that of medicine, has a name.
func TestEnglishFile(t *testing.T) {
	senses := englishSenses()
	if len(senses) < 100 {
		t.Fatalf("%d words", len(senses))
	}
	for word, own := range senses {
		if base := normalize.CanonicalWord(word); base != word && senses[base] != nil {
			t.Errorf("%s: its base form %s is there, too", word, base)
		}
		seen := make(map[string]bool)
		for i, s := range own {
			if s.Gloss == "" || seen[s.Gloss] {
				t.Errorf("%s: gloss %q is empty or there twice", word, s.Gloss)
			}
			seen[s.Gloss] = true
			if i > 0 && s.Name != "" {
				t.Errorf("%s: its sense %q outside medicine has the name %q", word, s.Gloss, s.Name)
			}
			if diff := cmp.Diff(normalize.Normal(s.Name), s.Name); diff != "" {
				t.Errorf("%s: name is not in normal form (-want +got):\n%s", word, diff)
			}
		}
	}
}
