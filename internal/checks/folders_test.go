package checks

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestFolders reads the whole corpus in testdata, and links the sentences of examples/ with the model there. The result
// must equal answers.tsv. Both are in the current formats. With -update everything is made anew, which is needed after
// a change of a format.
func TestFolders(t *testing.T) {
	if *update {
		makeFolders(t)
	}
	c := must.Get(corpus.Open(exampleCorpus))
	sentences, mentions := 0, 0
	for s, err := range c.Sentences(t.Context()) {
		must.Succeed(t, err)
		sentences, mentions = sentences+1, mentions+len(s.Mentions)
	}
	if want := c.Manifest().Totals; sentences != want.Sampled || mentions != want.SampledMentions {
		t.Errorf("%d sentences with %d mentions, want %d and %d", sentences, mentions, want.Sampled, want.SampledMentions)
	}
	got := answers(t, exampleModel)
	const path = "testdata/v0.1.0/answers.tsv"
	if *update {
		must.Succeed(t, os.WriteFile(path, got, 0o666))
	}
	want := must.Get(os.ReadFile(path))
	must.Equal(t, string(got), string(want), "answers")
}

// makeFolders writes the corpus and the model of examples/ into testdata.
func makeFolders(t *testing.T) {
	if err := errors.Join(os.RemoveAll(exampleCorpus), os.RemoveAll(exampleModel)); err != nil { // of other formats
		t.Fatal(err)
	}
	files, err := filepath.Glob("examples/pubmed/*.xml")
	if err != nil || len(files) == 0 {
		t.Fatal("examples/pubmed has no XML files: ", err)
	}
	o := exampleOptions(t, filepath.Dir(exampleModel))
	_, err = ctxnorm.BuildCorpus(t.Context(), corpus.Options{
		Dir: exampleCorpus, Inputs: files, Dictionary: o.Dictionary, DictionaryPath: o.DictionaryPath, Seed: 1,
	}, ctxnorm.Observer{})
	if err == nil {
		err = ctxnorm.Train(t.Context(), o)
	}
	must.Succeed(t, err)
}

// answers links the sentences of examples/ with a model. It returns a line for each mention, with NIL or the first
// candidate and its probability for each sub-mention.
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
