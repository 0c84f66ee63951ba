package text

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/ctxnorm/ctxnorm/kb"
)

// Span is a half-open range of byte offsets, text[Start:End].
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Len returns the number of bytes.
func (s Span) Len() int { return s.End - s.Start }

// Of returns the part of the text that the span covers.
func (s Span) Of(text string) string { return text[s.Start:s.End] }

// Contains reports whether o lies within s.
func (s Span) Contains(o Span) bool { return s.Start <= o.Start && o.End <= s.End }

// Compare orders spans by their starts, and then by their ends.
func (s Span) Compare(o Span) int {
	return cmp.Or(cmp.Compare(s.Start, o.Start), cmp.Compare(s.End, o.End))
}

// Mention is a span of a document's text that names a concept.
type Mention struct {
	Span
	// of a discontinuous mention ("breast" and "cancer" in "breast and ovarian cancer"); nil otherwise
	Fragments []Span
	// the normalized dictionary name that the tagger matched, or else LongForm; empty if no tagger found the mention
	Name string
	Type string // the annotators' entity type ("Disease"); empty if there is none
	// the long form, as written, with which the document defines the mention's short form; empty if it does not
	LongForm string
	// the concepts named: several if the name is ambiguous or composite; empty if unknown, or if LongForm is not in the
	// dictionary (NIL)
	Concepts  []kb.ConceptID
	Composite bool // the span names all of Concepts together ("breast and ovarian cancer")
	// Recognized means that the recognizer found the span and it is not a name of the dictionary. Score is the
	// probability, 0 to 1, that exactly this span is a mention; 0 if the mention was not recognized.
	Recognized bool
	Score      float64
	Sense      *Sense // from gold of ambiguous short forms; nil elsewhere, and not used by linkers
}

// Of returns the text of the mention: the text that its span covers, or its fragments joined by spaces.
func (m *Mention) Of(text string) string {
	if len(m.Fragments) == 0 {
		return m.Span.Of(text)
	}
	words := make([]string, len(m.Fragments))
	for i, fragment := range m.Fragments {
		words[i] = fragment.Of(text)
	}
	return strings.Join(words, " ")
}

// Sense is the meaning of an ambiguous short form in gold from which the definition was removed.
type Sense struct {
	LongForm string `json:"long_form"` // the most frequent long form of the sense
	Records  int    `json:"records"`   // records that define the short form with this sense and may be in a corpus
}

// Document is a text and the mentions in it: a text to link, an annotated abstract, or one sentence of the corpus.
//
// INVARIANT: mentions are ordered by Start, then End, lie within Text, and start
// and end at rune boundaries. The fragments of a mention are two or more, in order, and do not overlap; the first
// begins and the last ends where the mention does.
type Document struct {
	ID       string // PMID, or the identifier in the input
	Text     string
	Group    string // gold documents of one group are correct only together; empty for none
	Mentions []Mention
}

// Query is a mention to link, with its context. The encoder reads the sentence, with the mentions marked; abbreviations
// are resolved in the whole document.
type Query struct {
	*Document
	Mention  Mention
	Sentence Span // of Document.Text; contains Mention

	// Original is the query with its whole document, before [Query.WithSurface] replaced the text of its mention; nil if
	// it did not.
	Original *Query
}

// Surface returns the text of the mention. For a discontinuous mention, that text does not occur in the document.
func (q *Query) Surface() string { return q.Mention.Of(q.Text) }

// WithSurface returns the query with the text of its mention, from its start to its end, replaced by surface. To avoid
// copying a long document for each of its mentions, the document of the new query is only the sentence, with its other
// mentions except those that overlap this one.
func (q *Query) WithSurface(surface string) Query {
	growth := len(surface) - q.Mention.Len() // bytes
	offset := -q.Sentence.Start
	mention := q.Mention.shift(offset)
	mention.End += growth
	doc := &Document{ID: q.ID, Text: q.Text[q.Sentence.Start:q.Mention.Start] + surface +
		q.Text[q.Mention.End:q.Sentence.End]}
	from := sort.Search(len(q.Mentions), func(i int) bool { return q.Mentions[i].Start >= q.Sentence.Start })
	before := 0 // number of mentions before the query's
	for _, m := range q.Mentions[from:] {
		if m.Start >= q.Sentence.End {
			break
		}
		switch {
		case m.End > q.Sentence.End:
		case m.End <= q.Mention.Start:
			doc.Mentions = append(doc.Mentions, m.shift(offset))
			before++
		case m.Start >= q.Mention.End:
			doc.Mentions = append(doc.Mentions, m.shift(offset+growth))
		}
	}
	doc.Mentions = slices.Insert(doc.Mentions, before, mention)
	original := q.Original
	if original == nil {
		whole := *q
		original = &whole
	}
	return Query{Document: doc, Mention: mention, Sentence: Span{0, len(doc.Text)}, Original: original}
}

// shift returns the mention moved by n bytes, without fragments.
func (m Mention) shift(n int) Mention {
	m.Start, m.End, m.Fragments = m.Start+n, m.End+n, nil
	return m
}

// SentenceWithoutMention returns the sentence of the mention, without the whole original mention, as a query for a text
// without context, such as a name.
func (q *Query) SentenceWithoutMention() Query {
	whole := cmp.Or(q.Original, q)
	around := whole.Text[whole.Sentence.Start:whole.Mention.Start] + whole.Text[whole.Mention.End:whole.Sentence.End]
	return NameExemplar(strings.TrimSpace(around)).Query
}

// Exemplar is a query with known concepts: a row of an exemplar index.
type Exemplar struct {
	Query
	Bare   bool // a name without context
	Origin Origin
}

// NameExemplar returns the exemplar of a dictionary name without context.
func NameExemplar(name string, concepts ...kb.ConceptID) Exemplar {
	whole := Span{0, len(name)}
	m := Mention{Span: whole, Name: name, Concepts: concepts}
	doc := &Document{Text: name, Mentions: []Mention{m}}
	return Exemplar{Query: Query{Document: doc, Mention: m, Sentence: whole}, Bare: true}
}
