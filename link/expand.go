package link

import (
	"ctxnorm"
	"ctxnorm/matcher"
)

// expandAll writes out the abbreviations of mentions: those that a document
// defines, or else that table says, if it is not nil. The definitions of a document
// are read once.
func expandAll(queries []ctxnorm.Query, table *undefined) []ctxnorm.Query {
	expanded := make([]ctxnorm.Query, len(queries))
	readers := make(map[*ctxnorm.Document]*abbreviationReader)
	for i := range queries {
		doc := queries[i].Document
		reader, ok := readers[doc]
		if !ok {
			reader = &abbreviationReader{matcher.NewExpander(doc.Text), table, documentWords{text: doc.Text}}
			readers[doc] = reader
		}
		expanded[i] = reader.expand(&queries[i])
	}
	return expanded
}

// abbreviationReader writes out the abbreviations of one document.
type abbreviationReader struct {
	defined *matcher.Expander
	table   *undefined // nil for none
	words   documentWords
}

// expand is the query with its mention written out.
func (r *abbreviationReader) expand(q *ctxnorm.Query) ctxnorm.Query {
	var undefined func(short string) (string, bool)
	if r.table != nil {
		undefined = func(short string) (string, bool) { return r.table.longForm(short, q.Surface(), &r.words) }
	}
	long, ok := r.defined.ExpandOr(q.Surface(), undefined)
	if !ok {
		return *q
	}
	return q.Reword(long)
}
