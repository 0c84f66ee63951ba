package model

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
)

// Additions holds the data that [Model.Extend] adds to a model.
type Additions struct {
	// Concepts are merged into the dictionary. A concept that is already there gets the names as further synonyms.
	Concepts []kb.Concept
	// Contexts are mentions in sentences. A mention without concepts is a NIL exemplar.
	Contexts []text.Exemplar
	// NoMentions are phrases that are no mentions in any text, unless they are names of Concepts.
	NoMentions []string
	// Encoder encodes the additions; nil stands for the model's own. Pass a caching encoder ([Memoize]) if a model is
	// extended again and again.
	Encoder text.Encoder
}

// Extend returns a copy of the model with further concepts, names and contexts, as if it had been built with them.
// Samples taken and weights learned when the model was built stay the same: the calibration, the mined synonyms and
// abbreviations, and the mean names of the base encoder and of the word vectors.
//
// The copy shares the encoder and the vectors, so m must stay open while the copy is used; the copy need not be closed.
// Additions are searched exactly, even next to a graph.
func (m *Model) Extend(ctx context.Context, a Additions) (*Model, error) {
	larger := m.view()
	if m.Vectors != nil {
		vectors := *m.Vectors
		larger.Vectors = &vectors
		if a.Encoder == nil {
			a.Encoder = vectors.Encoder
		}
	}
	if len(a.Concepts) > 0 {
		if err := larger.addConcepts(ctx, m, &a); err != nil {
			return nil, err
		}
	}
	if len(a.Contexts) > 0 {
		if err := larger.addContexts(ctx, &a); err != nil {
			return nil, err
		}
	}
	larger.addNoMentions(&a)
	larger.extendSenses(m, &a)
	return larger, nil
}

// addNoMentions adds phrases that are no mentions. larger is a copy of a model whose set must not change.
func (larger *Model) addNoMentions(a *Additions) {
	larger.noMentions = maps.Collect(maps.All(larger.noMentions))
	for i := range a.Concepts {
		for _, name := range a.Concepts[i].Names() {
			delete(larger.noMentions, normalize.Phrase(name))
		}
	}
	for _, phrase := range a.NoMentions {
		larger.noMentions[normalize.Phrase(phrase)] = true
	}
}

// DropNoMentions removes found mentions from a document whose phrases, or whose long forms, are no mentions in any
// text.
func (m *Model) DropNoMentions(doc *text.Document) {
	if len(m.noMentions) == 0 {
		return // normal forms take time
	}
	doc.Mentions = slices.DeleteFunc(doc.Mentions, func(found text.Mention) bool {
		return m.noMentions[normalize.Phrase(found.Of(doc.Text))] || m.noMentions[normalize.Phrase(found.LongForm)]
	})
}

// extendSenses sets the senses of larger. It takes from m whatever the additions do not change.
func (larger *Model) extendSenses(m *Model, a *Additions) {
	larger.deriveSenses()
	if len(a.Concepts) == 0 { // names are unchanged
		larger.senses.inventory, larger.senses.meanName = m.senses.inventory, m.senses.meanName
	}
	larger.senses.meanLatentName, larger.senses.profiles = m.senses.meanLatentName, m.senses.profiles
	if len(a.Contexts) > 0 {
		larger.senses.profiles = sync.OnceValues(func() (*sense.Profiles, error) {
			profiles, err := m.Profiles()
			if err != nil {
				return nil, err
			}
			return profiles.Extend(sense.ContextsOf(a.Contexts), larger.sentenceVectors()), nil
		})
	}
}

// addConcepts merges concepts into the dictionary. larger is a copy of m.
func (larger *Model) addConcepts(ctx context.Context, m *Model, a *Additions) error {
	merged := new(kb.Builder).AddAll(m.Dictionary, nil)
	for i := range a.Concepts {
		merged.Add(&a.Concepts[i])
	}
	dict := merged.Dictionary()
	larger.Dictionary = dict
	larger.dictionaryIndexes = newDictionaryIndexes(context.Background(), dict, m.dictionaryIndexes.leftOut)
	larger.tagger = lazyTagger(dict, m.Dictionary, m.corpusSynonyms)
	positions := newPositions(m.Dictionary, dict)
	larger.Contexts.concepts = renumbered(&m.Contexts, positions)

	names := m.Names.with(dict, positions, a.Concepts)
	larger.Names, larger.stored, larger.senseNames = names, nil, nil
	if larger.Vectors == nil {
		return nil
	}
	var added []text.Exemplar
	for row := m.Names.Len(); row < names.Len(); row++ {
		added = append(added, names.name(int32(row)))
	}
	return larger.Vectors.Names.join(ctx, a.Encoder, added)
}

