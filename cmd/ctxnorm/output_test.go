package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// TestClosedPipe checks that the program ends quietly, by SIGPIPE, when nobody reads its
// output any more: "ctxnorm --help | head -1".
func TestClosedPipe(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "ctxnorm") // TestMain runs main under this name
	if err := os.Symlink(program, link); err != nil {
		t.Skip(err)
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
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

// TestOutputThroughLink: where the file of a flag is a symbolic link, what it leads to is replaced, and the link stays.
func TestOutputThroughLink(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("elsewhere", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("elsewhere/file", []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join("elsewhere", "file"), "link"); err != nil {
		t.Skip(err)
	}
	if err := new(program).writeOutput("output", "link", func(w io.Writer) error {
		_, err := w.Write([]byte("new"))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat("link")
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("link is %v, %v, want a symbolic link", info.Mode(), err)
	}
	if data, err := os.ReadFile("elsewhere/file"); err != nil || string(data) != "new" {
		t.Errorf("the file has %q, %v, want what was written", data, err)
	}
}

// TestOutputKeepsTheFirstError checks that nothing is written after a failed write.
func TestOutputKeepsTheFirstError(t *testing.T) {
	w := &failingWriter{failures: 1}
	o := output{w: w}
	for range 2 {
		if _, err := o.Write([]byte("a")); err == nil || err.Error() != "standard output: "+syscall.ENOSPC.Error() {
			t.Errorf("error %v, want ENOSPC", err)
		}
	}
	if w.writes != 1 {
		t.Errorf("%d writes, want none after the one that failed", w.writes)
	}
}

// failingWriter fails its first writes.
type failingWriter struct{ failures, writes int }

func (w *failingWriter) Write(data []byte) (int, error) {
	if w.writes++; w.writes <= w.failures {
		return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}
	}
	return len(data), nil
}
