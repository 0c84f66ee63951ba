//go:build unix

package artifact

import (
	"os"
	"path/filepath"
	"testing"
)

// What is being written can be read by its owner alone, and is beside its target.
func TestPermissionsWhileWriting(t *testing.T) {
	dir := t.TempDir()
	f, err := Create(filepath.Join(dir, "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Discard()
	folder, err := CreateFolder(filepath.Join(dir, "folder"))
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Discard()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 2 {
		t.Fatalf("%d entries beside the targets, want 2", len(entries))
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode&0o077 != 0 {
			t.Errorf("mode of %s is %v, want none for others", entry.Name(), mode)
		}
	}
}
