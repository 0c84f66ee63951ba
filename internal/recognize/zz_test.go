package recognize_test

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/recognize"
)

func TestZZ(t *testing.T) {
	w := newWorld(t)
	r := w.train(t, 1)
	dir := t.TempDir()
	if err := r.Write(dir); err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{recognize.WordsFile, recognize.NetworkFile} {
		d, _ := os.ReadFile(filepath.Join(dir, f))
		t.Logf("%s %x", f, sha256.Sum256(d))
	}
}
