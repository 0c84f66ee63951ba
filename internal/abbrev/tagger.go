package abbrev

import (
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// Dictionary finds its names in texts, as the tagger of package matcher does.
type Dictionary interface {
	// Tag appends the mentions in s to dst, ordered by Start.
	Tag(dst []text.Mention, s string) []text.Mention
	// LookupLongForm returns the concepts of a long form that is a name as a whole, and
	// that name in normal form. If it is no name, it returns the long form in normal form
	// and no concepts.
	LookupLongForm(long string) (name string, concepts []kb.ConceptID)
	// MayStandFor reports whether a short form may stand for a name: whether Tag finds a
	// name in it, or it is the initials of one.
	MayStandFor(short string) bool
}

// Tagger tags the texts of one document after another with the names of a dictionary, and
// the short forms that the document defines by their definition: "AD" is a mention of
// eczema in a document that defines it as atopic dermatitis, in all of its texts, as far as another
// definition of it.
//
// If the long form is no name of the dictionary, the mention has no concepts. Such a
// mention is left out where the short form could not be taken for a name either.
type Tagger struct {
	dict        Dictionary
	definitions definedForms
	senses      map[string]sense // by long form
	occurrences []occurrence     // of a text
	tagged      []text.Mention   // of a text, by the dictionary
	defined     []text.Mention   // of a text, by definition
}

// sense is what a long form means in the dictionary.
type sense struct {
	name     string         // the long form in normal form
	concepts []kb.ConceptID // none if it is no name
}

// NewTagger returns a tagger of a document without definitions.
func NewTagger(dict Dictionary) *Tagger {
	return &Tagger{dict: dict, senses: make(map[string]sense)}
}

// Reset begins another document.
func (t *Tagger) Reset() {
	t.definitions.reset()
	clear(t.senses)
}

// Define adds a text of the document with the definitions that [Find] found in it, and returns the position of its
// start.
func (t *Tagger) Define(body string, found []Definition) (start int) {
	return t.definitions.add(body, found)
}

// Tag appends the mentions of a stretch of the document, which begins at a position, to dst, ordered by Start.
func (t *Tagger) Tag(dst []text.Mention, body string, start int) []text.Mention {
	t.occurrences = t.definitions.occurrences(t.occurrences[:0], body, start, nil)
	t.defined = t.defined[:0]
	for _, o := range t.occurrences {
		meant := t.senseOf(o.Long)
		if meant.name == "" || len(meant.concepts) == 0 && !t.dict.MayStandFor(o.Of(body)) {
			continue
		}
		t.defined = append(t.defined, text.Mention{Span: o.Span, Name: meant.name, LongForm: o.Long,
			Concepts: meant.concepts})
	}
	if len(t.defined) == 0 {
		return t.dict.Tag(dst, body)
	}
	t.tagged = t.dict.Tag(t.tagged[:0], body)
	return Overlay(dst, t.tagged, t.defined)
}

// senseOf looks up a long form of the document.
func (t *Tagger) senseOf(long string) sense {
	meant, known := t.senses[long]
	if !known {
		meant.name, meant.concepts = t.dict.LookupLongForm(long)
		t.senses[long] = meant
	}
	return meant
}
