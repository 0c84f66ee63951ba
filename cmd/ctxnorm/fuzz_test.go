package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// FuzzJournal opens a journal of any content, as a kill or a damaged disk may leave it, goes
// through the batches that it has, and goes on. What is read then are these batches and
// those that were added. What is no journal stays as it is.
func FuzzJournal(f *testing.F) {
	const settings, first, second = "s", "aa", "bb"
	whole := `{"settings":"s"}` + "\n" + `{"documents":"aa","mentions":[[],null]}` + "\n" + `{"documents":"bb","mentions":[]}` + "\n"
	for _, content := range []string{"", whole, whole[:len(whole)-3], whole[:30], `{"settings":"other"}` + "\n" + `{"documents":"aa"}` + "\n", "null\n{}\n", "\n\n"} {
		f.Add([]byte(content))
	}
	open := func(t *testing.T, path string) *journal {
		t.Helper()
		j, _, err := openJournal(path, settings)
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), "out.jsonl"+journalExtension)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		j, _, err := openJournal(path, settings)
		if _, foreign := errors.AsType[*ctxnorm.ForeignError](err); foreign {
			if kept, readErr := os.ReadFile(path); readErr != nil || !bytes.Equal(kept, content) || bytes.HasPrefix(content, []byte(journalStart)) {
				t.Fatalf("%v; the file has %q, had %q", err, kept, content)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, documents := range []string{first, second, "cc"} {
			_, reused, err := j.next(documents)
			if err == nil && !reused {
				err = j.add(documents, [][]formats.LinkedMention{{}})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := j.close(false); err != nil {
			t.Fatal(err)
		}
		j = open(t, path)
		for _, documents := range []string{first, second, "cc"} {
			if _, reused, err := j.next(documents); err != nil || !reused {
				t.Fatalf("batch %s is not there after the run: %v", documents, err)
			}
		}
		if _, reused, err := j.next("dd"); err != nil || reused {
			t.Fatalf("a batch that nobody added is there: %v", err)
		}
		if err := j.close(true); err != nil {
			t.Fatal(err)
		}
	})
}
