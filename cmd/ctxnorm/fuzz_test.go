package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// FuzzJournal opens a file of any content, as a kill or a damaged disk may leave a journal, goes
// through the batches that it has, and goes on. What is read then are these batches and
// those that were added. A file that is no journal stays as it was.
func FuzzJournal(f *testing.F) {
	const settings, first, second = "s", "aa", "bb"
	journalOf := func(settings string) (lines []byte) {
		for _, line := range []any{journalHeader{settings}, journalBatch{first, [][]formats.LinkedMention{{}, nil}}, journalBatch{Documents: second}} {
			lines, _ = artifact.AppendCheckedLine(lines, line) // these have a JSON form
		}
		return lines
	}
	whole := string(journalOf(settings))
	for _, content := range []string{"", whole, whole[:len(whole)-3], whole[:5], whole[:30], whole[:70], string(journalOf("other")),
		`{"settings":"s"}` + "\n" + `{"documents":"aa"}` + "\n", "null\n{}\n", "\n\n"} {
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
		if err != nil {
			if _, ok := errors.AsType[*artifact.ForeignError](err); !ok {
				t.Fatal(err)
			}
			if left, err := os.ReadFile(path); err != nil || !bytes.Equal(left, content) {
				t.Fatalf("a file that is no journal became %q, %v", left, err)
			}
			return
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
