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
	file = slices.Clone(file)
	file[8] = 9
	binary.LittleEndian.PutUint32(file[headerSize-8:], crc32.Checksum(file[:headerSize-8], castagnoli))
	want := "byte 8: section header: file has version 9, want 1"
	if _, err := ReadTagger(file); err == nil || err.Error() != want {
		t.Errorf("another version: got %v, want %s", err, want)
	}
}

// TestTransducerIsRefused has transducers that lead out of the file, in circles, or nowhere.
func TestTransducerIsRefused(t *testing.T) {
	const oneTransition, next, isFinal = 1 << 7, 1 << 6, 1 << 6 // bits of a state's last byte
	file := func(keys, root uint64, states ...byte) []byte {
		data := binary.LittleEndian.AppendUint64(nil, 1)
		data = append(append(data, make([]byte, 8)...), states...)
		return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(data, keys), root)
	}
	for what, data := range map[string][]byte{
		"too short":                {1, 2, 3},
		"another version":          append([]byte{2}, file(0, 16, 0)[1:]...),
		"root in the footer":       file(1, 17, 0),
		"root behind the file":     file(1, 1<<40, 0),
		"one empty name":           file(2, 0, 0),
		"no transition":            file(1, 18, 0, 0, 0),
		"labels in the header":     file(1, 16, isFinal|1),
		"256 labels in the header": file(1, 18, 0, 1, isFinal),
		"distances of 9 bytes":     file(1, 19, 1, 2, 0x90, isFinal|1),
		"an address below 0":       file(1, 19, 200, 'a', 0x10, 1),
		"labels that are equal":    file(1, 21, 1, 1, 'a', 'a', 0x10, 2),
		"a state in the header":    file(1, 16, oneTransition|next|1),
		"a state to itself":        file(1, 25, 0xf7, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x80, oneTransition|1),
	} {
		t.Run(what, func(t *testing.T) {
			sections := readSections(t, write(t, sample(t)))
			sections[sectionNames] = data
			checkRefused(t, withSections(t, sections), "names")
		})
	}
}

// withSections returns a file with these sections, whose checksums fit.
func withSections(t testing.TB, sections sectionData) []byte {
	t.Helper()
	return write(t, &Tagger{sections: sections})
}

// readSections returns the sections of a file.
func readSections(t testing.TB, file []byte) sectionData {
	t.Helper()
	sections, err := splitFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return sections
}

// checkRead reads a file whose checksums fit. It must be refused as damaged, or be a tagger
// that works.
func checkRead(t *testing.T, file []byte) {
	t.Helper()
	tagger, err := ReadTagger(file)
	if err != nil {
		if _, ok := errors.AsType[*files.DamagedError](err); !ok {
			t.Fatalf("error is %v, want a DamagedError", err)
		}
		return
	}
	const text = "AIDS, aids and gout, 病 気, sjogren: Α-MANNOSIDOSIS; acquired immunodeficiency syndrome (AIDS)"
	for _, m := range tagger.Tag(nil, text) {
		if m.Start < 0 || m.Start >= m.End || m.End > len(text) {
			t.Fatalf("mention is %v of %d bytes", m.Span, len(text))
		}
	}
	tagger.LookupLongForm("acquired immunodeficiency syndrome")
	tagger.Fingerprint()
	if again, err := ReadTagger(write(t, tagger)); err != nil || again.Fingerprint() != tagger.Fingerprint() {
		t.Fatalf("what was read is written as a file that differs: %v", err)
	}
}

// TestFileHostile flips every bit of every section, with checksums that fit.
func TestFileHostile(t *testing.T) {
	sections := readSections(t, write(t, sample(t)))
	for s := range sectionCount {
		for i := range sections[s] {
			for bit := range 8 {
				changed := sections
				changed[s] = slices.Clone(sections[s])
				changed[s][i] ^= 1 << bit
				checkRead(t, withSections(t, changed))
			}
		}
	}
}

// FuzzReadTagger reads files whose checksums fit.
func FuzzReadTagger(f *testing.F) {
	sections := readSections(f, write(f, sample(f)))
	f.Add(sections[0], sections[1], sections[2], sections[3])
	sections = readSections(f, write(f, newTestTagger(f, dictionary("D1: gout"), NameFilter{})))
	f.Add(sections[0], sections[1], sections[2], sections[3])
	f.Fuzz(func(t *testing.T, options, concepts, entries, names []byte) {
		if names == nil {
			names = []byte{} // nil is written anew
		}
		checkRead(t, withSections(t, sectionData{options, concepts, entries, names}))
	})
}
