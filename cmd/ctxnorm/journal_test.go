package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A run that a signal ends has the exit code that shells give to the signal.
func TestSignalExit(t *testing.T) {
	if err := fmt.Errorf("stopped after step 3: %w", &signalError{syscall.SIGTERM}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v is no interruption", err)
	}
	for number, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(&signalError{number})
		if got := exitInterrupted(ctx); got != want {
			t.Errorf("%v: exit %d, want %d", number, got, want)
		}
	}
}

// A journal of which a loss of power left the beginning, or zeros, is begun anew; another file is the user's.
func TestJournalAfterPowerLoss(t *testing.T) {
	for content, ours := range map[string]bool{
		"": true, journalStart[:5]: true, strings.Repeat("\x00", 700): true, "\x00\x00mine": false, "mine": false,
	} {
		path := filepath.Join(t.TempDir(), "out.tsv"+journalExtension)
		writeFile(t, path, content)
		j, err := openJournal(path)
		if (err == nil) != ours {
			t.Errorf("a journal of %.20q: %v, want that it is one: %t", content, err, ours)
		}
		if err == nil {
			if err := j.close(false); err != nil {
				t.Error(err)
			}
		}
	}
}
