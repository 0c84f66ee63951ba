package gunzip

import (
	"encoding/binary"
	"io"
)

// input gives the bits of a stream, of each byte the lowest first.
//
//	buf  |  taken  |  in bits  |  to be taken  |  padding  |
//	     0                     pos             limit
//
// bits holds the n bits before pos that were not taken, and above them what may
// be bits behind pos, which are the same when they are loaded again.
//
// INVARIANT: once the source has ended or failed the padding is 0. No more than
// loadSize bytes of it are loaded.
type input struct {
	src    io.Reader
	buf    []byte
	pos    int
	limit  int
	bits   uint64
	n      uint
	before int64 // bytes of the source before buf
	err    error // of the source, once it has failed or ended
}

const (
	inSize   = 64 << 10 // bytes
	loadSize = 32       // bytes that may be loaded before it is looked whether they are there
)

// fill loads the buffer where little is left.
func (s *input) fill() {
	if s.limit-s.pos > loadSize || s.err != nil {
		return
	}
	if s.buf == nil {
		s.buf = make([]byte, inSize+loadSize)
	}
	keep := max(0, s.pos-8) // those in bits, to be given back
	s.before += int64(keep)
	s.limit = copy(s.buf, s.buf[keep:s.limit])
	s.pos -= keep
	for s.limit-s.pos <= loadSize && s.err == nil {
		var n int
		n, s.err = s.src.Read(s.buf[s.limit:inSize])
		s.limit += n
	}
	if s.err != nil {
		clear(s.buf[s.limit:][:loadSize])
	}
}

// ended is the error where the source ends too early.
func (s *input) ended() error {
	if s.err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return s.err
}

// refill makes sure of 56 bits, those behind the end of the source 0.
func (s *input) refill() {
	s.fill()
	s.bits |= binary.LittleEndian.Uint64(s.buf[s.pos:]) << s.n
	s.pos += int(63-s.n) >> 3
	s.n |= 56
}

// take takes n bits, 32 at most.
func (s *input) take(n uint) (uint64, error) {
	s.refill()
	v := s.bits & (1<<n - 1)
	s.bits >>= n
	s.n -= n
	if s.overrun() {
		return 0, s.ended()
	}
	return v, nil
}

// overrun reports whether more was taken than there was.
func (s *input) overrun() bool { return s.pos-int(s.n>>3) > s.limit }

// taken is the number of bytes taken, the last perhaps in part.
func (s *input) taken() int64 { return s.before + int64(s.pos-int(s.n>>3)) }

// align goes to the next whole byte.
func (s *input) align() {
	s.pos -= int(s.n >> 3)
	s.bits, s.n = 0, 0
}

// bytes takes n bytes or fewer, at least one, after align.
func (s *input) bytes(n int) ([]byte, error) {
	s.align()
	if s.pos >= s.limit {
		s.fill()
		if s.pos >= s.limit {
			return nil, s.ended()
		}
	}
	b := s.buf[s.pos:min(s.pos+n, s.limit)]
	s.pos += len(b)
	return b, nil
}
