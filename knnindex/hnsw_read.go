package knnindex

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// readHNSW reads a graph written by [HNSW.WriteFile], to the end of r: see [OpenHNSW].
func readHNSW(r io.Reader, v *Vectors) (*HNSW, error) {
	if err := v.checkShape(); err != nil {
		return nil, err
	}
	in := &graphReader{r: bufio.NewReaderSize(r, 1<<16)}
	start := make([]byte, hnswHeaderSize)
	if err := in.read(start, "header"); err != nil {
		return nil, err
	}
	if magic := string(start[:len(hnswMagic)]); magic != hnswMagic {
		return nil, artifact.DamagedAt("", 0, "magic is %q, want %q", magic, hnswMagic)
	}
	header := decodeHNSWHeader(start)
	options, err := header.check(v)
	if err != nil {
		return nil, err
	}
	// NB: from here on, sizes follow from the vectors and from M, which is at most maxM: a
	// damaged header cannot make it allocate much memory.
	h := newHNSW(v, options, make(duplicates, header.duplicates))
	if err := in.words(h.links, "links of layer 0"); err != nil {
		return nil, err
	}
	if err := in.words(h.upper, "links of upper layers"); err != nil {
		return nil, err
	}
	for i := range h.duplicates {
		var pair [2]uint32
		if err := in.words(pair[:], "duplicates"); err != nil {
			return nil, err
		}
		h.duplicates[i] = duplicate{pair[0], pair[1]}
	}
	if err := in.end(); err != nil {
		return nil, err
	}
	if err := h.check(); err != nil {
		return nil, err
	}
	return h, nil
}

// check compares the header with the vectors and returns the options in it.
func (x hnswHeader) check(v *Vectors) (HNSWOptions, error) {
	if x.version != hnswVersion {
		return HNSWOptions{}, damaged("version is %d, want %d", x.version, hnswVersion)
	}
	if uint64(x.dim) != uint64(v.Dim) || x.rows != uint64(v.Len()) {
		return HNSWOptions{}, damaged("graph is of %d x %d vectors, want %d x %d", x.rows, x.dim, v.Len(), v.Dim)
	}
	if uint64(x.duplicates) > x.rows {
		return HNSWOptions{}, damaged("graph has %d duplicates, want at most %d", x.duplicates, x.rows)
	}
	if want := v.fingerprint(); want != x.fingerprint {
		return HNSWOptions{}, damaged("fingerprint of the vectors is %016x, want %016x", x.fingerprint, want)
	}
	if x.m == 0 || x.efConstruction == 0 || x.efSearch == 0 { // which would stand for the defaults
		return HNSWOptions{}, damaged("M, efConstruction and efSearch are %d, %d and %d, want more than 0", x.m,
			x.efConstruction, x.efSearch)
	}
	o := HNSWOptions{M: int(x.m), EfConstruction: int(x.efConstruction), EfSearch: int(x.efSearch), Seed: x.seed}
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

// graphReader counts and checksums the bytes read.
type graphReader struct {
	r   *bufio.Reader
	n   int64
	sum uint32
}

// read fills b with the next bytes of a section of the file.
func (r *graphReader) read(b []byte, section string) error {
	n, err := io.ReadFull(r.r, b)
	r.n += int64(n)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return artifact.DamagedAt("", r.n, "file ends in its %s, want %d more bytes", section, len(b)-n)
	}
	r.sum = crc32.Update(r.sum, castagnoli, b)
	return err
}

func (r *graphReader) words(words []uint32, section string) error {
	var block [4096]byte
	for len(words) > 0 {
		n := min(len(words), len(block)/4)
		if err := r.read(block[:4*n], section); err != nil {
			return err
		}
		for i := range n {
			words[i] = binary.LittleEndian.Uint32(block[4*i:])
		}
		words = words[n:]
	}
	return nil
}

// end reads the checksum and checks that the file ends after it.
func (r *graphReader) end() error {
	want := r.sum
	var got [1]uint32
	if err := r.words(got[:], "checksum"); err != nil {
		return err
	}
	if got[0] != want {
		return artifact.DamagedAt("", r.n-4, "checksum is %08x, want %08x", got[0], want)
	}
	switch _, err := r.r.ReadByte(); {
	case err == nil:
		return artifact.DamagedAt("", r.n, "file continues, want its end")
	case err != io.EOF:
		return err
	}
	return nil
}
