package model

import (
	"cmp"
	"iter"
	"slices"
	"strconv"

	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// Tagger finds names of the dictionary that a model is built from. [*matcher.Tagger] implements it.
type Tagger interface {
	Tag(dst []text.Mention, s string) []text.Mention
	LookupLongForm(long string) (name string, concepts []kb.ConceptID)
}

// ContextExemplars returns an exemplar for every mention in the sentences that names a concept or is a short form
// defined by its document, in order of occurrence.
//
// It keeps existing mentions that are short forms tagged by their definition, with the concepts that the tagger finds
// for their long form. If the tagger finds none, the exemplar has a sense outside the dictionary (NIL) and no concepts.
// All other mentions are found by the tagger, so a corpus tagged with a whole dictionary also serves a model of a
// fraction of it.
//
// accept reports whether to use a mention that the tagger found, given its surface form; if it is nil, all are used.
func ContextExemplars(sentences iter.Seq2[*text.Document, error], tagger Tagger,
	accept func(surface string, concepts []kb.ConceptID) bool) ([]text.Exemplar, error) {
	var contexts []text.Exemplar
	var tagged, defined []text.Mention // of a sentence
	for sentence, err := range sentences {
		if err != nil {
			return nil, err
		}
		defined = defined[:0]
		for _, m := range sentence.Mentions {
			if m.LongForm != "" {
				m.Name, m.Concepts = tagger.LookupLongForm(m.LongForm)
				defined = append(defined, m)
			}
		}
		tagged = tagger.Tag(tagged[:0], sentence.Text)
		mentions := abbrev.Overlay(nil, tagged, defined)
		if accept != nil {
			mentions = slices.DeleteFunc(mentions, func(m text.Mention) bool {
				return m.LongForm == "" && !accept(m.Of(sentence.Text), m.Concepts)
			})
		}
		if len(mentions) == 0 {
			continue
		}
		doc := &text.Document{ID: sentence.ID, Text: sentence.Text, Mentions: mentions}
		whole := text.Span{Start: 0, End: len(doc.Text)}
		for _, m := range mentions {
			contexts = append(contexts, text.Exemplar{Query: text.Query{Document: doc, Mention: m, Sentence: whole}})
		}
	}
	return contexts, nil
}

// WithConcepts returns the exemplars that have concepts, in their order. It drops those of senses outside the
// dictionary (NIL).
func WithConcepts(exemplars []text.Exemplar) []text.Exemplar {
	return slices.DeleteFunc(slices.Clone(exemplars), func(ex text.Exemplar) bool { return len(ex.Mention.Concepts) == 0 })
}

// samplePerSense returns a sample of at most perSense contexts for each concept: those with the smallest hash of (seed,
// concept, document, text, start). A context of several concepts is kept if it is sampled for one of them. Contexts
// without a concept are sampled in the same way by the name of their sense. The result is ordered by document, text and
// start, and does not depend on the order of contexts.
func samplePerSense(contexts []text.Exemplar, perSense int, seed uint64) []text.Exemplar {
	return sampleEach(contexts, perSense, seed, func(m *text.Mention) (senses []string) {
		for _, concept := range m.Concepts {
			senses = append(senses, string(concept))
		}
		if senses == nil {
			senses = []string{"=" + m.Name} // unlike any concept
		}
		return senses
	})
}

// SampleContexts returns a sample of at most n contexts: those with the smallest hash of (seed, document, text, start),
// ordered by document, text and start. It does not depend on the order of contexts.
func SampleContexts(contexts []text.Exemplar, n int, seed uint64) []text.Exemplar {
	return sampleEach(contexts, n, seed, func(*text.Mention) []string { return []string{""} })
}

// sampleEach samples at most n contexts of each group and returns those in any of the samples, ordered.
func sampleEach(contexts []text.Exemplar, n int, seed uint64, groups func(*text.Mention) []string) []text.Exemplar {
	byGroup := make(map[string][]int)
	for i := range contexts {
		for _, group := range groups(&contexts[i].Mention) {
			byGroup[group] = append(byGroup[group], i)
		}
	}
	keep := make(map[int]bool)
	for group, rows := range byGroup {
		for _, row := range RowsByHash(contexts, rows, seed, group)[:min(n, len(rows))] {
			keep[row] = true
		}
	}
	kept := make([]text.Exemplar, 0, len(keep))
	for i := range contexts {
		if keep[i] {
			kept = append(kept, contexts[i])
		}
	}
	slices.SortFunc(kept, func(a, b text.Exemplar) int { // by document, text and start of the mention
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Text, b.Text), cmp.Compare(a.Mention.Start, b.Mention.Start))
	})
	return kept
}

// RowsByHash sorts rows of contexts, all of them if rows is nil, by a hash of the seed and the salt. Different salts
// give independent orders.
func RowsByHash(contexts []text.Exemplar, rows []int, seed uint64, salt string) []int {
	if rows == nil {
		for row := range contexts {
			rows = append(rows, row)
		}
	}
	type hashedRow struct {
		hash uint64
		row  int
	}
	hashed := make([]hashedRow, len(rows))
	for i, row := range rows {
		ex := &contexts[row]
		hashed[i] = hashedRow{sampling.Hash(seed, salt, ex.ID, ex.Text, strconv.Itoa(ex.Mention.Start)), row}
	}
	slices.SortFunc(hashed, func(a, b hashedRow) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.row, b.row)) })
	for i := range hashed {
		rows[i] = hashed[i].row
	}
	return rows
}
