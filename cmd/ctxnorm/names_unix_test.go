//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
)

// TestLinkLongNames checks that a file name of the maximum length does not stop the linking of its folder.
func TestLinkLongNames(t *testing.T) {
	model := modeltest.Build(t, nil, modeltest.Ulcer)
	t.Chdir(t.TempDir())
	names := []string{strings.Repeat("x", artifact.MaxName-4) + ".txt", strings.Repeat("y", 242) + ".txt", "z.txt"}
	for _, name := range names {
		writeFile(t, name, "A gastric ulcer.")
	}
	for _, run := range []string{"linked by an earlier run: 0 of 3 files", "linked by an earlier run: 3 of 3 files"} {
		code, _, stderr := runLine(t, "link --tag --format parquet --output out/ --model "+model+" --input "+strings.Join(names, " --input "))
		if code != exitDone || !strings.Contains(stderr, run) {
			t.Errorf("exit code %d, %s want %s", code, stderr, run)
		}
	}
	if found, err := filepath.Glob("out/*.parquet"); len(found) != 3 || err != nil {
		t.Errorf("the outputs are %q, %v", found, err)
	}
}

// TestNamesOnTheTerminal checks that control characters in a name do not reach the terminal.
func TestNamesOnTheTerminal(t *testing.T) {
	t.Chdir(t.TempDir())
	code, _, stderr := runLine(t, "inspect --model no\x1b[31m\u202ewhere")
	if want := `ctxnorm: no\x1b[31m\u202ewhere: is not a model`; code != exitFailed || !strings.HasPrefix(stderr, want) {
		t.Errorf("exit code %d, %q want %s", code, stderr, want)
	}
}
