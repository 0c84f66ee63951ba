package knnindex

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
)

// The file of a graph, little-endian:
//
//	bytes  what
//	8      magic, "ctxhnsw\n"
//	4      version: 2
//	4      dimension of the vectors
//	8      rows
//	8      fingerprint of the vectors (Vectors.Fingerprint)
//	8      seed
//	4      M
//	4      efConstruction
//	4      efSearch
//	4      copies: rows equal to another
//	4 x rows x (1 + 2 M)        links on layer 0, a slot a row: number, neighbours, 0s
//	4 x slots x (1 + M)         links on the layers above, in the same form: the slots
//	                            of row 0 from layer 1 up, of row 1, …
//	8 x copies                  the first of the equal rows, the copy; in this order
//	4      CRC-32C (Castagnoli) of all before
//
// How many slots a row has is its level, which seed and M give (drawLevel), so
// that all sizes are known from the header; the entry is the first row of the
// highest level that is no copy.
//
// History: 1, the first, with a fingerprint of all rows; it is read still.
// 2, with a fingerprint of rows here and there.
const (
	hnswMagic      = "ctxhnsw\n"
	hnswVersion    = 2
	hnswHeaderSize = 8 + 4 + 4 + 8 + 8 + 8 + 4*4
)

type hnswHeader struct {
	version, dim                        uint32
	rows, fingerprint, seed             uint64
	m, efConstruction, efSearch, copies uint32
}

func (x hnswHeader) encode() []byte {
	le := binary.LittleEndian
	b := append(make([]byte, 0, hnswHeaderSize), hnswMagic...)
	b = le.AppendUint32(b, x.version)
	b = le.AppendUint32(b, x.dim)
	b = le.AppendUint64(b, x.rows)
	b = le.AppendUint64(b, x.fingerprint)
	b = le.AppendUint64(b, x.seed)
	b = le.AppendUint32(b, x.m)
	b = le.AppendUint32(b, x.efConstruction)
	b = le.AppendUint32(b, x.efSearch)
	return le.AppendUint32(b, x.copies)
}

// decodeHNSWHeader takes a header apart; the magic is checked already.
func decodeHNSWHeader(b []byte) (x hnswHeader) {
	le := binary.LittleEndian
	x.version, x.dim = le.Uint32(b[8:]), le.Uint32(b[12:])
	x.rows, x.fingerprint, x.seed = le.Uint64(b[16:]), le.Uint64(b[24:]), le.Uint64(b[32:])
	x.m, x.efConstruction, x.efSearch = le.Uint32(b[40:]), le.Uint32(b[44:]), le.Uint32(b[48:])
	x.copies = le.Uint32(b[52:])
	return x
}

// WriteFile writes the graph to a file beside path and renames it.
func (h *HNSW) WriteFile(path string) error {
	return replaceFile(path, func(w io.Writer) error {
		_, err := h.WriteTo(w)
		return err
	})
}

// WriteTo writes the graph, without the vectors. It implements [io.WriterTo].
func (h *HNSW) WriteTo(w io.Writer) (int64, error) {
	out := &graphWriter{w: bufio.NewWriterSize(w, 1<<16)}
	o := h.options
	out.write(hnswHeader{
		hnswVersion, uint32(h.Dim()),
		uint64(h.Len()), h.vectors.Fingerprint(), o.Seed,
		uint32(o.M), uint32(o.EfConstruction), uint32(o.EfSearch), uint32(len(h.copies)),
	}.encode())
	out.words(h.links)
	out.words(h.upper)
	for _, c := range h.copies {
		out.words([]uint32{c.first, c.row})
	}
	out.words([]uint32{out.sum})
	if out.err == nil {
		out.err = out.w.Flush()
	}
	return out.n, out.err
}

// graphWriter counts and sums what it writes, and writes nothing after an error.
type graphWriter struct {
	w   *bufio.Writer
	n   int64
	sum uint32
	err error
}

func (w *graphWriter) write(b []byte) {
	if w.err != nil {
		return
	}
	var n int
	n, w.err = w.w.Write(b)
	w.n += int64(n)
	w.sum = crc32.Update(w.sum, castagnoli, b)
}

func (w *graphWriter) words(words []uint32) {
	var block [4096]byte
	for len(words) > 0 {
		n := min(len(words), len(block)/4)
		for i, x := range words[:n] {
			binary.LittleEndian.PutUint32(block[4*i:], x)
		}
		w.write(block[:4*n])
		words = words[n:]
	}
}

// OpenHNSW reads the graph in a file: see [ReadHNSW].
func OpenHNSW(path string, v *Vectors) (*HNSW, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	h, err := ReadHNSW(file, v)
	if wrong, ok := err.(*FormatError); ok {
		wrong.File = path
		return nil, wrong
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return h, nil
}
