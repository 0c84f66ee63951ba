package main

import (
	"context"
	"io"
)

// interruptible reads until the context is done: a read from a terminal or a pipe
// that waits for more does not hold up the end of the program.
type interruptible struct {
	ctx context.Context
	r   io.Reader
}

// Read implements [io.Reader]. A read that is given up goes on in the background,
// in memory of its own, and what it brings is lost.
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
