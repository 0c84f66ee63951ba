package link

import (
	"fmt"
	"slices"

	"ctxnorm"
	"ctxnorm/knnindex"
)

// Rows are what an index finds: their exemplars, whose concepts are at hand, and, where
// there is an encoder, their vectors and the index over these, row by row.
type Rows struct {
	Vectors *knnindex.Vectors
	Index   knnindex.Index

	concepts  rowConcepts
	exemplars func() ([]ctxnorm.Exemplar, error) // reads them, once; nil for none
}

// Len is the number of rows.
func (r *Rows) Len() int { return r.concepts.len() }

// Exemplars are the exemplars of the rows, not to be changed. Those of contexts are read
// from their file when they are first asked for: mentions are linked by the vectors and
// concepts alone, and a start is the faster for it. An error names the file.
func (r *Rows) Exemplars() ([]ctxnorm.Exemplar, error) {
	if r.exemplars == nil {
		return nil, nil
	}
	return r.exemplars()
}

// newExemplarIndex are rows of exemplars whose concepts dict must have.
func newExemplarIndex(dict *ctxnorm.Dictionary, exemplars []ctxnorm.Exemplar) (Rows, error) {
	rows := Rows{exemplars: func() ([]ctxnorm.Exemplar, error) { return exemplars, nil }}
	rows.concepts.grow(len(exemplars))
	for i := range exemplars {
		concepts := exemplars[i].Mention.Concepts
		positions := conceptPositions(dict, concepts)
		if len(positions) != len(concepts) {
			return Rows{}, fmt.Errorf("row %d is of %v, not all of which the dictionary has", i, concepts)
		}
		rows.concepts.add(positions...)
	}
	return rows, nil
}

// conceptPositions are the positions of concepts in the dictionary, of those that it has.
func conceptPositions(dict *ctxnorm.Dictionary, concepts []ctxnorm.ConceptID) []int32 {
	var positions []int32
	for _, id := range concepts {
		if i, ok := dict.Index(id); ok {
			positions = append(positions, int32(i))
		}
	}
	return positions
}

// rowConcepts are the concepts of rows, by their positions in the dictionary: 4 bytes a row
// and 4 a concept.
type rowConcepts struct {
	ends     []int32 // row -> where its concepts end
	concepts []int32 // of row 0, of row 1, …
}

func (o *rowConcepts) len() int { return len(o.ends) }

// grow makes room for rows of one concept, as most are.
func (o *rowConcepts) grow(rows int) {
	o.ends, o.concepts = slices.Grow(o.ends, rows), slices.Grow(o.concepts, rows)
}

// add adds a row.
func (o *rowConcepts) add(concepts ...int32) {
	o.concepts = append(o.concepts, concepts...)
	o.ends = append(o.ends, int32(len(o.concepts)))
}

// of are the concepts of a row, not to be changed.
func (o *rowConcepts) of(row int32) []int32 {
	start := int32(0)
	if row > 0 {
		start = o.ends[row-1]
	}
	return o.concepts[start:o.ends[row]]
}
