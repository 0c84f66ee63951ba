//go:build unix

package artifact

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
)

// Opening a named pipe would wait for a writer.
func TestPipes(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "manifest.json")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	if _, err := ReadFile(pipe); err == nil || err.Error() != pipe+": is no regular file" {
		t.Errorf("error of a pipe: %v", err)
	}
	if _, err := ReadFolder(pipe, func(string) (int, error) { return 0, errors.ErrUnsupported }); err != errors.ErrUnsupported {
		t.Errorf("error of a pipe in the place of a folder: %v", err)
	}
}
