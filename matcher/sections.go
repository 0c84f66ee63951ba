package matcher

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/blevesearch/vellum"

	"github.com/ctxnorm/ctxnorm/kb"
)

// encode returns the sections of a tagger file, except the names: only
// [Tagger.WriteTo] needs those as a transducer.
func encode(filter NameFilter, entries []nameEntry) (sections sectionData, err error) {
	if sections[sectionOptions], err = json.Marshal(filter); err != nil {
		return sections, err
	}
	var concepts []kb.ConceptID
	for i := range entries {
		concepts = append(concepts, entries[i].concepts...)
	}
	slices.Sort(concepts)
	concepts = slices.Compact(concepts)
	table := binary.AppendUvarint(nil, uint64(len(concepts)))
	indexes := make(map[kb.ConceptID]int, len(concepts))
	for i, id := range concepts {
		table = appendString(table, string(id))
		indexes[id] = i
	}
	sections[sectionConcepts] = table
	list := binary.AppendUvarint(nil, uint64(len(entries)))
	for i := range entries {
		list = appendEntry(list, &entries[i], indexes)
	}
	sections[sectionEntries] = list
	return sections, nil
}

// appendEntry appends a name in the form of section entries, but the name itself.
func appendEntry(dst []byte, e *nameEntry, indexes map[kb.ConceptID]int) []byte {
	dst = binary.AppendUvarint(dst, uint64(e.rule))
	dst = binary.AppendUvarint(dst, uint64(len(e.concepts)))
	last := 0
	for _, id := range e.concepts {
		dst = binary.AppendUvarint(dst, uint64(indexes[id]-last))
		last = indexes[id]
	}
	if e.rule == exactCase {
		dst = binary.AppendUvarint(dst, uint64(len(e.forms)))
		for _, form := range e.forms {
			dst = appendString(dst, form)
		}
	}
	return dst
}

func appendString(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// encodeNames returns the transducer from the names to the indexes of their entries.
func encodeNames(entries []nameEntry) ([]byte, error) {
	var out bytes.Buffer
	builder, err := vellum.New(&out, nil)
	if err != nil {
		return nil, fmt.Errorf("names: %w", err)
	}
	for i := range entries {
		if n := len(entries[i].name); n > maxNameBytes {
			return nil, fmt.Errorf("name %.40q has %d bytes, want at most %d", entries[i].name, n, maxNameBytes)
		}
		// NB: vellum accepts an equal key without an error and keeps one value, so
		// equal names must have been merged into one entry (filterRun.merge).
		if err := builder.Insert([]byte(entries[i].name), uint64(i)); err != nil {
			return nil, fmt.Errorf("name %q: %w", entries[i].name, err)
		}
	}
	if err := builder.Close(); err != nil {
		return nil, fmt.Errorf("names: %w", err)
	}
	return out.Bytes(), nil
}

// decoder reads the numbers and strings of one section. After the first failure it
// reads zeros and keeps the error in err.
type decoder struct {
	section section
	data    []byte
	end     int // byte of the file at which the section ends
	err     error
}

func newDecoder(s section, data []byte, start int) *decoder {
	return &decoder{section: s, data: data, end: start + len(data)}
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = damaged(d.section, d.end-len(d.data), format, args...)
	}
	d.data = nil
}

func (d *decoder) number() uint64 {
	n, size := binary.Uvarint(d.data)
	if size <= 0 {
		d.fail("want a uvarint")
		return 0
	}
	d.data = d.data[size:]
	return n
}

// count reads a number of items that take at least a byte each.
func (d *decoder) count() int {
	n := d.number()
	if n > uint64(len(d.data)) {
		d.fail("%d items in %d bytes", n, len(d.data))
		return 0
	}
	return int(n)
}

func (d *decoder) string() string {
	n := d.count()
	s := string(d.data[:n])
	d.data = d.data[n:]
	return s
}

// finish returns the first error of the section, also if bytes are left over.
func (d *decoder) finish() error {
	if len(d.data) > 0 {
		d.fail("%d bytes follow the section", len(d.data))
	}
	return d.err
}

func decodeConcepts(data []byte, start int) ([]kb.ConceptID, error) {
	d := newDecoder(sectionConcepts, data, start)
	concepts := make([]kb.ConceptID, d.count())
	for i := range concepts {
		concepts[i] = kb.ConceptID(d.string())
	}
	return concepts, d.finish()
}

func decodeEntries(data []byte, start int, concepts []kb.ConceptID) ([]nameEntry, error) {
	d := newDecoder(sectionEntries, data, start)
	entries := make([]nameEntry, d.count())
	for i := range entries {
		e := &entries[i]
		rule := d.number()
		if rule > uint64(exactCase) {
			d.fail("case rule %d, want 0 to %d", rule, exactCase)
		}
		e.rule = caseRule(rule)
		e.concepts = make([]kb.ConceptID, d.count())
		index := uint64(0)
		for j := range e.concepts {
			if index += d.number(); index >= uint64(len(concepts)) {
				d.fail("concept %d, want less than %d", index, len(concepts))
				break
			}
			e.concepts[j] = concepts[index]
		}
		if e.rule == exactCase {
			e.forms = make([]string, d.count())
			for j := range e.forms {
				e.forms[j] = d.string()
			}
		}
		if d.err != nil {
			break
		}
	}
	return entries, d.finish()
}

// The most bytes that the names of a file take, and one of them. Those of UMLS take .5 GB. A transducer can stand for
// names of many times its own size.
const (
	maxNamesBytes = 1 << 30
	maxNameBytes  = 1 << 21
)

// nameWalk is an automaton that matches every name, and nothing any more once it is lost in a damaged transducer,
// whose states may lead in circles. Those that vellum writes lead down, a byte or more with each step, and from
// everywhere to a name.
type nameWalk struct {
	most  int // steps to a name
	steps int // since the last name
}

func (*nameWalk) Start() int                     { return 0 }
func (*nameWalk) IsMatch(int) bool               { return true }
func (*nameWalk) WillAlwaysMatch(int) bool       { return false }
func (w *nameWalk) CanMatch(depth int) bool      { return max(depth, w.steps) <= w.most }
func (w *nameWalk) Accept(depth int, _ byte) int { w.steps++; return depth + 1 }

// decodeNames sets the name of each entry.
func decodeNames(data []byte, start int, entries []nameEntry) (err error) {
	fail := func(format string, args ...any) error { return damaged(sectionNames, start, format, args...) }
	defer func() {
		if r := recover(); r != nil { // vellum trusts the addresses that it reads
			err = fail("%v", r)
		}
	}()
	fst, err := vellum.Load(data)
	if err != nil {
		return fail("%v", err)
	}
	i, size := 0, 0
	walk := &nameWalk{most: min(len(data), maxNameBytes)}
	it, err := fst.Search(walk, nil, nil)
	for ; err == nil; i++ {
		name, number := it.Current()
		if number != uint64(i) || i >= len(entries) {
			return fail("name %q has index %d, want %d of %d", name, number, i, len(entries))
		}
		if size += len(name); size > maxNamesBytes {
			return fail("names take more than %d bytes", maxNamesBytes)
		}
		entries[i].name = string(name)
		walk.steps = 0
		err = it.Next()
	}
	if err != vellum.ErrIteratorDone {
		return fail("%v", err)
	}
	if i != len(entries) {
		return fail("has %d names, want %d", i, len(entries))
	}
	return nil
}
