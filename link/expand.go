package link

import (
	"ctxnorm"
	"ctxnorm/matcher"
)

// expandAll replaces the mentions that their documents define as abbreviations.
// The definitions of a document are read once.
func expandAll(queries []ctxnorm.Query) []ctxnorm.Query {
	expanded := make([]ctxnorm.Query, len(queries))
	expanders := make(map[*ctxnorm.Document]*matcher.Expander)
	for i := range queries {
		doc := queries[i].Document
		expander, ok := expanders[doc]
		if !ok {
			expander = matcher.NewExpander(doc.Text)
			expanders[doc] = expander
		}
		expanded[i] = expand(&queries[i], expander)
	}
	return expanded
}

// expand is the query with its mention written out, in a sentence of its own.
func expand(q *ctxnorm.Query, expander *matcher.Expander) ctxnorm.Query {
	long, ok := expander.Expand(q.Surface())
	if !ok {
		return *q
	}
	before := q.Text[q.Sentence.Start:q.Mention.Start]
	after := q.Text[q.Mention.End:q.Sentence.End]
	shift := func(m ctxnorm.Mention) (ctxnorm.Mention, bool) {
		switch {
		case q.Sentence.Start <= m.Start && m.End <= q.Mention.Start:
			m.Start, m.End = m.Start-q.Sentence.Start, m.End-q.Sentence.Start
		case q.Mention.End <= m.Start && m.End <= q.Sentence.End:
			by := len(long) - q.Mention.Len() - q.Sentence.Start
			m.Start, m.End = m.Start+by, m.End+by
		default: // the mention itself, one that overlaps it, or one of another sentence
			return m, false
		}
		return m, true
	}
	mention := q.Mention
	mention.Span = ctxnorm.Span{Start: len(before), End: len(before) + len(long)}
	doc := &ctxnorm.Document{ID: q.ID, Text: before + long + after}
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
