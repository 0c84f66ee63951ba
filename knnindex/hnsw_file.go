package knnindex

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"hash/crc32"
	"io"
	"os"
	"slices"

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

// hnswHeader is what follows the magic, in this order.
type hnswHeader struct {
	Version, Dim                            uint32
	Rows, Fingerprint, Seed                 uint64
	M, EfConstruction, EfSearch, Duplicates uint32
}

// WriteFile writes the graph, without the vectors, to the file at path atomically.
func (h *HNSW) WriteFile(path string) error {
	return artifact.Write(path, h.write)
}

func (h *HNSW) write(w io.Writer) error {
	buffer, sum, o := bufio.NewWriterSize(w, 1<<16), crc32.New(castagnoli), h.options
	out := io.MultiWriter(buffer, sum)
	err := binary.Write(out, binary.LittleEndian, []byte(hnswMagic))
	if err == nil {
		err = binary.Write(out, binary.LittleEndian, hnswHeader{
			hnswVersion, uint32(h.Dim()), uint64(h.Len()), h.vectors.fingerprint(), o.Seed,
			uint32(o.M), uint32(o.EfConstruction), uint32(o.EfSearch), uint32(len(h.duplicates)),
		})
	}
	words := slices.Concat(h.upper)
	for _, d := range h.duplicates {
		words = append(words, d.first, d.row)
	}
	for _, section := range [][]uint32{h.links, words} {
		for chunk := range slices.Chunk(section, 1<<14) {
			if err == nil {
				err = binary.Write(out, binary.LittleEndian, chunk)
			}
		}
	}
	if err == nil {
		err = binary.Write(buffer, binary.LittleEndian, sum.Sum32())
	}
	return cmp.Or(err, buffer.Flush())
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
