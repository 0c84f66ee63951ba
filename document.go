package ctxnorm

// Span is a half-open range of bytes, text[Start:End].
type Span struct {
	Start, End int
}

// Len is the number of bytes.
func (s Span) Len() int { return s.End - s.Start }

// Of is the text under the span.
func (s Span) Of(text string) string { return text[s.Start:s.End] }

// Contains reports whether o lies within s.
func (s Span) Contains(o Span) bool { return s.Start <= o.Start && o.End <= s.End }

// Mention is a stretch of a document's text that names a concept.
type Mention struct {
	Span
	Name      string      // the dictionary name it was tagged by, normalised; empty where no tagger found it
	Type      string      // the annotators' entity type ("Disease"); empty where there is none
	Concepts  []ConceptID // what it names: several where the name is ambiguous or composite; empty where unknown
	Composite bool        // the span names all of Concepts together ("breast and ovarian cancer")
}

// Document is a text and the mentions in it: a text to link, an annotated
// abstract, or one sentence of the corpus.
//
// INVARIANT: mentions are ordered by Start, then End, and lie within Text on
// the boundaries of runes.
type Document struct {
	ID       string // PMID, or what the input calls it
	Text     string
	Mentions []Mention
}

// Query is a mention where it stands. What is encoded is its sentence with the
// mentions marked; the whole document is where its abbreviations are resolved.
type Query struct {
	*Document
	Mention  Mention
	Sentence Span // of Document.Text, around Mention
}

// Surface is the text of the mention itself.
func (q *Query) Surface() string { return q.Mention.Of(q.Text) }

// Reword is the query with its mention worded otherwise, in a copy of its document.
// Mentions that overlap it are left out.
func (q *Query) Reword(wording string) Query {
	by := len(wording) - q.Mention.Len()
	mention := q.Mention
	mention.End += by
	doc := &Document{ID: q.ID, Text: q.Text[:q.Mention.Start] + wording + q.Text[q.Mention.End:]}
	placed := false
	for _, m := range q.Mentions {
		switch {
		case m.End <= q.Mention.Start:
		case m.Start >= q.Mention.End:
			if !placed {
				doc.Mentions, placed = append(doc.Mentions, mention), true
			}
			m.Start, m.End = m.Start+by, m.End+by
		default:
			continue
		}
		doc.Mentions = append(doc.Mentions, m)
	}
	if !placed {
		doc.Mentions = append(doc.Mentions, mention)
	}
	return Query{Document: doc, Mention: mention, Sentence: Span{q.Sentence.Start, q.Sentence.End + by}}
}

// Exemplar is a query whose concepts are known: one row of the index.
type Exemplar struct {
	Query
	Bare   bool   // a name standing alone, without a context
	Source string // how texts gave the name to the concept; empty where the dictionary does
}

// NameExemplar is the exemplar of a bare dictionary name.
func NameExemplar(name string, concepts ...ConceptID) Exemplar {
	whole := Span{0, len(name)}
	m := Mention{Span: whole, Name: name, Concepts: concepts}
	doc := &Document{Text: name, Mentions: []Mention{m}}
	return Exemplar{Query: Query{Document: doc, Mention: m, Sentence: whole}, Bare: true}
}
