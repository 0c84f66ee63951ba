package eval

import (
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
)

// TestOrdinaryWords: each of the sentences has one mention, a word, and no sentence is there twice.
func TestOrdinaryWords(t *testing.T) {
	seen := make(map[string]bool)
	for file, sentences := range map[string]int{"testdata/ordinary_words.jsonl": 62, "testdata/figures_of_speech.jsonl": 100} {
		gold, err := ReadGold([]string{file}, nil, NewConceptSet(nil), files.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if len(gold.Malformed) > 0 || len(gold.Mentions) != sentences {
			t.Errorf("%s: %d mentions, want %d; malformed: %v", file, len(gold.Mentions), sentences, gold.Malformed)
		}
		for i := range gold.Mentions {
			q := &gold.Mentions[i].Query
			word, _, _ := strings.Cut(q.ID, "-")
			if surface := strings.ToLower(q.Surface()); surface != word && surface != word+"s" {
				t.Errorf("%s: the mention is %q", q.ID, q.Surface())
			}
			if seen[q.Text] {
				t.Errorf("%s: its sentence is there twice", q.ID)
			}
			seen[q.Text] = true
		}
	}
}

// TestSentencePairs: each group of the sentence pairs is two sentences of 8 to 20 words with one
// mention of the same word each, in two senses. No mention is in both files.
func TestSentencePairs(t *testing.T) {
	set := NewConceptSet(nil)
	inFile := make(map[string]string) // file by mention
	for file, pairs := range map[string]int{"testdata/sentence_pairs.jsonl": 30, "testdata/sentence_pairs_dev.jsonl": 20} {
		gold, err := ReadGold([]string{file}, nil, set, files.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if len(gold.Malformed) > 0 {
			t.Errorf("%s: %v", file, gold.Malformed)
		}
		groups := make(map[string][]*GoldMention)
		for i := range gold.Mentions {
			m := &gold.Mentions[i]
			groups[m.Query.Group] = append(groups[m.Query.Group], m)
			if words := len(strings.Fields(m.Query.Text)); words < 8 || words > 20 {
				t.Errorf("%s: %d words, want 8 to 20", m.Query.ID, words)
			}
			if !strings.EqualFold(m.Query.Surface(), m.Query.Group) && !strings.EqualFold(m.Query.Surface(), m.Query.Group+"s") {
				t.Errorf("%s: the mention is %q", m.Query.ID, m.Query.Surface())
			}
			surface := strings.ToLower(m.Query.Surface())
			if other, known := inFile[surface]; known && other != file {
				t.Errorf("%q is in %s and in %s", surface, other, file)
			}
			inFile[surface] = file
		}
		if len(groups) != pairs {
			t.Errorf("%s: %d pairs, want %d", file, len(groups), pairs)
		}
		for group, mentions := range groups {
			if len(mentions) != 2 || slices.Equal(mentions[0].Outside, mentions[1].Outside) {
				t.Errorf("%s: not two mentions in two senses", group)
			}
		}
	}
}
