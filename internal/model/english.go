package model

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/text"
)

// phraseMemo keeps the vectors of phrases that were encoded together. It is safe for concurrent use.
type phraseMemo struct {
	mu      sync.Mutex
	vectors map[string][][]float32 // by the lines of the phrases
}

// phraseVectors returns the vectors of texts by the base encoder, and nil for a model without one. It encodes the same
// texts once.
func (m *Model) phraseVectors(ctx context.Context, texts []string) ([][]float32, error) {
	memo, key := &m.senses.phrases, strings.Join(texts, "\n")
	memo.mu.Lock()
	defer memo.mu.Unlock()
	if known := memo.vectors[key]; known != nil {
		return known, nil
	}
	queries := make([]text.Query, len(texts))
	for i := range texts {
		queries[i] = text.NameExemplar(texts[i]).Query
	}
	vectors, err := m.BaseVectors(ctx, queries)
	if err == nil {
		memo.vectors[key] = vectors
	}
	return vectors, err
}

// EnglishLead returns how much nearer a sentence is to the sense of a word that the dictionary has than to the nearest
// of its other senses in English: a difference of cosines. It returns 0 for a word that has one sense: see
// [sense.English]. The vector of the sentence without the word is one of [Model.BaseVectors].
func (m *Model) EnglishLead(ctx context.Context, word string, sentence []float32) (float64, error) {
	senses := sense.English(word)
	if senses == nil {
		return 0, nil
	}
	var texts []string
	for _, s := range senses {
		texts = append(texts, s.String())
	}
	// What is encoded together depends on the word alone, so that its vectors do, too.
	vectors, err := m.phraseVectors(ctx, append(texts, m.dictionaryIndexes.otherNames(normalize.Normal(word))...))
	if vectors == nil || err != nil {
		return 0, err
	}
	ofSenses := vectors[:len(senses)]
	return leadOf(ofSenses, ownSense(ofSenses, vectors[len(senses):]), sentence), nil
}

// leadOf returns how much nearer a sentence is to one of the senses than to the nearest of the others.
func leadOf(senses [][]float32, one int, sentence []float32) float64 {
	others := slices.Concat(senses[:one], senses[one+1:])
	return dot.InOrder(senses[one], sentence) - highestCosine(others, sentence)
}

// baseForm returns the singular of a word in normal form.
func baseForm(word string) string { return normalize.CanonicalWord(normalize.Normal(word)) }

const (
	// comparedNames is the largest number of names of a concept that the senses are compared with.
	comparedNames = 20
	// ownMargin is how much nearer to all names of a concept another sense must be than that in medicine for
	// the concept to have it: a difference of cosines.
	ownMargin = .1
)

// ownSense returns which of the senses of a word the dictionary has, given their vectors and those of the other names of
// its concept.
func ownSense(senses, names [][]float32) (own int) {
	highest := ownMargin
	for i, vector := range senses[1:] {
		lead := math.Inf(1)
		for _, name := range names {
			lead = min(lead, dot.InOrder(vector, name)-dot.InOrder(senses[0], name))
		}
		if len(names) > 0 && lead > highest {
			highest, own = lead, i+1
		}
	}
	return own
}

// otherNames returns the other names of the concept that has a word as a name, none if there
// are several such concepts or none.
func (x *DictionaryIndexes) otherNames(word string) []string {
	concepts := x.Exact().Lookup(word)
	if len(concepts) != 1 {
		return nil
	}
	var others []string
	for _, name := range x.Dictionary.Lookup(concepts[0]).Names() {
		if baseForm(name) != baseForm(word) && len(others) < comparedNames {
			others = append(others, name)
		}
	}
	return others
}

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
	medical := language.Rules.MedicalFields
	vectors, err := m.phraseVectors(ctx, slices.Concat(medical, language.Rules.OtherFields))
	if err != nil {
		return nil, err
	}
	fields := &Fields{vectors[:len(medical)], vectors[len(medical):]}
	if fields.Lead(base.meanName) < minNamesLead {
		return nil, nil
	}
	return fields, nil
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
