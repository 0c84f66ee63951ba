package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"testing"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
)

// TestInterruptedRead checks that an interrupted program ends even while it waits for input from a pipe.
func TestInterruptedRead(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	waiting, writer := io.Pipe()
	defer writer.Close()
	cancel()
	if n, err := (interruptible{ctx, waiting}).Read(make([]byte, 8)); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("Read = %d, %v, want 0, %v", n, err, context.Canceled)
	}

	dict := filepath.Join(t.TempDir(), "dictionary.tsv")
	writeFile(t, dict, "id\tname\nA\tgastric ulcer\n")
	var stdout, stderr bytes.Buffer
	must.Equal(t, run(ctx, []string{"tag", "--dict", dict}, waiting, &stdout, &stderr), exitFailed, "exit")
	must.Contain(t, stderr.String(), "ctxnorm: interrupted\n", "standard error")
}

// TestInterruptedIndexing checks that a run that is stopped while it reads and indexes a dictionary ends at once.
func TestInterruptedIndexing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	if got, err := untilDone(ctx, func() (int, error) { return 3, nil }); got != 3 || err != nil {
		t.Errorf("%d, %v, want 3", got, err)
	}
	release := make(chan struct{})
	defer close(release)
	cancel()
	_, err := untilDone(ctx, func() (int, error) { <-release; return 3, nil })
	must.FailWith(t, err, context.Canceled)
	dict := kb.NewDictionary([]kb.Concept{{ID: "A", Name: "gastric ulcer"}})
	_, _, err = ctxnorm.NewTagger(ctx, dict, ctxnorm.Observer{}) // of dict check
	must.FailWith(t, err, context.Canceled)
}
