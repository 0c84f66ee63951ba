package matcher

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/blevesearch/vellum"

	"ctxnorm"
)

// encode writes the sections of the file of a tagger, but for the names: only
// [Tagger.WriteTo] needs them as a transducer.
func encode(clean Clean, postings []posting) (sections [sectionCount][]byte, err error) {
	if sections[sectionOptions], err = json.Marshal(clean); err != nil {
		return sections, err
	}
	var concepts []ctxnorm.ConceptID
	for i := range postings {
		concepts = append(concepts, postings[i].concepts...)
	}
	slices.Sort(concepts)
	concepts = slices.Compact(concepts)
	table := binary.AppendUvarint(nil, uint64(len(concepts)))
	place := make(map[ctxnorm.ConceptID]int, len(concepts))
	for i, id := range concepts {
		table = appendString(table, string(id))
		place[id] = i
	}
	sections[sectionConcepts] = table
	list := binary.AppendUvarint(nil, uint64(len(postings)))
	for i := range postings {
		list = appendPosting(list, &postings[i], place)
	}
	sections[sectionPostings] = list
	return sections, nil
}

func appendPosting(dst []byte, p *posting, place map[ctxnorm.ConceptID]int) []byte {
	dst = binary.AppendUvarint(dst, uint64(p.rule))
	dst = binary.AppendUvarint(dst, uint64(len(p.concepts)))
	last := 0
	for _, id := range p.concepts {
		dst = binary.AppendUvarint(dst, uint64(place[id]-last))
		last = place[id]
	}
	if p.rule == exactCase {
		dst = binary.AppendUvarint(dst, uint64(len(p.forms)))
		for _, form := range p.forms {
			dst = appendString(dst, form)
		}
	}
	return dst
}

func appendString(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

func encodeNames(postings []posting) ([]byte, error) {
	var out bytes.Buffer
	builder, err := vellum.New(&out, nil)
	if err != nil {
		return nil, fmt.Errorf("names: %w", err)
	}
	for i := range postings {
		// NB: vellum takes an equal key without a word and keeps one value, so
		// equal names are one posting before they come here (cleaner.join).
		if err := builder.Insert([]byte(postings[i].name), uint64(i)); err != nil {
			return nil, fmt.Errorf("name %q: %w", postings[i].name, err)
		}
	}
	if err := builder.Close(); err != nil {
		return nil, fmt.Errorf("names: %w", err)
	}
	return out.Bytes(), nil
}

// decoder reads the numbers and strings of one section. After the first that is
// not there it reads zeros, and err says so.
type decoder struct {
	section section
	data    []byte
	size    int
	err     error
}

func newDecoder(s section, data []byte) *decoder {
	return &decoder{section: s, data: data, size: len(data)}
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = damaged(d.section, "at byte %d: "+format, append([]any{d.size - len(d.data)}, args...)...)
	}
	d.data = nil
}

func (d *decoder) number() uint64 {
	n, size := binary.Uvarint(d.data)
	if size <= 0 {
		d.fail("want a number")
		return 0
	}
	d.data = d.data[size:]
	return n
}

// count is a number of things that take a byte or more each.
func (d *decoder) count() int {
	n := d.number()
	if n > uint64(len(d.data)) {
		d.fail("%d things in %d bytes", n, len(d.data))
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

// end is the error of the section as a whole.
func (d *decoder) end() error {
	if len(d.data) > 0 {
		d.fail("%d bytes follow its end", len(d.data))
	}
	return d.err
}

func decodeConcepts(data []byte) ([]ctxnorm.ConceptID, error) {
	d := newDecoder(sectionConcepts, data)
	concepts := make([]ctxnorm.ConceptID, d.count())
	for i := range concepts {
		concepts[i] = ctxnorm.ConceptID(d.string())
	}
	return concepts, d.end()
}

func decodePostings(data []byte, concepts []ctxnorm.ConceptID) ([]posting, error) {
	d := newDecoder(sectionPostings, data)
	postings := make([]posting, d.count())
	for i := range postings {
		p := &postings[i]
		rule := d.number()
		if rule > uint64(exactCase) {
			d.fail("case rule %d, want 0 to %d", rule, exactCase)
		}
		p.rule = caseRule(rule)
		p.concepts = make([]ctxnorm.ConceptID, d.count())
		at := uint64(0)
		for j := range p.concepts {
			if at += d.number(); at >= uint64(len(concepts)) {
				d.fail("concept %d of %d", at, len(concepts))
				break
			}
			p.concepts[j] = concepts[at]
		}
		if p.rule == exactCase {
			p.forms = make([]string, d.count())
			for j := range p.forms {
				p.forms[j] = d.string()
			}
		}
		if d.err != nil {
			break
		}
	}
	return postings, d.end()
}

// decodeNames gives each posting its name.
func decodeNames(data []byte, postings []posting) error {
	fst, err := vellum.Load(data)
	if err != nil {
		return damaged(sectionNames, "%v", err)
	}
	if fst.Len() != len(postings) {
		return damaged(sectionNames, "has %d names, want %d", fst.Len(), len(postings))
	}
	it, err := fst.Iterator(nil, nil)
	for i := 0; err == nil; i++ {
		name, number := it.Current()
		if number != uint64(i) || i >= len(postings) {
			return damaged(sectionNames, "%q has number %d, want %d", name, number, i)
		}
		postings[i].name = string(name)
		err = it.Next()
	}
	if err != vellum.ErrIteratorDone {
		return damaged(sectionNames, "%v", err)
	}
	return nil
}
