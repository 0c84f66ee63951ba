package model

import (
	"context"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// NameIndexes are the indexes of bare names that candidates are generated from.
type NameIndexes struct {
	Rows    safetensors.Lists // concept -> rows of its names
	Lexical *lexical.Index
	Words   *lexical.WordIndex
}

// IndexNames indexes the names of the model.
func (m *Model) IndexNames(ctx context.Context) (*NameIndexes, error) {
	leftOut, err := m.LeftOut()
	if err != nil {
		return nil, err
	}
	return m.Names.index(ctx, leftOut, m.dictionaryIndexes)
}

// index indexes the names. leftOut are names that a filter left out: not candidates, but they still count for word
// weights and word synonyms. If the names are exactly those of a dictionary, its lexical index in ofDictionary is used.
func (r *ExemplarIndex) index(ctx context.Context, leftOut []text.Exemplar,
	ofDictionary *DictionaryIndexes) (*NameIndexes, error) {
	shared := !r.names.partial && len(leftOut)+len(r.names.learned) == 0
	dict, n := r.names.dict, r.Len()
	x, others := &NameIndexes{Rows: r.RowsOfConcepts()}, newOtherNames(dict, leftOut)
	err := parallel.Do(
		func() (err error) {
			x.Words, err = lexical.NewWordIndex(ctx, n+len(leftOut), n, func(row int) []string {
				if row >= n {
					return normalize.CanonicalTokens(leftOut[row-n].Text)
				}
				return normalize.CanonicalTokens(r.Text(int32(row)))
			}, func(row int32) []int32 {
				if other := int(row) - n; other >= 0 {
					return others.concepts[other]
				}
				return r.Concepts(row)
			})
			return err
		},
		func() (err error) {
			if shared {
				x.Lexical = ofDictionary.Lexical()
				return nil
			}
			x.Lexical, err = lexical.NewIndex(ctx, dict.ID, dict.Len(), func(concept int) []string {
				rows := x.Rows.At(int32(concept))
				names := make([]string, len(rows))
				for i, row := range rows {
					names[i] = r.Text(row)
				}
				return names
			}, others.byConcept)
			return err
		},
	)
	return x, err
}

// fields returns the fields of the indexes that are stored in a file, apart from those of ofDictionary.
func (x *NameIndexes) fields(ofDictionary *DictionaryIndexes) []safetensors.Field {
	fields := []safetensors.Field{{Name: "names/rows", Data: &x.Rows}, {Name: "names/words/", Data: x.Words}}
	if x.Lexical != ofDictionary.Lexical() {
		fields = append(fields, safetensors.Field{Name: "names/lexical/", Data: x.Lexical})
	}
	return fields
}

// StoredIndexes returns the indexes of all names of the model from its mapped file. It returns nil if the folder does
// not hold the names of this model, as after [OfDictionary], [Model.Extend] with concepts, [Model.HoldOut] and
// [Model.Filter], and if it holds another version of name forms.
func (m *Model) StoredIndexes() (*NameIndexes, error) {
	if m.stored == nil {
		return nil, nil
	}
	x := &NameIndexes{Words: new(lexical.WordIndex), Lexical: m.dictionaryIndexes.Lexical()}
	if m.Manifest.Index.Mined > 0 {
		x.Lexical = lexical.UnreadIndex(m.Dictionary.ID)
	}
	err := safetensors.ViewFields(m.stored, "", x.fields(m.dictionaryIndexes))
	if err == nil && x.Rows.Len() != m.Dictionary.Len() {
		err = artifact.Damaged(m.stored.Path(), "has names of %d concepts, want %d", x.Rows.Len(), m.Dictionary.Len())
	}
	return x, err
}

// otherNames holds the concepts of names that a filter left out.
type otherNames struct {
	concepts  [][]int32  // of each name; concepts that the dictionary lacks are numbered after its own
	byConcept [][]string // the names of each concept that the dictionary lacks
}

func newOtherNames(dict *kb.Dictionary, leftOut []text.Exemplar) (o otherNames) {
	numbers := make(map[kb.ConceptID]int)
	for row := range leftOut {
		var concepts []int32
		for _, id := range leftOut[row].Mention.Concepts {
			number, kept := dict.Index(id)
			if !kept {
				at, known := numbers[id]
				if !known {
					at = len(o.byConcept)
					numbers[id] = at
					o.byConcept = append(o.byConcept, nil)
				}
				o.byConcept[at] = append(o.byConcept[at], leftOut[row].Text)
				number = dict.Len() + at
			}
			concepts = append(concepts, int32(number))
		}
		o.concepts = append(o.concepts, concepts)
	}
	return o
}
