package matcher

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/blevesearch/vellum"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/realdata"
)

// transducer returns the transducer of sorted keys.
func transducer(t testing.TB, keys []string, value func(i int) uint64) []byte {
	t.Helper()
	var out bytes.Buffer
	builder, err := vellum.New(&out, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, key := range keys {
		if err := builder.Insert([]byte(key), value(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := builder.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestCheckTransducer passes what vellum writes, whatever the keys and values.
func TestCheckTransducer(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	index := func(i int) uint64 { return uint64(i) }
	for name, file := range map[string][]byte{
		"no key":        transducer(t, nil, index),
		"the empty key": transducer(t, []string{""}, index),
		"empty, valued": transducer(t, []string{""}, func(int) uint64 { return 7 }),
		"one key":       transducer(t, []string{"gout"}, index),
	} {
		if err := checkTransducer(file); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for round := range 200 {
		var keys []string
		for range rng.IntN(400) {
			key := make([]byte, rng.IntN(6))
			for i := range key {
				if key[i] = byte(rng.IntN(256)); round%2 == 0 {
					key[i] = "abc"[key[i]%3]
				}
			}
			keys = append(keys, string(key))
		}
		slices.Sort(keys)
		keys = slices.Compact(keys)
		value := index
		if round%3 == 0 {
			value = func(int) uint64 { return rng.Uint64() >> rng.IntN(64) }
		}
		if err := checkTransducer(transducer(t, keys, value)); err != nil {
			t.Fatalf("round %d, %d keys: %v", round, len(keys), err)
		}
	}
}

func TestCheckTransducerReal(t *testing.T) {
	tagger := newTestTagger(t, realdata.UnionOfMEDIC(t), DefaultNameFilter())
	file, err := encodeNames(tagger.entries)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if err := checkTransducer(file); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d names, %d bytes: checked in %v", len(tagger.entries), len(file), time.Since(start))
}

// TestTransducerIsRefused has transducers that vellum leaves, or walks without end.
func TestTransducerIsRefused(t *testing.T) {
	file := func(keys, root uint64, states ...byte) []byte {
		data := binary.LittleEndian.AppendUint64(nil, 1)
		data = append(append(data, make([]byte, 8)...), states...)
		return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(data, keys), root)
	}
	for want, data := range map[string][]byte{
		"has 3 bytes":                       {1, 2, 3},
		"version 2":                         append([]byte{2}, file(0, 16, 0)[1:]...),
		"root is at byte 17, want 16 to 16": file(1, 17, 0),
		"root is at byte 0":                 file(2, 0, 0),
		"is not final and has no trans":     file(1, 18, 0, 0, 0),
		"goes 1 bytes into the header":      file(1, 16, isFinal|1),
		"goes 256 bytes into the header":    file(1, 18, 0, 1, isFinal), // 256 labels, of which there are none
		"distances have 9 bytes":            file(1, 19, 1, 2, 0x90, isFinal|1),
		"leads 200 bytes down":              file(1, 19, 200, 'a', 0x10, 1),
		"to descend":                        file(1, 21, 1, 1, 'a', 'a', 0x10, 2),
		"leads 1 bytes down, want at most":  file(1, 16, oneTransition|nextState|1),
	} {
		if err := checkTransducer(data); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q", err, want)
		}
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
