package matcher

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"hash/crc32"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/realdata"
)

var update = flag.Bool("update", false, "write the file of the current version")

func write(t testing.TB, tagger *Tagger) []byte {
	t.Helper()
	var out bytes.Buffer
	n, err := tagger.WriteTo(&out)
	if err != nil || n != int64(out.Len()) {
		t.Fatalf("WriteTo returned %d, %v and wrote %d bytes", n, err, out.Len())
	}
	return out.Bytes()
}

func sample(t testing.TB) *Tagger {
	return newTestTagger(t, dictionary(
		"D1: AIDS | Acquired Immunodeficiency Syndrome | aids dementia",
		"D2: Gout | 病 気",
		"D3: Gout | Sjögren",
		"D4: α-mannosidosis",
	), DefaultNameFilter())
}

func TestFile(t *testing.T) {
	tagger := sample(t)
	file := write(t, tagger)
	read, err := ReadTagger(file)
	if err != nil {
		t.Fatal(err)
	}
	const text = "AIDS, aids and gout, 病 気, sjogren: Α-MANNOSIDOSIS"
	want := []string{"AIDS=[D1]", "gout=[D2 D3]", "病 気=[D2]", "sjogren=[D3]", "Α-MANNOSIDOSIS=[D4]"}
	if diff := cmp.Diff(want, show(read.Tag(nil, text), text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got, want := read.Fingerprint(), tagger.Fingerprint(); got != want {
		t.Errorf("fingerprint %s after reading, %s before", got, want)
	}
	if diff := cmp.Diff(tagger.filter, read.filter); diff != "" {
		t.Errorf("filter (-written +read):\n%s", diff)
	}
	if !bytes.Equal(file, write(t, read)) {
		t.Error("a tagger that was read is written differently")
	}
}

func TestFileReal(t *testing.T) {
	tagger := newTestTagger(t, realdata.UnionOfMEDIC(t), DefaultNameFilter())
	read, err := ReadTagger(write(t, tagger))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(tagger.entries, read.entries, cmp.AllowUnexported(nameEntry{})); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
}

func TestFingerprint(t *testing.T) {
	seen := map[string]string{}
	for name, tagger := range map[string]*Tagger{
		"sample":          sample(t),
		"other names":     newTestTagger(t, dictionary("D1: gout"), NameFilter{}),
		"other concept":   newTestTagger(t, dictionary("D2: gout"), NameFilter{}),
		"other filter":    newTestTagger(t, dictionary("D1: gout"), NameFilter{Numbers: true}),
		"other case rule": newTestTagger(t, dictionary("D1: GOUT"), NameFilter{Acronyms: true}),
		"empty":           newTestTagger(t, dictionary(), NameFilter{}),
	} {
		if other, ok := seen[tagger.Fingerprint()]; ok {
			t.Errorf("%s has the fingerprint of %s", name, other)
		}
		seen[tagger.Fingerprint()] = name
	}
	if one, two := sample(t), sample(t); one.Fingerprint() != two.Fingerprint() {
		t.Error("two taggers of one dictionary have different fingerprints")
	}
}

// TestFileDamaged changes every byte and truncates the file to every length.
func TestFileDamaged(t *testing.T) {
	file := write(t, sample(t))
	for i := range file {
		changed := slices.Clone(file)
		changed[i] ^= 0x10
		checkRefused(t, changed, sectionAt(file, i))
		checkRefused(t, file[:i], sectionAt(file, i))
	}
	checkRefused(t, append(slices.Clone(file), 0), "names")
}

// sectionAt returns the section of the byte at position i.
func sectionAt(file []byte, i int) string {
	end := headerSize
	if i < end {
		return "header"
	}
	for s := range sectionCount {
		if end += int(binary.LittleEndian.Uint64(file[tableStart+int(s)*tableRowSize:])); i < end {
			return s.String()
		}
	}
	return ""
}

func checkRefused(t *testing.T, file []byte, section string) {
	t.Helper()
	_, err := ReadTagger(file)
	var damaged *files.DamagedError
	if !errors.As(err, &damaged) {
		t.Fatalf("got %v, want a DamagedError", err)
	}
	if !strings.HasPrefix(damaged.Reason, "section "+section+": ") || damaged.Path != "" {
		t.Errorf("%v, want section %s and no path", err, section)
	}
	if damaged.Offset < 0 || damaged.Offset > int64(len(file)) {
		t.Errorf("%v: want a byte of the file, which has %d", err, len(file))
	}
}

// TestFileWrong has invalid sections with a valid checksum.
func TestFileWrong(t *testing.T) {
	tests := []struct {
		section section
		data    string
		offset  int // in the section
		want    string
	}{
		{sectionOptions, "{", 0, "unexpected end of JSON input"},
		{sectionConcepts, "\x05", 1, "5 items in 0 bytes"},
		{sectionConcepts, "\x01\x01a!", 3, "1 bytes follow the section"},
		{sectionEntries, "\x02\x03\x00", 2, "case rule 3, want 0 to 2"},
		{sectionEntries, "\x01\x00\x01\x63", 4, "concept 99, want less than 4"},
		{sectionEntries, "\x80", 0, "want a uvarint"},
	}
	for _, test := range tests {
		tagger := sample(t)
		tagger.sections[test.section] = []byte(test.data)
		_, err := ReadTagger(write(t, tagger))
		want := artifact.DamagedAt("", int64(tagger.sections.start(test.section)+test.offset), "section %s: %s", test.section, test.want)
		if diff := cmp.Diff(want, err); diff != "" {
			t.Errorf("%s %q (-want +got):\n%s", test.section, test.data, diff)
		}
	}
	tagger := sample(t)
	tagger.sections[sectionEntries] = []byte{0} // fewer entries than names
	checkRefused(t, write(t, tagger), "names")
}

// TestFileVersions reads a file of each version of the format. The file of the current
// version is written by go test -run TestFileVersions -update.
func TestFileVersions(t *testing.T) {
	const path = "testdata/v1.tagger"
	if *update {
		if err := os.WriteFile(path, write(t, sample(t)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	read, err := ReadTagger(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sample(t).entries, read.entries, cmp.AllowUnexported(nameEntry{})); diff != "" {
		t.Errorf("(-sample +read):\n%s", diff)
	}
}

func TestFileOfOtherVersion(t *testing.T) {
	file := write(t, sample(t))
	file[8] = 9
	binary.LittleEndian.PutUint32(file[headerSize-8:], crc32.Checksum(file[:headerSize-8], castagnoli))
	_, err := ReadTagger(file)
	if want := "byte 8: section header: file has version 9, want 1"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func BenchmarkReadTagger(b *testing.B) {
	for name, d := range realdata.BenchDictionaries(b) {
		file := write(b, newTestTagger(b, d, DefaultNameFilter()))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(file)))
			for b.Loop() {
				if _, err := ReadTagger(file); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
