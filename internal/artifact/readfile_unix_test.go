//go:build unix

package artifact

import (
	"errors"
	"fmt"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestPipes checks that a named pipe is not opened, because that would wait for a writer.
func TestPipes(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "manifest.json")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	_, err := ReadFile(pipe)
	must.Equal(t, fmt.Sprint(err), pipe+": is no regular file", "error of a pipe")
	if _, err := ReadFolder(pipe, func(string) (int, error) { return 0, errors.ErrUnsupported }); err != errors.ErrUnsupported {
		t.Errorf("error of a pipe in the place of a folder: %v", err)
	}
}
