package model

import (
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/mine"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/normalize"
)

// SourceLabeled is the source of a name that is a labeled mention.
const SourceLabeled = "labeled mention"

// LabeledSynonyms returns labeled mentions of one concept as further names of their concepts.
func LabeledSynonyms(labeled []text.Exemplar) []mine.Synonym {
	synonyms := make([]mine.Synonym, len(labeled))
	for i := range labeled {
		m := &labeled[i].Mention
		synonyms[i] = mine.Synonym{Concept: m.Concepts[0], Text: labeled[i].Surface(), Count: 1, Source: SourceLabeled}
	}
	return synonyms
}

// LabeledContexts returns the labeled mentions of one concept of the dictionary as contexts, like those
// that a tagger finds in a corpus: each in its sentence, with the concepts of the other labeled
// mentions. Composite mentions are left out.
func LabeledContexts(labeled []text.Exemplar, dict *kb.Dictionary) []text.Exemplar {
	type place struct {
		document *text.Document
		span     text.Span
	}
	asWritten := func(ex *text.Exemplar) *text.Query {
		if ex.Original != nil {
			return ex.Original
		}
		return &ex.Query
	}
	concepts := make(map[place][]kb.ConceptID, len(labeled))
	for i := range labeled {
		q := asWritten(&labeled[i])
		concepts[place{q.Document, q.Mention.Span}] = labeled[i].Mention.Concepts
	}
	documents := make(map[*text.Document]*text.Document) // with the concepts of labeled mentions alone
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
