package eval

import (
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
)

// TestSentences: each sentence of the sets in testdata has one mention, the word named by its group or by the beginning
// of its identifier, and no sentence occurs twice. A group has two senses of the word.
func TestSentences(t *testing.T) {
	seen := make(map[string]bool)
	for file, sentences := range map[string]int{"ordinary_words": 62, "figures_of_speech": 100, "sentence_pairs": 60, "sentence_pairs_dev": 40} {
		gold, err := ReadGold([]string{"testdata/" + file + ".jsonl"}, nil, NewConceptSet(nil), files.Limits{})
		if err != nil || len(gold.Malformed) > 0 || len(gold.Mentions) != sentences {
			t.Fatalf("%s: %v, malformed %v, or not %d mentions", file, err, gold.Malformed, sentences)
		}
		for i := range gold.Mentions {
			m := &gold.Mentions[i]
			q := &m.Query
			word, _, _ := strings.Cut(q.ID, "-")
			if q.Group != "" {
				word = q.Group
			}
			surface := strings.ToLower(q.Surface())
			if seen[q.Text] || surface != strings.ToLower(word) && surface != strings.ToLower(word)+"s" {
				t.Errorf("%s: the mention is %q, or the sentence is there twice", q.ID, q.Surface())
			}
			seen[q.Text] = true
			if i%2 == 1 && q.Group != "" && (gold.Mentions[i-1].Query.Group != q.Group || slices.Equal(gold.Mentions[i-1].Outside, m.Outside)) {
				t.Errorf("%s: not two mentions in two senses", q.Group)
			}
		}
	}
}
