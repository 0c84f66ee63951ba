package model

import (
	"fmt"
	"slices"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// ExemplarIndex holds the exemplars that a linker searches, and their concepts. Row i of each is
// one exemplar. A model with an encoder has their vectors in [Vectors].
type ExemplarIndex struct {
	concepts  rowConcepts
	exemplars func() ([]text.Exemplar, error) // reads them on the first call; nil if there are none
}

// Len returns the number of rows.
func (r *ExemplarIndex) Len() int { return r.concepts.len() }

// Concepts returns the concepts of a row as positions in the dictionary. The slice must
// not be modified.
func (r *ExemplarIndex) Concepts(row int32) []int32 { return r.concepts.of(row) }

// Exemplars returns the exemplar of every row. The slice must not be modified. The
// exemplars of contexts are read from their file on the first call: linking needs only
// their vectors and concepts, and a model opens faster without them. An error names the
// file.
func (r *ExemplarIndex) Exemplars() ([]text.Exemplar, error) {
	if r.exemplars == nil {
		return nil, nil
	}
	return r.exemplars()
}

// newExemplarIndex returns rows of exemplars, without vectors. It returns an error if
// dict lacks one of their concepts.
func newExemplarIndex(dict *kb.Dictionary, exemplars []text.Exemplar) (ExemplarIndex, error) {
	rows := ExemplarIndex{exemplars: func() ([]text.Exemplar, error) { return exemplars, nil }}
	rows.concepts.grow(len(exemplars))
	for i := range exemplars {
		concepts := exemplars[i].Mention.Concepts
		positions := kb.ConceptPositions(dict, concepts)
		if len(positions) != len(concepts) {
			return ExemplarIndex{}, fmt.Errorf("row %d has the concepts %v, not all of which are in the dictionary", i,
				concepts)
		}
		rows.concepts.add(positions...)
	}
	return rows, nil
}

// rowConcepts holds the concepts of rows as positions in the dictionary. It takes 4
// bytes for each row and 4 for each concept of a row.
type rowConcepts struct {
	ends     []int32 // row -> end of its concepts
	concepts []int32 // the concepts of row 0, of row 1, …
}

func (o *rowConcepts) len() int { return len(o.ends) }

// grow makes room for n more rows of one concept each, as most rows are.
func (o *rowConcepts) grow(n int) {
	o.ends, o.concepts = slices.Grow(o.ends, n), slices.Grow(o.concepts, n)
}

// add appends a row.
func (o *rowConcepts) add(concepts ...int32) {
	o.concepts = append(o.concepts, concepts...)
	o.ends = append(o.ends, int32(len(o.concepts)))
}

// of returns the concepts of a row. The slice must not be modified.
func (o *rowConcepts) of(row int32) []int32 {
	start := int32(0)
	if row > 0 {
		start = o.ends[row-1]
	}
	return o.concepts[start:o.ends[row]]
}
