package abbrev

import (
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// Dictionary finds its names in texts, like the tagger of package matcher.
type Dictionary interface {
	// Tag appends the mentions in s to dst, ordered by Start.
	Tag(dst []text.Mention, s string) []text.Mention
	// LookupLongForm returns the concepts of a long form that is a name as a whole, and that name in normal form. If it is
	// not a name, LookupLongForm returns the long form in normal form and no concepts.
	LookupLongForm(long string) (name string, concepts []kb.ConceptID)
	// MayStandFor reports whether a short form may stand for a name: Tag finds a name in it, or it consists of the
	// initials of one.
	MayStandFor(short string) bool
}

// Tagger tags the texts of one document at a time with the names of a dictionary. It tags short forms that the document
// defines by their definition: "AD" is a mention of eczema in a document that defines it as atopic dermatitis, in all
// of its texts, up to another definition of AD.
//
// If the long form is not a name of the dictionary, the mention has no concepts. Such a mention is left out if the
// short form could not be mistaken for a name either.
type Tagger struct {
	dict        Dictionary
	definitions definedForms
}

// NewTagger returns a tagger for a document without definitions.
func NewTagger(dict Dictionary) *Tagger { return &Tagger{dict: dict} }

// Reset begins another document.
func (t *Tagger) Reset() { t.definitions = definedForms{} }

// Define adds a text of the document with the definitions that [Find] found in it and, if genera is not nil, its species
// with an abbreviated genus. It returns the position of the text.
func (t *Tagger) Define(body string, found []Definition, genera Genera) (start int) {
	return t.definitions.add(body, found, genera)
}

// Tag appends the mentions in a part of the document, which begins at position start, to dst, ordered by Start.
func (t *Tagger) Tag(dst []text.Mention, body string, start int) []text.Mention {
	var defined []text.Mention
	for _, o := range t.definitions.occurrences(body, start, nil) {
		name, concepts := t.dict.LookupLongForm(o.Long)
		if name != "" && (len(concepts) > 0 || t.dict.MayStandFor(o.Of(body))) {
			defined = append(defined, text.Mention{Span: o.Span, Name: name, LongForm: o.Long, Concepts: concepts})
		}
	}
	if len(defined) == 0 {
		return t.dict.Tag(dst, body)
	}
	return Overlay(dst, t.dict.Tag(nil, body), defined)
}
