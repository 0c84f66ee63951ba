package assertion

import (
	_ "embed"
	"strings"
	"testing"
)

//go:embed testdata/clinical.txt
var clinical string

// TestClinical measures each attribute on the statements of notes in testdata/clinical.txt.
func TestClinical(t *testing.T) {
	type counts struct{ right, found, gold int }
	of := make(map[rune]*counts)
	for _, letter := range "nuhyo" {
		of[letter] = new(counts)
	}
	statements := 0
	for line := range strings.Lines(clinical) {
		marks, gold, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		doc := marked(strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\t`, "\t").Replace(marks))
		got, want := strings.Fields(classified(doc)), strings.Fields(gold)
		if !ok || len(got) != len(want) {
			t.Fatalf("%s: %d mentions, want %d", marks, len(got), len(want))
		}
		statements++
		for i := range got {
			for letter, c := range of {
				found, is := strings.ContainsRune(got[i], letter), strings.ContainsRune(want[i], letter)
				switch {
				case found && is:
					c.right++
					fallthrough
				case found:
					c.found++
				}
				if is {
					c.gold++
				}
			}
		}
		if strings.Join(got, " ") != gold {
			t.Logf("%s: %s, want %s", marks, strings.Join(got, " "), gold)
		}
	}
	t.Logf("%d statements", statements)
	for _, attribute := range []struct {
		letter             rune
		name               string
		minRight, maxWrong int // as reached
	}{
		{'n', "negated", 418, 0}, {'u', "uncertain", 135, 3}, {'h', "historical", 99, 0}, {'y', "hypothetical", 63, 0},
		{'o', "other person", 68, 0},
	} {
		c := of[attribute.letter]
		t.Logf("%-12s precision %d of %d, recall %d of %d", attribute.name, c.right, c.found, c.right, c.gold)
		if c.right < attribute.minRight || c.found-c.right > attribute.maxWrong {
			t.Errorf("%s: %d right and %d wrong, want at least %d and at most %d",
				attribute.name, c.right, c.found-c.right, attribute.minRight, attribute.maxWrong)
		}
	}
}
