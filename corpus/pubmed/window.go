package pubmed

import (
	"bytes"
	"errors"
	"io"
)

// window is the part of the input that lies in memory:
//
//	buf   |  taken  |  legal, to be read  |  not yet looked at, or illegal  |
//	      0         pos                   good                              len(buf)
//
// It slides over the input, and grows only for a token that does not fit.
//
// INVARIANT: buf[pos:good] holds whole characters that XML allows.
type window struct {
	src     io.Reader
	buf     []byte
	pos     int
	good    int
	illegal string // what is wrong with the character at good, if that is known
	base    int64  // offset of buf[0] in the input
	err     error  // of src, once it has failed or ended

	// INVARIANT: buf[pos:noAmp] holds no '&', buf[pos:noBracket] no ']'.
	noAmp, noBracket int
}

const windowSize = 256 << 10 // bytes; stays in the second-level cache

var errTooLong = errors.New("too long")

// rest is what can be read.
func (w *window) rest() []byte { return w.buf[w.pos:w.good] }

// offset is the place of buf[pos] in the input.
func (w *window) offset() int64 { return w.base + int64(w.pos) }

// lacksAmp reports whether the next n bytes hold no '&'. References are rare, so
// that looking far ahead once is quicker than looking at every text.
func (w *window) lacksAmp(n int) bool { return w.lacks(&w.noAmp, '&', n) }

// lacksBracket is lacksAmp for ']'.
func (w *window) lacksBracket(n int) bool { return w.lacks(&w.noBracket, ']', n) }

func (w *window) lacks(until *int, c byte, n int) bool {
	if end := w.pos + n; *until < end {
		from := max(*until, w.pos)
		if i := bytes.IndexByte(w.buf[from:w.good], c); i >= 0 {
			*until = from + i
		} else {
			*until = w.good
		}
		return *until >= end
	}
	return true
}

// more makes rest longer. It fails with a fault's reason where an illegal
// character comes next, with errTooLong if rest already holds limit bytes, and
// with the error of src, io.EOF among them, where there is nothing more.
func (w *window) more(limit int) error {
	have := w.good - w.pos
	switch {
	case w.illegal != "":
		return illegalError(w.illegal)
	case w.err != nil:
		return w.err
	case have >= limit:
		return errTooLong
	}
	// Twice as much each time, so that a token that is scanned again from its
	// start after every call is scanned in linear time.
	want := 2 * have
	for w.good-w.pos <= want && w.illegal == "" && w.err == nil {
		w.read()
		w.check()
	}
	if w.good-w.pos > have {
		return nil
	}
	if w.illegal != "" {
		return illegalError(w.illegal)
	}
	return w.err
}

// illegalError is the reason for which a character is not allowed.
type illegalError string

func (e illegalError) Error() string { return string(e) }

// read appends to buf what one Read of src gives.
func (w *window) read() {
	if w.pos > 0 {
		n := copy(w.buf, w.buf[w.pos:])
		w.buf = w.buf[:n]
		w.good -= w.pos
		w.noAmp -= w.pos
		w.noBracket -= w.pos
		w.base += int64(w.pos)
		w.pos = 0
	}
	if len(w.buf) == cap(w.buf) {
		grown := make([]byte, len(w.buf), max(2*cap(w.buf), windowSize))
		copy(grown, w.buf)
		w.buf = grown
	}
	for range 100 { // as bufio: a reader may give nothing now and then
		n, err := w.src.Read(w.buf[len(w.buf):cap(w.buf)])
		w.buf = w.buf[:len(w.buf)+n]
		if err != nil {
			w.err = err
			return
		}
		if n > 0 {
			return
		}
	}
	w.err = io.ErrNoProgress
}

// check looks at the characters after good.
func (w *window) check() {
	n, reason := legalPrefix(w.buf[w.good:])
	w.good += n
	w.illegal = reason
	if reason == "" && w.good < len(w.buf) && w.err == io.EOF {
		w.illegal = "UTF-8 is cut off"
	}
}

// skip moves pos to the next start tag of a record, whatever characters lie
// before it. The error is that of src where there is none.
func (w *window) skip(citations bool) error {
	for {
		n, found := findRecord(w.buf[w.pos:], citations, w.err != nil)
		w.pos += n
		w.good, w.illegal = w.pos, ""
		if found {
			w.check()
			return nil
		}
		if w.err != nil {
			return w.err
		}
		w.read()
	}
}
