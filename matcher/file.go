package matcher

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// The format of a tagger file. Numbers are little-endian.
//
//	offset  size  what
//	0       8     "CTXNTAGR"
//	8       4     version of the format, 1
//	12      4     number of sections, 4
//	16      16*4  the sections, in the order below: length in bytes (8), CRC-32C (4), 0 (4)
//	80      4     CRC-32C of bytes 0 to 80
//	84      4     0
//	88            the sections, one after the other, to the end of the file
//
// Section options: the [NameFilter] that the tagger was made with, as JSON.
//
// Section concepts: the number of concepts, then the sorted ids, each as its length
// and its bytes. This number and those below are uvarints of encoding/binary.
//
// Section entries: the number of names, then for each name
//
//	case rule: 0 any case, 1 capitals, 2 exact
//	number of concepts, then each as its index in section concepts less that of the one before
//	for rule 2, number of forms, then each as its length and its bytes
//
// Section names: a transducer of vellum (version 1 of its format,
// https://github.com/blevesearch/vellum/blob/master/docs/format.md) from each name in
// normal form to the index of its entry, which is its rank among the sorted names.
//
// History of the format: 1 is the first.
const (
	fileMagic    = "CTXNTAGR"
	fileVersion  = 1
	versionAt    = 8                                               // bytes
	countAt      = 12                                              // bytes
	tableStart   = 16                                              // bytes
	tableRowSize = 16                                              // bytes
	headerSize   = tableStart + int(sectionCount)*tableRowSize + 8 // bytes
)

type section int

const (
	sectionOptions section = iota
	sectionConcepts
	sectionEntries
	sectionNames
	sectionCount
	sectionHeader = sectionCount // in errors
)

// sectionData are the contents of the sections of a file.
type sectionData [sectionCount][]byte

// start returns the byte of the file at which section s begins. The sections before it
// must be set.
func (all *sectionData) start(s section) int {
	start := headerSize
	for _, data := range all[:s] {
		start += len(data)
	}
	return start
}

func (s section) String() string {
	return [...]string{"options", "concepts", "entries", "names", "header"}[s]
}

// damaged returns an [*files.DamagedError] for a section, with the byte of the file at
// which the fault was found. It has no path, which only the caller of [ReadTagger] knows.
func damaged(s section, offset int, format string, args ...any) error {
	return artifact.DamagedAt("", int64(offset), "section %s: %s", s, fmt.Sprintf(format, args...))
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// WriteTo writes the tagger in the form that [ReadTagger] reads. Equal taggers write
// equal bytes.
func (t *Tagger) WriteTo(w io.Writer) (int64, error) {
	sections := t.sections
	if sections[sectionNames] == nil {
		var err error
		if sections[sectionNames], err = encodeNames(t.entries); err != nil {
			return 0, err
		}
	}
	head := make([]byte, 0, headerSize)
	head = append(head, fileMagic...)
	head = binary.LittleEndian.AppendUint32(head, fileVersion)
	head = binary.LittleEndian.AppendUint32(head, uint32(sectionCount))
	for _, data := range sections {
		head = binary.LittleEndian.AppendUint64(head, uint64(len(data)))
		head = binary.LittleEndian.AppendUint64(head, uint64(crc32.Checksum(data, castagnoli)))
	}
	head = binary.LittleEndian.AppendUint64(head, uint64(crc32.Checksum(head, castagnoli)))
	written := int64(0)
	for _, data := range append([][]byte{head}, sections[:]...) {
		n, err := w.Write(data)
		written += int64(n)
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// ReadTagger returns the tagger in data, the content of a file that [Tagger.WriteTo]
// wrote. It keeps data, which must not be changed. If the file is truncated or changed,
// the error is an [*files.DamagedError] without a path.
func ReadTagger(data []byte) (*Tagger, error) {
	sections, err := splitFile(data)
	if err != nil {
		return nil, err
	}
	var filter NameFilter
	if err := json.Unmarshal(sections[sectionOptions], &filter); err != nil {
		return nil, damaged(sectionOptions, sections.start(sectionOptions), "%v", err)
	}
	concepts, err := decodeConcepts(sections[sectionConcepts], sections.start(sectionConcepts))
	if err != nil {
		return nil, err
	}
	entries, err := decodeEntries(sections[sectionEntries], sections.start(sectionEntries), concepts)
	if err != nil {
		return nil, err
	}
	if err := decodeNames(sections[sectionNames], sections.start(sectionNames), entries); err != nil {
		return nil, err
	}
	tagger, err := makeTagger(filter, entries, sections)
	if err != nil {
		return nil, damaged(sectionNames, sections.start(sectionNames), "%v", err)
	}
	return tagger, nil
}

// splitFile checks the header and the checksums, and returns the sections.
func splitFile(data []byte) (sections sectionData, err error) {
	if len(data) < headerSize {
		return sections, damaged(sectionHeader, len(data), "file has %d bytes, want at least %d", len(data), headerSize)
	}
	if magic := data[:len(fileMagic)]; string(magic) != fileMagic {
		return sections, damaged(sectionHeader, 0, "file begins with %q, want %q", magic, fileMagic)
	}
	if version := binary.LittleEndian.Uint32(data[versionAt:]); version != fileVersion {
		return sections, damaged(sectionHeader, versionAt, "file has version %d, want %d", version, fileVersion)
	}
	if n := binary.LittleEndian.Uint32(data[countAt:]); n != uint32(sectionCount) {
		return sections, damaged(sectionHeader, countAt, "file has %d sections, want %d", n, sectionCount)
	}
	const sumAt = headerSize - 8
	if want, got := binary.LittleEndian.Uint64(data[sumAt:]), crc32.Checksum(data[:sumAt],
		castagnoli); want != uint64(got) {
		return sections, damaged(sectionHeader, sumAt, "checksum is %08x, want %08x", got, want)
	}
	rest := data[headerSize:]
	for s := range sectionCount {
		row := data[tableStart+int(s)*tableRowSize:]
		size, want := binary.LittleEndian.Uint64(row), binary.LittleEndian.Uint64(row[8:])
		if size > uint64(len(rest)) {
			return sections, damaged(s, len(data), "file ends after %d of %d bytes", len(rest), size)
		}
		sections[s], rest = rest[:size], rest[size:]
		if got := crc32.Checksum(sections[s], castagnoli); uint64(got) != want {
			return sections, damaged(s, sections.start(s), "checksum is %08x, want %08x", got, want)
		}
	}
	if len(rest) > 0 {
		return sections, damaged(sectionNames, len(data)-len(rest), "%d bytes follow the section", len(rest))
	}
	return sections, nil
}
