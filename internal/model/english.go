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

// memo keeps what was made for each key. What failed is made again. It is safe for concurrent use.
type memo[T any] struct {
	mu   sync.Mutex
	made map[string]T
}

func (m *memo[T]) get(key string, create func() (T, error)) (T, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if value, ok := m.made[key]; ok {
		return value, nil
	}
	value, err := create()
	if err == nil {
		if m.made == nil {
			m.made = make(map[string]T)
		}
		m.made[key] = value
	}
	return value, err
}

// EnglishLead returns how much nearer a sentence is to the sense of a word that the dictionary has than to the nearest
// of its other senses in English: a difference of cosines. It returns 0 for a word that has one sense: see
// [sense.English]. The vector of the sentence without the word is one of [Model.BaseVectors].
func (m *Model) EnglishLead(ctx context.Context, word string, sentence []float32) (float64, error) {
	senses := sense.English(word)
	if senses == nil {
		return 0, nil
	}
	key := normalize.Normal(word)
	w, err := m.senses.english.get(key, func() (*englishWord, error) {
		// What is encoded together depends on the word alone, so that its vectors do, too.
		var texts []string
		for _, s := range senses {
			texts = append(texts, s.String())
		}
		vectors, err := m.phraseVectors(ctx, append(texts, m.dictionaryIndexes.otherNames(key)...))
		if vectors == nil || err != nil {
			return nil, err
		}
		return newEnglishWord(vectors[:len(senses)], vectors[len(senses):]), nil
	})
	if w == nil || err != nil {
		return 0, err
	}
	return w.lead(sentence), nil
}

// phraseVectors returns the vectors of texts by the base encoder, and nil for a model without one.
func (m *Model) phraseVectors(ctx context.Context, texts []string) ([][]float32, error) {
	queries := make([]text.Query, len(texts))
	for i := range texts {
		queries[i] = text.NameExemplar(texts[i]).Query
	}
	return m.BaseVectors(ctx, queries)
}

// IsEnglishName reports whether a word of English that has several senses is a name of the model, in
// the singular or plural. It passes over all names on the first call.
func (m *Model) IsEnglishName(word string) bool { return m.senses.englishNames()[baseForm(word)] }

// englishNames returns the names of the model that are words of English with several senses, in their
// base form.
func (m *Model) englishNames() map[string]bool {
	names := make(map[string]bool)
	for row := range m.Names.Len() {
		if name := m.Names.Text(int32(row)); !hasTwoWords(name) && sense.English(name) != nil {
			names[baseForm(name)] = true
		}
	}
	return names
}

// hasTwoWords reports whether a name surely has two words or more, as most have. No word of English with several senses has.
func hasTwoWords(name string) bool {
	first, rest, _ := strings.Cut(name, " ")
	isLetter := func(c byte) bool { return 'a' <= c|' ' && c|' ' <= 'z' }
	return first != "" && rest != "" && isLetter(first[len(first)-1]) && isLetter(rest[0])
}

// baseForm returns the singular of a word in normal form.
func baseForm(word string) string { return normalize.CanonicalWord(normalize.Normal(word)) }

// englishWord is a word with several senses in English.
type englishWord struct {
	senses [][]float32 // the vector of each
	own    int         // the sense that the dictionary has
}

const (
	// comparedNames is the largest number of names of a concept that the senses are compared with.
	comparedNames = 20
	// ownMargin is how much nearer to all names of a concept another sense must be than that in medicine for
	// the concept to have it: a difference of cosines.
	ownMargin = .1
)

// newEnglishWord returns a word, given the vectors of its senses and of the other names of the
// dictionary's concept.
func newEnglishWord(senses, names [][]float32) *englishWord {
	w := &englishWord{senses: senses}
	highest := ownMargin
	for i, vector := range senses[1:] {
		lead := math.Inf(1)
		for _, name := range names {
			lead = min(lead, dot.InOrder(vector, name)-dot.InOrder(senses[0], name))
		}
		if len(names) > 0 && lead > highest {
			highest, w.own = lead, i+1
		}
	}
	return w
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

// lead returns how much nearer a sentence is to the sense that the dictionary has than to the
// nearest of the others.
func (w *englishWord) lead(sentence []float32) float64 {
	others := slices.Concat(w.senses[:w.own], w.senses[w.own+1:])
	return dot.InOrder(w.senses[w.own], sentence) - highestCosine(others, sentence)
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
	return m.senses.fields.get("", func() (*Fields, error) {
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
	})
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
