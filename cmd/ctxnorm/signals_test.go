package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
)

// TestSignalIsInterruption checks that an error whose cause is a signal is reported as an
// interruption, and that the exit code is that of the signal.
func TestSignalIsInterruption(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(&signalError{syscall.SIGTERM})
	var stderr bytes.Buffer
	p := &program{stderr: &stderr}
	p.printError(&cobra.Command{}, fmt.Errorf("stopped after step 3: %w", context.Cause(ctx)))
	if got := strings.TrimSpace(stderr.String()); got != "ctxnorm: interrupted" {
		t.Errorf("stderr is %q, want that the run was interrupted", got)
	}
	if code := exitInterrupted(ctx); code != 128+int(syscall.SIGTERM) {
		t.Errorf("exit code %d", code)
	}
}
