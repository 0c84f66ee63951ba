package recognize

import (
	"github.com/ctxnorm/ctxnorm/text"
)

// Annotate returns the document with the mentions that the recognizer finds. The document has those of the
// dictionary's names, as [link.TagDocument] tags them: a mention of the same span stays as it is, others
// have [text.Mention.Recognized]. more is added to the bias: above 0 it finds more, below 0 fewer mentions.
// What is found depends on the document alone.
func (r *Recognizer) Annotate(doc *text.Document, more float64) *text.Document {
	names := make(map[text.Span]*text.Mention)
	var spans []text.Span
	for i := range doc.Mentions {
		if m := &doc.Mentions[i]; len(m.Concepts) > 0 {
			names[m.Span] = m
			spans = append(spans, m.Span)
		}
	}
	result := &text.Document{ID: doc.ID, Text: doc.Text, Group: doc.Group}
	for _, f := range r.find(doc.Text, spans, r.bias+more) {
		if name := names[f.Span]; name != nil {
			result.Mentions = append(result.Mentions, *name)
			continue
		}
		result.Mentions = append(result.Mentions, text.Mention{Span: f.Span, Recognized: true, Score: f.score})
	}
	return result
}
