package kb

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
)

// Dictionary is an immutable set of concepts, ordered by ID. It is safe for concurrent use.
//
// It stores strings one after the other and numbers, in memory or in a file: see [Dictionary.Write]. A Concept is
// created on demand.
//
// INVARIANT: IDs are distinct; the names of one concept are distinct, trimmed and not empty.
type Dictionary struct {
	table
	made []atomic.Pointer[Concept] // created by At
	file *safetensors.File         // nil if the dictionary is in memory

	spellOnce sync.Once
	spellings map[string]int32 // see [Dictionary.Find]
}

// NewDictionary returns the dictionary of the concepts, which may be in any order. Concepts with equal IDs are merged:
// the first preferred name is kept, all other names become synonyms in input order, and empty and repeated names are
// dropped. An alternative ID that equals the ID of a concept refers to that concept. An alternative ID of several
// concepts refers to the first of them by ID.
func NewDictionary(concepts []Concept) *Dictionary {
	var b Builder
	for i := range concepts {
		b.Add(&concepts[i])
	}
	return b.Dictionary()
}

// Builder collects concepts one at a time, and merges them like [NewDictionary]. The zero value is empty.
type Builder struct {
	Repeated bool // a concept was added several times

	byID     map[ConceptID]*Concept
	concepts []*Concept // in the order of their first addition, which is mostly the order of IDs
}

// Add adds a concept, or further names and details of a concept. It does not keep the slices of c.
func (b *Builder) Add(c *Concept) {
	m, known := b.byID[c.ID]
	b.Repeated = b.Repeated || known
	if !known {
		if b.byID == nil {
			b.byID = make(map[ConceptID]*Concept)
		}
		m = &Concept{ID: c.ID}
		b.byID[c.ID] = m
		b.concepts = append(b.concepts, m)
	}
	m.Synonyms = append(m.Synonyms, c.Names()...)
	m.AltIDs = append(m.AltIDs, c.AltIDs...)
	m.Xrefs = append(m.Xrefs, c.Xrefs...)
	m.Parents = append(m.Parents, c.Parents...)
	m.Types = append(m.Types, c.Types...)
	m.ShownName = cmp.Or(m.ShownName, c.ShownName)
	if m.Name == "" {
		m.Name, m.NameHeldOut = strings.TrimSpace(c.Name), c.NameHeldOut
	}
}

// AddAll adds the concepts of d. If change is not nil, it may alter each concept before it is added, or skip it by
// returning false. It must not write to the slices, which belong to d.
func (b *Builder) AddAll(d *Dictionary, change func(c *Concept) bool) *Builder {
	for _, concept := range d.All() {
		if c := *concept; change == nil || change(&c) {
			b.Add(&c)
		}
	}
	return b
}

// Unmark turns all preferred names into synonyms.
func (b *Builder) Unmark() {
	for _, c := range b.concepts {
		c.Name = "" // it is among the synonyms
	}
}

// Dictionary returns the dictionary of the concepts, after which nothing can be added. It panics if the names take more
// than 4 GB.
func (b *Builder) Dictionary() *Dictionary {
	for _, c := range b.concepts {
		c.NameHeldOut = c.NameHeldOut && c.Name != "" && !slices.Contains(c.Synonyms, c.Name)
		c.Synonyms = distinctNames(c.Name, c.Synonyms)
		c.AltIDs = distinct(c.ID, c.AltIDs)
		c.Xrefs = distinct(c.ID, c.Xrefs)
		c.Parents = distinct(c.ID, c.Parents)
		c.Types = distinct("", c.Types)
	}
	slices.SortFunc(b.concepts, func(a, b *Concept) int { return cmp.Compare(a.ID, b.ID) })
	return &Dictionary{table: newTable(b.concepts), made: make([]atomic.Pointer[Concept], len(b.concepts))}
}

// distinctNames returns the trimmed names without preferred, empty names and duplicates.
func distinctNames(preferred string, names []string) []string {
	var kept []string
	seen := map[string]bool{"": true, preferred: true}
	for _, name := range names {
		name = strings.TrimSpace(name)
		if !seen[name] {
			seen[name] = true
			kept = append(kept, name)
		}
	}
	return kept
}

// distinct returns the values, sorted, without own, empty values and duplicates.
func distinct[T ~string](own T, values []T) []T {
	values = slices.Compact(slices.Sorted(slices.Values(values)))
	return slices.DeleteFunc(values, func(value T) bool { return value == "" || value == own })
}

// Len returns the number of concepts.
func (d *Dictionary) Len() int { return d.ids.Len() }

// ID returns the ID of the concept at position i without creating the concept.
func (d *Dictionary) ID(i int) ConceptID { return ConceptID(d.ids.At(i)) }

// At returns the concept at position i in the order of IDs, always the same pointer. The caller must not modify it.
func (d *Dictionary) At(i int) *Concept {
	if d.made[i].Load() == nil {
		d.made[i].CompareAndSwap(nil, d.concept(i))
	}
	return d.made[i].Load()
}

