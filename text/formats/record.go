package formats

import (
	"slices"

	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// Record is a document of a file, with what the file says besides: a [Writer] of the same
// format fills the results in and leaves everything else as it was.
type Record struct {
	*text.Document
	Annotations []Annotation // what the file says of the document's mentions, one each; nil if they are not the file's
	Columns     []Column     // the cells of a table's row; nil for other formats
	// Unnamed says that the file gives the document no identifier: its ID is the number of the
	// line or of the document, or the name of the file.
	Unnamed bool
	isFile  bool // the document is a whole file, of which ID is the name
	source  any  // the record as its format's writer needs it
}

// IDIn returns the identifier of the document among those of several files, of which its own has the name file: ID, or
// where the file gives none, the name of the file with the number of the document or its line, as in "notes.txt:12".
func (r *Record) IDIn(file string) string {
	switch {
	case !r.Unnamed:
		return r.ID
	case r.isFile:
		return file
	}
	return file + ":" + r.ID
}

// Annotation is what a file says of a mention, as it says it.
type Annotation struct {
	ID         string // of the annotation ("T1"); empty if it has none
	Start, End int    // offsets as the file counts them
	place      int    // the annotation's position in the source
}

// Column is a cell of a table with the name of its column.
type Column struct {
	Name, Value string
	Number      bool // in a workbook
}

// NewRecord returns the record of a document that comes from no file.
func NewRecord(doc *text.Document) *Record { return &Record{Document: doc} }

// AddAnnotations adds to the linked mentions of a record what its file says of them: their identifiers, concepts, and
// offsets where the file counts them in another unit. Mentions of a tagger get nothing.
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

// annotated is a mention with what its file says of it.
type annotated struct {
	text.Mention
	annotation Annotation
}

func (b *builder) add(m text.Mention, a Annotation) {
	*b = append(*b, annotated{m, a})
}

// record returns the record of doc with the mentions in the order of their offsets.
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

// byPlace returns the mentions of a record that come from its source, by their position
// there, and reports whether the record's mentions are those of the source.
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
