package knnindex

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// threeRows returns the vectors written by testdata/make_npy.py.
func threeRows() *Vectors { return &Vectors{Dim: 2, Data: []float32{1, 0, .6, .8, 0, -1}} }

func TestOpenNumpysFile(t *testing.T) {
	v := must.Get(OpenNPY("testdata/numpy.npy"))
	defer v.Close()
	want := threeRows()
	if v.Dim != want.Dim || !slices.Equal(v.Data, want.Data) {
		t.Errorf("got %d: %v, want %d: %v", v.Dim, v.Data, want.Dim, want.Data)
	}
}

// TestWriteAsNumpyDoes compares bytes with a file by numpy, so numpy can open the file.
func TestWriteAsNumpyDoes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v.npy")
	must.Succeed(t, threeRows().WriteNPY(path))
	got, want := readFile(t, path), readFile(t, "testdata/numpy.npy")
	must.Equal(t, got, want, "WriteNPY differs from numpy")
}

func TestNPYRoundTrip(t *testing.T) {
	for _, n := range []int{0, 1, 1000} {
		v := newClusters(3, 37).sample(n)
		path := filepath.Join(t.TempDir(), "v.npy")
		must.Succeed(t, v.WriteNPY(path))
		back := must.Get(OpenNPY(path))
		if back.Dim != v.Dim || !slices.Equal(back.Data, v.Data) {
			t.Errorf("%d rows come back otherwise", n)
		}
		must.Equal(t, back.fingerprint(), v.fingerprint(), n, "rows: the fingerprint changed")
		for range 2 { // closing again does nothing
			must.Succeed(t, back.Close())
		}
	}
}

func TestOpenNPYRefuses(t *testing.T) {
	whole := string(readFile(t, "testdata/numpy.npy"))
	header := func(from, to string) string {
		changed := strings.Replace("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }", from, to, 1)
		return fmt.Sprintf("header is %q, want descr '<f4', fortran_order False and shape (rows, dim)", changed)
	}
	for name, c := range map[string]struct{ file, want string }{
		"empty":        {"", "has 0 bytes, want at least 10"},
		"magic":        {"PK" + whole[2:], `byte 0: magic is "PKUMPY", want "\x93NUMPY"`},
		"version":      {strings.Replace(whole, "NUMPY\x01", "NUMPY\x02", 1), "version is 2.0, want 1.0"},
		"header":       {whole[:100], "header has 90 bytes, want 118"},
		"float64":      {strings.Replace(whole, "<f4", "<f8", 1), header("<f4", "<f8")},
		"Fortran":      {strings.Replace(whole, "False", "True ", 1), header("False", "True ")},
		"no order":     {strings.Replace(whole, "fortran_order", "fortran_ordeR", 1), header("fortran_order", "fortran_ordeR")},
		"three axes":   {strings.Replace(whole, "(3, 2), }", "(3,2,1),}", 1), header("(3, 2), }", "(3,2,1),}")},
		"no numbers":   {strings.Replace(whole, "(3, 2)", "(3, 0)", 1), header("(3, 2)", "(3, 0)")},
		"negative row": {strings.Replace(whole, "(3, 2)", "(-3,2)", 1), header("(3, 2)", "(-3,2)")},
		"vast": {strings.Replace(whole, "(3, 2), }  ", "(4294967296, 4294967296), }", 1),
			header("(3, 2)", "(4294967296, 4294967296)")},
		"more rows": {strings.Replace(whole, "(3, 2)", "(4, 2)", 1), "data has 24 bytes, want 4 x 2 x 4 = 32"},
		"cut short": {whole[:len(whole)-1], "data has 23 bytes, want 3 x 2 x 4 = 24"},
		"longer":    {whole + "x", "data has 25 bytes, want 3 x 2 x 4 = 24"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "v.npy")
			must.Succeed(t, os.WriteFile(path, []byte(c.file), 0o644))
			_, err := OpenNPY(path)
			var wrong *files.DamagedError
			if !errors.As(err, &wrong) || err.Error() != path+": "+c.want {
				t.Errorf("got error %v, want %s: %s", err, path, c.want)
			}
		})
	}
	_, err := OpenNPY(filepath.Join(t.TempDir(), "none.npy"))
	must.FailWith(t, err, os.ErrNotExist, "a missing file")
}

// TestMisalignedData reads data at an odd address, which the headers of other programs may cause.
func TestMisalignedData(t *testing.T) {
	file := append([]byte{0}, readFile(t, "testdata/numpy.npy")...)
	v := must.Get(parseNPY(file[1:]))
	must.Equal(t, v.Data, threeRows().Data)
}

func TestWriteNPYRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, v := range []*Vectors{{}, {Dim: -1}, {Dim: 3, Data: make([]float32, 4)}} {
		must.Fail(t, v.WriteNPY(filepath.Join(dir, "v.npy")), "", len(v.Data), "numbers in rows", v.Dim, "are written")
	}
	must.Fail(t, threeRows().WriteNPY(filepath.Join(dir, "none", "v.npy")), "", "a file in a missing folder is written")
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func FuzzParseNPY(f *testing.F) {
	whole := readFile(f, "testdata/numpy.npy")
	f.Add(whole)
	f.Add(whole[:64])
	f.Add([]byte(strings.Replace(string(whole), "(3, 2)", "(2, 3)", 1)))
	f.Fuzz(func(t *testing.T, file []byte) {
		v, err := parseNPY(file)
		if err == nil && (len(v.Data) != v.Len()*v.Dim || v.Dim < 1) {
			t.Errorf("accepted %d numbers as %d rows of %d", len(v.Data), v.Len(), v.Dim)
		}
	})
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(path))
}
