package kb

import (
	"errors"
	"slices"
	"sync/atomic"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
)

// table is what a dictionary consists of, in memory and in a file.
type table struct {
	ids      safetensors.Strings // of the concepts, ascending
	names    safetensors.Strings // of all concepts, one after the other: the preferred name first
	nameEnds []uint32            // where the names of each concept end
	flags    []uint8             // of each concept

	words   safetensors.Strings // what the lists below have, ascending
	indexes []int32             // of each word: the concept that has it as ID or alternative ID, -1 if none has
	// of each concept, the numbers of words; of length 0 if no concept has any
	altIDs, xrefs, parents, types, shown safetensors.Lists
}

// The flags of a concept.
const (
	hasName     = 1 << iota // its first name is the preferred one
	nameHeldOut             // which is held out
)

// newTable returns the table of concepts, which are ordered by ID. It panics if the names take more than 4 GB.
func newTable(concepts []*Concept) table {
	t := table{words: wordsIn(concepts)}
	for _, c := range concepts {
		t.ids.Append(string(c.ID))
		flags := uint8(0)
		if c.Name != "" {
			flags |= hasName
			t.names.Append(c.Name)
		}
		if c.NameHeldOut {
			flags |= nameHeldOut
		}
		for _, name := range c.Synonyms {
			t.names.Append(name)
		}
		t.nameEnds, t.flags = append(t.nameEnds, uint32(t.names.Len())), append(t.flags, flags)
		t.altIDs.Append(numbers(&t, c.AltIDs...)...)
		t.xrefs.Append(numbers(&t, c.Xrefs...)...)
		t.parents.Append(numbers(&t, c.Parents...)...)
		t.types.Append(numbers(&t, c.Types...)...)
		t.shown.Append(numbers(&t, c.ShownName)...)
	}
	for _, list := range t.lists() {
		if len(list.Values()) == 0 {
			*list = safetensors.Lists{}
		}
	}
	for word := range t.words.Len() {
		index := int32(-1)
		if at, found := t.ids.Find(t.words.At(word)); found {
			index = int32(at)
		}
		t.indexes = append(t.indexes, index)
	}
	for i := range t.altIDs.Len() {
		for _, word := range t.altIDs.At(int32(i)) {
			if t.indexes[word] < 0 {
				t.indexes[word] = int32(i)
			}
		}
	}
	return t
}

// wordsIn returns the words of the lists of concepts.
func wordsIn(concepts []*Concept) (distinct safetensors.Strings) {
	var words []string
	for _, c := range concepts {
		for _, id := range slices.Concat(c.AltIDs, c.Xrefs, c.Parents) {
			words = append(words, string(id))
		}
		words = append(append(words, c.Types...), c.ShownName)
	}
	slices.Sort(words)
	for _, word := range slices.Compact(words) {
		distinct.Append(word)
	}
	return distinct
}

// numbers returns the numbers of words but "".
func numbers[T ~string](t *table, words ...T) (numbers []int32) {
	for _, word := range words {
		if number, _ := t.words.Find(string(word)); word != "" {
			numbers = append(numbers, int32(number))
		}
	}
	return numbers
}

// listOf returns the list of concept i.
func listOf(list *safetensors.Lists, i int) []int32 {
	if list.Len() == 0 {
		return nil
	}
	return list.At(int32(i))
}

// wordsOf returns the words of the list of concept i, nil for none.
func wordsOf[T ~string](t *table, list *safetensors.Lists, i int) (words []T) {
	for _, word := range listOf(list, i) {
		words = append(words, T(t.words.At(int(word))))
	}
	return words
}

// rangeOf returns where the names of concept i start and end.
func (t *table) rangeOf(i int) (start, end int) {
	if i > 0 {
		start = int(t.nameEnds[i-1])
	}
	return start, int(t.nameEnds[i])
}

// concept makes the concept i.
func (t *table) concept(i int) *Concept {
	c := &Concept{
		ID: ConceptID(t.ids.At(i)), Synonyms: t.names.Slice(t.rangeOf(i)),
		AltIDs: wordsOf[ConceptID](t, &t.altIDs, i), Xrefs: wordsOf[ConceptID](t, &t.xrefs, i),
		Parents: wordsOf[ConceptID](t, &t.parents, i), Types: wordsOf[string](t, &t.types, i),
		NameHeldOut: t.flags[i]&nameHeldOut != 0,
	}
	if t.flags[i]&hasName != 0 {
		if c.Name, c.Synonyms = c.Synonyms[0], c.Synonyms[1:]; len(c.Synonyms) == 0 {
			c.Synonyms = nil
		}
	}
	for _, name := range wordsOf[string](t, &t.shown, i) {
		c.ShownName = name
	}
	return c
}

