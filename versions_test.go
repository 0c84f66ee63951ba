package ctxnorm_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/corpus"
)

// TestFoldersOfVersions opens the folders that each version wrote. It reads the corpus whole, and
// links the sentences of examples/ with the model, as answers.tsv records it. With -update it
// records the answers anew, which is right only after a change of the ranking.
func TestFoldersOfVersions(t *testing.T) {
	versions, err := filepath.Glob(filepath.Join("testdata", "v*"))
	if err != nil || len(versions) == 0 {
		t.Fatalf("testdata has no folder of a version: %v", err)
	}
	for _, dir := range versions {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			c, err := corpus.Open(filepath.Join(dir, "corpus"))
			if err != nil {
				t.Fatal(err)
			}
			sentences, mentions := 0, 0
			for s, err := range c.Sentences() {
				if err != nil {
					t.Fatal(err)
				}
				sentences, mentions = sentences+1, mentions+len(s.Mentions)
			}
			if want := c.Manifest().Totals; sentences != want.Sampled || mentions != want.SampledMentions {
				t.Errorf("%d sentences with %d mentions, want %d and %d",
					sentences, mentions, want.Sampled, want.SampledMentions)
			}

			got := answers(t, filepath.Join(dir, "model"))
			path := filepath.Join(dir, "answers.tsv")
			if *update {
				if err := os.WriteFile(path, got, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("answers (-want +got):\n%s", diff)
			}
		})
	}
}

// answers links the sentences of examples/ with a model. It returns a line for each mention:
// the mention and, of each sub-mention, NIL or the first candidate with its probability.
func answers(t *testing.T, dir string) []byte {
	t.Helper()
	docs := readDocuments(t, "examples/sentences.jsonl")
	if len(docs) == 0 {
		t.Fatal("examples/sentences.jsonl has no document")
	}
	var lines bytes.Buffer
	for _, doc := range linkAll(t, openModel(t, dir), docs, ctxnorm.LinkOptions{}) {
		for i := range doc.Mentions {
			mention := &doc.Mentions[i]
			lines.WriteString(mention.Text)
			for _, best := range mention.Best() {
				if best == nil {
					lines.WriteString("\tNIL")
				} else {
					fmt.Fprintf(&lines, "\t%s %.2f", best.Concept, best.Probability)
				}
			}
			lines.WriteByte('\n')
		}
	}
	return lines.Bytes()
}
