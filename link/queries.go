package link

import (
	"ctxnorm"
	"ctxnorm/matcher"
	"ctxnorm/segment"
)

// Queries returns a query for every mention of the document, in their order, each in the
// sentence around it.
func Queries(doc *ctxnorm.Document) []ctxnorm.Query {
	queries := make([]ctxnorm.Query, len(doc.Mentions))
	for i, m := range doc.Mentions {
		queries[i] = ctxnorm.Query{Document: doc, Mention: m, Sentence: segment.Around(doc.Text, m.Span)}
	}
	return queries
}

// bareQueries returns queries for the mentions alone, without their sentences.
func bareQueries(queries []ctxnorm.Query) []ctxnorm.Query {
	alone := make([]ctxnorm.Query, len(queries))
	for i := range queries {
		alone[i] = ctxnorm.NameExemplar(queries[i].Surface()).Query
	}
	return alone
}

// Tagged returns a copy of the document whose mentions are those that the tagger finds
// in its text.
func Tagged(doc *ctxnorm.Document, tagger *matcher.Tagger) *ctxnorm.Document {
	return &ctxnorm.Document{ID: doc.ID, Text: doc.Text, Mentions: tagger.Tag(nil, doc.Text)}
}
