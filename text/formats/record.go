package formats

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// Record is a document with the other data of its file. A [Writer] of the same format fills in the results and leaves
// everything else unchanged.
type Record struct {
	*text.Document
	Annotations []Annotation // of the mentions, one each; nil if the mentions are not from the file
	Columns     []Column     // the cells of a table's row; nil for other formats
	// Unnamed is true if the file gives the document no identifier. Its ID is then the number of the line or of the
	// document, or the name of the file.
	Unnamed bool
	isFile  bool // the document is a whole file, and ID is the file name
	source  any  // the record in the form that its format's writer needs
}

// IDIn returns the identifier of the document among the documents of several files: ID, or if the document is unnamed,
// the name of its file with the number of the document or line, such as "notes.txt:12".
func (r *Record) IDIn(file string) string {
	switch {
	case !r.Unnamed:
		return r.ID
	case r.isFile:
		return file
	}
	return file + ":" + r.ID
}

// Annotation is the annotation of a mention in a file, with values as they are there.
type Annotation struct {
	ID         string // of the annotation ("T1"); empty if it has none
	Start, End int    // offsets in the unit of the file
	place      int    // the annotation's position in the source
}

// Column is a cell of a table with the name of its column.
type Column struct {
	Name, Value string
	Number      bool // a numeric cell of a workbook
}

// NewRecord returns the record of a document that does not come from a file.
func NewRecord(doc *text.Document) *Record { return &Record{Document: doc} }

// AddAnnotations adds data from the file to the linked mentions of a record: identifiers, concepts, and offsets if the
// file counts them in another unit. It adds nothing to mentions from a tagger.
func (r *Record) AddAnnotations(d *linked.Document) {
	if r.Annotations == nil || d.Tagged {
		return
	}
	offsets := text.NewOffsets(d.Text)
	for i := range d.Mentions {
		m, a := &d.Mentions[i], &r.Annotations[i]
		m.IDs, m.AnnotationID = r.Mentions[i].Concepts, a.ID
		if stated := (text.Span{Start: a.Start, End: a.End}); a.End != 0 && stated != offsets.CodePoints(m.Span) {
			m.SourceStart, m.SourceEnd = &a.Start, &a.End
		}
	}
}

// builder collects the mentions of a record with their annotations.
type builder []annotated

// annotated is a mention with its annotation.
type annotated struct {
	text.Mention
	annotation Annotation
}

func (b *builder) add(m text.Mention, a Annotation) {
	*b = append(*b, annotated{m, a})
}

// record returns the record of doc with its mentions in the order of their offsets.
func (b *builder) record(doc *text.Document, source any) *Record {
	slices.SortStableFunc(*b, func(a, b annotated) int { return a.Span.Compare(b.Span) })
	r := &Record{Document: doc, source: source, Annotations: []Annotation{}}
	doc.Mentions = nil
	for _, m := range *b {
		doc.Mentions = append(doc.Mentions, m.Mention)
		r.Annotations = append(r.Annotations, m.annotation)
	}
	return r
}

// byPlace returns the mentions of a record by their position in its source. own reports whether the record's mentions
// come from the source.
func byPlace(l *linkedRecord) (placed map[int]*linked.Mention, own bool) {
	if l.Annotations == nil || l.doc.Tagged {
		return nil, false
	}
	placed = make(map[int]*linked.Mention, len(l.Mentions))
	for i := range l.Mentions {
		placed[l.Annotations[i].place] = &l.Mentions[i]
	}
	return placed, true
}

// linkedRecord is a record with its linked mentions, in the form that writers use.
type linkedRecord struct {
	*Record
	Mentions []linked.Mention // offsets count code points
	doc      *linked.Document // the same mentions, with byte offsets
	offsets  *text.Offsets    // of the text; nil until needed
}

func newLinkedRecord(r *Record, d *linked.Document) *linkedRecord {
	return &linkedRecord{Record: r, Mentions: d.CodePoints(), doc: d}
}

// between returns the text of a span in code points.
func (l *linkedRecord) between(span text.Span) string {
	if l.offsets == nil {
		l.offsets = text.NewOffsets(l.Text)
	}
	bytes, _ := l.offsets.Bytes(span)
	return bytes.Of(l.Text)
}

// fragmentsOf returns the fragments of a mention: its span unless it is discontinuous.
func fragmentsOf(m *linked.Mention) []text.Span {
	if len(m.Fragments) == 0 {
		return []text.Span{m.Span}
	}
	return m.Fragments
}

// none is written for NIL in formats with one field for all ids of a mention.
const none = "-"

// linkedID returns the concepts to which a mention was linked, in PubTator's notation: "D001943|D010051" for a
// composite mention, "-" for NIL.
func linkedID(m *linked.Mention) string {
	return joinBest(m, "|", none, idOf)
}

func idOf(c *linked.Candidate) string   { return string(c.Concept) }
func nameOf(c *linked.Candidate) string { return c.Name }

// joinBest joins the results of the function of for the best candidates of a mention. nilText stands for NIL; it is
// written once if all of them are NIL.
func joinBest(m *linked.Mention, separator, nilText string, of func(*linked.Candidate) string) string {
	best := m.Best()
	texts := make([]string, len(best))
	isLinked := false
	for i, c := range best {
		texts[i] = nilText
		if c != nil {
			texts[i], isLinked = of(c), true
		}
	}
	if !isLinked {
		return nilText
	}
	return strings.Join(texts, separator)
}

// untyped is the type of mentions without one in formats that require a type.
const untyped = "Concept"

// typeOf returns the type of a mention for formats that require one.
func typeOf(m *linked.Mention) string { return cmp.Or(m.Type, untyped) }

// alsoFits lists the candidates of a mention that tie with the first, or returns "" if a curator decided.
func alsoFits(m *linked.Mention, l *linked.Link) string {
	var all []string
	for _, c := range l.Tied() {
		all = append(all, fmt.Sprintf("%s (%s)", c.Name, c.Concept))
	}
	if all == nil || m.Corrected != nil {
		return ""
	}
	return oneLine("fits as well: " + strings.Join(all, ", "))
}

// isControl reports whether XML and other text formats cannot hold a character, or read it as a line ending.
func isControl(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff
}

// printable replaces each control character by one of the same length in bytes, so that offsets stay valid: by a space,
// or by U+FFFD for U+FFFE and U+FFFF. Bytes that are not UTF-8 become U+FFFD, too.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case !isControl(r):
			return r
		case r < ' ':
			return ' '
		}
		return utf8.RuneError
	}, s)
}

// checkIDs returns an error if the format holds the concepts of a mention in one string that would be read as other
// concepts, such as an identifier with a bar, which would be read as two.
func checkIDs(l *linkedRecord, format Format, written func(*linked.Mention) string) error {
	for i := range l.Mentions {
		m := &l.Mentions[i]
		var want []kb.ConceptID
		for _, c := range m.Best() {
			if c != nil {
				want = append(want, c.Concept)
			}
		}
		if read, _ := parseIDs(written(m)); !slices.Equal(read, want) {
			return fmt.Errorf("document %q: the concepts %q would be read as %q: identifiers with separators or spaces "+
				"cannot be written as %s, want %s", l.ID, want, read, format, JSONL)
		}
	}
	return nil
}
