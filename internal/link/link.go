package link

import (
	"context"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/internal/lists"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/sentence"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// Ranking is the result of linking one query.
type Ranking struct {
	// Candidates holds distinct concepts in descending order of score, and in the order of their identifiers if scores
	// are equal. Without candidates the query is NIL. The probabilities of calibrated linkers, including NIL and
	// candidates that were cut off, add up to 1.
	Candidates []linked.Candidate
	// NIL is the probability that the query names no concept of the dictionary: 1 without candidates, 0 from linkers
	// that are not calibrated.
	NIL float64
	// Suggested holds the first candidates of a NIL query, whose probability or similarity is too low for an answer.
	Suggested []linked.Candidate

	// Broader returns the concept that the query is most probably a kind of if it is NIL, or nil if there is none. The
	// function itself is nil for linkers that cannot find broader concepts.
	Broader func() *linked.Broader
}

// Linker finds the concepts that mentions name.
type Linker interface {
	// Name returns the name of the linker in reports.
	Name() string

	// Link returns one ranking for each query, with at most k candidates. Its rankings are the same in every process.
	Link(ctx context.Context, queries []text.Query, k int) ([]Ranking, error)
}

// Queries returns a query for every mention of the document, in order, each in its sentence.
func Queries(doc *text.Document) []text.Query {
	queries := make([]text.Query, len(doc.Mentions))
	sentences := sentence.Split(doc.Text)
	for i, m := range doc.Mentions {
		queries[i] = text.Query{Document: doc, Mention: m, Sentence: sentence.AroundIn(sentences, m.Span)}
	}
	return queries
}

// BareQueries returns queries for the mentions alone, without their sentences.
func BareQueries(queries []text.Query) []text.Query {
	alone := make([]text.Query, len(queries))
	for i := range queries {
		alone[i] = text.NameExemplar(queries[i].Surface()).Query
	}
	return alone
}

// TagDocument returns a copy of the document with the mentions that the tagger finds in its text. These include the
// short forms that the text defines, also as parts of names (see [abbrev.Tagger]), and those in implied, which
// [abbrev.FindImplied] returned.
func TagDocument(doc *text.Document, tagger *matcher.Tagger, implied ...abbrev.Definition) *text.Document {
	defined, found := abbrev.NewTagger(tagger), abbrev.Find(doc.Text)
	start := defined.Define(doc.Text, append(found, implied...))
	mentions := defined.WithLonger(defined.Tag(nil, doc.Text, start), doc.Text, found, start)
	return &text.Document{ID: doc.ID, Text: doc.Text, Mentions: mentions}
}

// WithLists returns the document with the lists whose members share words (type 1 and 2 diabetes) as composite
// mentions, in place of the mentions within them. All members are names of the tagger.
func WithLists(doc *text.Document, tagger *matcher.Tagger) *text.Document {
	spans := make([]text.Span, len(doc.Mentions))
	for i, m := range doc.Mentions {
		spans[i] = m.Span
	}
	isWord := func(word string) bool {
		return slices.ContainsFunc(strings.Fields(normalize.Normal(word)), tagger.HasWord)
	}
	known := make(map[string]bool)
	isName := func(name string) bool {
		is, asked := known[name]
		if !asked {
			_, concepts := tagger.LookupLongForm(name)
			is = concepts != nil
			known[name] = is
		}
		return is
	}
	var found []text.Mention
	for _, list := range lists.Find(doc.Text, spans, isWord, isName) {
		m := text.Mention{Span: list.Span, Composite: true}
		for _, member := range list.Members {
			name, concepts := tagger.LookupLongForm(member.Text)
			m.Name, m.Concepts = strings.TrimPrefix(m.Name+"; "+name, "; "), append(m.Concepts, concepts...)
		}
		found = append(found, m)
	}
	if found != nil {
		doc = &text.Document{ID: doc.ID, Text: doc.Text, Group: doc.Group, Mentions: abbrev.Overlay(nil, doc.Mentions, found)}
	}
	return doc
}

// Unnamed reports whether a tagged mention is a short form whose long form is not a name. It counts as a mention only
// if the long form is linked to a concept.
func Unnamed(m text.Mention) bool { return len(m.Concepts) == 0 && !m.Recognized }
