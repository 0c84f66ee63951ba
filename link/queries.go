package link

import (
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/sentence"
)

// Queries returns a query for every mention of the document, in their order, each in the
// sentence around it.
func Queries(doc *text.Document) []text.Query {
	queries := make([]text.Query, len(doc.Mentions))
	for i, m := range doc.Mentions {
		queries[i] = text.Query{Document: doc, Mention: m, Sentence: sentence.Around(doc.Text, m.Span)}
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

// TagDocument returns a copy of the document whose mentions are those that the tagger finds
// in its text.
func TagDocument(doc *text.Document, tagger *matcher.Tagger) *text.Document {
	return &text.Document{ID: doc.ID, Text: doc.Text, Mentions: tagger.Tag(nil, doc.Text)}
}
