package model

import (
	"context"
	"os"
	"strings"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/parquetfile"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
)

// senseIndexes holds the data that a model derives from its abbreviations, contexts and names to tell senses apart.
// Each field is computed on first use.
type senseIndexes struct {
	inventory      func() *sense.Inventory
	profiles       func() (*sense.Profiles, error)
	meanName       func() []float32
	meanLatentName func() []float32
	labels         func() map[string]map[int32]int
	phrasesMu      sync.Mutex             // held while phrases are read or added
	phrases        map[string][][]float32 // vectors of lists of phrases, by their lines
}

// deriveSenses sets m.senses. Call it when the dictionary, the exemplars and the abbreviations of m are set.
func (m *Model) deriveSenses() {
	m.senses = &senseIndexes{
		inventory: sync.OnceValue(func() *sense.Inventory {
			names := m.senseNames
			if names == nil {
				names = sense.NewNames(context.Background(), m.Dictionary)
			}
			return names.Inventory(m.Abbreviations, m.corpusSynonyms)
		}),
		profiles:       sync.OnceValues(m.NewProfiles),
		meanName:       sync.OnceValue(func() []float32 { return meanVector(m.Vectors.Names.Vectors) }),
		meanLatentName: sync.OnceValue(m.meanLatentName),
		labels: sync.OnceValue(func() map[string]map[int32]int {
			return labelsByForm(m.corpusSynonyms, m.Dictionary)
		}),
		phrases: make(map[string][][]float32),
	}
}

// Inventory returns the senses of the forms of the model's abbreviations and dictionary.
func (m *Model) Inventory() *sense.Inventory { return m.senses.inventory() }

// Profiles returns the profiles of the senses of the model's contexts. The first call reads the words of contexts, or
// their sentences if the words are from another version; an error names their file.
func (m *Model) Profiles() (*sense.Profiles, error) { return m.senses.profiles() }

// storedProfiles returns the profiles of the contexts, computed from a file with their words.
func (m *Model) storedProfiles(file *os.File) (*sense.Profiles, error) {
	var err error // from contexts
	contexts := func(yield func(sense.Sense, []string) bool) {
		row := int32(0)
		for values, failed := range parquetfile.Values[contextWords](file, 0, int64(m.Contexts.Len())) {
			if err = failed; err != nil {
				return
			}
			s := sense.Sense{LongForm: string(values[0].ByteArray())}
			for _, concept := range m.Contexts.Concepts(row) {
				s.Concepts = append(s.Concepts, m.Dictionary.ID(int(concept)))
			}
			if row++; !yield(s, strings.Fields(string(values[1].ByteArray()))) {
				return
			}
		}
	}
	profiles := sense.NewProfiles(contexts, m.sentenceVectors(), m.Space)
	if err != nil {
		return nil, err
	}
	return profiles, nil
}

// NewProfiles returns the profiles of the sentences of contexts.
func (m *Model) NewProfiles() (*sense.Profiles, error) {
	contexts, err := m.Contexts.Exemplars()
	if err != nil {
		return nil, err
	}
	return sense.NewProfiles(sense.ContextsOf(contexts), m.sentenceVectors(), m.Space), nil
}

// HiddenDefinitions returns occurrences of short forms in documents that define them, with the definition hidden: their
// sense is known, but the text does not give it away. It returns nil if the corpus had no texts. The first call reads
// them; an error names their file.
func (m *Model) HiddenDefinitions() ([]text.Exemplar, error) { return m.hidden() }

func (m *Model) readHiddenDefinitions() ([]text.Exemplar, error) {
	file, err := openListed(m, hiddenFile, os.Open)
	if file == nil || err != nil {
		return nil, err
	}
	defer file.Close()
	return readContexts(file)
}

// sentenceVectors returns the vectors of the contexts' sentences without their mentions, or nil if the model has no
// encoder.
func (m *Model) sentenceVectors() sense.Vectors {
	if m.Vectors == nil {
		return nil
	}
	return m.Vectors.Sentences.Row
}

// MeanNameCosine returns the mean cosine of a unit vector and the names of the model, which must have an encoder.
func (m *Model) MeanNameCosine(vector []float32) float64 {
	return dot.InOrder(m.senses.meanName(), vector)
}

// meanVector returns the mean of the vectors.
func meanVector(vectors *knnindex.Vectors) []float32 {
	sum := make([]float64, vectors.Dim)
	for row := range vectors.Len() {
		for i, x := range vectors.Row(row) {
			sum[i] += float64(x)
		}
	}
	mean := make([]float32, len(sum))
	for i := range sum {
		mean[i] = float32(sum[i] / float64(max(1, vectors.Len())))
	}
	return mean
}

// MeanLatentNameCosine returns the mean cosine of a text's [lsa.Space.Vector] and the vectors of the dictionary's
// preferred names.
func (m *Model) MeanLatentNameCosine(vector []float32) float64 {
	return dot.InOrder(m.senses.meanLatentName(), vector)
}

// NameLikeness returns 10 times the [Model.MeanLatentNameCosine] of a phrase: how much it resembles names in the
// dictionary. It returns 0 if the model has no word vectors or the phrase has no known words.
func (m *Model) NameLikeness(phrase string) float64 {
	vector := m.Space.Vector(normalize.ContentWords(phrase))
	if vector == nil {
		return 0
	}
	return 10 * m.MeanLatentNameCosine(vector)
}

func (m *Model) meanLatentName() []float32 {
	vectors := &knnindex.Vectors{Dim: m.Space.Dim()}
	for _, c := range m.Dictionary.All() {
		concept := *c
		concept.ShownName = "" // usually a short form
		vectors.Data = append(vectors.Data, m.Space.Vector(normalize.ContentWords(concept.PreferredName()))...)
	}
	return meanVector(vectors)
}
