package pubmed

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

func pmids(records []*Record) string {
	var all []string
	for _, r := range records {
		all = append(all, r.PMID)
	}
	return strings.Join(all, " ")
}

// TestMembers splits a file into two gzip members, at each byte in turn.
func TestMembers(t *testing.T) {
	input := []byte("<S>" + validRecord(1) + "\n" + validRecord(2) + "</S>")
	for at := range input {
		compressed := slices.Concat(gzipped(t, input[:at]), gzipped(t, input[at:]))
		if got := read(t, compressed); len(got.errors) > 0 || pmids(got.records) != "1 2" {
			t.Fatalf("split at byte %d: errors %v, records %s", at, got.errors, pmids(got.records))
		}
	}
}

// TestTruncated truncates a compressed file of two parts at each byte in turn: complete records are
// returned, followed by one error.
func TestTruncated(t *testing.T) {
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, compress := range map[string]func([]byte) []byte{
		"gzip": func(data []byte) []byte { return gzipped(t, data) },
		"zstd": func(data []byte) []byte { return encoder.EncodeAll(data, nil) },
	} {
		first := compress([]byte("<S>" + validRecord(1) + validRecord(2)))
		compressed := slices.Concat(first, compress([]byte(validRecord(3)+"</S>")))
		if got := read(t, compressed); len(got.errors) > 0 || pmids(got.records) != "1 2 3" {
			t.Fatalf("%s: errors %v, records %s", name, got.errors, pmids(got.records))
		}
		for n := 4; n < len(compressed); n++ { // fewer bytes are not known to be compressed
			got := read(t, compressed[:n])
			want := name + " data ends early, after "
			if n == len(first) { // the first part is complete, the XML is not
				want = "file ends within <S>"
			}
			if len(got.errors) != 1 || !strings.HasPrefix(got.errors[0].Reason, want) {
				t.Errorf("%s, %d of %d bytes: errors %v, want one that begins with %q", name, n, len(compressed), got.errors, want)
			}
			if n >= len(first) && !strings.HasPrefix(pmids(got.records), "1 2") {
				t.Errorf("%s, %d bytes: records %s, want those of the first part", name, n, pmids(got.records))
			}
		}
	}
}

// TestDamaged changes each byte of the second member in turn. The records of the first
// member are returned, and the damage of the second is reported.
func TestDamaged(t *testing.T) {
	first := gzipped(t, []byte("<S>"+validRecord(1)+validRecord(2)+"\n"))
	second := gzipped(t, []byte(validRecord(3)+"</S>"))
	const header = 10 // bytes; contains flags and a time, which may have any value
	for i := range second {
		damaged := bytes.Clone(second)
		damaged[i] ^= 0x55
		got := read(t, slices.Concat(first, damaged))
		if !strings.HasPrefix(pmids(got.records), "1 2") {
			t.Errorf("byte %d: records %s, want those of the first member", i, pmids(got.records))
		}
		if len(got.errors) == 0 && (i < 3 || i >= header) {
			t.Errorf("byte %d: no error", i)
		}
	}
}

func TestGarbageAfterGzip(t *testing.T) {
	compressed := append(gzipped(t, []byte("<S>"+validRecord(1)+"</S>")), "garbage and more of it"...)
	r := NewReader(bytes.NewReader(compressed), "a.xml.gz")
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	_, err := r.Next()
	if err == nil || !strings.Contains(err.Error(), "gzip data is damaged") {
		t.Errorf("error %v, want one that says that the gzip data is damaged", err)
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("%v, want io.EOF", err)
	}
}

// TestReadAhead decompresses intact, truncated and damaged files in a goroutine: records
// and errors are the same as without it.
func TestReadAhead(t *testing.T) {
	compressed := slices.Concat(gzipped(t, []byte("<S>"+validRecord(1)+validRecord(2))), gzipped(t, []byte(validRecord(3)+"</S>")))
	inputs := [][]byte{compressed, []byte("<S>" + validRecord(1) + "</S>")}
	for n := 0; n < len(compressed); n += 7 {
		damaged := slices.Clone(compressed)
		damaged[n] ^= 1
		inputs = append(inputs, compressed[:n], damaged)
	}
	for _, input := range inputs {
		want := read(t, input)
		r := NewReader(bytes.NewReader(input), "test.xml")
		r.ReadAhead()
		if got := readAll(t, r); !sameResult(got, want) {
			t.Errorf("%d bytes: %v, want %v", len(input), got, want)
		}
		if err := r.Close(); err != nil {
			t.Errorf("%d bytes: Close: %v", len(input), err)
		}
	}
}

// TestReadAheadClosed closes a reader in the middle of a file.
func TestReadAheadClosed(t *testing.T) {
	r := NewReader(bytes.NewReader(gzipped(t, []byte("<S>"+strings.Repeat(validRecord(1), 100_000)+"</S>"))), "test.xml")
	r.ReadAhead()
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil { // a second Close has no effect
		t.Fatal(err)
	}
}
