package model

import (
	"fmt"

	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// ExemplarIndex holds the exemplars that a linker searches, and their concepts. Both have a row for each exemplar. The
// vectors are in [Vectors] if the model has an encoder.
type ExemplarIndex struct {
	concepts  safetensors.Lists               // of each row, as positions in the dictionary
	names     *nameTexts                      // for bare names; nil for contexts
	exemplars func() ([]text.Exemplar, error) // reads contexts on the first call; nil if there are none
}

// Len returns the number of rows.
func (r *ExemplarIndex) Len() int { return r.concepts.Len() }

// Concepts returns the concepts of a row as positions in the dictionary. The slice must not be modified.
func (r *ExemplarIndex) Concepts(row int32) []int32 { return r.concepts.At(row) }

// RowsOfConcepts returns the rows of each concept.
func (r *ExemplarIndex) RowsOfConcepts() safetensors.Lists {
	return r.concepts.Inverted(r.names.dict.Len())
}

// Text returns a copy of the name in a row. The rows must be bare names.
func (r *ExemplarIndex) Text(row int32) string { return r.names.texts.At(int(row)) }

// Origin returns the origin of the name in a row. The rows must be bare names.
func (r *ExemplarIndex) Origin(row int32) (o text.Origin) {
	if origin := r.originText(row); origin != "" {
		_ = o.UnmarshalText([]byte(origin)) // any text is a valid origin
	}
	return o
}

// Exemplar returns the exemplar of a row. For contexts the first call reads all of them: see [ExemplarIndex.Exemplars].
func (r *ExemplarIndex) Exemplar(row int32) (text.Exemplar, error) {
	if r.names != nil {
		return r.name(row), nil
	}
	all, err := r.exemplars()
	if err != nil {
		return text.Exemplar{}, err
	}
	return all[row], nil
}

// name returns the exemplar of the bare name in a row.
func (r *ExemplarIndex) name(row int32) text.Exemplar {
	name := text.NameExemplar(r.Text(row), idsOf(r.names.dict, r.Concepts(row))...)
	name.Origin = r.Origin(row)
	return name
}

// Exemplars returns the exemplar of every row. The slice must not be modified. Each call creates those of names, which
// take ten times as much memory as [ExemplarIndex.Text]. The first call reads contexts from their file: linking needs
// only their vectors and concepts, and a model opens faster without them. An error names the file.
func (r *ExemplarIndex) Exemplars() ([]text.Exemplar, error) {
	if r.names != nil {
		names := make([]text.Exemplar, r.Len())
		for row := range names {
			names[row] = r.name(int32(row))
		}
		return names, nil
	}
	if r.exemplars == nil {
		return nil, nil
	}
	return r.exemplars()
}

// newExemplarIndex returns an index of exemplars. It returns an error if dict lacks one of their concepts.
func newExemplarIndex(dict *kb.Dictionary, exemplars []text.Exemplar) (ExemplarIndex, error) {
	rows := ExemplarIndex{exemplars: func() ([]text.Exemplar, error) { return exemplars, nil }}
	for i := range exemplars {
		concepts := exemplars[i].Mention.Concepts
		positions := kb.ConceptPositions(dict, concepts)
		if len(positions) != len(concepts) {
			return ExemplarIndex{}, fmt.Errorf("row %d has the concepts %v, not all of which are in the dictionary", i,
				concepts)
		}
		rows.concepts.Append(positions...)
	}
	return rows, nil
}
