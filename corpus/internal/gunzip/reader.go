package gunzip

import (
	"compress/gzip"
	"hash/crc32"
	"io"
)

// Reader unpacks gzip of one member or several. It is not safe for concurrent use.
type Reader struct {
	inflater
	crc    uint32 // of the member so far
	size   uint32
	failed error // what Read gives when all is read
}

// NewReader reads the header of the first member. Like those of package
// compress/gzip it may read more of r than the file is long.
func NewReader(r io.Reader) (*Reader, error) {
	z := &Reader{}
	z.src = r
	if err := z.header(); err != nil {
		return nil, err
	}
	return z, nil
}

// Read reads into p.
func (z *Reader) Read(p []byte) (int, error) {
	for z.start == z.end {
		if z.failed != nil {
			return 0, z.failed
		}
		z.failed = z.next()
	}
	n := copy(p, z.out[z.start:z.end])
	z.start += n
	return n, nil
}

// next unpacks more of the file.
func (z *Reader) next() error {
	err := z.more()
	unpacked := z.out[z.start:z.end]
	z.crc = crc32.Update(z.crc, crc32.IEEETable, unpacked)
	z.size += uint32(len(unpacked))
	if err != io.EOF {
		return err
	}
	if err := z.trailer(); err != nil {
		return err
	}
	return z.header()
}

// trailer compares what was unpacked with what the member says of it.
func (z *Reader) trailer() error {
	crc, err := z.take(32)
	if err != nil {
		return err
	}
	size, err := z.take(32)
	if err != nil {
		return err
	}
	if uint32(crc) != z.crc || uint32(size) != z.size {
		return gzip.ErrChecksum
	}
	return nil
}

// Flags of a header (RFC 1952, section 2.3.1).
const (
	hasCRC     = 1 << 1
	hasExtra   = 1 << 2
	hasName    = 1 << 3
	hasComment = 1 << 4
)

// header reads that of a member; io.EOF where there is none.
func (z *Reader) header() error {
	z.crc, z.size = 0, 0
	z.fill()
	if z.align(); z.pos >= z.limit {
		return z.err
	}
	var head [10]byte
	if err := z.read(head[:]); err != nil {
		return err
	}
	if head[0] != 0x1f || head[1] != 0x8b || head[2] != 8 {
		return gzip.ErrHeader
	}
	flags := head[3]
	if flags&hasExtra != 0 {
		var size [2]byte
		if err := z.read(size[:]); err != nil {
			return err
		}
		if err := z.read(make([]byte, int(size[0])|int(size[1])<<8)); err != nil {
			return err
		}
	}
	for _, text := range []byte{hasName, hasComment} {
		for c := []byte{flags & text}; c[0] != 0; {
			if err := z.read(c); err != nil {
				return err
			}
		}
	}
	if digest := uint16(z.crc); flags&hasCRC != 0 {
		var want [2]byte
		if err := z.read(want[:]); err != nil {
			return err
		}
		if digest != uint16(want[0])|uint16(want[1])<<8 {
			return gzip.ErrHeader
		}
	}
	z.crc = 0
	z.begin()
	return nil
}

// read fills p, bytes of a header.
func (z *Reader) read(p []byte) error {
	for rest := p; len(rest) > 0; {
		b, err := z.bytes(len(rest))
		if err != nil {
			return err
		}
		rest = rest[copy(rest, b):]
	}
	z.crc = crc32.Update(z.crc, crc32.IEEETable, p)
	return nil
}
