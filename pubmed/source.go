package pubmed

import (
	"bufio"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/readahead"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// source is a reader of a file's decompressed content. A file that does not start
// like gzip is not compressed.
type source struct {
	compressed countingReader
	ahead      bool         // decompress in a goroutine
	content    io.Reader    // nil before the first Read
	stop       func() error // stops that goroutine; nil if there is none
}

// gzipError is an error in the compressed data. Errors of the underlying reader, such
// as those of a disk, are not wrapped in it.
type gzipError struct {
	err    error
	offset int64 // in bytes of the compressed file; the error is before it, within a buffer's length
}

func (e *gzipError) Error() string {
	if e.err == io.ErrUnexpectedEOF {
		return fmt.Sprintf("gzip data ends early, after %d compressed bytes", e.offset)
	}
	return fmt.Sprintf("gzip data is damaged before compressed byte %d: %v", e.offset, e.err)
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
	head, err := buffered.Peek(len(input.GzipMagic))
	if err != nil && err != io.EOF {
		return err
	}
	if string(head) != input.GzipMagic {
		s.content = buffered
		return nil
	}
	decompressed, err := gzip.NewReader(buffered)
	if err != nil {
		return err
	}
	s.content = decompressed
	if s.ahead {
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

// wrapDamage returns err as a gzipError, unless it is an error of the underlying
// reader or the regular end of the data.
func (s *source) wrapDamage(err error) error {
	if err == nil || err == io.EOF && s.content != nil || s.compressed.failed {
		return err
	}
	if err == io.EOF { // gzip.NewReader returns io.EOF for an incomplete header.
		err = io.ErrUnexpectedEOF
	}
	return &gzipError{err, s.compressed.n.Load()}
}

// countingReader counts the bytes read and records whether reading failed.
//
// INVARIANT: failed is read only after source returned the error, when no goroutine
// reads from r anymore.
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
