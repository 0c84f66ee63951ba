package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// An interrupted program ends although it waits for input from a pipe.
func TestInterruptedRead(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	waiting, writer := io.Pipe()
	defer writer.Close()
	cancel()
	if n, err := (interruptible{ctx, waiting}).Read(make([]byte, 8)); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("Read = %d, %v, want 0, %v", n, err, context.Canceled)
	}

	dict := filepath.Join(t.TempDir(), "dictionary.tsv")
	if err := os.WriteFile(dict, []byte("id\tname\nA\tgastric ulcer\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if code := run(ctx, []string{"tag", "--dict", dict}, waiting, &stdout, &stderr); code != exitFailed {
		t.Errorf("exit %d, want %d", code, exitFailed)
	}
	if want := "ctxnorm: interrupted\n"; !strings.HasSuffix(stderr.String(), want) {
		t.Errorf("standard error %q, want %q at its end", &stderr, want)
	}
}

// An interruptible reads what the reader that it wraps reads.
func TestInterruptibleReads(t *testing.T) {
	text := strings.Repeat("a line of text\n", 1000)
	if err := iotest.TestReader(interruptible{t.Context(), strings.NewReader(text)}, []byte(text)); err != nil {
		t.Error(err)
	}
}
