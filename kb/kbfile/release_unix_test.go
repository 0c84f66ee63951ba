//go:build unix

package kbfile

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestReleaseWithPipe checks that a pipe in place of a release's file is an error and does not block.
func TestReleaseWithPipe(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "MRCONSO.RRF")
	must.Succeed(t, syscall.Mkfifo(pipe, 0o600))
	if _, err := FindRelease(dir, ""); err == nil || !strings.Contains(err.Error(), pipe+": not a file") {
		t.Errorf("error %v, want that %s is no file", err, pipe)
	}
}
