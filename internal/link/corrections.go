package link

import (
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// Corrections are what curators said of mentions. A correction is of one wording, exactly as it is
// written, in one document and in one sentence, or of one mention alone. Texts and wordings are compared by their
// [keyForm].
type Corrections struct {
	single     map[string]map[singlePlace]*text.Exemplar // by the text
	byDocument map[string]wordingCorrections             // by the identifier of the document
	byText     map[string]wordingCorrections             // by the text of the document
	bySentence map[string]wordingCorrections             // by the sentence
}

type wordingCorrections map[string]*text.Exemplar

// keyText is keyForm without what it changed.
func keyText(s string) string {
	form, _ := keyForm(s)
	return form
}

// singlePlace is where in a text a mention stands, and the identifier of its document, which may be empty.
type singlePlace struct {
	document string
	span     text.Span
}

// NewCorrections returns the index of corrections: mentions in their documents, with their concepts, or without
// one for NIL, and with who corrected it. Those of single mentions are stronger. Of several for
// the same mention the last counts.
func NewCorrections(corrections, single []text.Exemplar) *Corrections {
	c := &Corrections{
		make(map[string]map[singlePlace]*text.Exemplar), make(map[string]wordingCorrections),
		make(map[string]wordingCorrections), make(map[string]wordingCorrections),
	}
	for i := range single {
		ex := &single[i]
		written, changes := keyForm(ex.Text)
		if c.single[written] == nil {
			c.single[written] = make(map[singlePlace]*text.Exemplar)
		}
		span, _ := changes.uniformSpan(ex.Mention.Span)
		c.single[written][singlePlace{ex.ID, span}] = ex
		c.single[written][singlePlace{"", span}] = ex
	}
	for i := range corrections {
		ex := &corrections[i]
		wording := keyText(ex.Surface())
		add := func(index map[string]wordingCorrections, where string) {
			if index[where] == nil {
				index[where] = make(wordingCorrections)
			}
			index[where][wording] = ex
		}
		if ex.ID != "" {
			add(c.byDocument, keyText(ex.ID))
		}
		add(c.byText, keyText(ex.Text))
		add(c.bySentence, keyText(ex.Sentence.Of(ex.Text)))
	}
	return c
}

// correctionFinder finds the corrections of mentions. The time for a mention does not depend on the length of its text
// if the mentions of a text follow one another.
type correctionFinder struct {
	*Corrections // nil for none
	dictionary   *kb.Dictionary

	// Of the text of the last mention, as it was written.
	text      string
	changes   changes
	single    map[singlePlace]*text.Exemplar
	inText    wordingCorrections
	sentences map[text.Span]wordingCorrections // those that were asked for
}

// find returns the correction of a mention: that of it alone, or that of its document, or else of its sentence. It
// returns nil if there is none, or if the dictionary does not have its concept.
func (f *correctionFinder) find(q *text.Query) *text.Exemplar {
	if f.Corrections == nil || len(f.Corrections.single)+len(f.byText) == 0 {
		return nil
	}
	if f.sentences == nil || q.Text != f.text {
		f.enter(q.Text)
	}
	span, _ := f.changes.uniformSpan(q.Mention.Span)
	wording := keyText(q.Surface())
	found := f.single[singlePlace{q.ID, span}]
	if found == nil {
		found = f.single[singlePlace{"", span}]
	}
	if found == nil {
		found = f.byDocument[keyText(q.ID)][wording]
	}
	if found == nil {
		found = f.inText[wording]
	}
	if found == nil {
		found = f.inSentence(q)[wording]
	}
	if found == nil || len(kb.ConceptPositions(f.dictionary, found.Mention.Concepts)) < len(found.Mention.Concepts) {
		return nil
	}
	return found
}

// enter looks up the corrections in a text.
func (f *correctionFinder) enter(s string) {
	f.text, f.sentences = s, make(map[text.Span]wordingCorrections)
	written, changes := keyForm(s)
	f.changes, f.single, f.inText = changes, f.Corrections.single[written], f.byText[written]
}

// inSentence returns the corrections in the sentence of a mention of the text.
func (f *correctionFinder) inSentence(q *text.Query) wordingCorrections {
	found, ok := f.sentences[q.Sentence]
	if !ok {
		found = f.bySentence[keyText(q.Sentence.Of(q.Text))]
		f.sentences[q.Sentence] = found
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
