package pubmed

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/readahead"
)

// source unpacks a file if it begins like gzip, and hands it on as it is
// otherwise.
type source struct {
	packed   countingReader
	ahead    bool         // unpack in a goroutine
	unpacked io.Reader    // nil before the first Read
	stop     func() error // ends that goroutine; nil where there is none
}

// gzipError is damage in the packed data. Errors of the reader below, a disk
// that fails, are handed on as they are.
type gzipError struct {
	err    error
	offset int64 // of the packed file, about
}

func (e *gzipError) Error() string {
	if e.err == io.ErrUnexpectedEOF {
		return fmt.Sprintf("gzip is cut off after %d packed bytes", e.offset)
	}
	return fmt.Sprintf("gzip is damaged before packed byte %d: %v", e.offset, e.err)
}

const (
	packedBuffer = 64 << 10  // bytes
	aheadBuffer  = 256 << 10 // bytes; enough that handing one over costs nothing
	aheadBuffers = 4
)

var gzipMagic = []byte{0x1f, 0x8b} // RFC 1952, section 2.3.1

func (s *source) Read(p []byte) (int, error) {
	if s.unpacked == nil {
		if err := s.open(); err != nil {
			return 0, s.explain(err)
		}
	}
	n, err := s.unpacked.Read(p)
	return n, s.explain(err)
}

func (s *source) open() error {
	buffered := bufio.NewReaderSize(&s.packed, packedBuffer)
	head, err := buffered.Peek(len(gzipMagic))
	if err != nil && err != io.EOF {
		return err
	}
	if !bytes.Equal(head, gzipMagic) {
		s.unpacked = buffered
		return nil
	}
	unpacked, err := gzip.NewReader(buffered)
	if err != nil {
		return err
	}
	s.unpacked = unpacked
	if s.ahead {
		ahead, err := readahead.NewReaderSize(unpacked, aheadBuffers, aheadBuffer)
		if err != nil {
			return err
		}
		s.unpacked, s.stop = ahead, ahead.Close
	}
	return nil
}

// close ends the goroutine that unpacks, if there is one.
func (s *source) close() error {
	if s.stop == nil {
		return nil
	}
	return s.stop()
}

// explain tells damage from errors of the reader below.
func (s *source) explain(err error) error {
	if err == nil || err == io.EOF && s.unpacked != nil || s.packed.failed {
		return err
	}
	if err == io.EOF { // gzip.NewReader's word for a header that is cut off
		err = io.ErrUnexpectedEOF
	}
	return &gzipError{err, s.packed.n.Load()}
}

// countingReader counts the bytes that were read, and remembers whether reading
// failed.
//
// INVARIANT: failed is looked at only after the error came out of the source,
// when no goroutine reads any more.
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
