package pubmed

import (
	"bytes"
	"errors"
	"io"
)

// window is the part of the input that is in memory:
//
//	buf   |  consumed  |  legal, unread  |  not checked yet, or illegal  |
//	      0            pos               valid                           len(buf)
//
// It slides over the input and grows only if a token does not fit.
//
// INVARIANT: buf[pos:valid] consists of complete characters allowed in XML.
type window struct {
	src       io.Reader
	buf       []byte
	pos       int
	valid     int
	illegal   string // why the character at valid is not allowed; empty if not known to be illegal
	bufOffset int64  // offset of buf[0] in the input
	err       error  // of src, including io.EOF; nil while there may be more to read
}

const windowSize = 256 << 10 // bytes; fits in a level 2 cache

var errTooLong = errors.New("too long")

// unread returns the checked characters that have not been consumed.
func (w *window) unread() []byte { return w.buf[w.pos:w.valid] }

// offset returns the offset of buf[pos] in the input, in bytes.
func (w *window) offset() int64 { return w.bufOffset + int64(w.pos) }

// fill extends unread. The error is an illegalError if the next character is illegal, errTooLong if unread already has
// limit bytes, and otherwise the error of src, including io.EOF.
func (w *window) fill(limit int) error {
	have := w.valid - w.pos
	switch {
	case w.illegal != "":
		return illegalError(w.illegal)
	case w.err != nil:
		return w.err
	case have >= limit:
		return errTooLong
	}
	// The length at least doubles. After each call the caller scans the token again from its start; doubling keeps the
	// total time linear.
	want := 2 * have
	for w.valid-w.pos <= want && w.illegal == "" && w.err == nil {
		w.readMore()
		w.validate()
	}
	if w.valid-w.pos > have {
		return nil
	}
	if w.illegal != "" {
		return illegalError(w.illegal)
	}
	return w.err
}

// illegalError is the reason why a character is not allowed.
type illegalError string

func (e illegalError) Error() string { return string(e) }

// readMore appends the result of one Read of src to buf.
func (w *window) readMore() {
	if w.pos > 0 {
		n := copy(w.buf, w.buf[w.pos:])
		w.buf = w.buf[:n]
		w.valid -= w.pos
		w.bufOffset += int64(w.pos)
		w.pos = 0
	}
	if len(w.buf) == cap(w.buf) {
		grown := make([]byte, len(w.buf), max(2*cap(w.buf), windowSize))
		copy(grown, w.buf)
		w.buf = grown
	}
	for range 100 { // As in bufio: a Read may return no bytes and no error.
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

// validate checks the characters after valid.
func (w *window) validate() {
	n, reason := legalPrefix(w.buf[w.valid:])
	w.valid += n
	w.illegal = reason
	if reason == "" && w.valid < len(w.buf) && w.err == io.EOF {
		w.illegal = "incomplete UTF-8 character at the end"
	}
}

// skipToRecord moves pos to the next start tag of a record without checking the characters before it. If there is no
// further record, it returns the error of src.
func (w *window) skipToRecord(citations bool) error {
	for {
		n, found := findRecord(w.buf[w.pos:], citations, w.err != nil)
		w.pos += n
		w.valid, w.illegal = w.pos, ""
		if found {
			w.validate()
			return nil
		}
		if w.err != nil {
			return w.err
		}
		w.readMore()
	}
}

// findRecord searches b, which may be any bytes, for the next "<PubmedArticle", "<PubmedBookArticle" or
// "<DeleteCitation", or "<MedlineCitation" if citations is set. It returns the offset of the match or, if there is
// none, the offset at which to resume the search when more input has been read. If final is set, no input follows b.
func findRecord(b []byte, citations, final bool) (at int, found bool) {
	for {
		i := bytes.IndexByte(b[at:], '<')
		if i < 0 {
			return len(b), false
		}
		at += i
		tag := b[at+1:]
		length := nameLength(tag[:min(len(tag), len(bookArticleTag)+1)])
		if length == len(tag) && !final {
			return at, false
		}
		switch string(tag[:length]) {
		case articleTag, bookArticleTag, deletionTag:
			return at, true
		case citationTag:
			if citations {
				return at, true
			}
		}
		at++
	}
}
