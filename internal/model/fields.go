package model

import (
	"context"
	"math"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/text"
)

// Fields tells by the base encoder whether a sentence speaks of medicine or of another field of life: see
// [language.Language.OtherFields].
type Fields struct{ medical, others [][]float32 }

// minNamesLead is how much nearer to medicine than to any other field the names of a dictionary must be on average, a
// difference of cosines, for its words to have another meaning elsewhere. By all-MiniLM it is .16 for MEDIC and below 0
// for animals and for substances, which are what texts on nature and on materials speak of.
const minNamesLead = .1

// Fields returns the fields of a model with a base encoder and a dictionary of medicine, nil of any other.
func (m *Model) Fields(ctx context.Context) (*Fields, error) {
	base, err := m.base()
	if base == nil || err != nil {
		return nil, err
	}
	return m.senses.fields.of(ctx, m.BaseVectors, base.meanName)
}

// lazyFields makes the fields when they are first needed. It is safe for concurrent use.
type lazyFields struct {
	mu     sync.Mutex
	made   bool
	fields *Fields
}

// of returns the fields, nil if the mean vector of the names is not that of a dictionary of medicine.
func (l *lazyFields) of(ctx context.Context, encode func(context.Context, []text.Query) ([][]float32, error),
	meanName []float32) (*Fields, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.made {
		return l.fields, nil
	}
	var queries []text.Query
	for _, field := range language.Rules.MedicalFields {
		queries = append(queries, text.NameExemplar(field).Query)
	}
	for _, field := range language.Rules.OtherFields {
		queries = append(queries, text.NameExemplar(field).Query)
	}
	vectors, err := encode(ctx, queries)
	if err != nil {
		return nil, err
	}
	medical := len(language.Rules.MedicalFields)
	fields := &Fields{vectors[:medical], vectors[medical:]}
	if fields.Lead(meanName) >= minNamesLead {
		l.fields = fields
	}
	l.made = true
	return l.fields, nil
}

// Lead returns how much nearer a vector of [Model.BaseVectors] is to the nearest field of medicine than to the nearest
// other one: a difference of cosines.
func (f *Fields) Lead(sentence []float32) float64 {
	return highestCosine(f.medical, sentence) - highestCosine(f.others, sentence)
}

// highestCosine returns the highest dot product of any of the vectors and another.
func highestCosine(vectors [][]float32, other []float32) float64 {
	highest := math.Inf(-1)
	for _, v := range vectors {
		highest = max(highest, dot.InOrder(v, other))
	}
	return highest
}
