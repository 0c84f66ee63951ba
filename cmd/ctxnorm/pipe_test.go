package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ctxnorm/ctxnorm"
)

// stringModel writes a dictionary of one concept and a model that links by strings into a
// new folder, and returns the paths of both.
func stringModel(t *testing.T) (dict, dir string) {
	t.Helper()
	folder := t.TempDir()
	dict, dir = filepath.Join(folder, "dictionary.tsv"), filepath.Join(folder, "model")
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("dictionary.tsv", "id\tname\tsynonyms\nA\tgastric ulcer\tstomach ulcer\n")
	write("records.xml", `<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version="1">1</PMID><Article>
<ArticleTitle>Aspirin and stomach ulcer.</ArticleTitle></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>`)
	for _, args := range [][]string{
		{"build-corpus", "--dict", dict, "--corpus", filepath.Join(folder, "corpus"), filepath.Join(folder, "records.xml")},
		{"train", "--dict", dict, "--corpus", filepath.Join(folder, "corpus"), "--model", dir, "--encoder", "none"},
	} {
		var stderr bytes.Buffer
		if code := run(t.Context(), args, nil, io.Discard, &stderr); code != exitDone {
			t.Fatalf("%q: exit %d: %s", args, code, &stderr)
		}
	}
	return dict, dir
}

// A program that writes a line to a pipe and waits for its answer gets it.
func TestAnswersOnAPipe(t *testing.T) {
	if ctxnorm.CanTrain {
		t.Skip("the encoder does not matter")
	}
	dict, dir := stringModel(t)
	for _, args := range [][]string{
		{"link", "--model", dir, "--batch", "1"},
		{"tag", "--dict", dict},
	} {
		for name, line := range map[string]string{
			"text":  "A [ENT] stomach ulcer [/ENT] bled.\n",
			"short": "a\n",
			"JSON":  `{"text": "A stomach ulcer.", "mentions": [{"start": 2, "end": 15}]}` + "\n",
		} {
			t.Run(args[0]+" "+name, func(t *testing.T) {
				questions, ask, err := os.Pipe()
				if err != nil {
					t.Fatal(err)
				}
				hear, answers, err := os.Pipe()
				if err != nil {
					t.Fatal(err)
				}
				done := make(chan int, 1)
				go func() {
					done <- run(t.Context(), args, questions, answers, io.Discard)
					answers.Close()
				}()
				if err := hear.SetReadDeadline(time.Now().Add(2 * time.Second)); err != nil {
					t.Fatal(err)
				}
				answer := bufio.NewReader(hear)
				for range 3 {
					if _, err := io.WriteString(ask, line); err != nil {
						t.Fatal(err)
					}
					if got, err := answer.ReadString('\n'); err != nil {
						t.Fatalf("no answer: %q, %v", got, err)
					}
				}
				ask.Close()
				if code := <-done; code != exitDone {
					t.Errorf("exit %d", code)
				}
			})
		}
	}
}
