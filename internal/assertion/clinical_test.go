package assertion

import (
	"embed"
	"regexp"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/text"
)

//go:embed testdata/*.txt
var statements embed.FS

// reached holds, for each file of statements and each letter of an attribute, the minimum number of right attributes
// and the maximum number of wrong ones.
var reached = map[string]map[rune][2]int{
	"clinical":  {'n': {581, 1}, 'u': {211, 3}, 'h': {140, 0}, 'y': {99, 0}, 'o': {113, 0}},
	"abstracts": {'n': {12, 4}, 'u': {12, 0}, 'h': {3, 0}, 'y': {1, 0}, 'o': {2, 0}},
	"european":  {'n': {38, 0}, 'u': {12, 0}, 'h': {6, 0}, 'y': {2, 0}, 'o': {8, 0}},   // all of them
	"rules":     {'n': {81, 0}, 'u': {16, 0}, 'h': {13, 0}, 'y': {5, 0}, 'o': {15, 0}}, // all of them
}

// TestStatements measures each attribute on the statements of testdata.
func TestStatements(t *testing.T) {
	unescape := strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\t`, "\t")
	for file, limits := range reached {
		content := must.Get(statements.ReadFile("testdata/" + file + ".txt"))
		counts := make(map[rune][2]int)
		for line := range strings.Lines(string(content)) {
			marks, gold, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			if strings.HasPrefix(line, "#") {
				continue
			}
			got, want := strings.Fields(classified(marked(unescape.Replace(marks)))), strings.Fields(gold)
			if len(got) != len(want) || len(got) == 0 {
				t.Fatalf("%s: %d mentions, want %d", marks, len(got), len(want))
			}
			for i := range got {
				for _, letter := range strings.Trim(got[i], "-") {
					n := counts[letter]
					if strings.ContainsRune(want[i], letter) {
						n[0]++
					} else {
						n[1]++
					}
					counts[letter] = n
				}
			}
			if strings.Join(got, " ") != gold {
				t.Logf("%s: %s, want %s", marks, strings.Join(got, " "), gold)
			}
		}
		for letter, limit := range limits {
			if n := counts[letter]; n[0] < limit[0] || n[1] > limit[1] {
				t.Errorf("%s: %c is right %d times and wrong %d times, want at least %d and at most %d", file, letter, n[0], n[1],
					limit[0], limit[1])
			}
		}
		t.Logf("%s: %v", file, counts)
	}
}

// TestBoxes reads the boxes of forms, which precede findings, follow them, or precede answers.
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
		must.Equal(t, strings.Join(negated, " "), test.negated, test.text, "negated")
	}
}
