package ctxnorm

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Dictionary is an immutable set of concepts, ordered by ID.
//
// INVARIANT: IDs are distinct; the names of one concept are distinct, trimmed
// and not empty.
type Dictionary struct {
	concepts []Concept
	index    map[ConceptID]int // every ID and alternative ID -> position in concepts
}

// NewDictionary takes concepts in any order and joins those with equal IDs:
// the first preferred name stays, other names become synonyms in the order they
// come, and empty or repeated names are left out. An alternative ID that is also
// some concept's own ID names that concept; one claimed by several concepts
// names the first by ID.
func NewDictionary(concepts []Concept) *Dictionary {
	joined := make(map[ConceptID]*Concept, len(concepts))
	for i := range concepts {
		c := &concepts[i]
		have, ok := joined[c.ID]
		if !ok {
			have = &Concept{ID: c.ID}
			joined[c.ID] = have
		}
		have.Synonyms = append(have.Synonyms, c.Names()...)
		have.AltIDs = append(have.AltIDs, c.AltIDs...)
		have.Parents = append(have.Parents, c.Parents...)
		if have.Name == "" {
			have.Name = strings.TrimSpace(c.Name)
		}
	}
	d := &Dictionary{
		concepts: make([]Concept, 0, len(joined)),
		index:    make(map[ConceptID]int, len(joined)),
	}
	for _, c := range joined {
		c.Synonyms = distinctNames(c.Name, c.Synonyms)
		c.AltIDs = distinctIDs(c.ID, c.AltIDs)
		c.Parents = distinctIDs(c.ID, c.Parents)
		d.concepts = append(d.concepts, *c)
	}
	slices.SortFunc(d.concepts, func(a, b Concept) int { return cmp.Compare(a.ID, b.ID) })
	for i, c := range d.concepts {
		d.index[c.ID] = i
	}
	for i, c := range d.concepts {
		for _, alt := range c.AltIDs {
			if _, taken := d.index[alt]; !taken {
				d.index[alt] = i
			}
		}
	}
	return d
}

// distinctNames trims names and drops the empty, the repeated and preferred.
func distinctNames(preferred string, names []string) []string {
	seen := map[string]bool{"": true, preferred: true}
	var kept []string
	for _, name := range names {
		name = strings.TrimSpace(name)
		if !seen[name] {
			seen[name] = true
			kept = append(kept, name)
		}
	}
	return kept
}

// distinctIDs sorts ids and drops the empty, the repeated and own.
func distinctIDs(own ConceptID, ids []ConceptID) []ConceptID {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	return slices.DeleteFunc(ids, func(id ConceptID) bool { return id == "" || id == own })
}

// Len is the number of concepts.
func (d *Dictionary) Len() int { return len(d.concepts) }

// At is the concept at position i in the order of IDs. It is not to be changed.
func (d *Dictionary) At(i int) *Concept { return &d.concepts[i] }

// Index is the position of the concept with this ID or alternative ID.
func (d *Dictionary) Index(id ConceptID) (int, bool) {
	i, ok := d.index[id]
	return i, ok
}

// Lookup is the concept with this ID or alternative ID, or nil.
func (d *Dictionary) Lookup(id ConceptID) *Concept {
	if i, ok := d.index[id]; ok {
		return &d.concepts[i]
	}
	return nil
}

// CountNames is the number of names of all concepts together.
func (d *Dictionary) CountNames() int {
	n := 0
	for i := range d.concepts {
		n += len(d.concepts[i].Names())
	}
	return n
}

// Fraction keeps the names whose hash with the seed falls under f, and every
// concept, those left without a name included. The names kept at .25 are among
// those kept at .5, and all are kept at 1. A name is dropped or kept in the same
// way wherever it stands, whatever its case.
func (d *Dictionary) Fraction(f float64, seed uint64) *Dictionary {
	if f >= 1 {
		return d
	}
	kept := make([]Concept, len(d.concepts))
	for i := range d.concepts {
		c := d.concepts[i]
		names := slices.Clone(c.Names())
		names = slices.DeleteFunc(names, func(name string) bool {
			return HashUnit(seed, strings.ToLower(name)) >= f
		})
		c.Name, c.Synonyms = "", names
		if len(names) > 0 {
			c.Name, c.Synonyms = names[0], names[1:]
		}
		kept[i] = c
	}
	return NewDictionary(kept)
}

// Hash identifies the content: the hexadecimal SHA-256 of every concept with
// its names, identifiers and parents, in the order of IDs.
func (d *Dictionary) Hash() string {
	h := sha256.New()
	for i := range d.concepts {
		c := &d.concepts[i]
		fmt.Fprintf(h, "%q\n", c.ID)
		for _, name := range c.Names() {
			fmt.Fprintf(h, "n%q\n", name)
		}
		writeIDs(h, "a", c.AltIDs)
		writeIDs(h, "p", c.Parents)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func writeIDs(w io.Writer, kind string, ids []ConceptID) {
	for _, id := range ids {
		fmt.Fprintf(w, "%s%q\n", kind, id)
	}
}
