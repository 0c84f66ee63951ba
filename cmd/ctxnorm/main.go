// Command ctxnorm links mentions of concepts in text to a dictionary.
//
// Output rules: data goes to standard output, everything else to standard error as "ctxnorm: …", followed by
// "ctxnorm: hint: …" if there is something the user can do. Progress is a bar if standard error is a terminal,
// otherwise a plain line every 30 s. --quiet leaves only errors and warnings. --log-format json makes each message an
// object with its time. "-" stands for standard input or output.
//
// The value of a flag that is not given comes from its environment variable (CTXNORM_MODEL for --model).
//
// Exit codes: 0 done; 1 finished, but some records were bad or the answer is no; 2 wrong usage, or the run failed; 130
// and 143 ended by an interrupt or a termination signal.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	os.Exit(run(untilSignal(context.Background()), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// signalError is the cancellation cause of a context ended by a signal.
type signalError struct{ signal syscall.Signal }

func (e *signalError) Error() string { return e.signal.String() }

// Is makes [errors.Is] treat a signalError as [context.Canceled], because training returns the cause.
func (e *signalError) Is(target error) bool { return target == context.Canceled }

// untilSignal returns a context that is canceled by the first interrupt or termination signal. A second one ends the
// program at once.
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

// exitInterrupted returns the exit code of a run whose context has ended: 128 plus the number of the signal, as shells
// do.
func exitInterrupted(ctx context.Context) int {
	if by, ok := errors.AsType[*signalError](context.Cause(ctx)); ok {
		return 128 + int(by.signal)
	}
	return exitFailed
}

// interruptible reads until the context is done, even from a terminal or a pipe that waits for more input.
type interruptible struct {
	ctx context.Context
	r   io.Reader
}

// Read implements [io.Reader]. An interrupted read continues in the background, into its own memory.
func (i interruptible) Read(p []byte) (int, error) {
	data, err := untilDone(i.ctx, func() ([]byte, error) {
		data := make([]byte, len(p))
		n, err := i.r.Read(data)
		return data[:n], err
	})
	return copy(p, data), err
}

// untilDone returns the result of do, or the context's error as soon as the context is done. In that case do continues
// in the background and its result is discarded.
func untilDone[T any](ctx context.Context, do func() (T, error)) (value T, err error) {
	done := make(chan struct{})
	var returned T
	var failed error
	go func() {
		defer close(done)
		returned, failed = do()
	}()
	select {
	case <-ctx.Done():
		return value, context.Cause(ctx)
	case <-done:
		return returned, failed
	}
}
