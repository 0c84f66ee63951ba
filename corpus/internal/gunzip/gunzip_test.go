package gunzip

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
)

// pack packs data at a level, as members of some length.
func pack(t testing.TB, data []byte, level, member int) []byte {
	t.Helper()
	var b bytes.Buffer
	for first := true; first || len(data) > 0; first = false {
		z, err := gzip.NewWriterLevel(&b, level)
		if err != nil {
			t.Fatal(err)
		}
		z.Name, z.Comment, z.Extra = "name", "comment", []byte("extra")
		n := min(member, len(data))
		if _, err := z.Write(data[:n]); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		data = data[n:]
	}
	return b.Bytes()
}

// unpack is what a reader made by open gives of packed, and its error.
func unpack[R io.Reader](packed io.Reader, open func(io.Reader) (R, error)) ([]byte, error) {
	z, err := open(packed)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// check compares what is made of packed with what compress/gzip makes of it. Of
// a file that is cut off, the last few codes may be had that compress/gzip has not
// the bits to tell; what is damaged may be told at another place of a header.
func check(t *testing.T, packed []byte) {
	t.Helper()
	want, wantErr := unpack(bytes.NewReader(packed), gzip.NewReader)
	for name, r := range map[string]io.Reader{
		"whole":    bytes.NewReader(packed),
		"halves":   iotest.HalfReader(bytes.NewReader(packed)),
		"with EOF": iotest.DataErrReader(bytes.NewReader(packed)),
	} {
		got, err := unpack(r, NewReader)
		if (err == nil) != (wantErr == nil) || (err == io.EOF) != (wantErr == io.EOF) {
			t.Fatalf("%s: error is %v, want %v", name, err, wantErr)
		}
		if err == io.ErrUnexpectedEOF && len(got) > len(want) {
			got = got[:len(want)]
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("%s: %d bytes, want %d; they differ from byte %d on", name, len(got), len(want), differ(got, want))
		}
	}
}

func differ(a, b []byte) int {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	return i
}

// randomData is of words, of random bytes, or of one byte.
func randomData(r *rand.Rand) []byte {
	var b bytes.Buffer
	for size := r.IntN(1 << (4 + r.IntN(17))); b.Len() < size; {
		switch r.IntN(12) {
		case 0:
			b.Write(bytes.Repeat([]byte{byte(r.Uint32())}, r.IntN(3000)))
		case 1:
			for range r.IntN(300) {
				b.WriteByte(byte(r.Uint32()))
			}
		default:
			fmt.Fprintf(&b, "<Author ValidYN=\"Y\"><LastName>%x</LastName>\n", r.IntN(1+r.IntN(4000)))
		}
	}
	return b.Bytes()
}

var levels = []int{gzip.HuffmanOnly, gzip.NoCompression, gzip.BestSpeed, gzip.DefaultCompression, gzip.BestCompression}

func TestRandom(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 1))
		data := randomData(r)
		packed := pack(t, data, levels[seed%5], 1+r.IntN(len(data)+1))
		check(t, packed)
		for range 5 { // damaged, cut off, with something behind it
			damaged := bytes.Clone(packed)
			damaged[r.IntN(len(damaged))] ^= 1 << r.IntN(8)
			check(t, damaged)
		}
		check(t, packed[:r.IntN(len(packed))])
		check(t, append(packed, make([]byte, 1+r.IntN(20))...))
	}
}

func TestCutOff(t *testing.T) {
	data := []byte(strings.Repeat("a name, and another name; ", 9))
	for _, level := range levels {
		packed := pack(t, data, level, 100)
		for n := range packed {
			check(t, packed[:n])
			if got, _ := unpack(bytes.NewReader(packed[:n]), NewReader); !bytes.HasPrefix(data, got) {
				t.Fatalf("level %d, %d bytes: %q", level, n, got)
			}
		}
	}
}

// TestReadError lets the source fail behind every byte: what was read before is
// unpacked.
func TestReadError(t *testing.T) {
	broken := errors.New("the disk is broken")
	packed := pack(t, []byte(strings.Repeat("name ", 100)), gzip.BestSpeed, 300)
	for n := range packed {
		source := io.MultiReader(bytes.NewReader(packed[:n]), iotest.ErrReader(broken))
		got, err := unpack(source, NewReader)
		if err != broken {
			t.Errorf("%d bytes: error is %v, want %v", n, err, broken)
		}
		if want, _ := unpack(bytes.NewReader(packed[:n]), NewReader); !bytes.Equal(got, want) {
			t.Errorf("%d bytes: %q, want %q", n, got, want)
		}
	}
}

func FuzzReader(f *testing.F) {
	for _, level := range levels {
		f.Add(pack(f, []byte(strings.Repeat("name, another name; ", 20)), level, 300))
	}
	f.Fuzz(func(t *testing.T, packed []byte) { check(t, packed) })
}

func BenchmarkReader(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	var data []byte
	for len(data) < 4<<20 {
		data = append(data, randomData(r)...)
	}
	packed := pack(b, data, gzip.DefaultCompression, len(data))
	for _, c := range []struct {
		name string
		open func(io.Reader) (io.Reader, error)
	}{
		{"ours", func(r io.Reader) (io.Reader, error) { return NewReader(r) }},
		{"compress-gzip", func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				z, err := c.open(bytes.NewReader(packed))
				if err != nil {
					b.Fatal(err)
				}
				if _, err := io.Copy(io.Discard, z); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
