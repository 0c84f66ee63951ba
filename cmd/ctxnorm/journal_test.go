package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestSignalExit checks that a run ended by a signal has the exit code that shells use for that signal.
func TestSignalExit(t *testing.T) {
	must.FailWith(t, fmt.Errorf("stopped after step 3: %w", &signalError{syscall.SIGTERM}), context.Canceled,
		"is no interruption")
	for number, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(&signalError{number})
		must.Equal(t, exitInterrupted(ctx), want, number, "exit")
	}
}

// TestJournalAfterPowerLoss checks that a journal that a loss of power left truncated or full of zeros is started anew,
// and that any other file is treated as the user's.
func TestJournalAfterPowerLoss(t *testing.T) {
	for content, ours := range map[string]bool{
		"": true, journalStart[:5]: true, strings.Repeat("\x00", 700): true, "\x00\x00mine": false, "mine": false,
	} {
		path := filepath.Join(t.TempDir(), "out.tsv"+journalExtension)
		writeFile(t, path, content)
		j, err := openJournal(path)
		must.Equal(t, err == nil, ours, "a journal", content, err)
		if err == nil {
			must.Succeed(t, j.close(false))
		}
	}
}
