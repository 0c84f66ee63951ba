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

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/kb"
)

// The sentences of a shard are written once and read twice, right away and only by
// this program. Parquet would take several times as long, so they have a format of
// their own:
//
//	file     rows, 0; compressed with S2, whose blocks have checksums
//	row      record + 1, PMID, section, index, text, number of mentions, mentions
//	mention  start, end, name, number of concepts, concepts, long form
//
// Numbers are unsigned varints. PMID and text are a length in bytes and the bytes.
// Section, name, concept and long form are dictionary-encoded: the number of an earlier string
// of the file, from 1, or 0 and then a new string, encoded like a text.

const (
	s2BlockSize    = 256 << 10 // bytes
	readBufferSize = 32 << 10  // bytes
)

// Larger values in a file are damage. These limits keep damage from allocating
// memory without bound.
const (
	maxTextBytes = 64 << 20 // no record is longer, see package pubmed
	maxRowItems  = 1 << 20  // mentions of a row, and concepts of a mention
)

// shardRow is a row of a shard. Its record may turn out to be superseded.
type shardRow struct {
	row
	Record int32 // number of its record in the input file, from 0; 0 if read from a corpus
}

// scannedRow is a row that a reader yields. It is valid until the next row, except
// for its strings. If it comes from a shard, its text is in a byte slice: every row
// is read twice but few are copied, so most texts never become a string.
type scannedRow struct {
	shardRow
	text []byte // replaces Text; nil if Text is set
}

// copy returns the row with memory of its own.
func (s *scannedRow) copy() row {
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

// writeShardRows writes rows as the sentences file of a chunk.
func writeShardRows(path string, rows sortedSeq[*scannedRow]) error {
	file, err := artifact.Create(path)
	if err != nil {
		return err
	}
	defer file.Discard()
	compressed := s2.NewWriter(file, s2.WriterConcurrency(1), s2.WriterBlockSize(s2BlockSize))
	e := rowEncoder{dict: make(map[string]uint64)}
	for r, err := range rows {
		if err != nil {
			return err
		}
		e.row(r)
		if _, err := compressed.Write(e.buf); err != nil {
			return err
		}
		e.buf = e.buf[:0]
	}
	e.number(0)
	if _, err := compressed.Write(e.buf); err != nil {
		return err
	}
	if err := compressed.Close(); err != nil {
		return err
	}
	return file.Commit()
}

// rowEncoder appends rows to buf.
type rowEncoder struct {
	buf  []byte
	dict map[string]uint64 // number of each string, from 1
}

func (e *rowEncoder) number(n int) { e.buf = binary.AppendUvarint(e.buf, uint64(n)) }

func (e *rowEncoder) text(s string) {
	e.number(len(s))
	e.buf = append(e.buf, s...)
}

// dictString appends a dictionary-encoded string.
func (e *rowEncoder) dictString(s string) {
	n, known := e.dict[s]
	e.buf = binary.AppendUvarint(e.buf, n)
	if !known {
		e.dict[s] = uint64(len(e.dict) + 1)
		e.text(s)
	}
}

func (e *rowEncoder) row(r *scannedRow) {
	e.number(int(r.Record) + 1)
	e.text(r.PMID)
	e.dictString(r.Section)
	e.number(int(r.Index))
	if r.text != nil {
		e.number(len(r.text))
		e.buf = append(e.buf, r.text...)
	} else {
		e.text(r.Text)
	}
	e.number(len(r.Mentions))
	for i := range r.Mentions {
		m := &r.Mentions[i]
		e.number(int(m.Start))
		e.number(int(m.End))
		e.dictString(m.Name)
		e.number(len(m.Concepts))
		for _, id := range m.Concepts {
			e.dictString(string(id))
		}
		e.dictString(m.LongForm)
	}
}

// readShardRows returns the rows of a chunk's sentences file. A damaged file
// yields an [*files.DamagedError].
func readShardRows(path string) iter.Seq2[*scannedRow, error] {
	return func(yield func(*scannedRow, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close()
		decompressed := s2.NewReader(f, s2.ReaderMaxBlockSize(s2BlockSize))
		d := rowDecoder{in: bufio.NewReaderSize(decompressed, readBufferSize)}
		for d.next() {
			if !yield(&d.row, nil) {
				return
			}
		}
		if d.err != nil {
			yield(nil, artifact.Damaged(path, "%v", d.err))
		}
	}
}

// rowDecoder decodes rows, one after another, into the same memory.
type rowDecoder struct {
	in   *bufio.Reader
	dict []string
	buf  []byte // of the current PMID or string
	row  scannedRow
	err  error // the first one; after it, decoded values are meaningless
}

// number decodes a number, which must be at most limit.
func (d *rowDecoder) number(limit int) int {
	if d.err != nil {
		return 0
	}
	ahead, err := d.in.Peek(binary.MaxVarintLen64) // fewer bytes at the end of the file
	n, size := binary.Uvarint(ahead)
	switch {
	case size > 0 && n <= uint64(limit):
		d.in.Discard(size)
		return int(n)
	case size > 0:
		err = fmt.Errorf("a number is %d, want at most %d", n, limit)
	case size < 0:
		err = fmt.Errorf("a number does not end within %d bytes", binary.MaxVarintLen64)
	case err == io.EOF:
		err = io.ErrUnexpectedEOF
	}
	d.err = err
	return 0
}

// text decodes a text into dst.
func (d *rowDecoder) text(dst []byte) []byte {
	dst = resize(dst, d.number(maxTextBytes))
	if d.err == nil {
		_, d.err = io.ReadFull(d.in, dst)
	}
	return dst
}

// dictString decodes a dictionary-encoded string.
func (d *rowDecoder) dictString() string {
	n := d.number(len(d.dict))
	if d.err != nil {
		return ""
	}
	if n > 0 {
		return d.dict[n-1]
	}
	d.buf = d.text(d.buf)
	s := string(d.buf)
	d.dict = append(d.dict, s)
	return s
}

// next decodes a row into d.row and reports whether there was one. It returns
// false at the end of the file and on an error.
func (d *rowDecoder) next() bool {
	r := &d.row
	number := d.number(math.MaxInt32)
	if number == 0 {
		return false
	}
	r.Record = int32(number - 1)
	if d.buf = d.text(d.buf); string(d.buf) != r.PMID { // often that of the previous row
		r.PMID = string(d.buf)
	}
	r.Section = d.dictString()
	r.Index = int32(d.number(math.MaxInt32))
	r.text = d.text(r.text)
	r.Mentions = resize(r.Mentions, d.number(maxRowItems))
	for i := range r.Mentions {
		m := &r.Mentions[i]
		m.Start = int32(d.number(math.MaxInt32))
		m.End = int32(d.number(math.MaxInt32))
		m.Name = d.dictString()
		m.Concepts = resize(m.Concepts, d.number(maxRowItems))
		for j := range m.Concepts {
			m.Concepts[j] = kb.ConceptID(d.dictString())
		}
		m.LongForm = d.dictString()
	}
	return d.err == nil
}

// resize returns s with length n. It reuses the memory of s, and of what its
// elements refer to.
func resize[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return append(s[:cap(s)], make([]T, n-cap(s))...)
}
