package model

import (
	"context"
	"sync"

	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/sense"
)

// senseIndexes holds what is derived from the abbreviations, the contexts and the names
// of one model for telling senses apart. Each part is made when it is first used.
type senseIndexes struct {
	inventory func() *sense.Inventory
	profiles  func() (*sense.Profiles, error)
	meanName  func() []float32
}

// deriveSenses sets m.senses. Call it when the dictionary, the exemplars and the
// abbreviations of m are set.
func (m *Model) deriveSenses() {
	m.senses = &senseIndexes{
		inventory: sync.OnceValue(func() *sense.Inventory { return sense.NewInventory(m.Abbreviations, m.Dictionary) }),
		profiles:  sync.OnceValues(func() (*sense.Profiles, error) { return m.NewProfiles(nil) }),
		meanName: sync.OnceValue(func() []float32 {
			return meanVector(m.Names.Vectors)
		}),
	}
}

// Inventory returns the senses of the forms of the model's abbreviations and dictionary.
func (m *Model) Inventory() *sense.Inventory { return m.senses.inventory() }

// Profiles returns the profiles of the senses that the model's contexts are of. It reads
// the sentences of contexts on the first call; an error names their file.
func (m *Model) Profiles() (*sense.Profiles, error) { return m.senses.profiles() }

// NewProfiles returns profiles that leave out the contexts for whose rows leaveOut reports
// true; nil leaves out none.
func (m *Model) NewProfiles(leaveOut func(row int) bool) (*sense.Profiles, error) {
	if err := m.Verified(context.Background()); err != nil { // the profiles have the vectors of sentences
		return nil, err
	}
	contexts, err := m.Contexts.Exemplars()
	if err != nil {
		return nil, err
	}
	return sense.NewProfiles(contexts, m.SentenceVectors(), leaveOut), nil
}

// SentenceVectors returns the vectors of the contexts' sentences without their mentions,
// nil for a model without them: one without an encoder, or of a format before 4.
func (m *Model) SentenceVectors() sense.Vectors {
	if m.Sentences == nil {
		return nil
	}
	return m.Sentences.Row
}

// MeanNameCosine returns the mean cosine of a unit vector and the names of the model, which
// must have an encoder.
func (m *Model) MeanNameCosine(vector []float32) float64 {
	return dot(m.senses.meanName(), vector)
}

// meanVector returns the mean of vectors.
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

func dot(a, b []float32) float64 {
	sum := 0.
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