// Index returns the position of the concept with this ID or alternative ID, as the dictionary spells it, and reports
// whether there is one. See [Dictionary.Find] for an identifier that a user gives.
func (d *Dictionary) Index(id ConceptID) (int, bool) {
	if i, found := d.ids.Find(string(id)); found {
		return i, true
	}
	if word, found := d.words.Find(string(id)); found && d.indexes[word] >= 0 {
		return int(d.indexes[word]), true
	}
	return 0, false
}

// CountNames returns the total number of names over all concepts. A name of two concepts counts twice.
func (d *Dictionary) CountNames() int {
	n := d.names.Len()
	for _, flags := range d.flags {
		if flags&nameHeldOut != 0 {
			n--
		}
	}
	return n
}

// Names returns what [Concept.Names] of the concept at position i does, without making the concept.
func (d *Dictionary) Names(i int) []string {
	start, end := d.rangeOf(i)
	if d.flags[i]&nameHeldOut != 0 {
		start++
	}
	return d.names.Slice(start, end)
}

// NameRows returns the number of rows that [Dictionary.NameAt] has: the names of all concepts, and those held out.
func (d *Dictionary) NameRows() int { return d.names.Len() }

// NameAt returns the name in a row, and the position of its concept, without making the concept. Rows are in the order
// of concepts and of their names. The name is empty if it is held out.
func (d *Dictionary) NameAt(row int) (name string, concept int) {
	concept, _ = slices.BinarySearch(d.nameEnds, uint32(row+1))
	if start, _ := d.rangeOf(concept); row == start && d.flags[concept]&nameHeldOut != 0 {
		return "", concept
	}
	return d.names.At(row), concept
}

// parentsOf appends to dst the positions of the parents of concept i that the dictionary has.
func (t *table) parentsOf(dst []int32, i int) []int32 {
	for _, word := range listOf(&t.parents, i) {
		if at := t.indexes[word]; at >= 0 {
			dst = append(dst, at)
		}
	}
	return dst
}

// Write writes the dictionary to a file that [Open] maps: arrays in the format of safetensors, which Python reads with
// safetensors.numpy.load_file.
func (d *Dictionary) Write(path string) error {
	return safetensors.WriteArrays(path, safetensors.Arrays("", d.fields()))
}

func (t *table) fields() []safetensors.Field {
	return []safetensors.Field{
		{Name: "ids", Data: &t.ids}, {Name: "names", Data: &t.names}, {Name: "name_ends", Data: &t.nameEnds},
		{Name: "flags", Data: &t.flags}, {Name: "words", Data: &t.words}, {Name: "indexes", Data: &t.indexes},
		{Name: "alt_ids", Data: &t.altIDs}, {Name: "xrefs", Data: &t.xrefs}, {Name: "parents", Data: &t.parents},
		{Name: "types", Data: &t.types}, {Name: "shown", Data: &t.shown},
	}
}

// fits reports whether there is as much of each concept as there are concepts.
func (t *table) fits() bool {
	n, lastEnd := t.ids.Len(), uint32(0)
	for i, end := range t.nameEnds {
		if end < lastEnd || i < len(t.flags) && t.flags[i] != 0 && end == lastEnd {
			return false
		}
		lastEnd = end
	}
	for _, list := range t.lists() {
		if list.Len() != n && list.Len() != 0 {
			return false
		}
	}
	return len(t.nameEnds) == n && len(t.flags) == n && int(lastEnd) == t.names.Len() && len(t.indexes) == t.words.Len()
}

func (t *table) lists() []*safetensors.Lists {
	return []*safetensors.Lists{&t.altIDs, &t.xrefs, &t.parents, &t.types, &t.shown}
}

// Open maps a file of a dictionary that [Dictionary.Write] wrote: no text is read until it is asked for. An error says
// that it is no such file; that of another dictionary, or with other names, is not noticed. Close the dictionary when
// no concept is asked for any more: those that it returned stay.
func Open(path string) (*Dictionary, error) {
	file, err := safetensors.Open(path)
	if err != nil {
		return nil, err
	}
	d := &Dictionary{file: file}
	if err = safetensors.ViewFields(file, "", d.fields()); err == nil && !d.fits() {
		err = artifact.Damaged(path, "has %d concepts, but not as much of each", d.Len())
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	d.made = make([]atomic.Pointer[Concept], d.Len())
	return d, nil
}

// Close unmaps the file of [Open].
func (d *Dictionary) Close() error {
	if d.file == nil {
		return nil
	}
	return d.file.Close()
}
