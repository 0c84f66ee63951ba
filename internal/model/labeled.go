package model

import (
	"cmp"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// labeledName is a surface form, normalized, that a labeled mention gives to a concept.
type labeledName struct {
	form    string
	concept kb.ConceptID
}

// LabeledSynonyms turns labeled mentions of one concept into further names of it. Each normal form of a concept occurs
// once, with the number of documents that contain it.
func LabeledSynonyms(labeled []text.Exemplar) []mine.Synonym {
	type seenIn struct {
		labeledName
		document string
	}
	at := make(map[labeledName]int) // positions among the synonyms
	counted := make(map[seenIn]bool)
	var synonyms []mine.Synonym
	for i := range labeled {
		concepts := labeled[i].Mention.Concepts
		form := normalize.Normal(labeled[i].Surface())
		if len(concepts) != 1 || form == "" {
			continue
		}
		key := labeledName{form, concepts[0]}
		if _, known := at[key]; !known {
			at[key] = len(synonyms)
			synonyms = append(synonyms, mine.Synonym{Concept: concepts[0], Text: labeled[i].Surface(),
				Origin: text.Origin{Labeled: true}})
		}
		if in := (seenIn{key, labeled[i].ID}); !counted[in] {
			counted[in] = true
			synonyms[at[key]].Count++
		}
	}
	return synonyms
}

// LookedFor returns the dictionary with the labeled names among synonyms as further names: those that a tagger looks for
// in texts.
func LookedFor(dict *kb.Dictionary, synonyms []mine.Synonym) *kb.Dictionary {
	if !slices.ContainsFunc(synonyms, func(s mine.Synonym) bool { return s.Origin.Labeled }) {
		return dict
	}
	more := new(kb.Builder).AddAll(dict, nil)
	for _, s := range synonyms {
		if _, known := dict.Index(s.Concept); known && s.Origin.Labeled {
			more.Add(&kb.Concept{ID: s.Concept, Synonyms: []string{s.Text}})
		}
	}
	return more.Dictionary()
}

// LabelsOf returns the number of documents that label a surface form with each concept. form is the result of
// [normalize.Normal]; concepts are positions in the dictionary.
func (m *Model) LabelsOf(form string) map[int32]int { return m.senses.labels()[form] }

// labelsByForm counts the labeled mentions among synonyms by normal form. It skips concepts that the dictionary lacks.
func labelsByForm(synonyms []mine.Synonym, dict *kb.Dictionary) map[string]map[int32]int {
	byForm := make(map[string]map[int32]int)
	for _, s := range synonyms {
		position, known := dict.Index(s.Concept)
		if !s.Origin.Labeled || !known {
			continue
		}
		form := normalize.Normal(s.Text)
		if byForm[form] == nil {
			byForm[form] = make(map[int32]int)
		}
		byForm[form][int32(position)] += s.Count
	}
	return byForm
}

// WithoutLabels returns a copy of the model without the contributions of labeled mentions in held-out documents: their
// contexts, their labels, and the names that no other labeled mention gives. Use it like the copy of [Model.HoldOut].
func (m *Model) WithoutLabels(labeled []text.Exemplar, heldOut func(document string) bool) (*Model, error) {
	contexts, err := m.Contexts.Exemplars()
	if err != nil {
		return nil, err
	}
	documents := make(map[string]bool) // the held-out ones
	var rest []text.Exemplar
	for i := range labeled {
		if heldOut(labeled[i].ID) {
			documents[labeled[i].ID] = true
		} else {
			rest = append(rest, labeled[i])
		}
	}
	given := LabeledSynonyms(rest)
	attested := make(map[labeledName]bool)
	for _, s := range given {
		attested[labeledName{normalize.Normal(s.Text), s.Concept}] = true
	}
	smaller, _ := m.reduce(m.Dictionary, rowFilter{
		func(row int) bool {
			name := m.Names.name(int32(row))
			return !name.Origin.Labeled || attested[labeledName{normalize.Normal(name.Text), name.Mention.Concepts[0]}]
		},
		func(row int) bool { return !documents[contexts[row].ID] },
	})
	isLabeled := func(s mine.Synonym) bool { return s.Origin.Labeled }
	smaller.corpusSynonyms = append(slices.DeleteFunc(slices.Clone(m.corpusSynonyms), isLabeled), given...)
	smaller.deriveSenses()
	return smaller, nil
}

// LabeledContexts returns the labeled mentions of one concept of the dictionary as contexts, like those that a tagger
// finds in a corpus: each in its sentence, with the concepts of the other labeled mentions. It skips composite
// mentions.
func LabeledContexts(labeled []text.Exemplar, dict *kb.Dictionary) []text.Exemplar {
	type place struct {
		document *text.Document
		span     text.Span
	}
	asWritten := func(ex *text.Exemplar) *text.Query { return cmp.Or(ex.Original, &ex.Query) }
	concepts := make(map[place][]kb.ConceptID, len(labeled))
	for i := range labeled {
		q := asWritten(&labeled[i])
		concepts[place{q.Document, q.Mention.Span}] = labeled[i].Mention.Concepts
	}
	documents := make(map[*text.Document]*text.Document) // holding only the concepts of labeled mentions
	var contexts []text.Exemplar
	for i := range labeled {
		ex := &labeled[i]
		if len(ex.Mention.Concepts) != 1 || ex.Mention.Composite || dict.Lookup(ex.Mention.Concepts[0]) == nil {
			continue
		}
		q := *asWritten(ex)
		document := documents[q.Document]
		if document == nil {
			document = &text.Document{ID: q.ID, Text: q.Text}
			for _, m := range q.Mentions {
				m.Concepts = concepts[place{q.Document, m.Span}]
				document.Mentions = append(document.Mentions, m)
			}
			documents[q.Document] = document
		}
		q.Document, q.Mention.Concepts = document, ex.Mention.Concepts
		q.Mention.Name = normalize.Normal(ex.Surface())
		q = q.WithSurface(ex.Surface())
		q.Original = nil
		contexts = append(contexts, text.Exemplar{Query: q})
	}
	return contexts
}

// LabeledConcepts returns a function that returns the concepts of the name in a row, sorted by ID: those in the
// dictionary and those of labeled mentions with the same normal form. A labeled mention whose form is a name of another
// concept has no row of its own: annotators label "dyskinesia" as drug-induced dyskinesia.
func (m *Model) LabeledConcepts() func(row int32) []int32 {
	more := make(map[int32][]int32) // row of a name -> its concepts, if labels add any
	for row := int32(0); len(m.senses.labels()) > 0 && int(row) < m.Names.Len(); row++ {
		own := m.Names.Concepts(row)
		all := slices.Clone(own)
		for concept := range m.LabelsOf(normalize.Normal(m.Names.Text(row))) {
			if !slices.Contains(own, concept) {
				all = append(all, concept)
			}
		}
		if slices.Sort(all); len(all) > len(own) {
			more[row] = all
		}
	}
	return func(row int32) []int32 {
		if all, ok := more[row]; ok {
			return all
		}
		return m.Names.Concepts(row)
	}
}
