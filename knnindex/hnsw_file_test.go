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
)

// graphFile is a small graph with copies and upper layers, and its file.
func graphFile(t testing.TB) (*HNSW, []byte) {
	t.Helper()
	v := newClusters(4, 8).draw(60)
	copy(v.Row(50), v.Row(3))
	copy(v.Row(40), v.Row(3))
	h := buildHNSW(t, v, HNSWOptions{M: 3, EfConstruction: 20, EfSearch: 30, Seed: 5})
	if len(h.copies) != 2 || len(h.upper) == 0 {
		t.Fatalf("%d copies and %d words of upper layers: choose another seed", len(h.copies), len(h.upper))
	}
	var b bytes.Buffer
	n, err := h.WriteTo(&b)
	if err != nil || n != int64(b.Len()) {
		t.Fatalf("WriteTo gives %d, %v for %d bytes", n, err, b.Len())
	}
	return h, b.Bytes()
}

func TestGraphRoundTrip(t *testing.T) {
	for _, n := range []int{0, 1, 2, 500} {
		v := newClusters(5, 12).draw(n)
		h := buildHNSW(t, v, HNSWOptions{M: 5, EfConstruction: 33, EfSearch: 44, Seed: 6})
		path := filepath.Join(t.TempDir(), "graph")
		if err := h.WriteFile(path); err != nil {
			t.Fatal(err)
		}
		back, err := OpenHNSW(path, v)
		if err != nil {
			t.Fatal(err)
		}
		if back.entry != h.entry || !slices.Equal(back.links, h.links) || !slices.Equal(back.upper, h.upper) {
			t.Errorf("%d rows: another graph comes back", n)
		}
		if got, want := back.Options(), h.Options(); got.M != 5 || got.EfConstruction != 33 || got.EfSearch != 44 || got.Seed != want.Seed {
			t.Errorf("options come back as %+v", got)
		}
		for i := range n {
			if got, want := back.Search(nil, v.Row(i), 9), h.Search(nil, v.Row(i), 9); !slices.Equal(got, want) {
				t.Fatalf("query %d: got %v, want %v", i, got, want)
			}
		}
	}
}

