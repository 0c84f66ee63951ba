package main

import (
	"context"
	"io"
)

// interruptible reads until the context is done, also from a terminal or a pipe that waits
// for more input.
type interruptible struct {
	ctx context.Context
	r   io.Reader
}

// Read implements [io.Reader]. An interrupted read continues in the background, into memory
// of its own, and its data is lost.
func (i interruptible) Read(p []byte) (int, error) {
	type outcome struct {
		data []byte
		err  error
	}
	done := make(chan outcome, 1)
	go func() {
		data := make([]byte, len(p))
		n, err := i.r.Read(data)
		done <- outcome{data[:n], err}
	}()
	select {
	case got := <-done:
		return copy(p, got.data), got.err
	case <-i.ctx.Done():
		return 0, i.ctx.Err()
	}
}

// untilDone returns what do does, or the context's error as soon as that is done: do goes on in the background, and
// what it returns is lost.
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
