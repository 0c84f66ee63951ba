package knnindex

import (
	"bufio"
	"encoding/binary"
	"hash/crc32"
	"io"
	"os"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// The format of a graph file, little-endian:
//
//	bytes  what
//	8      magic, "ctxhnsw\n"
//	4      version: 2
//	4      dimension of the vectors
//	8      rows
//	8      fingerprint of the vectors (Vectors.fingerprint)
//	8      seed
//	4      M
//	4      efConstruction
//	4      efSearch
//	4      number of duplicates: rows equal to an earlier one
//	4 x rows x (1 + 2 M)        links on layer 0, a slot per row: number, neighbors, 0s
//	4 x slots x (1 + M)         links on the layers above, in the same form: the slots
//	                            of row 0 from layer 1 up, of row 1, …
//	8 x duplicates              the first of the equal rows, then the duplicate; sorted
//	4      CRC-32C (Castagnoli) of all preceding bytes
//
// The number of upper slots of a row is its level, which follows from seed and M
// (randomLevel), so that the header determines all sizes. The entry point is the first row
// of the highest level that is not a duplicate.
const (
	hnswMagic      = "ctxhnsw\n"
	hnswVersion    = 2
	hnswHeaderSize = 8 + 4 + 4 + 8 + 8 + 8 + 4*4
)

type hnswHeader struct {
	version, dim                            uint32
	rows, fingerprint, seed                 uint64
	m, efConstruction, efSearch, duplicates uint32
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
	return le.AppendUint32(b, x.duplicates)
}

// decodeHNSWHeader decodes a header whose magic has been checked.
func decodeHNSWHeader(b []byte) (x hnswHeader) {
	le := binary.LittleEndian
	x.version, x.dim = le.Uint32(b[8:]), le.Uint32(b[12:])
	x.rows, x.fingerprint, x.seed = le.Uint64(b[16:]), le.Uint64(b[24:]), le.Uint64(b[32:])
	x.m, x.efConstruction, x.efSearch = le.Uint32(b[40:]), le.Uint32(b[44:]), le.Uint32(b[48:])
	x.duplicates = le.Uint32(b[52:])
	return x
}

// WriteFile writes the graph, without the vectors, to the file at path atomically.
func (h *HNSW) WriteFile(path string) error {
	return artifact.Write(path, h.write)
}

func (h *HNSW) write(w io.Writer) error {
	out := &graphWriter{w: bufio.NewWriterSize(w, 1<<16)}
	o := h.options
	out.write(hnswHeader{
		hnswVersion, uint32(h.Dim()),
		uint64(h.Len()), h.vectors.fingerprint(), o.Seed,
		uint32(o.M), uint32(o.EfConstruction), uint32(o.EfSearch), uint32(len(h.duplicates)),
	}.encode())
	out.words(h.links)
	out.words(h.upper)
	for _, d := range h.duplicates {
		out.words([]uint32{d.first, d.row})
	}
	out.words([]uint32{out.sum})
	if out.err == nil {
		out.err = out.w.Flush()
	}
	return out.err
}

// graphWriter checksums the bytes written. It writes nothing after an error.
type graphWriter struct {
	w   *bufio.Writer
	sum uint32
	err error
}

func (w *graphWriter) write(b []byte) {
	if w.err != nil {
		return
	}
	_, w.err = w.w.Write(b)
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

// OpenHNSW reads the graph file at path. v must be the vectors that the graph was built
// over; their fingerprint is compared. A file that is damaged or belongs to other vectors
// is an [*files.DamagedError].
func OpenHNSW(path string, v *Vectors) (*HNSW, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	h, err := readHNSW(file, v)
	if err != nil {
		return nil, artifact.WithPath(path, err)
	}
	return h, nil
}
