package model

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// nameTexts holds the names of an [ExemplarIndex] of bare names and their origins.
type nameTexts struct {
	dict    *kb.Dictionary // which contains the concepts
	texts   safetensors.Strings
	sorted  int                 // the number of leading rows that are sorted by their text in lower case
	learned []int32             // the rows of names that are not in the dictionary, ascending
	origins safetensors.Strings // the origin of each name in learned, formatted by [text.Origin.String]
	partial bool                // whether names of the dictionary are missing
}

// newNames returns the names of a dictionary and the synonyms of its concepts that were mined from a corpus, in the
// order of [NameExemplars] and [SynonymExemplars].
func newNames(dict *kb.Dictionary, mined []mine.Synonym) ExemplarIndex {
	type conceptName struct {
		lower, name    string
		concept, index int32
	}
	names := make([]conceptName, 0, dict.CountNames())
	for i := range dict.Len() {
		for _, name := range dict.Names(i) {
			names = append(names, conceptName{strings.ToLower(name), name, int32(i), int32(len(names))})
		}
	}
	slices.SortFunc(names, func(a, b conceptName) int { // much faster than a stable sort
		return cmp.Or(strings.Compare(a.lower, b.lower), cmp.Compare(a.index, b.index))
	})
	rows := ExemplarIndex{names: &nameTexts{dict: dict}}
	var concepts []int32
	for start, end := 0, 0; start < len(names); start = end {
		concepts = concepts[:0]
		for end = start; end < len(names) && names[end].lower == names[start].lower; end++ {
			concepts = append(concepts, names[end].concept)
		}
		rows.addName(names[start].name, "", slices.Compact(concepts)...)
	}
	rows.names.sorted = rows.Len()
	for _, s := range newSynonyms(mined, dict) {
		at, _ := dict.Index(s.Concept)
		rows.addName(s.Text, s.Origin.String(), int32(at))
	}
	return rows
}

// addName appends a row. origin is empty for a name of the dictionary.
func (r *ExemplarIndex) addName(name, origin string, concepts ...int32) {
	if origin != "" {
		r.names.learned = append(r.names.learned, int32(r.Len()))
		r.names.origins.Append(origin)
	}
	r.concepts.Append(concepts...)
	r.names.texts.Append(name)
}

// originText returns the origin of a row, in the form that addName takes.
func (r *ExemplarIndex) originText(row int32) string {
	if at, found := slices.BinarySearch(r.names.learned, row); found {
		return r.names.origins.At(at)
	}
	return ""
}

// rowFields returns the fields of index/names.idx that hold the rows of names and contexts.
func rowFields(names, contexts *ExemplarIndex) []safetensors.Field {
	return []safetensors.Field{
		{Name: "names/concepts", Data: &names.concepts}, {Name: "names/texts", Data: &names.names.texts},
		{Name: "names/learned", Data: &names.names.learned}, {Name: "names/origins", Data: &names.names.origins},
		{Name: "contexts/concepts", Data: &contexts.concepts},
	}
}

// nameFields returns the fields of index/names.idx that are derived from the names, except their [NameIndexes].
func nameFields(ofDictionary *DictionaryIndexes, senses *sense.Names) []safetensors.Field {
	return []safetensors.Field{{Name: "dictionary/", Data: ofDictionary}, {Name: "senses/", Data: senses}}
}

// nameArrays returns the arrays that [Build] writes to index/names.idx.
func nameArrays(ctx context.Context, names, contexts *ExemplarIndex, senses *sense.Names) ([]safetensors.Array, error) {
	ofDictionary := newDictionaryIndexes(ctx, names.names.dict, func() [][]string { return nil })
	indexes, err := names.index(ctx, nil, ofDictionary)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, err
	}
	fields := slices.Concat(rowFields(names, contexts), indexes.fields(ofDictionary), nameFields(ofDictionary, senses))
	return safetensors.Arrays("", fields), ctx.Err() // a done ctx cuts some of them short
}

// openNames maps the arrays of [nameArrays].
func (m *Model) openNames() error {
	file, err := openFile(m, namesFile, safetensors.Open)
	if err != nil {
		return err
	}
	m.closers = append(m.closers, file.Close)
	index := m.Manifest.Index
	m.Names.names = &nameTexts{dict: m.Dictionary, sorted: index.Names - index.Mined}
	if err := safetensors.ViewFields(file, "", rowFields(&m.Names, &m.Contexts)); err != nil {
		return err
	}
	if n := m.Names.names; n.texts.Len() != m.Names.Len() || m.Names.Len() != index.Names || n.origins.Len() != len(n.learned) ||
		m.Contexts.Len() != index.Contexts {
		return artifact.Damaged(m.path(namesFile), "has %d names and %d contexts, want %d and %d", n.texts.Len(), m.Contexts.Len(),
			index.Names, index.Contexts)
	}
	if index.NameForms != nameForms {
		return nil
	}
	m.stored, m.senseNames, m.dictionaryIndexes = file, sense.UnreadNames(m.Dictionary), unread(m.Dictionary)
	return safetensors.ViewFields(file, "", nameFields(m.dictionaryIndexes, m.senseNames))
}

// NameExemplars returns an exemplar for every distinct name of the dictionary, ordered by the name in lower case. Names
// that differ only in case share an exemplar, which has the spelling of the first concept by ID and the concepts of all
// of them.
func NameExemplars(dict *kb.Dictionary) []text.Exemplar {
	rows := newNames(dict, nil)
	names, _ := rows.Exemplars() // only contexts are read from files
	return names
}

// idsOf returns the IDs of the concepts at positions in a dictionary.
func idsOf(dict *kb.Dictionary, positions []int32) []kb.ConceptID {
	ids := make([]kb.ConceptID, len(positions))
	for i, at := range positions {
		ids[i] = dict.ID(int(at))
	}
	return ids
}

// SynonymExemplars returns an exemplar for every synonym mined from the corpus, in their order. It skips synonyms that
// are also a name of any concept in the dictionary, regardless of case, and synonyms of concepts that the dictionary
// lacks.
func SynonymExemplars(mined []mine.Synonym, dict *kb.Dictionary) []text.Exemplar {
	var names []text.Exemplar
	for _, synonym := range newSynonyms(mined, dict) {
		name := text.NameExemplar(synonym.Text, synonym.Concept)
		name.Origin = synonym.Origin
		names = append(names, name)
	}
	return names
}

// newSynonyms returns the synonyms for [SynonymExemplars].
func newSynonyms(mined []mine.Synonym, dict *kb.Dictionary) []mine.Synonym {
	inDictionary := make(map[string]bool, len(mined)) // mined name in lower case -> whether it is in the dictionary
	for _, synonym := range mined {
		inDictionary[strings.ToLower(synonym.Text)] = false
	}
	for i := range dict.Len() {
		for _, name := range dict.Names(i) {
			key := strings.ToLower(name)
			if _, mined := inDictionary[key]; mined {
				inDictionary[key] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(mined), func(s mine.Synonym) bool {
		_, known := dict.Index(s.Concept)
		return inDictionary[strings.ToLower(s.Text)] || !known
	})
}
