package kbfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	dir := t.TempDir()
	create := func(name string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	create("notes.txt")
	create("dictionary.tsv~") // a backup of an editor
	if err := os.Mkdir(filepath.Join(dir, "dictionary.d"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Find(dir); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), dir) {
		t.Errorf("no dictionary: got error %v, want fs.ErrNotExist with the folder", err)
	}
	create("dictionary.obo.gz")
	if path, err := Find(dir); err != nil || path != filepath.Join(dir, "dictionary.obo.gz") {
		t.Errorf("one: got %q, %v", path, err)
	}
	create("dictionary.tsv")
	want := dir + ": 2 files called dictionary.*, want one: dictionary.obo.gz, dictionary.tsv"
	if _, err := Find(dir); err == nil || err.Error() != want {
		t.Errorf("two: got error %v, want %s", err, want)
	}
	if _, err := Find(filepath.Join(dir, "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: got error %v", err)
	}
}
