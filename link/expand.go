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

// expand is the query with its mention written out, in a sentence of its own.
func (r *abbreviationReader) expand(q *ctxnorm.Query) ctxnorm.Query {
	var undefined func(short string) (string, bool)
	if r.table != nil {
		undefined = func(short string) (string, bool) { return r.table.longForm(short, q.Surface(), &r.words) }
	}
	long, ok := r.defined.ExpandOr(q.Surface(), undefined)
	if !ok {
		return *q
	}
	return reword(q, long)
}

// reword is the query with another wording of its mention, in a sentence of its
// own.
func reword(q *ctxnorm.Query, surface string) ctxnorm.Query {
	before := q.Text[q.Sentence.Start:q.Mention.Start]
	after := q.Text[q.Mention.End:q.Sentence.End]
	shift := func(m ctxnorm.Mention) (ctxnorm.Mention, bool) {
		switch {
		case q.Sentence.Start <= m.Start && m.End <= q.Mention.Start:
			m.Start, m.End = m.Start-q.Sentence.Start, m.End-q.Sentence.Start
		case q.Mention.End <= m.Start && m.End <= q.Sentence.End:
			by := len(surface) - q.Mention.Len() - q.Sentence.Start
			m.Start, m.End = m.Start+by, m.End+by
		default: // the mention itself, one that overlaps it, or one of another sentence
			return m, false
		}
		return m, true
	}
	mention := q.Mention
	mention.Span = ctxnorm.Span{Start: len(before), End: len(before) + len(surface)}
	doc := &ctxnorm.Document{ID: q.ID, Text: before + surface + after}
	placed := false
	for _, m := range q.Mentions {
		moved, keep := shift(m)
		if !keep {
			continue
		}
		if !placed && moved.Start > mention.Start {
			doc.Mentions, placed = append(doc.Mentions, mention), true
		}
		doc.Mentions = append(doc.Mentions, moved)
	}
	if !placed {
		doc.Mentions = append(doc.Mentions, mention)
	}
	return ctxnorm.Query{Document: doc, Mention: mention, Sentence: ctxnorm.Span{Start: 0, End: len(doc.Text)}}
}
