package link

import (
	"ctxnorm"
	"ctxnorm/matcher"
)

// expandAbbreviations writes out the abbreviations of mentions: those that their document
// defines, if defined is set, or else those that table says, if it is not nil. The
// definitions of a document are read once.
func expandAbbreviations(queries []ctxnorm.Query, defined bool, table *corpusAbbreviations) []ctxnorm.Query {
	if !defined && table == nil {
		return queries
	}
	expanded := make([]ctxnorm.Query, len(queries))
	readers := make(map[*ctxnorm.Document]*abbreviationExpander)
	for i := range queries {
		doc := queries[i].Document
		reader, ok := readers[doc]
		if !ok {
			reader = newAbbreviationExpander(doc, defined, table)
			readers[doc] = reader
		}
		expanded[i] = reader.expand(&queries[i])
	}
	return expanded
}

// abbreviationExpander writes out the abbreviations of one document.
type abbreviationExpander struct {
	defined *matcher.Expander
	table   *corpusAbbreviations // nil for none
	words   documentWords
}

func newAbbreviationExpander(doc *ctxnorm.Document, defined bool, table *corpusAbbreviations) *abbreviationExpander {
	definitions := ""
	if defined {
		definitions = doc.Text
	}
	return &abbreviationExpander{matcher.NewExpander(definitions), table, documentWords{text: doc.Text}}
}

// expand is the query with its mention written out.
func (r *abbreviationExpander) expand(q *ctxnorm.Query) ctxnorm.Query {
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
