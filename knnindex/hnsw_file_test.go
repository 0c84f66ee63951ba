package knnindex

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
)

// graphFile returns a small graph with duplicates and upper layers, and its file.
func graphFile(t testing.TB) (*HNSW, []byte) {
	t.Helper()
	v := newClusters(4, 8).sample(60)
	copy(v.Row(50), v.Row(3))
	copy(v.Row(40), v.Row(3))
	h := buildHNSW(t, v, HNSWOptions{M: 3, EfConstruction: 20, EfSearch: 30, Seed: 5})
	if len(h.duplicates) != 2 || len(h.upper) == 0 {
		t.Fatalf("%d duplicates and %d words of upper layers: choose another seed", len(h.duplicates), len(h.upper))
	}
	var b bytes.Buffer
	if err := h.write(&b); err != nil {
		t.Fatal(err)
	}
	return h, b.Bytes()
}

func TestGraphRoundTrip(t *testing.T) {
	for _, n := range []int{0, 1, 2, 500} {
		v := newClusters(5, 12).sample(n)
		h := buildHNSW(t, v, HNSWOptions{M: 5, EfConstruction: 33, EfSearch: 44, Seed: 6})
		path := filepath.Join(t.TempDir(), "graph")
		if err := h.WriteFile(path); err != nil {
			t.Fatal(err)
		}
		back, err := OpenHNSW(path, v)
		if err != nil {
			t.Fatal(err)
		}
		if back.entryPoint != h.entryPoint || !slices.Equal(back.links, h.links) || !slices.Equal(back.upper, h.upper) {
			t.Errorf("%d rows: another graph comes back", n)
		}
		if got, want := back.options, h.options; got.M != 5 || got.EfConstruction != 33 || got.EfSearch != 44 || got.Seed != want.Seed {
			t.Errorf("options come back as %+v", got)
		}
		for i := range n {
			if got, want := back.Search(nil, v.Row(i), 9), h.Search(nil, v.Row(i), 9); !slices.Equal(got, want) {
				t.Fatalf("query %d: got %v, want %v", i, got, want)
			}
		}
	}
}

// TestEveryFlippedByteIsRefused flips one bit of each byte of a file, and each bit of its
// header.
func TestEveryFlippedByteIsRefused(t *testing.T) {
	h, file := graphFile(t)
	for at := range file {
		for bit := range 8 {
			if at >= hnswHeaderSize && bit != at%8 {
				continue
			}
			damaged := slices.Clone(file)
			damaged[at] ^= 1 << bit
			_, err := readHNSW(bytes.NewReader(damaged), h.vectors)
			if _, ok := errors.AsType[*files.DamagedError](err); !ok {
				t.Fatalf("byte %d, bit %d flipped: error %v", at, bit, err)
			}
		}
	}
}

