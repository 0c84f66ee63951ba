package corpus

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
	"github.com/klauspost/compress/s2"
)

// The sentences of a part are written once and read twice, right away and by this
// program alone. Parquet would take several times as long, so they have a format
// of their own:
//
//	file     number of rows, rows; in blocks of S2, which are checked when they are read
//	row      record, PMID, section, index, text, number of mentions, mentions
//	mention  start, end, name, number of concepts, concepts
//
// Numbers are unsigned varints. PMID and text are a length in bytes and the bytes.
// Section, name and concept are words: the number of an earlier word, from 1, or 0
// and then a new one, as a text.

// writeRows writes the sentences of a part.
func writeRows(path string, rows []partRow) error {
	pending, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644), renameio.WithTempDir(filepath.Dir(path)))
	if err != nil {
		return err
	}
	defer pending.Cleanup()
	packed := s2.NewWriter(pending, s2.WriterConcurrency(1), s2.WriterBlockSize(packedBlock))
	w := rowWriter{words: make(map[string]uint64)}
	w.number(len(rows))
	for i := range rows {
		w.row(&rows[i])
		if _, err := packed.Write(w.buf); err != nil {
			return err
		}
		w.buf = w.buf[:0]
	}
	if _, err := packed.Write(w.buf); err != nil { // where there are no rows
		return err
	}
	if err := packed.Close(); err != nil {
		return err
	}
	return pending.CloseAtomicallyReplace()
}

const packedBlock = 256 << 10 // bytes

// rowWriter appends rows to buf.
type rowWriter struct {
	buf   []byte
	words map[string]uint64
}

func (w *rowWriter) number(n int) { w.buf = binary.AppendUvarint(w.buf, uint64(n)) }

func (w *rowWriter) text(s string) {
	w.number(len(s))
	w.buf = append(w.buf, s...)
}

func (w *rowWriter) word(s string) {
	n, known := w.words[s]
	w.buf = binary.AppendUvarint(w.buf, n)
	if !known {
		w.words[s] = uint64(len(w.words) + 1)
		w.text(s)
	}
}

func (w *rowWriter) row(r *partRow) {
	w.number(int(r.Record))
	w.text(r.PMID)
	w.word(r.Section)
	w.number(int(r.Index))
	w.text(r.Text)
	w.number(len(r.Mentions))
	for i := range r.Mentions {
		m := &r.Mentions[i]
		w.number(int(m.Start))
		w.number(int(m.End))
		w.word(m.Name)
		w.number(len(m.Concepts))
		for _, id := range m.Concepts {
			w.word(id)
		}
	}
}

// readRows gives the sentences of a part. A row is good until the next, but for
// its strings.
func readRows(path string) iter.Seq2[*partRow, error] {
	return func(yield func(*partRow, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close()
		r := rowReader{in: bufio.NewReader(s2.NewReader(f, s2.ReaderMaxBlockSize(packedBlock)))}
		for n := r.number(math.MaxInt32); n > 0 && r.err == nil; n-- {
			r.row()
			if r.err == nil && !yield(&r.at, nil) {
				return
			}
		}
		if r.err != nil {
			yield(nil, &DamagedError{File: path, Reason: r.err.Error()})
		}
	}
}

// rowReader reads rows into one place.
type rowReader struct {
	in    *bufio.Reader
	words []string
	bytes []byte // of the text at hand
	at    partRow
	err   error // the first; what is read after it means nothing
}

// number reads a number that is most at most.
func (r *rowReader) number(most int) int {
	if r.err != nil {
		return 0
	}
	n, err := binary.ReadUvarint(r.in)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err == nil && n > uint64(most) {
		err = fmt.Errorf("a number is %d, want at most %d", n, most)
	}
	if err != nil {
		r.err = err
		return 0
	}
	return int(n)
}

// What is beyond these is damage, and no reason to ask for memory.
const (
	longestText = 64 << 20 // bytes; no record is longer, see package pubmed
	mostInRow   = 1 << 20  // mentions, and concepts of each
)

func (r *rowReader) text() string {
	r.bytes = resized(r.bytes, r.number(longestText))
	if r.err == nil {
		_, r.err = io.ReadFull(r.in, r.bytes)
	}
	return string(r.bytes)
}

func (r *rowReader) word() string {
	n := r.number(len(r.words))
	if r.err != nil {
		return ""
	}
	if n > 0 {
		return r.words[n-1]
	}
	s := r.text()
	r.words = append(r.words, s)
	return s
}

// row reads a row, with the memory of the row before.
func (r *rowReader) row() {
	at := &r.at
	at.Record = int32(r.number(math.MaxInt32))
	at.PMID = r.text()
	at.Section = r.word()
	at.Index = int32(r.number(math.MaxInt32))
	at.Text = r.text()
	at.Mentions = resized(at.Mentions, r.number(mostInRow))
	for i := range at.Mentions {
		m := &at.Mentions[i]
		m.Start = int32(r.number(math.MaxInt32))
		m.End = int32(r.number(math.MaxInt32))
		m.Name = r.word()
		m.Concepts = resized(m.Concepts, r.number(mostInRow))
		for j := range m.Concepts {
			m.Concepts[j] = r.word()
		}
	}
}

// resized is s with n elements, those that it has kept.
func resized[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return append(s[:cap(s)], make([]T, n-cap(s))...)
}
