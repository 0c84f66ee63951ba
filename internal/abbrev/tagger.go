package abbrev

import (
	"slices"
	"sort"
	"strings"

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

// Define adds a text of the document with its definitions, see [Find] and [FindImplied]. It returns the position of the
// text.
func (t *Tagger) Define(body string, found []Definition) (start int) {
	return t.definitions.add(body, found)
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

// WithLonger adds longer names to the mentions of a text that [Tagger.Tag] found: names with an abbreviated part, or
// with a part that is followed by its abbreviation: "G6PD deficiency" and "glucose-6-phosphate dehydrogenase (G6PD)
// deficiency". They replace the mentions within them. found holds the text's definitions, and start its position in the
// document.
func (t *Tagger) WithLonger(mentions []text.Mention, body string, found []Definition, start int) []text.Mention {
	w := writeOut(body, found, t.definitions.occurrences(body, start, nil))
	if len(w.changes) == 0 {
		return mentions
	}
	var longer []text.Mention
	for _, m := range t.dict.Tag(nil, w.text) {
		if span, ok := w.around(m.Span); ok {
			m.Span = span
			longer = append(longer, m)
		}
	}
	return Overlay(nil, longer, mentions)
}

// writtenOut is a text with its short forms replaced by long forms, and without the brackets that define them.
type writtenOut struct {
	text    string
	changes []writtenChange // in order
}

// writtenChange is a short form and its long form, or a bracket and an empty span.
type writtenChange struct{ body, written text.Span }

func writeOut(body string, found []Definition, occurrences []occurrence) *writtenOut {
	replaced := slices.Clone(occurrences)
	for _, d := range found {
		if bracket, ok := d.Bracket(body); ok {
			spaced := text.Span{Start: min(d.Long.End, d.Short.End), End: bracket.End}
			replaced = append(replaced, occurrence{Span: spaced})
		}
	}
	slices.SortStableFunc(replaced, func(a, b occurrence) int { return a.Compare(b.Span) })
	w := new(writtenOut)
	var out strings.Builder
	done := 0 // bytes of body
	for _, o := range replaced {
		if o.Start < done {
			continue
		}
		out.WriteString(body[done:o.Start])
		at := out.Len()
		out.WriteString(o.Long)
		done = o.End
		w.changes = append(w.changes, writtenChange{o.Span, text.Span{Start: at, End: out.Len()}})
	}
	out.WriteString(body[done:])
	w.text = out.String()
	return w
}

// around returns the span of the original text for a span of the written-out one, if that contains a change and more,
// and does not end within a change.
func (w *writtenOut) around(s text.Span) (span text.Span, ok bool) {
	first := sort.Search(len(w.changes), func(i int) bool { return w.changes[i].written.End > s.Start })
	behind := sort.Search(len(w.changes), func(i int) bool { return w.changes[i].written.Start >= s.End })
	if first >= behind {
		return span, false
	}
	inside := w.changes[first:behind]
	if !s.Contains(inside[0].written) || !s.Contains(inside[len(inside)-1].written) || inside[0].written == s {
		return span, false
	}
	last := inside[len(inside)-1]
	return text.Span{
		Start: inside[0].body.Start - (inside[0].written.Start - s.Start),
		End:   last.body.End + s.End - last.written.End,
	}, true
}