func TestReadHNSWRefuses(t *testing.T) {
	h, file := graphFile(t)
	edit := func(f func(b []byte)) []byte {
		b := slices.Clone(file)
		f(b)
		return sealed(b)
	}
	put := func(at int, x uint32) []byte {
		return edit(func(b []byte) { binary.LittleEndian.PutUint32(b[at:], x) })
	}
	other := newClusters(4, 8).sample(60)
	other.Data[0] = -other.Data[0]
	duplicatesAt := len(file) - 4 - 2*8
	for name, c := range map[string]struct {
		file []byte
		v    *Vectors
		want string
	}{
		"empty":             {nil, h.vectors, "byte 0: file ends in its header, want 8 more bytes"},
		"no graph":          {[]byte(strings.Repeat("x", 100)), h.vectors, `byte 0: magic is "xxxxxxxx", want "ctxhnsw\n"`},
		"version":           {put(8, 3), h.vectors, "version is 3, want 2"},
		"cut in links":      {file[:1000], h.vectors, "byte 1000: file ends in its links of layer 0, want 736 more bytes"},
		"cut in sum":        {file[:len(file)-1], h.vectors, "file ends in its checksum, want 1 more bytes"},
		"longer":            {append(slices.Clone(file), 0), h.vectors, "file continues, want its end"},
		"other dimension":   {file, newClusters(4, 9).sample(60), "graph is of 60 x 8 vectors, want 60 x 9"},
		"other rows":        {file, newClusters(4, 8).sample(61), "graph is of 60 x 8 vectors, want 61 x 8"},
		"other vectors":     {file, other, "fingerprint of the vectors is "},
		"M of 0":            {put(40, 0), h.vectors, "M, efConstruction and efSearch are 0, 20 and 30, want more than 0"},
		"M of 2^31":         {put(40, 1<<31), h.vectors, "hnsw: M is 2147483648, want 2 to 128"},
		"many duplicates":   {put(52, 61), h.vectors, "graph has 61 duplicates, want at most 60"},
		"too many links":    {put(hnswHeaderSize, 7), h.vectors, "row 0 has 7 links on layer 0, want at most 6"},
		"link to nowhere":   {put(hnswHeaderSize+4, 60), h.vectors, "row 0 links to row 60 on layer 0, want rows of that layer"},
		"duplicate of self": {put(duplicatesAt, 40), h.vectors, "duplicates contain row 40 of row 40, want ordered pairs of rows under 60"},
		"not in order":      {put(duplicatesAt+12, 40), h.vectors, "duplicates contain row 40 of row 3, want ordered pairs of rows under 60"},
		"no vectors":        {file, &Vectors{}, "dimension is 0, want at least 1"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readHNSW(bytes.NewReader(c.file), c.v)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got error %v, want %s", err, c.want)
			}
		})
	}
}

// TestOpenHNSWNamesTheFile checks that errors contain the name of the file.
func TestOpenHNSWNamesTheFile(t *testing.T) {
	h, file := graphFile(t)
	path := filepath.Join(t.TempDir(), "graph")
	if _, err := OpenHNSW(path, h.vectors); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: error is %v", err)
	}
	if err := os.WriteFile(path, file[:70], 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenHNSW(path, h.vectors); err == nil || !strings.HasPrefix(err.Error(), path+": byte 70: file ends in its links of layer 0") {
		t.Errorf("a file cut short: error is %v", err)
	}
}

func TestWriteReportsErrors(t *testing.T) {
	h, file := graphFile(t)
	for _, room := range []int{0, 100, len(file) - 1} {
		if err := h.write(&full{room}); !errors.Is(err, errFull) {
			t.Errorf("room for %d bytes: error %v", room, err)
		}
	}
}

var errFull = errors.New("no space left")

// full is a writer that has room for a number of bytes.
type full struct{ room int }

func (f *full) Write(b []byte) (int, error) {
	n := min(len(b), f.room)
	f.room -= n
	if n < len(b) {
		return n, errFull
	}
	return n, nil
}

// sealed writes the right checksum at the end of a file and returns it.
func sealed(file []byte) []byte {
	end := len(file) - 4
	binary.LittleEndian.PutUint32(file[end:], crc32.Checksum(file[:end], castagnoli))
	return file
}

// FuzzReadHNSW reads arbitrary files over the vectors of a graph, with their
// checksum corrected: they are refused, or make a graph that can be searched.
func FuzzReadHNSW(f *testing.F) {
	h, file := graphFile(f)
	f.Add(file)
	f.Add(file[:200])
	f.Add(slices.Concat(file[:40], []byte{9, 0, 0, 0}, file[44:]))
	f.Fuzz(func(t *testing.T, file []byte) {
		if len(file) >= 4 {
			file = sealed(slices.Clone(file))
		}
		graph, err := readHNSW(bytes.NewReader(file), h.vectors)
		if err != nil {
			return
		}
		for i := range 3 {
			if got := graph.Search(nil, h.vectors.Row(i), 5); len(got) > 5 {
				t.Errorf("found %d rows, want at most 5", len(got))
			}
		}
	})
}
