package main

import (
	"context"
	"io"
)

// interruptible reads until the context is done, also from a terminal or a pipe that waits for more input.
type interruptible struct {
	ctx context.Context
	r   io.Reader
}

// Read implements [io.Reader]. An interrupted read goes on in the background, into memory of its own.
func (i interruptible) Read(p []byte) (int, error) {
	data, err := untilDone(i.ctx, func() ([]byte, error) {
		data := make([]byte, len(p))
		n, err := i.r.Read(data)
		return data[:n], err
	})
	return copy(p, data), err
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
