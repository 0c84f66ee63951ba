package assertion

import (
	_ "embed"
	"regexp"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/text"
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
		{'n', "negated", 581, 1}, {'u', "uncertain", 211, 4}, {'h', "historical", 141, 0}, {'y', "hypothetical", 99, 0},
		{'o', "other person", 113, 0},
	} {
		c := of[attribute.letter]
		t.Logf("%-12s precision %d of %d, recall %d of %d", attribute.name, c.right, c.found, c.right, c.gold)
		if c.right < attribute.minRight || c.found-c.right > attribute.maxWrong {
			t.Errorf("%s: %d right and %d wrong, want at least %d and at most %d",
				attribute.name, c.right, c.found-c.right, attribute.minRight, attribute.maxWrong)
		}
	}
}

// TestBoxes reads the boxes of forms, which stand before findings, behind them, or before answers.
func TestBoxes(t *testing.T) {
	for _, test := range []struct{ text, negated string }{ // the findings are in capitals
		{"[ ] FEVER [x] COUGH [ ] RASH", "FEVER RASH"},
		{"General: [X] FEVER, [_] RASH", "RASH"},
		{"FEVER [ ]  COUGH [x]  RASH [ ]", "FEVER RASH"},
		{"- [ ] FEVER\n- [x] COUGH", "FEVER"},
		{"☐ FEVER ☒ COUGH ☑ RASH", "FEVER"},
		{"FEVER: [x] No [ ] Yes", "FEVER"},
		{"FEVER: [ ] No [x] Yes, RASH: [x] no [ ] yes", "RASH"},
		{"FEVER [x]Yes [ ]No", ""},
		{"FEVER was seen [1]. No RASH [2].", "RASH"},
	} {
		doc := &text.Document{Text: test.text}
		for _, at := range regexp.MustCompile(`[A-Z]{4,}`).FindAllStringIndex(test.text, -1) {
			doc.Mentions = append(doc.Mentions, text.Mention{Span: text.Span{Start: at[0], End: at[1]}})
		}
		var negated []string
		for i, a := range Classify(doc) {
			if a.Negated {
				negated = append(negated, doc.Mentions[i].Of(doc.Text))
			}
		}
		if got := strings.Join(negated, " "); got != test.negated {
			t.Errorf("%s: negated are %q, want %q", test.text, got, test.negated)
		}
	}
}
