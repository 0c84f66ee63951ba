package knnindex

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// readHNSW reads a graph written by [HNSW.WriteFile], to the end of r: see [OpenHNSW].
func readHNSW(r io.Reader, v *Vectors) (*HNSW, error) {
	if err := v.checkShape(); err != nil {
		return nil, err
	}
	sum := crc32.New(castagnoli)
	in := &graphReader{r: bufio.NewReaderSize(r, 1<<16)}
	in.from = io.TeeReader(in.r, sum)
	magic := make([]byte, len(hnswMagic))
	if err := in.read(magic, len(magic), "header"); err != nil {
		return nil, err
	}
	if string(magic) != hnswMagic {
		return nil, artifact.DamagedAt("", 0, "magic is %q, want %q", magic, hnswMagic)
	}
	var header hnswHeader
	if err := in.read(&header, hnswHeaderSize-len(hnswMagic), "header"); err != nil {
		return nil, err
	}
	options, err := header.check(v)
	if err != nil {
		return nil, err
	}
	// NB: from here on, sizes follow from the vectors and from M, which is at most maxM: a
	// damaged header cannot make it allocate much memory.
	h := newHNSW(v, options, make(duplicates, header.Duplicates))
	if err := in.words(h.links, "links of layer 0"); err != nil {
		return nil, err
	}
	if err := in.words(h.upper, "links of upper layers"); err != nil {
		return nil, err
	}
	pairs := make([]uint32, 2*len(h.duplicates))
	if err := in.words(pairs, "duplicates"); err != nil {
		return nil, err
	}
	for i := range h.duplicates {
		h.duplicates[i] = duplicate{pairs[2*i], pairs[2*i+1]}
	}
	if err := in.end(sum.Sum32()); err != nil {
		return nil, err
	}
	if err := h.check(); err != nil {
		return nil, err
	}
	return h, nil
}

// check compares the header with the vectors and returns the options in it.
func (x hnswHeader) check(v *Vectors) (HNSWOptions, error) {
	if x.Version != hnswVersion {
		return HNSWOptions{}, damaged("version is %d, want %d", x.Version, hnswVersion)
	}
	if uint64(x.Dim) != uint64(v.Dim) || x.Rows != uint64(v.Len()) {
		return HNSWOptions{}, damaged("graph is of %d x %d vectors, want %d x %d", x.Rows, x.Dim, v.Len(), v.Dim)
	}
	if uint64(x.Duplicates) > x.Rows {
		return HNSWOptions{}, damaged("graph has %d duplicates, want at most %d", x.Duplicates, x.Rows)
	}
	if want := v.fingerprint(); want != x.Fingerprint {
		return HNSWOptions{}, damaged("fingerprint of the vectors is %016x, want %016x", x.Fingerprint, want)
	}
	if x.M == 0 || x.EfConstruction == 0 || x.EfSearch == 0 { // which would stand for the defaults
		return HNSWOptions{}, damaged("M, efConstruction and efSearch are %d, %d and %d, want more than 0", x.M,
			x.EfConstruction, x.EfSearch)
	}
	o := HNSWOptions{M: int(x.M), EfConstruction: int(x.EfConstruction), EfSearch: int(x.EfSearch), Seed: x.Seed}
	o, err := o.withDefaults()
	if err != nil {
		return o, damaged("%v", err)
	}
	return o, nil
}

// check ensures that no search can leave the graph, whatever the file contained, and sets
// the entry point.
func (h *HNSW) check() error {
	isDuplicate := make([]bool, h.Len())
	for i, d := range h.duplicates {
		if int(d.first) >= h.Len() || int(d.row) >= h.Len() || d.first >= d.row ||
			i > 0 && compareDuplicates(h.duplicates[i-1], d) >= 0 {
			return damaged("duplicates contain row %d of row %d, want ordered pairs of rows under %d", d.row, d.first,
				h.Len())
		}
		isDuplicate[d.row] = true
	}
	for row := range uint32(h.Len()) {
		if !isDuplicate[row] {
			h.updateEntryPoint(row)
		}
		for layer := range int(h.levels[row]) + 1 {
			if err := h.checkSlot(row, layer); err != nil {
				return err
			}
		}
	}
	return nil
}

func (h *HNSW) checkSlot(row uint32, layer int) error {
	if n := h.slot(row, layer)[0]; int(n) > h.maxLinks(layer) {
		return damaged("row %d has %d links on layer %d, want at most %d", row, n, layer, h.maxLinks(layer))
	}
	for _, to := range h.neighbors(row, layer) {
		if int(to) >= h.Len() || int(h.levels[to]) < layer {
			return damaged("row %d links to row %d on layer %d, want rows of that layer", row, to, layer)
		}
	}
	return nil
}

// damaged returns an error without path and offset.
func damaged(format string, args ...any) error { return artifact.Damaged("", format, args...) }

// graphReader counts the bytes read.
type graphReader struct {
	r    *bufio.Reader
	from io.Reader // r, and the checksum of what is read
	n    int64
}

// read fills data, of the given number of bytes, from a section of the file.
func (r *graphReader) read(data any, size int, section string) error {
	b := make([]byte, size)
	n, err := io.ReadFull(r.from, b)
	r.n += int64(n)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return artifact.DamagedAt("", r.n, "file ends in its %s, want %d more bytes", section, size-n)
	}
	if err == nil {
		_, err = binary.Decode(b, binary.LittleEndian, data)
	}
	return err
}

func (r *graphReader) words(words []uint32, section string) error {
	for chunk := range slices.Chunk(words, 1<<10) {
		if err := r.read(chunk, 4*len(chunk), section); err != nil {
			return err
		}
	}
	return nil
}

// end compares the checksum of what was read and checks that the file ends after it.
func (r *graphReader) end(want uint32) error {
	var got uint32
	if err := r.read(&got, 4, "checksum"); err != nil {
		return err
	}
	if got != want {
		return artifact.DamagedAt("", r.n-4, "checksum is %08x, want %08x", got, want)
	}
	switch _, err := r.r.ReadByte(); {
	case err == nil:
		return artifact.DamagedAt("", r.n, "file continues, want its end")
	case err != io.EOF:
		return err
	}
	return nil
}