// TestEveryFlippedByteIsRefused flips each byte of a file, and each bit of the
// header's.
func TestEveryFlippedByteIsRefused(t *testing.T) {
	h, file := graphFile(t)
	for at := range file {
		for bit := range 8 {
			if at >= hnswHeaderSize && bit != at%8 {
				continue
			}
			damaged := slices.Clone(file)
			damaged[at] ^= 1 << bit
			_, err := ReadHNSW(bytes.NewReader(damaged), h.vectors)
			var wrong *FormatError
			if !errors.As(err, &wrong) {
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
	other := newClusters(4, 8).draw(60)
	other.Data[0] = -other.Data[0]
	copiesAt := len(file) - 4 - 2*8
	for name, c := range map[string]struct {
		file []byte
		v    *Vectors
		want string
	}{
		"empty":            {nil, h.vectors, "header: want 56 bytes more, got the end of the file at byte 0"},
		"no graph":         {[]byte(strings.Repeat("x", 100)), h.vectors, `magic: want "ctxhnsw\n", got "xxxxxxxx"`},
		"version":          {put(8, 3), h.vectors, "version: want 1 to 2, got 3"},
		"cut in links":     {file[:1000], h.vectors, "links of layer 0: want 736 bytes more, got the end of the file at byte 1000"},
		"cut in sum":       {file[:len(file)-1], h.vectors, "checksum: want 1 bytes more, got the end"},
		"longer":           {append(slices.Clone(file), 0), h.vectors, "end of the file: want at byte "},
		"other dimension":  {file, newClusters(4, 9).draw(60), "dimension: want 9, got 8"},
		"other rows":       {file, newClusters(4, 8).draw(61), "rows: want 61, got 60"},
		"other vectors":    {file, other, "fingerprint of the vectors: want "},
		"M of 0":           {put(40, 0), h.vectors, "options: want M, efConstruction and efSearch over 0, got 0, 20 and 30"},
		"M of 2^31":        {put(40, 1<<31), h.vectors, "options: want those of a graph, got hnsw: want M from 2 to 128"},
		"many copies":      {put(52, 61), h.vectors, "copies: want at most 60, got 61"},
		"too many links":   {put(hnswHeaderSize, 7), h.vectors, "row 0, layer 0: want at most 6 links, got 7"},
		"link to nowhere":  {put(hnswHeaderSize+4, 60), h.vectors, "row 0, layer 0: want links to rows of the layer, got row 60"},
		"copy of itself":   {put(copiesAt, 40), h.vectors, "copies: want ordered pairs of rows under 60, got 40 of 40"},
		"copies unordered": {put(copiesAt+12, 40), h.vectors, "copies: want ordered pairs of rows under 60, got 40 of 3"},
		"no vectors":       {file, &Vectors{}, "dimension of at least 1"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ReadHNSW(bytes.NewReader(c.file), c.v)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got error %v, want %s", err, c.want)
			}
		})
	}
}

// TestVersion1IsRead reads a graph with the fingerprint of all rows.
func TestVersion1IsRead(t *testing.T) {
	v := newClusters(6, 4).draw(fingerprintRows + 500)
	h := buildHNSW(t, v, HNSWOptions{M: 3, EfConstruction: 8, Seed: 5})
	var b bytes.Buffer
	if _, err := h.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	file := b.Bytes()
	all := v.fingerprint(v.Len())
	if all == v.Fingerprint() {
		t.Fatal("both versions have one fingerprint")
	}
	binary.LittleEndian.PutUint32(file[8:], 1)
	if _, err := ReadHNSW(bytes.NewReader(sealed(file)), v); err == nil || !strings.Contains(err.Error(), "fingerprint") {
		t.Errorf("version 1 with the fingerprint of version 2 gives %v", err)
	}
	binary.LittleEndian.PutUint64(file[24:], all)
	back, err := ReadHNSW(bytes.NewReader(sealed(file)), v)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(back.links, h.links) {
		t.Error("another graph comes back")
	}
}

// TestOpenHNSWNamesTheFile checks errors for the name of the file.
func TestOpenHNSWNamesTheFile(t *testing.T) {
	h, file := graphFile(t)
	path := filepath.Join(t.TempDir(), "graph")
	if _, err := OpenHNSW(path, h.vectors); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file gives %v", err)
	}
	if err := os.WriteFile(path, file[:70], 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenHNSW(path, h.vectors); err == nil || !strings.HasPrefix(err.Error(), path+": links of layer 0") {
		t.Errorf("a file cut short gives %v", err)
	}
}

func TestWriteToReportsErrors(t *testing.T) {
	h, file := graphFile(t)
	for _, room := range []int{0, 100, len(file) - 1} {
		if _, err := h.WriteTo(&full{room}); !errors.Is(err, errFull) {
			t.Errorf("room for %d bytes: error %v", room, err)
		}
	}
}

var errFull = errors.New("no space left")

// full takes so many bytes and then no more.
type full struct{ room int }

func (f *full) Write(b []byte) (int, error) {
	n := min(len(b), f.room)
	f.room -= n
	if n < len(b) {
		return n, errFull
	}
	return n, nil
}

// sealed puts the right checksum at the end of a file.
func sealed(file []byte) []byte {
	end := len(file) - 4
	binary.LittleEndian.PutUint32(file[end:], crc32.Checksum(file[:end], castagnoli))
	return file
}

// FuzzReadHNSW reads arbitrary files over the vectors of a graph, with their
// checksum put right: they are refused, or make a graph that can be searched.
func FuzzReadHNSW(f *testing.F) {
	h, file := graphFile(f)
	f.Add(file)
	f.Add(file[:200])
	f.Add(slices.Concat(file[:40], []byte{9, 0, 0, 0}, file[44:]))
	f.Fuzz(func(t *testing.T, file []byte) {
		if len(file) >= 4 {
			file = sealed(slices.Clone(file))
		}
		graph, err := ReadHNSW(bytes.NewReader(file), h.vectors)
		if err != nil {
			return
		}
		for i := range 3 {
			if got := graph.Search(nil, h.vectors.Row(i), 5); len(got) > 5 {
				t.Errorf("5 asked for, %d found", len(got))
			}
		}
	})
}
