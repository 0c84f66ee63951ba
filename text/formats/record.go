package formats

import (
	"slices"

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
