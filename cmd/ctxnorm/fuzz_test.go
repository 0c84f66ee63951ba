package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// FuzzJournal opens a journal with arbitrary content, as a kill or a damaged disk may leave it, reads its batches, and
// adds more. Reading it again must return these batches and the added ones. A file that is not a journal must stay
// unchanged.
func FuzzJournal(f *testing.F) {
	const first, second = "aa", "bb"
	found := linked.Mention{Span: text.Span{Start: 0, End: 2}}
	var lines []byte
	for _, line := range []journalBatch{{first, []*linked.Document{{}, {Text: "é", Mentions: []linked.Mention{found}}}}, {Batch: second}} {
		lines, _ = artifact.AppendCheckedLine(lines, line) // both have a JSON form
	}
	whole := string(lines)
	for _, content := range []string{"", whole, whole[:len(whole)-3], whole[:5], whole[:30], whole[:70], `{"batch":"aa"}` + "\n", "null\n{}\n", "\n\n"} {
		f.Add([]byte(content))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), "out.jsonl"+journalExtension)
		must.Succeed(t, os.WriteFile(path, content, 0o600))
		j, err := openJournal(path)
		if err != nil {
			if _, ok := errors.AsType[*files.ForeignError](err); !ok {
				t.Fatal(err)
			}
			if left, err := os.ReadFile(path); err != nil || !bytes.Equal(left, content) {
				t.Fatalf("a file that is no journal became %q, %v", left, err)
			}
			return
		}
		for _, documents := range []string{first, second, "cc"} {
			docs, _, err := j.next(documents)
			if err == nil && docs == nil {
				err = j.add(documents, []*linked.Document{{}})
			}
			must.Succeed(t, err)
		}
		must.Succeed(t, j.close(false))
		j = must.Get(openJournal(path))
		for _, documents := range []string{first, second, "cc"} {
			if docs, _, err := j.next(documents); err != nil || docs == nil {
				t.Fatalf("batch %s is not there after the run: %v", documents, err)
			}
		}
		if docs, _, err := j.next("dd"); err != nil || docs != nil {
			t.Fatalf("a batch that nobody added is there: %v", err)
		}
		must.Succeed(t, j.close(true))
	})
}

// FuzzBRATFolder opens a BRAT folder with an arbitrary record of a file, with or without a valid checksum. A file of
// the user must stay unless the record matches its content, and files written by the program must be replaceable.
func FuzzBRATFolder(f *testing.F) {
	const name, mine = "a.ann", "mine"
	digest := artifact.NewDigester()
	_, _ = digest.Write([]byte(mine)) // writing to a digest never fails
	sum := digest.Digest().SHA256
	for _, members := range []string{"", "{", "{\n  \"sha256\": \"" + sum + "\"", "{\n  \"sha256\": \"00\"", "{\n  \"before\": \"" + sum + "\"", "{\n  \"sha256\": 1"} {
		f.Add([]byte(members), true)
		f.Add([]byte(members), false)
	}
	f.Fuzz(func(t *testing.T, record []byte, checksum bool) {
		dir := t.TempDir()
		work := must.Get(linkedFolder.Open(dir))
		if checksum {
			record = artifact.AppendCheckedObject(nil, append(record, "\n}"...))
		}
		path := filepath.Join(dir, name)
		must.Succeed(t, errors.Join(os.WriteFile(filepath.Join(work, name+".json"), record, 0o600), os.WriteFile(path, []byte(mine), 0o600)))
		write := func(content string) error {
			b := must.Get(openBRATFolder(dir))
			return b.write(name, content)
		}
		if err := write("linked"); err != nil {
			if !is[*files.ForeignError](err) {
				t.Fatal(err)
			}
			if left, err := os.ReadFile(path); err != nil || string(left) != mine {
				t.Fatalf("the user's file became %q, %v", left, err)
			}
			must.Succeed(t, os.Remove(path))
		} else if !bytes.Contains(record, []byte(sum)) {
			t.Fatal("the user's file was replaced, and the record does not have it")
		}
		for _, content := range []string{"linked", "linked again", "linked"} {
			must.Succeed(t, write(content))
			if got, err := os.ReadFile(path); err != nil || string(got) != content {
				t.Fatalf("the file is %q, %v, want %q", got, err, content)
			}
		}
	})
}

// FuzzLinkedFile links to a folder whose record of the earlier run has arbitrary content, with or without a valid
// checksum. The output must be the same.
func FuzzLinkedFile(f *testing.F) {
	dir := f.TempDir()
	dict, input, folder := filepath.Join(dir, "dictionary.tsv"), filepath.Join(dir, "in.txt"), filepath.Join(dir, "linked")
	must.Succeed(f, errors.Join(os.WriteFile(dict, []byte("A\tgastric ulcer\n"), 0o600), os.WriteFile(input, []byte("A [ENT] gastric ulcer [/ENT].\n"), 0o600)))
	link := func(t testing.TB) []byte {
		t.Helper()
		var out bytes.Buffer
		if code := run(t.Context(), []string{"link", "--dict", dict, "--input", input, "--format", "jsonl", "--output", folder + "/"}, nil, &out, &out); code != exitDone {
			t.Fatalf("exit %d: %s", code, &out)
		}
		return must.Get(os.ReadFile(filepath.Join(folder, "in.txt.jsonl")))
	}
	want := link(f)
	record := filepath.Join(folder, string(linkedFolder), "in.txt.jsonl.json")
	whole := must.Get(os.ReadFile(record))
	f.Add(whole, false)
	f.Add(whole[:len(whole)/2], false)
	for _, members := range []string{"{\n  \"settings\": 1", "{\n  \"documents\": -1", "{", string(whole[:bytes.LastIndexByte(whole, ',')])} {
		f.Add([]byte(members), true)
	}
	f.Fuzz(func(t *testing.T, content []byte, checksum bool) {
		if checksum {
			content = artifact.AppendCheckedObject(nil, append(content, "\n}"...))
		}
		must.Succeed(t, os.WriteFile(record, content, 0o600))
		if got := link(t); !bytes.Equal(got, want) {
			t.Errorf("output %q, want %q", got, want)
		}
	})
}
