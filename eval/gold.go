package eval

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// GoldMention is an annotated mention with the concepts that its annotators chose.
type GoldMention struct {
	Query   text.Query
	Gold    []kb.ConceptID // concepts of the evaluated set, sorted and distinct
	Outside []kb.ConceptID // annotated identifiers outside the set
}

// InSet reports whether the mention has a concept of the evaluated set.
func (m *GoldMention) InSet() bool { return len(m.Gold) > 0 }

// subMentions returns the number of concepts that the mention names together: 2 for "breast and ovarian cancer", 1 for
// a mention that is not composite.
func (m *GoldMention) subMentions() int {
	if !m.Query.Mention.Composite {
		return 1
	}
	return max(1, len(m.Gold)+len(m.Outside))
}

// Gold holds the mentions of annotated files.
type Gold struct {
	Files     []string
	Types     []string         // requested entity types; empty for all
	Documents []*text.Document // all documents of the files, including those without mentions
	Mentions  []GoldMention    // in order: mentions of one document are adjacent
	Malformed []error          // malformed records, which were skipped
	Warnings  []error          // records that were read although the file may mean something else
}

// ReadGold reads annotated files and the files in folders, in any format of package text/formats. It keeps the mentions
// of the given entity types, or all mentions if types is empty. If a document (an identifier with a text) occurs again,
// its mentions are added unless one with the same span and type was read before. Each row of a table is a mention,
// unless an identical row was read before. Malformed records are skipped and returned in Gold.Malformed. If the files
// have no mention at all, ReadGold returns an error that includes the first malformed record.
func ReadGold(files, types []string, set *ConceptSet, limits files.Limits) (*Gold, error) {
	gold := &Gold{Files: files, Types: types}
	r := goldReader{gold: gold, documents: make(map[string]*text.Document), seen: make(map[goldKey]bool),
		types: make(map[string]bool), limits: limits.WithDefaults()}
	paths, err := formats.Expand(files, nil)
	for i := 0; err == nil && i < len(paths); i++ {
		err = r.read(paths[i])
	}
	if err != nil {
		return nil, err
	}
	for i, doc := range gold.Documents {
		slices.SortStableFunc(doc.Mentions, func(a, b text.Mention) int { return a.Span.Compare(b.Span) })
		gold.Documents[i], _ = link.Uniform(doc, nil)
		for _, q := range link.Queries(gold.Documents[i]) {
			r.types[q.Mention.Type] = true
			if len(types) == 0 || slices.Contains(types, q.Mention.Type) {
				in, outside := set.split(q.Mention.Concepts)
				gold.Mentions = append(gold.Mentions, GoldMention{q, in, outside})
			}
		}
	}
	if len(gold.Mentions) == 0 {
		return nil, r.noMentions()
	}
	return gold, nil
}

type goldReader struct {
	gold      *Gold
	documents map[string]*text.Document // documents read so far, by ID and text
	seen      map[goldKey]bool          // mentions of the documents
	types     map[string]bool           // types of all mentions of the documents
	limits    files.Limits
	kept      int64 // memory, in bytes, of the documents and errors read so far
}

// Memory, in bytes, of gold in addition to the text.
const (
	documentSize  = 256
	mentionSize   = 800 // a GoldMention, its query, its concepts, its sentence's share of the list and its keys
	malformedSize = 96
)

func (r *goldReader) read(file string) error {
	keep := func(errs *[]error, bad *formats.RecordError) {
		*errs = append(*errs, bad)
		r.kept += malformedSize + int64(len(bad.Reason))
	}
	in, err := formats.Open(file, formats.Options{Limits: r.limits,
		Warn: func(w *formats.RecordError) { keep(&r.gold.Warnings, w) }})
	if err != nil {
		return err
	}
	defer in.Close()
	for {
		record, err := in.Next()
		place := ""
		var malformed *formats.RecordError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &malformed):
			keep(&r.gold.Malformed, malformed)
			place = fmt.Sprintf("%s:%d", file, malformed.Line)
		case err != nil:
			return err
		default:
			r.merge(record)
			place = fmt.Sprintf("%s: document %s", file, input.Quote(record.ID))
		}
		if err := r.limits.CheckInMemory("gold", r.kept); err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
	}
}

// goldKey identifies a mention of a document. For a row of a table it includes the concepts.
type goldKey struct {
	doc            *text.Document
	span           text.Span
	fragments      string // of a discontinuous mention
	kind, concepts string
}

