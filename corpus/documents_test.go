package corpus

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// Documents give the same corpus in any order and with any number of workers, even if two files are equal; and a build
// that follows another one reuses its shards.
func TestBuildFromDocuments(t *testing.T) {
	dir := t.TempDir()
	var inputs []string
	for name, content := range map[string]string{
		"b/notes.txt": "A gout one.\nA flu.\n", "a/notes.txt": "The gout, then cancer.\n", "copy.txt": "A gout one.\nA flu.\n",
		"docs.jsonl": `{"id": "p7", "text": "Cold. Flu."}` + "\n" + `{"id": "p7", "text": "Ague."}` + "\n",
	} {
		path := filepath.Join(dir, name)
		must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o777))
		must.Succeed(t, os.WriteFile(path, []byte(content), 0o666))
		inputs = append(inputs, path) // in random order
	}
	want := map[string]int{"a/notes.txt:1": 1, "b/notes.txt:1": 1, "b/notes.txt:2": 1, "p7": 2, "p7#2": 1}
	for _, workers := range []int{1, 3} {
		o := testOptions(t.TempDir(), inputs)
		o.Workers, o.chunkRecords = workers, 1
		for range 2 {
			mustBuild(t, o)
			got := make(map[string]int) // sentences by document
			for _, s := range readAll(o.Dir) {
				got[s.ID]++
				must.Equal(t, s.Section, textSection, s.ID, "is in the section")
			}
			must.Equal(t, got, want, workers, "workers: sentences of documents")
		}
	}
}

// A file that is not text is refused by name, and an earlier corpus stays.
func TestBuildRefusesWhatIsNoText(t *testing.T) {
	o := testOptions(t.TempDir(), writeFiles(t, []testFile{{name: "a.xml", records: []testRecord{{pmid: "1", version: 1, title: "A gout one."}}}}))
	before := mustBuild(t, o)
	for content, got := range map[string]string{
		"%PDF-1.7": "PDF", `{"files": 1}` + "\n" + `[2]`: "", "<html><p>gout</p></html>": "HTML",
		"id\tname\n1\tgout\n": "a table without a column called text, title or mention: it has \"id\", \"name\"",
	} {
		path := filepath.Join(t.TempDir(), "input.tsv")
		must.Succeed(t, os.WriteFile(path, []byte(content), 0o666))
		again := o
		again.Inputs = []string{o.Inputs[0], path}
		_, err := Build(t.Context(), again)
		var unknown *formats.UnknownError
		switch {
		case got == "": // JSON lines without a text: two malformed records
			if _, ok := errors.AsType[*InputErrors](err); !ok {
				t.Errorf("%q: error %v, want InputErrors", content, err)
			}
		case !errors.As(err, &unknown) || unknown.Got != got:
			t.Errorf("%q: error %v, want an UnknownError of %s", content, err, got)
		}
		must.Equal(t, must.Get(Open(o.Dir)).Manifest().Totals, before.Totals, content, "the corpus before")
	}
}
