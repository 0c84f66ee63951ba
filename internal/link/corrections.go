package link

import (
	"maps"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// Corrections indexes the corrections of curators. A correction applies to one surface form, exactly as written, in one
// document and in one sentence, or to a single mention. Texts and surface forms are compared by their [keyForm].
type Corrections struct {
	places map[string]int // a text or sentence, or a zero byte and the identifier of a document -> its number
	found  map[correctionKey]*text.Exemplar
}

// correctionKey is the key of a correction in the index.
type correctionKey struct {
	place    int       // place in places
	wording  string    // empty for a single mention
	span     text.Span // only of a single mention
	document string    // only of a single mention; may be empty
}

// keyText returns the [keyForm] of a text without its changes.
func keyText(s string) string {
	form, _ := keyForm(s)
	return form
}

// With returns an index of further corrections: mentions in their documents, with their concepts, or without one for
// NIL, and with the name of the curator. Corrections of single mentions take precedence over others. If a mention was
// corrected several times, the last correction counts. before may be nil.
func (before *Corrections) With(corrections, single []text.Exemplar) *Corrections {
	c := &Corrections{make(map[string]int), make(map[correctionKey]*text.Exemplar)}
	if before != nil {
		c.places, c.found = maps.Clone(before.places), maps.Clone(before.found)
	}
	place := func(written string) int {
		if _, known := c.places[written]; !known {
			c.places[written] = len(c.places) + 1
		}
		return c.places[written]
	}
	for i := range single {
		ex := &single[i]
		written, changes := keyForm(ex.Text)
		span, _ := changes.uniformSpan(ex.Mention.Span)
		c.found[correctionKey{place: place(written), span: span, document: ex.ID}] = ex
		c.found[correctionKey{place: place(written), span: span}] = ex
	}
	for i := range corrections {
		ex := &corrections[i]
		wording := keyText(ex.Surface())
		if ex.ID != "" {
			c.found[correctionKey{place: place("\x00" + keyText(ex.ID)), wording: wording}] = ex
		}
		for _, where := range []string{ex.Text, ex.Sentence.Of(ex.Text)} {
			c.found[correctionKey{place: place(keyText(where)), wording: wording}] = ex
		}
	}
	return c
}

// correctionFinder finds the corrections of mentions. The time for a mention does not depend on the length of its text
// if mentions of the same text are looked up one after another.
type correctionFinder struct {
	*Corrections // may be nil
	dictionary   *kb.Dictionary

	// These belong to the text of the last mention, as written.
	text      string
	changes   changes
	place     int
	sentences map[text.Span]int // places of the sentences looked up so far
}

// find returns the correction of a mention: of the mention itself, or else of its surface form in its document, its
// text or its sentence. It returns nil if there is none, or if the dictionary lacks its concept.
func (f *correctionFinder) find(q *text.Query) *text.Exemplar {
	if f.Corrections == nil || len(f.found) == 0 {
		return nil
	}
	if q.Original != nil {
		q = q.Original
	}
	if f.sentences == nil || q.Text != f.text {
		var written string
		written, f.changes = keyForm(q.Text)
		f.text, f.place, f.sentences = q.Text, f.places[written], make(map[text.Span]int)
	}
	sentence, known := f.sentences[q.Sentence]
	if !known {
		sentence = f.places[keyText(q.Sentence.Of(q.Text))]
		f.sentences[q.Sentence] = sentence
	}
	span, _ := f.changes.uniformSpan(q.Mention.Span)
	wording := keyText(q.Surface())
	for _, key := range []correctionKey{
		{place: f.place, span: span, document: q.ID}, {place: f.place, span: span},
		{place: f.places["\x00"+keyText(q.ID)], wording: wording}, {place: f.place, wording: wording},
		{place: sentence, wording: wording},
	} {
		if found := f.found[key]; found != nil {
			if len(kb.ConceptPositions(f.dictionary, found.Mention.Concepts)) < len(found.Mention.Concepts) {
				return nil
			}
			return found
		}
	}
	return nil
}

// correctedMention returns a corrected mention: the concept with the probability 1, or NIL.
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
