package main

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"testing"
)

// TestSignalIsInterruption checks that an error whose cause is a signal is reported as an
// interruption, and that the exit code is that of the signal.
func TestSignalIsInterruption(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(&signalError{syscall.SIGTERM})
	if err := fmt.Errorf("stopped after step 3: %w", context.Cause(ctx)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v is no interruption", err)
	}
	if code := exitInterrupted(ctx); code != 128+int(syscall.SIGTERM) {
		t.Errorf("exit code %d", code)
	}
}
