package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// lockReleaser releases a lock as soon as a process reports that it is waiting for it.
type lockReleaser struct {
	bytes.Buffer
	lock *artifact.Lock
}

// Write implements [io.Writer].
func (w *lockReleaser) Write(p []byte) (int, error) {
	if strings.Contains(string(p), "ctxnorm: waiting: ") {
		w.lock.Release()
	}
	return w.Buffer.Write(p)
}

// TestLockedFolders checks that each command that writes a folder stops if another process is writing it and names that
// process, or waits with --wait. Commands that only read do neither.
func TestLockedFolders(t *testing.T) {
	dir := t.TempDir()
	corpus, model := filepath.Join(dir, "corpus"), filepath.Join(dir, "model")
	examples := filepath.Join("..", "..", "examples")
	build := []string{"build-corpus", "--dict", filepath.Join(examples, "dictionary.tsv"), "--corpus", corpus, filepath.Join(examples, "pubmed", "example01.xml")}
	train := []string{"train", "--encoder", "none", "--dict", filepath.Join(examples, "dictionary.tsv"), "--corpus", corpus, "--model", model}
	ctxnorm := func(args []string, stderr io.Writer) int {
		return run(context.Background(), args, strings.NewReader("no mention\n"), io.Discard, stderr)
	}
	for _, args := range [][]string{build, train} {
		if code := ctxnorm(args, os.Stderr); code != exitDone {
			t.Fatalf("ctxnorm %s: exit code %d", args[0], code)
		}
	}
	for _, c := range []struct {
		folder string
		args   []string
		reads  bool
	}{
		{corpus, build, false},
		{corpus, []string{"corpus", "merge", "--corpus", corpus, corpus, corpus}, false},
		{model, train, false},
		{model, []string{"calibrate", "--model", model}, false},
		{corpus, []string{"corpus", "stats", "--corpus", corpus}, true},
		{model, []string{"link", "--model", model}, true},
		{model, []string{"verify", "--model", model}, true},
	} {
		lock := must.Get(artifact.LockFolder(t.Context(), c.folder, nil))
		stderr := &lockReleaser{lock: lock}
		code := ctxnorm(c.args, stderr)
		who := fmt.Sprintf("ctxnorm: %s: process %d on ", c.folder, os.Getpid())
		switch hint := "ctxnorm: hint: --wait waits until it has ended\n"; {
		case c.reads && code != exitDone:
			t.Errorf("ctxnorm %s of a folder that is being written: exit code %d: %s", c.args[0], code, stderr)
		case !c.reads && (code != exitFailed || !strings.Contains(stderr.String(), who) || !strings.HasSuffix(stderr.String(), hint)):
			t.Errorf("ctxnorm %s: exit code %d, want one that says who writes the folder: %s", c.args[0], code, stderr)
		}
		if !c.reads {
			stderr.Reset()
			if code := ctxnorm(append(c.args, "--wait"), stderr); code != exitDone || !strings.Contains(stderr.String(), "ctxnorm: waiting: "+who[len("ctxnorm: "):]) {
				t.Errorf("ctxnorm %s --wait: exit code %d: %s", c.args[0], code, stderr)
			}
		}
		lock.Release()
	}
}