// merge adds a record to the documents.
func (r *goldReader) merge(record *formats.Record) {
	key := record.ID + "\n" + record.Text
	doc := r.documents[key]
	if doc == nil {
		doc = &text.Document{ID: record.ID, Text: record.Text, Group: record.Group}
		r.documents[key] = doc
		r.gold.Documents = append(r.gold.Documents, doc)
		r.kept += documentSize + 2*int64(len(key))
	}
	var added []goldKey // keys of the record's own mentions, which may contain duplicates
	for _, m := range record.Mentions {
		place := goldKey{doc: doc, span: m.Span, fragments: fmt.Sprint(m.Fragments), kind: m.Type}
		whole := place
		whole.concepts = fmt.Sprintf("%q", m.Concepts)
		if isRow := record.Columns != nil; isRow && !r.seen[whole] || !isRow && !r.seen[place] {
			doc.Mentions, added = append(doc.Mentions, m), append(added, place, whole)
			r.kept += mentionSize
		}
	}
	for _, key := range added {
		r.seen[key] = true
	}
}

// noMentions returns the error for files without a mention to evaluate.
func (r *goldReader) noMentions() error {
	files := strings.Join(r.gold.Files, ", ")
	if len(r.types) == 0 {
		err := fmt.Errorf("%s: no mention in %s", files, english.Plural(len(r.documents), "document", ""))
		if n := len(r.gold.Malformed); n > 0 {
			err = fmt.Errorf("%w; skipped %s, first %w", err, english.Plural(n, "malformed record", ""), r.gold.Malformed[0])
		}
		return err
	}
	found := slices.Sorted(maps.Keys(r.types))
	if len(found) == 1 && found[0] == "" {
		return fmt.Errorf("%s: no mention of the types %q, the mentions have no types", files, r.gold.Types)
	}
	return fmt.Errorf("%s: no mention of the types %q, the files have %q", files, r.gold.Types, found)
}

// Annotated returns the documents with the mentions of Mentions.
func (g *Gold) Annotated() []*text.Document {
	mentions := make(map[*text.Document][]text.Mention)
	for i := range g.Mentions {
		q := &g.Mentions[i].Query
		mentions[q.Document] = append(mentions[q.Document], q.Mention)
	}
	documents := make([]*text.Document, len(g.Documents))
	for i, doc := range g.Documents {
		documents[i] = &text.Document{ID: doc.ID, Text: doc.Text, Group: doc.Group, Mentions: mentions[doc]}
	}
	return documents
}

// Exemplars returns the mentions with all concepts in the evaluated set, for training. Short forms defined by their
// documents are replaced by their long forms, as in linking.
func (g *Gold) Exemplars() []text.Exemplar {
	var exemplars []text.Exemplar
	for i, query := range g.expanded() {
		m := &g.Mentions[i]
		if m.InSet() && len(m.Outside) == 0 {
			query.Mention.Concepts = m.Gold
			exemplars = append(exemplars, text.Exemplar{Query: query})
		}
	}
	return exemplars
}

// expanded returns the queries of the mentions, with long forms in place of the short forms that documents define.
func (g *Gold) expanded() []text.Query {
	queries := make([]text.Query, len(g.Mentions))
	var expander *abbrev.Expander
	var document *text.Document // the document of expander
	for i := range g.Mentions {
		queries[i] = g.Mentions[i].Query
		if queries[i].Document != document {
			document, expander = queries[i].Document, abbrev.NewExpander(queries[i].Text)
		}
		if long, ok := expander.Expand(queries[i].Surface(), queries[i].Mention.Start); ok {
			queries[i] = queries[i].WithSurface(long)
		}
	}
	return queries
}

// Refine drops the mentions that also occur in other gold, such as training and development sets, and then those that
// occur earlier in g, and returns their numbers. This gives the refined test sets of Tutubalina, Kadurin &
// Miftahutdinov, "Fair Evaluation in Concept Normalization", COLING 2020. Mentions are the same if their normal forms
// are, after replacing short forms by the long forms that their documents define.
func (g *Gold) Refine(other *Gold) (overlaps, duplicates int) {
	elsewhere, before := make(map[string]bool), make(map[string]bool)
	for _, q := range other.expanded() {
		elsewhere[normalize.Normal(q.Surface())] = true
	}
	var kept []GoldMention
	for i, q := range g.expanded() {
		normal := normalize.Normal(q.Surface())
		switch {
		case elsewhere[normal]:
			overlaps++
		case before[normal]:
			duplicates++
		default:
			before[normal] = true
			kept = append(kept, g.Mentions[i])
		}
	}
	g.Mentions = kept
	return overlaps, duplicates
}
