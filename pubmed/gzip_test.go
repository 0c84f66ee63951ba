package pubmed

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// gzipped returns data compressed as one gzip member.
func gzipped(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	must.Get(w.Write(data))
	must.Succeed(t, w.Close())
	return b.Bytes()
}

// TestCompressed reads a file of two compressed parts: complete, truncated at each byte, with each byte of the second
// part changed, and with trailing data, also with decompression in a goroutine. Complete records are returned, and the
// last error describes the damage to the compressed data.
func TestCompressed(t *testing.T) {
	encoder := must.Get(zstd.NewWriter(nil))
	for name, compress := range map[string]func([]byte) []byte{
		"gzip": func(data []byte) []byte { return gzipped(t, data) },
		"zstd": func(data []byte) []byte { return encoder.EncodeAll(data, nil) },
	} {
		first := compress([]byte("<S>" + validRecord(1) + validRecord(2) + "\n"))
		whole := slices.Concat(first, compress([]byte(validRecord(3)+"</S>")))
		check := func(what string, n int, data []byte, wantRecords, wantError string) {
			t.Helper()
			got := read(t, data)
			r := NewReader(bytes.NewReader(data), "test.xml")
			r.ReadAhead()
			if ahead := readAll(t, r); !sameResult(got, ahead) {
				t.Errorf("%s, %s %d: %v, in a goroutine %v", name, what, n, got, ahead)
			}
			if err := r.Close(); err != nil {
				t.Errorf("%s, %s %d: Close: %v", name, what, n, err)
			}
			last := "none"
			if len(got.errors) > 0 {
				last = got.errors[len(got.errors)-1].Reason
			}
			if !strings.HasPrefix(pmids(got.records), wantRecords) || !strings.HasPrefix(last, wantError) {
				t.Errorf("%s, %s %d: errors %v, records %s; want %q, %s", name, what, n, got.errors, pmids(got.records), wantError, wantRecords)
			}
		}
		check("whole", 0, whole, "1 2 3", "none")
		for n := 4; n < len(whole); n++ { // fewer bytes are not recognized as compressed
			switch early := name + " data ends early, after "; {
			case n < len(first):
				check("truncated at", n, whole[:n], "", early)
			case n == len(first): // the first part is complete, the XML is not
				check("truncated at", n, whole[:n], "1 2", "file ends within <S>")
			default:
				check("truncated at", n, whole[:n], "1 2", early)
			}
		}
		check("behind", 0, append(slices.Clone(whole), "garbage and more of it"...), "1 2 3", name+" data is damaged before compressed byte ")
		const header = 10 // bytes of gzip, which contain flags and a time, which may have any value
		for n := len(first); name == "gzip" && n < len(whole); n++ {
			damaged := slices.Clone(whole)
			damaged[n] ^= 0x55
			want := ""
			if n < len(first)+3 || n >= len(first)+header {
				want = name + " data "
			}
			check("damaged at", n, damaged, "1 2", want)
		}
	}
}

// TestReadAheadClosed closes a reader in the middle of a file.
func TestReadAheadClosed(t *testing.T) {
	r := NewReader(bytes.NewReader(gzipped(t, []byte("<S>"+strings.Repeat(validRecord(1), 100_000)+"</S>"))), "test.xml")
	r.ReadAhead()
	must.Get(r.Next())
	for range 2 { // a second Close has no effect
		must.Succeed(t, r.Close())
	}
}
