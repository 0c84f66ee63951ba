package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestClosedPipe checks that the program ends quietly by SIGPIPE when nobody reads its output any more: "ctxnorm --help
// | head -1".
func TestClosedPipe(t *testing.T) {
	program := must.Get(os.Executable())
	link := filepath.Join(t.TempDir(), "ctxnorm") // TestMain runs main under this name
	if err := os.Symlink(program, link); err != nil {
		t.Skip(err)
	}
	reader, writer, err := os.Pipe()
	must.Succeed(t, err)
	reader.Close()
	defer writer.Close()
	var stderr bytes.Buffer
	cmd := exec.Command(link, "--help")
	cmd.Stdout, cmd.Stderr = writer, &stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		t.Fatalf("error %v, want the end by a signal", err)
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGPIPE {
		t.Errorf("the program ended with %v, want SIGPIPE", exit)
	}
	if stderr.Len() > 0 {
		t.Errorf("standard error has %q, want nothing", stderr.String())
	}
}
