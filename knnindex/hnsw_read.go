package knnindex

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
)

// ReadHNSW reads a graph as [HNSW.WriteTo] writes it, to the end of r. The
// vectors must be those that it was built over: their fingerprint is compared.
// What is no graph, is damaged or belongs to other vectors is refused with a
// [*FormatError].
func ReadHNSW(r io.Reader, v *Vectors) (*HNSW, error) {
	if err := v.checkShape(); err != nil {
		return nil, err
	}
	in := &graphReader{r: bufio.NewReaderSize(r, 1<<16)}
	start := make([]byte, hnswHeaderSize)
	if err := in.read(start, "header"); err != nil {
		return nil, err
	}
	if magic := string(start[:len(hnswMagic)]); magic != hnswMagic {
		return nil, mismatch("magic", strconv.Quote(hnswMagic), strconv.Quote(magic))
	}
	header := decodeHNSWHeader(start)
	options, err := header.check(v)
	if err != nil {
		return nil, err
	}
	// NB: from here on, sizes follow from the vectors at hand and from M, which is
	// at most maxM: a damaged header cannot ask for much memory.
	h := newHNSW(v, options, make(copies, header.copies))
	if err := in.words(h.links, "links of layer 0"); err != nil {
		return nil, err
	}
	if err := in.words(h.upper, "links of upper layers"); err != nil {
		return nil, err
	}
	for i := range h.copies {
		var pair [2]uint32
		if err := in.words(pair[:], "copies"); err != nil {
			return nil, err
		}
		h.copies[i] = copyOf{pair[0], pair[1]}
	}
	if err := in.end(); err != nil {
		return nil, err
	}
	if err := h.check(); err != nil {
		return nil, err
	}
	return h, nil
}

// check holds the header against the vectors, and gives the options in it.
func (x hnswHeader) check(v *Vectors) (HNSWOptions, error) {
	if x.version < 1 || x.version > hnswVersion {
		return HNSWOptions{}, mismatch("version", fmt.Sprintf("1 to %d", hnswVersion), x.version)
	}
	for _, field := range []struct {
		name      string
		want, got uint64
	}{
		{"dimension", uint64(v.Dim), uint64(x.dim)},
		{"rows", uint64(v.Len()), x.rows},
	} {
		if field.want != field.got {
			return HNSWOptions{}, mismatch(field.name, field.want, field.got)
		}
	}
	if uint64(x.copies) > x.rows {
		return HNSWOptions{}, mismatch("copies", fmt.Sprintf("at most %d", x.rows), x.copies)
	}
	want := v.Fingerprint()
	if x.version == 1 {
		want = v.fingerprint(v.Len())
	}
	if want != x.fingerprint {
		return HNSWOptions{}, mismatch("fingerprint of the vectors", fmt.Sprintf("%016x", want), fmt.Sprintf("%016x", x.fingerprint))
	}
	if x.m == 0 || x.efConstruction == 0 || x.efSearch == 0 { // which would stand for the defaults
		return HNSWOptions{}, mismatch("options", "M, efConstruction and efSearch over 0", fmt.Sprintf("%d, %d and %d", x.m, x.efConstruction, x.efSearch))
	}
	o := HNSWOptions{M: int(x.m), EfConstruction: int(x.efConstruction), EfSearch: int(x.efSearch), Seed: x.seed}
	o, err := o.withDefaults()
	if err != nil {
		return o, &FormatError{Part: "options", Want: "those of a graph", Got: err.Error()}
	}
	return o, nil
}

// check proves that no walk can leave the graph, whatever the file held, and
// sets the entry.
func (h *HNSW) check() error {
	isCopy := make([]bool, h.Len())
	for i, c := range h.copies {
		if int(c.first) >= h.Len() || int(c.row) >= h.Len() || c.first >= c.row ||
			i > 0 && compareCopies(h.copies[i-1], c) >= 0 {
			return mismatch("copies", fmt.Sprintf("ordered pairs of rows under %d", h.Len()), fmt.Sprintf("%d of %d", c.row, c.first))
		}
		isCopy[c.row] = true
	}
	for row := range uint32(h.Len()) {
		if !isCopy[row] {
			h.enterAt(row)
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
		return mismatch(fmt.Sprintf("row %d, layer %d", row, layer), fmt.Sprintf("at most %d links", h.maxLinks(layer)), n)
	}
	for _, to := range h.neighbours(row, layer) {
		if int(to) >= h.Len() || int(h.levels[to]) < layer {
			return mismatch(fmt.Sprintf("row %d, layer %d", row, layer), "links to rows of the layer", fmt.Sprintf("row %d", to))
		}
	}
	return nil
}

func mismatch(part string, want, got any) *FormatError {
	return &FormatError{Part: part, Want: fmt.Sprint(want), Got: fmt.Sprint(got)}
}

// graphReader sums what it reads.
type graphReader struct {
	r   *bufio.Reader
	n   int64
	sum uint32
}

// read fills b, or says where the file ends.
func (r *graphReader) read(b []byte, part string) error {
	n, err := io.ReadFull(r.r, b)
	r.n += int64(n)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return mismatch(part, fmt.Sprintf("%d bytes more", len(b)-n), fmt.Sprintf("the end of the file at byte %d", r.n))
	}
	r.sum = crc32.Update(r.sum, castagnoli, b)
	return err
}

func (r *graphReader) words(words []uint32, part string) error {
	var block [4096]byte
	for len(words) > 0 {
		n := min(len(words), len(block)/4)
		if err := r.read(block[:4*n], part); err != nil {
			return err
		}
		for i := range n {
			words[i] = binary.LittleEndian.Uint32(block[4*i:])
		}
		words = words[n:]
	}
	return nil
}

// end reads the checksum, after which the file must end.
func (r *graphReader) end() error {
	want := r.sum
	var got [1]uint32
	if err := r.words(got[:], "checksum"); err != nil {
		return err
	}
	if got[0] != want {
		return mismatch("checksum", fmt.Sprintf("%08x", want), fmt.Sprintf("%08x", got[0]))
	}
	switch _, err := r.r.ReadByte(); {
	case err == nil:
		return mismatch("end of the file", fmt.Sprintf("at byte %d", r.n), "more")
	case err != io.EOF:
		return err
	}
	return nil
}
