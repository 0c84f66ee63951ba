package pubmed

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/klauspost/readahead"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// source reads the content of a file, decompressed by [input.Decompress].
type source struct {
	compressed  countingReader
	compression string       // name of the compression format; "" for none
	ahead       bool         // decompress in a goroutine
	content     io.Reader    // nil before the first Read
	stop        func() error // stops the goroutine; nil if there is none
}

// damageError is an error in the compressed data. Errors of the underlying reader, such as disk errors, are not wrapped
// in it.
type damageError struct {
	compression string // name of the format
	err         error
	offset      int64 // in bytes of the compressed file; the damage is at most a buffer's length before it
}

func (e *damageError) Error() string {
	if errors.Is(e.err, io.ErrUnexpectedEOF) {
		return fmt.Sprintf("%s data ends early, after %d compressed bytes", e.compression, e.offset)
	}
	return fmt.Sprintf("%s data is damaged before compressed byte %d: %v", e.compression, e.offset, e.err)
}

const (
	compressedBuffer = 64 << 10  // bytes
	aheadBuffer      = 256 << 10 // bytes; large enough that passing a buffer between goroutines costs nothing
	aheadBuffers     = 4
)

func (s *source) Read(p []byte) (int, error) {
	if s.content == nil {
		if err := s.open(); err != nil {
			return 0, s.wrapDamage(err)
		}
	}
	n, err := s.content.Read(p)
	return n, s.wrapDamage(err)
}

func (s *source) open() error {
	buffered := bufio.NewReaderSize(&s.compressed, compressedBuffer)
	if _, err := buffered.Peek(1); err != nil && err != io.EOF {
		return err
	}
	s.compression = input.Compression(buffered)
	decompressed, err := input.Decompress(buffered)
	if err != nil {
		return err
	}
	s.content = decompressed
	if s.ahead && s.compression != "" {
		ahead, err := readahead.NewReaderSize(decompressed, aheadBuffers, aheadBuffer)
		if err != nil {
			return err
		}
		s.content, s.stop = ahead, ahead.Close
	}
	return nil
}

// close stops the goroutine that decompresses, if there is one.
func (s *source) close() error {
	if s.stop == nil {
		return nil
	}
	return s.stop()
}

// wrapDamage returns err as a damageError, unless it is an error of the underlying reader or the regular end of the
// data.
func (s *source) wrapDamage(err error) error {
	if err == nil || err == io.EOF || s.compression == "" || s.compressed.failed {
		return err
	}
	return &damageError{s.compression, err, s.compressed.n.Load()}
}

// countingReader counts the bytes read and records whether reading failed.
//
// INVARIANT: failed is read only after source has returned the error, when no goroutine reads from r anymore.
type countingReader struct {
	r      io.Reader
	n      atomic.Int64
	failed bool
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	if err != nil && err != io.EOF {
		c.failed = true
	}
	return n, err
}
