package normalize

import (
	"fmt"
	"slices"
	"testing"
)

// TestRememberedForms reads more words than are remembered, twice: what a word becomes does not depend on those before.
func TestRememberedForms(t *testing.T) {
	for range 2 {
		for i := range rememberedForms + 100 {
			text := fmt.Sprintf("type II of anaemic x%dgens", i)
			want := []string{"type", "2", "anemic", fmt.Sprintf("x%dgen", i)}
			if got := CanonicalTokens(text); !slices.Equal(got, want) {
				t.Fatalf("tokens of %q: %q, want %q", text, got, want)
			}
			stems := []string{"2", "anem", "type", want[3]} // -ic goes; sorted
			slices.Sort(stems)
			if got := ContentWords(text); !slices.Equal(got, stems) {
				t.Fatalf("content words of %q: %q, want %q", text, got, stems)
			}
		}
	}
}
