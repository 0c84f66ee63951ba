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