// with returns the index with the names of added concepts, for the larger dictionary dict. positions holds the new
// position of each concept. A name mined from the corpus that is also added becomes a name of the dictionary alone.
func (r *ExemplarIndex) with(dict *kb.Dictionary, positions []int32, added []kb.Concept) ExemplarIndex {
	rows := make(map[string]int32) // lower-cased name -> row, for the rows that are not sorted
	for row := r.names.sorted; row < r.Len(); row++ {
		rows[strings.ToLower(r.Text(int32(row)))] = int32(row)
	}
	numbers := renumbered(r, positions)
	changed := make(map[int32][]int32) // row -> its concepts
	var more []string                  // names in further rows
	seen := make(map[int]bool)         // a concept may be added several times, once for each name
	for i := range added {
		concept, _ := dict.Index(added[i].ID)
		if seen[concept] {
			continue
		}
		seen[concept] = true
		for _, name := range dict.Names(concept) {
			lower := strings.ToLower(name)
			at, exists := sort.Find(r.names.sorted, func(row int) int { return strings.Compare(lower, strings.ToLower(r.Text(int32(row)))) })
			row := int32(at)
			if !exists {
				row, exists = rows[lower]
			}
			own, again := changed[row]
			switch {
			case !exists:
				row = int32(r.Len() + len(more))
				rows[lower], more, own = row, append(more, name), nil
			case !again && r.originText(row) == "":
				own = slices.Clone(numbers.At(row))
			}
			if at, has := slices.BinarySearch(own, int32(concept)); !has {
				own = slices.Insert(own, at, int32(concept))
			}
			changed[row] = own
		}
	}
	larger := ExemplarIndex{names: &nameTexts{dict: dict, sorted: r.names.sorted}}
	for row := range int32(r.Len() + len(more)) {
		own, origin, name := changed[row], "", ""
		if at := int(row) - r.Len(); at >= 0 {
			name = more[at]
		} else if name = r.Text(row); own == nil {
			own, origin = numbers.At(row), r.originText(row)
		}
		larger.addName(name, origin, own...)
	}
	return larger
}

// addContexts appends contexts and the vectors of their sentences.
func (larger *Model) addContexts(ctx context.Context, a *Additions) error {
	index, err := newExemplarIndex(larger.Dictionary, a.Contexts)
	if err != nil {
		return fmt.Errorf("added contexts: %w", err)
	}
	all, before := &larger.Contexts, larger.Contexts.exemplars
	all.concepts = all.concepts.Clip()
	for row := range a.Contexts {
		all.concepts.Append(index.Concepts(int32(row))...)
	}
	all.exemplars = sync.OnceValues(func() ([]text.Exemplar, error) {
		if before == nil {
			return a.Contexts, nil
		}
		exemplars, err := before()
		return append(slices.Clip(exemplars), a.Contexts...), err
	})
	if larger.Vectors == nil {
		return nil
	}
	if err := larger.Vectors.Contexts.join(ctx, a.Encoder, a.Contexts); err != nil {
		return err
	}
	vectors, err := encodeExemplars(ctx, a.Encoder, sentencesOf(a.Contexts), func(int) {})
	if err != nil {
		return err
	}
	larger.Vectors.Sentences = larger.Vectors.Sentences.Joined(vectors)
	return nil
}

// join appends the vectors of added exemplars.
func (r *VectorIndex) join(ctx context.Context, encoder text.Encoder, added []text.Exemplar) error {
	if len(added) == 0 {
		return nil
	}
	vectors, err := encodeExemplars(ctx, encoder, added, func(int) {})
	if err != nil {
		return err
	}
	r.Vectors = r.Vectors.Joined(vectors)
	r.Index = knnindex.NewJoin(r.Index, knnindex.NewFlat(vectors))
	return nil
}

// renumbered returns the concepts of rows as new positions.
func renumbered(rows *ExemplarIndex, positions []int32) (concepts safetensors.Lists) {
	var own []int32
	for row := range int32(rows.Len()) {
		own = own[:0]
		for _, concept := range rows.Concepts(row) {
			own = append(own, positions[concept])
		}
		concepts.Append(own...)
	}
	return concepts
}
