package main

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWiden(t *testing.T) {
	own := [][]byte{[]byte(`["fever",["F"]]`), []byte(`["acute fever",["A","B"]]`)}
	got, err := widen(own, 3)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`["fever",["F"]]`, `["acute fever",["A","B"]]`, // of which "acute fever" is not made again
		`["acute acute fever",["A-acute","B-acute"]]`, `["chronic fever",["F-chronic"]]`, `["chronic acute fever",["A-chronic","B-chronic"]]`}
	if diff := cmp.Diff(strings.Join(want, "\n")+"\n", string(bytes.Join(got, nil))); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	for _, times := range []int{0, len(qualifiers) + 2} {
		if _, err := widen(own, times); err == nil {
			t.Errorf("%d times", times)
		}
	}
	if _, err := widen([][]byte{[]byte(`["fever"`)}, 1); err == nil || !strings.HasPrefix(err.Error(), "row 1: ") {
		t.Errorf("a broken row gave %v", err)
	}
}

func TestMakeLines(t *testing.T) {
	out := filepath.Join(t.TempDir(), "lines")
	for count, want := range map[string]string{"1": "a\n", "3": "a\nb\na\n"} {
		if err := makeLines([]string{"--out", out, "--count", count, "--", "/bin/echo", "a\nb"}); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(out); err != nil || string(got) != want {
			t.Errorf("%s lines: %q (%v), want %q", count, got, err, want)
		}
	}
	for _, args := range [][]string{{"--out", out, "--count", "1"}, {"--out", out, "--", "echo"}, {"--out", out, "--count", "1", "--", "true"}} {
		if err := makeLines(args); err == nil {
			t.Errorf("%v made lines", args)
		}
	}
}

// TestMakeVectors: rows are of unit length, those to search for are others, and a
// second run writes the same.
func TestMakeVectors(t *testing.T) {
	const rows, queries, dim = 60, 5, 48
	read := func() []byte {
		dir := t.TempDir()
		if err := makeVectors([]string{"--out", dir, "--vectors", "60", "--queries", "5", "--dim", "48"}); err != nil {
			t.Fatal(err)
		}
		var all []byte
		for name, want := range map[string]int{"vectors.f32": rows, "queries.f32": queries} {
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil || len(data) != 4*want*dim {
				t.Fatalf("%s has %d bytes (%v), want %d rows of %d", name, len(data), err, want, dim)
			}
			if name == "vectors.f32" {
				all = append(data, all...)
			} else {
				all = append(all, data...)
			}
		}
		meta, err := os.ReadFile(filepath.Join(dir, "meta.json"))
		if err != nil || string(meta) != `{"vectors": 60, "dim": 48, "queries": 5}`+"\n" {
			t.Errorf("meta.json is %q (%v)", meta, err)
		}
		return all
	}
	first := read()
	if !bytes.Equal(first, read()) {
		t.Error("a second run wrote something else")
	}
	numbers := make([]float32, len(first)/4)
	if _, err := binary.Decode(first, binary.LittleEndian, numbers); err != nil {
		t.Fatal(err)
	}
	for i := range rows + queries {
		squares := 0.0
		for _, x := range numbers[i*dim : (i+1)*dim] {
			squares += float64(x) * float64(x)
		}
		if math.Abs(squares-1) > 1e-5 {
			t.Errorf("row %d has length² %g", i, squares)
		}
	}
	if cmp.Equal(numbers[:dim], numbers[rows*dim:(rows+1)*dim]) {
		t.Error("the first query is the first vector")
	}
}
