package calibrate

import (
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// A misspelled name differs from the name by at most two errors, each of at most two letters ("rn" for
// "m"), and is the same for the same seed.
func TestMisspell(t *testing.T) {
	kinds := make(map[int]int) // change of length -> names
	for _, name := range []string{"hepatocellular carcinoma", "hypertension", "ulcer of the stomach", "gastroenteritis", "fibromyalgia", "Ménière disease"} {
		for seed := range uint64(50) {
			written, ok := misspell(name, seed)
			again, _ := misspell(name, seed)
			if written != again {
				t.Fatalf("%s, seed %d: %q, and %q again", name, seed, written, again)
			}
			if !ok {
				if written != name {
					t.Errorf("%s, seed %d: %q is not misspelled", name, seed, written)
				}
				continue
			}
			if n := normalize.TypingErrors(name, written, 4); n < 1 || n > 4 {
				t.Errorf("%s, seed %d: %q has %d errors, want 1 to 4", name, seed, written, n)
			}
			kinds[len(written)-len(name)]++
		}
	}
	for _, change := range []int{-1, 0, 1} {
		if kinds[change] == 0 {
			t.Errorf("no name is %d letters longer than it was: %v", change, kinds)
		}
	}
	if written, ok := misspell("gout 12", 1); ok {
		t.Errorf("a name of four letters is misspelled as %q", written)
	}
}
