package pubmed

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
)

func pmids(records []*Record) string {
	var all []string
	for _, r := range records {
		all = append(all, r.PMID)
	}
	return strings.Join(all, " ")
}

// TestMembers splits a file into two gzip members at every byte.
func TestMembers(t *testing.T) {
	input := []byte("<S>" + good(1) + "\n" + good(2) + "</S>")
	for at := range input {
		packed := slices.Concat(pack(t, input[:at]), pack(t, input[at:]))
		if got := read(t, packed); len(got.errors) > 0 || pmids(got.records) != "1 2" {
			t.Fatalf("members meet at byte %d: %v, records %s", at, got.errors, pmids(got.records))
		}
	}
}

// TestTruncated cuts a packed file off at every byte: what was whole is read, and
// one error says that it is not all.
func TestTruncated(t *testing.T) {
	first := pack(t, []byte("<S>"+good(1)+good(2)))
	packed := slices.Concat(first, pack(t, []byte(good(3)+"</S>")))
	for n := 1; n < len(packed); n++ {
		got := read(t, packed[:n])
		if len(got.errors) != 1 {
			t.Fatalf("%d of %d bytes: errors %v, want one", n, len(packed), got.errors)
		}
		reason := got.errors[0].Reason
		switch {
		case n == 1: // too short to be known for gzip
			if reason != "byte 0x1f is not valid UTF-8" && reason != "illegal character U+001F" {
				t.Errorf("%d bytes: %s", n, reason)
			}
		case n == len(first): // whole members, but not the whole XML
			if reason != "file ends within <S>" {
				t.Errorf("%d bytes: %s", n, reason)
			}
		case !strings.HasPrefix(reason, "gzip is cut off after "):
			t.Errorf("%d bytes: %s", n, reason)
		}
		if n >= len(first) && !strings.HasPrefix(pmids(got.records), "1 2") {
			t.Errorf("%d bytes: records %s, want those of the first member", n, pmids(got.records))
		}
	}
}

// TestDamaged changes every byte of the second member. The first is read, and
// whatever comes of the second, it is not taken for sound.
func TestDamaged(t *testing.T) {
	first := pack(t, []byte("<S>"+good(1)+good(2)+"\n"))
	second := pack(t, []byte(good(3)+"</S>"))
	const header = 10 // bytes; holds flags and a time that may be anything
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

func TestRubbishBehindGzip(t *testing.T) {
	packed := append(pack(t, []byte("<S>"+good(1)+"</S>")), "rubbish and more of it"...)
	r := NewReader(bytes.NewReader(packed), "a.xml.gz")
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	_, err := r.Next()
	if err == nil || !strings.Contains(err.Error(), "gzip is damaged") {
		t.Errorf("%v, want damage", err)
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("%v, want io.EOF", err)
	}
}

// TestAhead unpacks whole, cut and damaged files in a goroutine: nothing that is
// read, and no error, is another.
func TestAhead(t *testing.T) {
	packed := slices.Concat(pack(t, []byte("<S>"+good(1)+good(2))), pack(t, []byte(good(3)+"</S>")))
	inputs := [][]byte{packed, []byte("<S>" + good(1) + "</S>")}
	for n := 0; n < len(packed); n += 7 {
		damaged := slices.Clone(packed)
		damaged[n] ^= 1
		inputs = append(inputs, packed[:n], damaged)
	}
	for _, input := range inputs {
		want := read(t, input)
		r := NewReader(bytes.NewReader(input), "test.xml")
		r.Ahead()
		if got := readAll(t, r); !sameOutcome(got, want) {
			t.Errorf("%d bytes: %v, want %v", len(input), got, want)
		}
		if err := r.Close(); err != nil {
			t.Errorf("%d bytes: closing: %v", len(input), err)
		}
	}
}

// TestAheadClosed leaves a file in the middle.
func TestAheadClosed(t *testing.T) {
	r := NewReader(bytes.NewReader(pack(t, []byte("<S>"+strings.Repeat(good(1), 100_000)+"</S>"))), "test.xml")
	r.Ahead()
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil { // again does no harm
		t.Fatal(err)
	}
}
