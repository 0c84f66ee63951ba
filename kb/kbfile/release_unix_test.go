//go:build unix

package kbfile

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestReleaseWithPipe: a pipe in the place of a file of a release is an error, and is not waited for.
func TestReleaseWithPipe(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "MRCONSO.RRF")
	must.Succeed(t, syscall.Mkfifo(pipe, 0o600))
	if _, err := FindRelease(dir, ""); err == nil || !strings.Contains(err.Error(), pipe+": is no file") {
		t.Errorf("error %v, want that %s is no file", err, pipe)
	}
}
