package input

import (
	"compress/bzip2"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"io"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// unhex returns the bytes for hexadecimal digits.
func unhex(t *testing.T, digits string) string {
	t.Helper()
	data := must.Get(hex.DecodeString(digits))
	return string(data)
}

// These are the lines "a" and "b", and empty data, compressed by bzip2 1.0.8, XZ Utils 5.4.1 and zstd 1.5.4.
const (
	bzip2A    = "425a6839314159265359633ed6e2000000c100001020002000210082b177245385090633ed6e20"
	bzip2B    = "425a683931415926535911d58931000000c100001010002000210082b17724538509011d589310"
	bzip2None = "425a683917724538509000000000"
	xzA       = "fd377a585a000004e6d6b4460200210116000000742fe5a3010001610a00000013473fb8939d45d4" +
		"00011a02dc2ea57e1fb6f37d010000000004595a"
	xzB = "fd377a585a000004e6d6b4460200210116000000742fe5a3010001620a00000004544e5d25177e29" +
		"00011a02dc2ea57e1fb6f37d010000000004595a"
	xzNone = "fd377a585a000004e6d6b446000000001cdf44211fb6f37d010000000004595a"
	zstdA  = "28b52ffd0458110000610a55c8cc1e"
	zstdB  = "28b52ffd0458110000620a22df5a40"
	pzstdA = "502a4d18040000000f000000" + zstdA // as pzstd does
)

// readText returns the text that [NewReader] reads from data.
func readText(data string) (string, error) {
	r, err := NewReader(strings.NewReader(data))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(r)
	return string(text), err
}

func TestCompressed(t *testing.T) {
	for digits, want := range map[string]string{
		bzip2A: "a\n", bzip2None: "", bzip2A + bzip2B: "a\nb\n",
		xzA: "a\n", xzNone: "", xzA + xzB: "a\nb\n", xzA + "00000000" + xzB: "a\nb\n", // padding is allowed between streams
		zstdA: "a\n", zstdA + zstdB: "a\nb\n", pzstdA: "a\n",
	} {
		must.Equal(t, must.Get(readText(unhex(t, digits))), want, digits)
	}
	for _, text := range []string{"BZh", "BZh9 is a cell line.\n", "\xfd7zX", "\x28\xb5\x2f"} {
		must.Equal(t, must.Get(readText(text)), text, "which is not compressed")
	}
}

// TestCompressedCut cuts compressed data at each byte and expects the error that it ends early, in its header or later.
func TestCompressedCut(t *testing.T) {
	for name, data := range map[string]string{
		"gzip": gzipped(t, "a line\n"), "bzip2": unhex(t, bzip2A), "xz": unhex(t, xzA), "zstd": unhex(t, zstdA),
	} {
		magic := map[string]int{"gzip": 2, "bzip2": 10, "xz": 6, "zstd": 4}[name]
		for n := magic; n < len(data); n++ {
			_, err := readText(data[:n])
			switch _, invalid := err.(bzip2.StructuralError); {
			case invalid: // a truncated block of bzip2 has another checksum
			case !errors.Is(err, io.ErrUnexpectedEOF), !strings.HasPrefix(err.Error(), name+" data ends "):
				t.Errorf("the first %d of %d bytes of %s: %v, want that it ends early", n, len(data), name, err)
			}
		}
	}
}

// TestCompressedDamaged changes each byte of compressed data and expects an error or the same text.
func TestCompressedDamaged(t *testing.T) {
	for name, data := range map[string]string{"bzip2": unhex(t, bzip2A), "xz": unhex(t, xzA), "zstd": unhex(t, zstdA)} {
		magic := map[string]int{"bzip2": 10, "xz": 6, "zstd": 4}[name]
		for at := magic; at < len(data); at++ {
			damaged := []byte(data)
			damaged[at] ^= 1 << (at % 8)
			if got, err := readText(string(damaged)); err == nil && got != "a\n" {
				t.Errorf("%s with another byte %d: %q without an error", name, at, got)
			}
		}
	}
}

// TestCompressedMemory reads headers that demand 4 GiB and 2 TiB.
func TestCompressedMemory(t *testing.T) {
	const blockHeader, filterSize, length = 12, 16, 8 // of xz; its CRC-32 follows
	hungryXZ := []byte(unhex(t, xzA))
	hungryXZ[filterSize] = 40 // "4 GiB minus one", in section 5.3.1 of the .xz format
	binary.LittleEndian.PutUint32(hungryXZ[blockHeader+length:], crc32.ChecksumIEEE(hungryXZ[blockHeader:][:length]))
	hungryZstd := []byte(unhex(t, zstdA))
	hungryZstd[5] = 31 << 3 // the exponent above 10 (RFC 8878, section 3.1.1.1.2)
	for name, data := range map[string][]byte{"xz": hungryXZ, "zstd": hungryZstd} {
		want := name + " data takes more than 128 MiB of memory to unpack"
		if _, err := readText(string(data)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestCompressedTwice checks the error for data that is compressed twice.
func TestCompressedTwice(t *testing.T) {
	text := must.Get(readText(gzipped(t, unhex(t, xzA))))
	must.Equal(t, ForeignKind([]byte(text)), "xz within compressed data, want it compressed once",
		"a text that begins as xz")
}

func TestTrimCompression(t *testing.T) {
	for name, want := range map[string]string{"a.obo.gz": "a.obo", "a.xz": "a", "a.csv.bz2": "a.csv", "a.zst": "a", "a.z": "a.z"} {
		must.Equal(t, TrimCompression(name), want, name, "without its compression")
	}
}
