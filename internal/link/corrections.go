package link

import (
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// Corrections finds what a curator said of a mention. A correction is of one wording, exactly as it is
// written, in one document and in one sentence, or of one mention alone.
type Corrections struct {
	single     map[singleKey]*text.Exemplar
	byDocument map[correctionKey]*text.Exemplar // where is the identifier of the document
	byText     map[correctionKey]*text.Exemplar // where is the text of the document
	bySentence map[correctionKey]*text.Exemplar // where is the sentence
}

type correctionKey struct{ wording, where string }

// newCorrectionKey returns the key of a wording in a text or a sentence, see [keyForm].
func newCorrectionKey(wording, where string) correctionKey {
	wording, _ = keyForm(wording)
	where, _ = keyForm(where)
	return correctionKey{wording, where}
}

// singleKey is a mention by its document, which may be without an identifier, its text and its place.
type singleKey struct {
	document, text string
	span           text.Span
}

func newSingleKey(document, s string, span text.Span) singleKey {
	form, changes := keyForm(s)
	span, _ = changes.uniformSpan(span)
	return singleKey{document, form, span}
}

// NewCorrections returns the index of corrections: mentions in their documents, with their concepts, or without
// one for NIL, and with who corrected it. Those of single mentions are stronger. Of several for
// the same mention the last counts.
func NewCorrections(corrections, single []text.Exemplar) *Corrections {
	c := &Corrections{
		make(map[singleKey]*text.Exemplar),
		make(map[correctionKey]*text.Exemplar), make(map[correctionKey]*text.Exemplar),
		make(map[correctionKey]*text.Exemplar),
	}
	for i := range single {
		ex := &single[i]
		c.single[newSingleKey(ex.ID, ex.Text, ex.Mention.Span)] = ex
		c.single[newSingleKey("", ex.Text, ex.Mention.Span)] = ex
	}
	for i := range corrections {
		ex := &corrections[i]
		wording := ex.Surface()
		if ex.ID != "" {
			c.byDocument[newCorrectionKey(wording, ex.ID)] = ex
		}
		c.byText[newCorrectionKey(wording, ex.Text)] = ex
		c.bySentence[newCorrectionKey(wording, ex.Sentence.Of(ex.Text))] = ex
	}
	return c
}

// find returns the correction of a mention: that of it alone, or that of its document, or else of its sentence. It
// returns nil if there is none, or if the dictionary does not have its concept. c may be nil.
func (c *Corrections) find(q *text.Query, dict *kb.Dictionary) *text.Exemplar {
	if c == nil {
		return nil
	}
	wording := q.Surface()
	found := c.single[newSingleKey(q.ID, q.Text, q.Mention.Span)]
	if found == nil {
		found = c.single[newSingleKey("", q.Text, q.Mention.Span)]
	}
	if found == nil {
		found = c.byDocument[newCorrectionKey(wording, q.ID)]
	}
	if found == nil {
		found = c.byText[newCorrectionKey(wording, q.Text)]
	}
	if found == nil {
		found = c.bySentence[newCorrectionKey(wording, q.Sentence.Of(q.Text))]
	}
	if found == nil || len(kb.ConceptPositions(dict, found.Mention.Concepts)) < len(found.Mention.Concepts) {
		return nil
	}
	return found
}

// correctedMention returns a mention that was corrected: the concept with the probability 1, or NIL.
func correctedMention(q *text.Query, correction *text.Exemplar, k int) linked.Mention {
	result := newMention(q)
	result.Corrected = correction.Origin.Corrected
	concepts := correction.Mention.Concepts
	for _, concept := range concepts[:min(k, len(concepts))] {
		result.Candidates = append(result.Candidates, linked.Candidate{
			Concept: concept, Score: 1, Probability: 1, Votes: 1,
			Evidence: []linked.Evidence{newEvidence(correction, 1)},
		})
	}
	return result
}