// All returns the concepts with their positions. The caller must not modify them. Concepts that [Dictionary.At] has not
// returned yet are created only for the caller, so a pass over a large dictionary leaves nothing in memory.
func (d *Dictionary) All() iter.Seq2[int, *Concept] {
	return func(yield func(int, *Concept) bool) {
		for i := range d.made {
			c := d.made[i].Load()
			if c == nil {
				c = d.concept(i)
			}
			if !yield(i, c) {
				return
			}
		}
	}
}

// Lookup returns the concept with this ID or alternative ID in any spelling (see [Dictionary.Find]), or nil.
func (d *Dictionary) Lookup(id ConceptID) *Concept {
	if i, ok := d.Find(id); ok {
		return d.At(i)
	}
	return nil
}

// Fraction returns the dictionary with a pseudo-random sample of its names: those whose hash with the seed, scaled to
// [0, 1), is less than f. It keeps all concepts, even without a name in the sample, and their preferred names for
// display (see [Concept.NameHeldOut]). The names at f = .25 are a subset of the names at f = .5, and f = 1 keeps all
// names. Equal names are kept or dropped together, in any concept and in any case.
//
// A negative or NaN f counts as 0 and keeps no names; an f above 1 counts as 1.
func (d *Dictionary) Fraction(f float64, seed uint64) *Dictionary {
	if f >= 1 {
		return d
	}
	if !(f > 0) { // a NaN would keep every name below
		f = 0
	}
	leftOut := func(name string) bool { return sampling.Unit(seed, strings.ToLower(name)) >= f }
	return new(Builder).AddAll(d, func(c *Concept) bool {
		c.Synonyms = slices.DeleteFunc(slices.Clone(c.Synonyms), leftOut)
		c.NameHeldOut = c.NameHeldOut || leftOut(c.Name)
		return true
	}).Dictionary()
}

// Hash returns a fingerprint of the content: the SHA-256, in hexadecimal, of every concept with its names, identifiers,
// parents and types, in the order of IDs. Names that are only shown and identifiers in other vocabularies do not count,
// because no link depends on them.
func (d *Dictionary) Hash() string {
	h := sha256.New()
	var lines []byte // lines of a concept
	for _, c := range d.All() {
		lines = appendQuoted(lines[:0], "", c.ID)
		lines = appendQuoted(lines, "n", c.Names()...)
		if c.NameHeldOut {
			lines = appendQuoted(lines, "h", c.Name)
		}
		lines = appendQuoted(lines, "a", c.AltIDs...)
		lines = appendQuoted(lines, "p", c.Parents...)
		lines = appendQuoted(lines, "t", c.Types...)
		h.Write(lines)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// appendQuoted appends one line for each value: the kind and the value as [strconv.Quote] writes it.
func appendQuoted[T ~string](lines []byte, kind string, values ...T) []byte {
	for _, value := range values {
		lines = append(lines, kind...)
		lines = strconv.AppendQuote(lines, string(value))
		lines = append(lines, '\n')
	}
	return lines
}

// Find returns the position of the concept with this ID or alternative ID in any spelling, and whether there is one. It
// tries the identifier as it is, then other spellings of the prefix ("HP:0001250" is "hp:0001250", "HP_0001250" and
// "http://purl.obolibrary.org/obo/HP_0001250", and "ORPHA:524" is "Orphanet:524"), then without a prefix if only one of
// the two identifiers has one. It does not find an identifier that may belong to several concepts.
//
// The first identifier that is not found as it is makes Find build an index of all spellings, some hundred bytes each.
func (d *Dictionary) Find(id ConceptID) (int, bool) {
	if i, known := d.Index(id); known || id == "" {
		return i, known
	}
	d.spellOnce.Do(d.spell)
	prefix, local, sure := id.Split()
	i, known := d.spellings[prefix+":"+local]
	switch {
	case known:
	case prefix == "":
		i, known = d.spellings[local]
	case sure:
		i, known = d.spellings[":"+local]
	}
	if !known || i == ambiguous {
		return 0, false
	}
	return int(i), true
}

const ambiguous = -1 // in [Dictionary.spellings]: belongs to several concepts

// spell indexes the common part of all spellings of each identifier.
func (d *Dictionary) spell() {
	d.spellings = make(map[string]int32)
	for i := range d.Len() {
		for _, id := range append(wordsOf[ConceptID](&d.table, &d.altIDs, i), d.ID(i)) {
			at, _ := d.Index(id)
			prefix, local, _ := id.Split()
			keys := []string{prefix + ":" + local, local} // without a prefix, the first begins with a colon
			if prefix == "" {
				keys = keys[:1]
			}
			for _, key := range keys {
				if other, known := d.spellings[key]; known && other != int32(at) {
					d.spellings[key] = ambiguous
				} else {
					d.spellings[key] = int32(at)
				}
			}
		}
	}
}
