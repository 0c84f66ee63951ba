package model

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/text"
)

// phraseVectors returns the base encoder's vectors of texts, or nil if the model has no base encoder. It caches the
// result for each list of texts.
func (m *Model) phraseVectors(ctx context.Context, texts []string) ([][]float32, error) {
	s, key := m.senses, strings.Join(texts, "\n")
	s.phrasesMu.Lock()
	defer s.phrasesMu.Unlock()
	if known := s.phrases[key]; known != nil {
		return known, nil
	}
	queries := make([]text.Query, len(texts))
	for i := range texts {
		queries[i] = text.NameExemplar(texts[i]).Query
	}
	vectors, err := m.BaseVectors(ctx, queries)
	if err == nil {
		s.phrases[key] = vectors
	}
	return vectors, err
}

// EnglishLead returns how much nearer a sentence is to the sense that a word has in the dictionary than to the nearest
// of its other English senses, as a difference of cosines. It returns 0 if [sense.English] lists no senses of the word.
// sentence is the vector of the sentence without the word, from [Model.BaseVectors].
func (m *Model) EnglishLead(ctx context.Context, word string, sentence []float32) (float64, error) {
	senses := sense.English(word)
	if senses == nil {
		return 0, nil
	}
	var texts []string
	for _, s := range senses {
		texts = append(texts, s.String())
	}
	// The texts encoded together depend on the word alone, so their vectors do too.
	vectors, err := m.phraseVectors(ctx, append(texts, m.dictionaryIndexes.otherNames(normalize.Normal(word))...))
	if vectors == nil || err != nil {
		return 0, err
	}
	ofSenses := vectors[:len(senses)]
	return leadOf(ofSenses, ownSense(ofSenses, vectors[len(senses):]), sentence), nil
}

// leadOf returns the cosine of a sentence and senses[one], minus the highest cosine of the sentence and another sense.
func leadOf(senses [][]float32, one int, sentence []float32) float64 {
	others := slices.Concat(senses[:one], senses[one+1:])
	return dot.InOrder(senses[one], sentence) - highestCosine(others, sentence)
}

// baseForm returns the singular of a word in normal form.
func baseForm(word string) string { return normalize.CanonicalWord(normalize.Normal(word)) }

const (
	// comparedNames is the largest number of a concept's names that the senses are compared with.
	comparedNames = 20
	// ownMargin is the difference of cosines by which another sense must be nearer to every name of a concept than the
	// medical sense is, for the concept to have that sense.
	ownMargin = .1
)

// ownSense returns the index of the sense that a word has in the dictionary. It takes the vectors of the senses, the
// medical one first, and of the other names of the word's concept.
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

// otherNames returns the other names of the concept that has word as a name, or nil if there is no such concept or more
// than one.
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

// Fields uses the base encoder to tell whether a sentence is about medicine or about another field of life: see
// [language.Language.OtherFields].
type Fields struct{ medical, others [][]float32 }

// minNamesLead is how much nearer, as a difference of cosines, the names of a dictionary must be on average to medicine
// than to any other field, for its words to be checked for meanings elsewhere. With all-MiniLM the lead is .16 for
// MEDIC, and below 0 for animals and for substances, which are the topics of texts on nature and on materials.
const minNamesLead = .1

// Fields returns the fields, or nil if the model has no base encoder or its dictionary is not about medicine.
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
// other field, as a difference of cosines.
func (f *Fields) Lead(sentence []float32) float64 {
	return highestCosine(f.medical, sentence) - highestCosine(f.others, sentence)
}

// highestCosine returns the highest dot product of other and one of the vectors.
func highestCosine(vectors [][]float32, other []float32) float64 {
	highest := math.Inf(-1)
	for _, v := range vectors {
		highest = max(highest, dot.InOrder(v, other))
	}
	return highest
}
