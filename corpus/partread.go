package corpus

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"slices"

	"github.com/klauspost/compress/s2"

	"ctxnorm"
)

// storedRow is a row of a source while it is read: good until the next but for
// its strings. That of a part has its text apart, which is made a string only in
// a copy: all rows are looked at, twice, and most of them left.
type storedRow struct {
	partRow
	text []byte // in place of Text; nil where there is Text
}

// copy is the row with memory of its own.
func (s *storedRow) copy() row {
	r := s.row
	if s.text != nil {
		r.Text = string(s.text)
	}
	r.Mentions = slices.Clone(r.Mentions)
	for i := range r.Mentions {
		m := &r.Mentions[i]
		m.Concepts = slices.Clone(m.Concepts)
	}
	return r
}

// readRows gives the sentences of a part.
func readRows(path string) iter.Seq2[*storedRow, error] {
	return func(yield func(*storedRow, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close()
		unpacked := s2.NewReader(f, s2.ReaderMaxBlockSize(packedBlock))
		r := rowReader{in: bufio.NewReaderSize(unpacked, readBuffer)}
		for r.row() {
			if !yield(&r.at, nil) {
				return
			}
		}
		if r.err != nil {
			yield(nil, &DamagedError{File: path, Reason: r.err.Error()})
		}
	}
}

const readBuffer = 32 << 10 // bytes

// rowReader reads rows into one place.
type rowReader struct {
	in    *bufio.Reader
	words []string
	bytes []byte // of the PMID or word at hand
	at    storedRow
	err   error // the first; what is read after it means nothing
}

// number reads a number that is most at most.
func (r *rowReader) number(most int) int {
	if r.err != nil {
		return 0
	}
	ahead, err := r.in.Peek(binary.MaxVarintLen64) // fewer at the end
	n, size := binary.Uvarint(ahead)
	switch {
	case size > 0 && n <= uint64(most):
		r.in.Discard(size)
		return int(n)
	case size > 0:
		err = fmt.Errorf("a number is %d, want at most %d", n, most)
	case size < 0:
		err = fmt.Errorf("a number has no end within %d bytes", binary.MaxVarintLen64)
	case err == io.EOF:
		err = io.ErrUnexpectedEOF
	}
	r.err = err
	return 0
}

// What is beyond these is damage, and no reason to ask for memory.
const (
	longestText = 64 << 20 // bytes; no record is longer, see package pubmed
	mostInRow   = 1 << 20  // mentions, and concepts of each
)

// text reads a text into dst.
func (r *rowReader) text(dst []byte) []byte {
	dst = resized(dst, r.number(longestText))
	if r.err == nil {
		_, r.err = io.ReadFull(r.in, dst)
	}
	return dst
}

func (r *rowReader) word() string {
	n := r.number(len(r.words))
	if r.err != nil {
		return ""
	}
	if n > 0 {
		return r.words[n-1]
	}
	r.bytes = r.text(r.bytes)
	s := string(r.bytes)
	r.words = append(r.words, s)
	return s
}

// row reads a row, with the memory of the row before, and reports whether there
// was one.
func (r *rowReader) row() bool {
	at := &r.at
	number := r.number(math.MaxInt32)
	if number == 0 {
		return false
	}
	at.Record = int32(number - 1)
	if r.bytes = r.text(r.bytes); string(r.bytes) != at.PMID { // often that of the row before
		at.PMID = string(r.bytes)
	}
	at.Section = r.word()
	at.Index = int32(r.number(math.MaxInt32))
	at.text = r.text(at.text)
	at.Mentions = resized(at.Mentions, r.number(mostInRow))
	for i := range at.Mentions {
		m := &at.Mentions[i]
		m.Start = int32(r.number(math.MaxInt32))
		m.End = int32(r.number(math.MaxInt32))
		m.Name = r.word()
		m.Concepts = resized(m.Concepts, r.number(mostInRow))
		for j := range m.Concepts {
			m.Concepts[j] = ctxnorm.ConceptID(r.word())
		}
	}
	return r.err == nil
}

// resized is s with n elements, those that it has kept.
func resized[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return append(s[:cap(s)], make([]T, n-cap(s))...)
}
