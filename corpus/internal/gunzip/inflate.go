package gunzip

import (
	"compress/flate"
	"encoding/binary"
	"io"
)

// inflater decodes one DEFLATE stream after another into out.
//
//	out  |  window: up to 32 kB that was read  |  to be read  |  free  |  slack  |
//	     0                                     start          end      len(out)-slack
type inflater struct {
	input
	out        []byte
	start, end int
	from       int // of the stream in out: nothing before it is repeated

	state   state
	final   bool // no block follows
	stored  int  // bytes left of a stored block
	literal table
	far     table
	lengths [288 + 32]uint8 // of codes
}

// state is what comes next in the input.
type state int

const (
	atBlock state = iota
	inStored
	inCodes
	atEnd // of the stream
)

const (
	windowSize = 32 << 10
	outSize    = 128 << 10 // bytes; stays in the second-level cache
	slack      = maxLength + 8
)

// errFull stops decoding where out is full; it is no error.
type errFull struct{}

func (errFull) Error() string { return "no room" }

// begin is ready for a stream.
func (f *inflater) begin() {
	if f.out == nil {
		f.out = make([]byte, outSize)
		f.literal.first, f.far.first = 11, 8
	}
	f.state, f.final, f.from = atBlock, false, f.end
}

// more decodes until out is full or the stream ends, which io.EOF tells. What was
// decoded before an error stands in out.
func (f *inflater) more() error {
	if keep := f.start - windowSize; keep > 0 {
		f.start -= keep
		f.end = copy(f.out, f.out[keep:f.end])
		f.from = max(0, f.from-keep)
	}
	for {
		var err error
		switch f.state {
		case atBlock:
			err = f.block()
		case inStored:
			err = f.copyStored()
		case inCodes:
			err = f.decode()
		case atEnd:
			f.align()
			return io.EOF
		}
		if _, full := err.(errFull); full {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// endBlock goes to what comes after a block.
func (f *inflater) endBlock() {
	f.state = atBlock
	if f.final {
		f.state = atEnd
	}
}

// block reads the head of a block (RFC 1951, section 3.2.3).
func (f *inflater) block() error {
	head, err := f.take(3)
	if err != nil {
		return err
	}
	f.final = head&1 != 0
	switch head >> 1 {
	case 0:
		f.align()
		size, err := f.take(32)
		if err != nil {
			return err
		}
		if size&0xffff != ^size>>16&0xffff {
			return f.corrupt()
		}
		f.stored, f.state = int(size&0xffff), inStored
		return nil
	case 1:
		n := fixedLengths(&f.lengths)
		return f.codes(f.lengths[:n], f.lengths[n:])
	case 2:
		return f.dynamic()
	}
	return f.corrupt()
}

func (f *inflater) codes(literalLengths, farLengths []uint8) error {
	if !f.literal.build(literalLengths, literals) || !f.far.build(farLengths, distances) {
		return f.corrupt()
	}
	f.state = inCodes
	return nil
}

// fixedLengths are the lengths of the codes of section 3.2.6, those of distances
// from n on.
func fixedLengths(lengths *[288 + 32]uint8) (n int) {
	for i := range lengths {
		switch {
		case i < 144:
			lengths[i] = 8
		case i < 256:
			lengths[i] = 9
		case i < 280:
			lengths[i] = 7
		case i < 288:
			lengths[i] = 8
		default:
			lengths[i] = 5
		}
	}
	return 288
}

// dynamic reads the lengths of the codes (section 3.2.7).
func (f *inflater) dynamic() error {
	head, err := f.take(14)
	if err != nil {
		return err
	}
	nLiteral, nFar, n := int(head&31)+257, int(head>>5&31)+1, int(head>>10)+4
	if nLiteral > 286 || nFar > 30 {
		return f.corrupt()
	}
	order := [...]int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}
	var ordinal [len(order)]uint8
	for _, at := range order[:n] {
		length, err := f.take(3)
		if err != nil {
			return err
		}
		ordinal[at] = uint8(length)
	}
	t := &f.far // which is not yet in use
	if !t.build(ordinal[:], ordinals) {
		return f.corrupt()
	}
	lengths := f.lengths[:nLiteral+nFar]
	for i := 0; i < len(lengths); {
		symbol, err := f.symbol(t)
		if err != nil {
			return err
		}
		if symbol < 16 {
			lengths[i] = uint8(symbol)
			i++
			continue
		}
		again := [...]struct {
			bits  uint
			least int
		}{{2, 3}, {3, 3}, {7, 11}}[symbol-16]
		more, err := f.take(again.bits)
		if err != nil {
			return err
		}
		times := again.least + int(more)
		if i+times > len(lengths) || symbol == 16 && i == 0 {
			return f.corrupt()
		}
		length := uint8(0)
		if symbol == 16 {
			length = lengths[i-1]
		}
		for range times {
			lengths[i] = length
			i++
		}
	}
	return f.codes(lengths[:nLiteral], lengths[nLiteral:])
}

// symbol reads one code of a table without extra bits.
func (f *inflater) symbol(t *table) (int, error) {
	f.refill()
	e := t.find(f.bits)
	if e == 0 {
		return 0, f.corruptOr(1)
	}
	_, err := f.take(e.length())
	return e.value(), err
}

// copyStored copies of a stored block what there is room for.
func (f *inflater) copyStored() error {
	for f.stored > 0 {
		free := len(f.out) - slack - f.end
		if free <= 0 {
			return errFull{}
		}
		b, err := f.bytes(min(f.stored, free))
		f.end += copy(f.out[f.end:], b)
		f.stored -= len(b)
		if err != nil {
			return err
		}
	}
	f.endBlock()
	return nil
}

// decode decodes the codes of a block until it ends, or out is full.
func (f *inflater) decode() error {
	for f.end <= len(f.out)-slack {
		f.fill()
		if done, err := f.run(); done || err != nil {
			return err
		}
	}
	return errFull{}
}

// run decodes codes while there is room for their meaning, and while the input
// lasts for the longest; at the end of the input, one. It reports whether the
// block has ended.
func (f *inflater) run() (done bool, err error) {
	in, out := f.buf, f.out
	pos, bits, n := f.pos, f.bits, f.n
	w := f.end
	room, last := len(out)-slack, f.limit-loadSize
	one := pos > last
	firstMask, first := uint64(1)<<f.literal.first-1, f.literal.entries
	_ = first[firstMask]
	before := w
	for w <= room && (pos <= last || one) {
		bits |= binary.LittleEndian.Uint64(in[pos:]) << (n & 63)
		pos += int(63-n) >> 3
		n |= 56
		e := first[bits&firstMask]
		if e.is(literal) {
			out[w] = byte(e >> 8)
			w++
			bits >>= e.length()
			n -= e.length()
			if one {
				break
			}
			if e = first[bits&firstMask]; e.is(literal) {
				out[w] = byte(e >> 8)
				w++
				bits >>= e.length()
				n -= e.length()
				if e = first[bits&firstMask]; e.is(literal) {
					out[w] = byte(e >> 8)
					w++
					bits >>= e.length()
					n -= e.length()
					continue
				}
			}
			bits |= binary.LittleEndian.Uint64(in[pos:]) << (n & 63)
			pos += int(63-n) >> 3
			n |= 56
		}
		if e.is(second) {
			e = first[e.value()+int(bits>>f.literal.first&(1<<f.literal.rest-1))]
		}
		bits >>= e.length()
		n -= e.length()
		if e.is(literal | endBlock) {
			if e.is(literal) {
				out[w] = byte(e >> 8)
				w++
			} else {
				done = true
			}
			if one || done {
				break
			}
			continue
		}
		length := e.value() + int(bits&(1<<e.extra()-1))
		bits >>= e.extra()
		n -= e.extra()
		d := f.far.find(bits)
		bits >>= d.length()
		n -= d.length()
		distance := d.value() + int(bits&(1<<d.extra()-1))
		bits >>= d.extra()
		n -= d.extra()
		if length == 0 || distance == 0 || distance > w-f.from {
			err = f.corrupt()
			break
		}
		repeat(out, w, distance, length)
		w += length
		if one {
			break
		}
	}
	f.pos, f.bits, f.n, f.end = pos, bits, n, w
	if one && f.overrun() {
		f.end = before
		return false, f.ended()
	}
	if done {
		f.endBlock()
	}
	return done, err
}

// repeat writes length bytes to out[at:], of those that lie distance before. It
// may write up to 7 bytes more.
func repeat(out []byte, at, distance, length int) {
	end := at + length
	if distance < 8 { // what comes again every 3 bytes also does every 9
		for range 8 {
			out[at] = out[at-distance]
			at++
		}
		distance *= (7 + distance) / distance
	}
	for ; at < end; at += 8 {
		binary.LittleEndian.PutUint64(out[at:], binary.LittleEndian.Uint64(out[at-distance:]))
	}
}

func (f *inflater) corrupt() error { return flate.CorruptInputError(f.taken()) }

// corruptOr is corrupt where at least so many bits are there.
func (f *inflater) corruptOr(n uint) error {
	if _, err := f.take(n); err != nil {
		return err
	}
	return f.corrupt()
}
