//go:build unix

package memory

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestLogIsPipe checks that a named pipe in place of the log is an error and does not block.
func TestLogIsPipe(t *testing.T) {
	dir := t.TempDir()
	must.Succeed(t, syscall.Mkfifo(filepath.Join(dir, logName), 0o600))
	_, err := Open(dir, gut())
	if damaged, ok := errors.AsType[*files.DamagedError](err); !ok || damaged.Path != filepath.Join(dir, logName) {
		t.Errorf("%v, want that the log is damaged", err)
	}
}
