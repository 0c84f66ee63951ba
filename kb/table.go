package kb

import (
	"errors"
	"slices"
	"sync/atomic"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
)

// table is the data of a dictionary, in memory and in a file.
type table struct {
	ids      safetensors.Strings // of the concepts, ascending
	names    safetensors.Strings // of all concepts, concatenated, the preferred name of each first
	nameEnds []uint32            // end of each concept's names
	flags    []uint8             // of each concept

	words   safetensors.Strings // strings in the lists below, ascending
	indexes []int32             // for each word: the concept with this ID or alternative ID, or -1
	// for each concept: indexes in words; empty if no concept has any
	altIDs, xrefs, parents, types, shown safetensors.Lists
}

// These are the flags of a concept.
const (
	hasName     = 1 << iota // its first name is the preferred one
	nameHeldOut             // the preferred name is held out
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

// wordsIn returns the distinct words in the lists of concepts.
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

// numbers returns the indexes of words, skipping "".
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

// wordsOf returns the words in a list of concept i, or nil.
func wordsOf[T ~string](t *table, list *safetensors.Lists, i int) (words []T) {
	for _, word := range listOf(list, i) {
		words = append(words, T(t.words.At(int(word))))
	}
	return words
}

// rangeOf returns the start and end of the names of concept i.
func (t *table) rangeOf(i int) (start, end int) {
	if i > 0 {
		start = int(t.nameEnds[i-1])
	}
	return start, int(t.nameEnds[i])
}

// concept creates the concept i.
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

// Index returns the position of the concept with this ID or alternative ID in the dictionary's spelling, and whether
// there is one. For an identifier from a user, see [Dictionary.Find].
func (d *Dictionary) Index(id ConceptID) (int, bool) {
	if i, found := d.ids.Find(string(id)); found {
		return i, true
	}
	if word, found := d.words.Find(string(id)); found && d.indexes[word] >= 0 {
		return int(d.indexes[word]), true
	}
	return 0, false
}

// CountNames returns the total number of names, except those held out. A name of two concepts counts twice.
func (d *Dictionary) CountNames() int {
	n := d.names.Len()
	for _, flags := range d.flags {
		if flags&nameHeldOut != 0 {
			n--
		}
	}
	return n
}

// Names returns [Concept.Names] of the concept at position i without creating the concept.
func (d *Dictionary) Names(i int) []string {
	start, end := d.rangeOf(i)
	if d.flags[i]&nameHeldOut != 0 {
		start++
	}
	return d.names.Slice(start, end)
}

// NameRows returns the number of rows of [Dictionary.NameAt]: the names of all concepts, including those held out.
func (d *Dictionary) NameRows() int { return d.names.Len() }

// NameAt returns the name in a row, and the position of its concept, without creating the concept. Rows are in the
// order of concepts and their names. The name is "" if it is held out.
func (d *Dictionary) NameAt(row int) (name string, concept int) {
	concept, _ = slices.BinarySearch(d.nameEnds, uint32(row+1))
	if start, _ := d.rangeOf(concept); row == start && d.flags[concept]&nameHeldOut != 0 {
		return "", concept
	}
	return d.names.At(row), concept
}

// parentsOf appends the positions of the parents of concept i to dst, ignoring unknown parents.
func (t *table) parentsOf(dst []int32, i int) []int32 {
	for _, word := range listOf(&t.parents, i) {
		if at := t.indexes[word]; at >= 0 {
			dst = append(dst, at)
		}
	}
	return dst
}

// Write writes the dictionary to a file that [Open] can map: arrays in the safetensors format, which Python reads with
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

// fits reports whether all fields have the right lengths.
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

// Open maps a file written by [Dictionary.Write]: texts are read on demand. It returns an error if the file has another
// format, but does not notice a file of another dictionary. Close the dictionary after the last use; concepts that it
// returned stay valid.
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
