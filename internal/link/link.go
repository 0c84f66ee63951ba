package link

import (
	"context"

	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/internal/sentence"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text"
)

// Evidence is an exemplar that supports a candidate: one of the mention's nearest
// neighbors.
type Evidence struct {
	Exemplar   *text.Exemplar
	Similarity float32 // cosine of the query's vector and the exemplar's vector
}

// Candidate is a concept that a mention may name.
type Candidate struct {
	Concept     kb.ConceptID
	Score       float64    // ranks the candidates of one query; not comparable between queries
	Probability float64    // in [0, 1]; 0 if the linker is not calibrated
	Votes       int        // number of nearest exemplars with this concept
	Evidence    []Evidence // those exemplars, in descending order of similarity; nil unless the linker's options ask for it
}

// Linker finds the concepts that mentions name.
type Linker interface {
	// Name returns the name of the linker in reports.
	Name() string

	// Link returns one list of at most k candidates for each query. The concepts
	// of a list are distinct, in descending order of score; ties are in the order
	// of IDs. An empty list means NIL. The same queries have the same result in
	// every process.
	Link(ctx context.Context, queries []text.Query, k int) ([][]Candidate, error)
}

// Queries returns a query for every mention of the document, in their order, each in the
// sentence around it.
func Queries(doc *text.Document) []text.Query {
	queries := make([]text.Query, len(doc.Mentions))
	sentences := sentence.Split(doc.Text)
	for i, m := range doc.Mentions {
		queries[i] = text.Query{Document: doc, Mention: m, Sentence: sentence.AroundIn(sentences, m.Span)}
	}
	return queries
}

// bareQueries returns queries for the mentions alone, without their sentences.
func bareQueries(queries []text.Query) []text.Query {
	alone := make([]text.Query, len(queries))
	for i := range queries {
		alone[i] = text.NameExemplar(queries[i].Surface()).Query
	}
	return alone
}

// TagDocument returns a copy of the document whose mentions are those that the tagger
// finds in its text, and the short forms that the text defines, as [abbrev.Tagger] tags
// them.
func TagDocument(doc *text.Document, tagger *matcher.Tagger) *text.Document {
	defined := abbrev.NewTagger(tagger)
	defined.Define(doc.Text, abbrev.Find(doc.Text))
	return &text.Document{ID: doc.ID, Text: doc.Text, Mentions: defined.Tag(nil, doc.Text)}
}
