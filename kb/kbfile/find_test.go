package kbfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestFind(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "dictionary.d"), 0o755); err != nil { // is no dictionary
		t.Fatal(err)
	}
	for _, test := range []struct{ create, found, err string }{
		{"notes.txt", "", "no file called dictionary.*: file does not exist"},
		{"dictionary.tsv~", "", "no file called dictionary.*: file does not exist"}, // a backup of an editor
		{"dictionary.obo.gz", "dictionary.obo.gz", ""},
		{"dictionary.tsv", "", "2 files called dictionary.*, want one: dictionary.obo.gz, dictionary.tsv"},
	} {
		if err := os.WriteFile(filepath.Join(dir, test.create), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		path, err := Find(dir)
		if test.err != "" && (err == nil || err.Error() != dir+": "+test.err) || test.err == "" && path != filepath.Join(dir, test.found) {
			t.Errorf("with %s: %q, %v, want %+v", test.create, path, err, test)
		}
	}
	if _, err := Find(filepath.Join(dir, "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: got error %v", err)
	}
}
