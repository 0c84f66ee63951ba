package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// signalError is the cause of a context that a signal ended.
type signalError struct{ signal syscall.Signal }

func (e *signalError) Error() string { return e.signal.String() }

// Is reports that a context which a signal ended was canceled: training returns the cause.
func (e *signalError) Is(target error) bool { return target == context.Canceled }

// untilSignal returns a context that the first interrupt or termination signal ends. A second
// one ends the program at once.
func untilSignal(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancelCause(ctx)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		received := <-signals
		signal.Stop(signals)
		if number, ok := received.(syscall.Signal); ok {
			cancel(&signalError{number})
			return
		}
		cancel(nil)
	}()
	return ctx
}

// exitInterrupted returns the exit code of a run whose context has ended: 128 and the number
// of the signal, as shells have it.
func exitInterrupted(ctx context.Context) int {
	if by, ok := errors.AsType[*signalError](context.Cause(ctx)); ok {
		return 128 + int(by.signal)
	}
	return exitFailed
}
