package formats

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// fillBioC fills the concepts into a document that was read as BioC, and returns its tree. It
// returns false for any other document.
func fillBioC[T biocTree](l *linkedRecord) (tree T, collection any, ok bool) {
	source, _ := l.source.(*biocSource)
	if source == nil {
		return tree, nil, false
	}
	if tree, ok = source.document.tree.(T); !ok {
		return tree, nil, false
	}
	placed, own := byPlace(l)
	if own {
		for i, m := range placed {
			source.annotations[i].link(linkedID(m), attributesOf(m))
		}
		return tree, source.collection, true
	}
	tree.removeAnnotations()
	blocks := placeBlocks(source.document.blocks, l.Text)
	for i := range l.Mentions {
		m := &l.Mentions[i]
		block, inBlock := blockOf(blocks, m.Start)
		passage, _ := strconv.Atoi(strings.TrimSpace(block.offset))
		block.add(annotationOf(m, strconv.Itoa(i), passage+inBlock-m.Start))
	}
	return tree, source.collection, true
}

// annotationOf returns the annotation of a mention, whose offsets in the file are higher by shift than those in the
// text.
func annotationOf(m *linked.Mention, id string, shift int) newAnnotation {
	a := newAnnotation{id: id, kind: typeOf(m), concept: linkedID(m), assertion: attributesOf(m), text: m.Text}
	for _, f := range fragmentsOf(m) {
		a.locations = append(a.locations, text.Span{Start: f.Start + shift, End: f.End + shift})
	}
	return a
}

// placedBlock is a block that has a text, with the code point of the document at which it begins.
type placedBlock struct {
	*biocBlock
	codePoint int
}

// placeBlocks returns the blocks that have a text, in the order of the text.
func placeBlocks(blocks []*biocBlock, content string) []placedBlock {
	offsets := text.NewOffsets(content)
	var placed []placedBlock
	for _, b := range blocks {
		if b.text != "" {
			placed = append(placed, placedBlock{b, offsets.CodePoint(b.start)})
		}
	}
	return placed
}

// blockOf returns the last block that begins at or before a code point of the document, or else the first, and the
// position in it.
func blockOf(blocks []placedBlock, codePoint int) (block *biocBlock, within int) {
	after, found := slices.BinarySearchFunc(blocks, codePoint, func(b placedBlock, at int) int {
		return cmp.Compare(b.codePoint, at)
	})
	if !found {
		after = max(0, after-1)
	}
	return blocks[after].biocBlock, codePoint - blocks[after].codePoint
}

// biocOutput is BioC XML, the only XML that is written.
var biocOutput = OutputFormat{
	Name: BioC, Extensions: []string{".xml"}, MIME: "application/xml; charset=utf-8",
	New: func(w io.Writer, o WriterOptions) Writer { return &biocWriter{output: newOutput(w), options: o} },
}

// biocWriter writes BioC XML: the documents that were read with other concepts, or new ones
// of one passage.
type biocWriter struct {
	*output
	options WriterOptions
	begun   bool
}

// biocStart is the start of every BioC file.
const biocStart = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE collection SYSTEM \"BioC.dtd\">\n"

// begin writes what is before the first document.
func (w *biocWriter) begin(head *biocHead) error {
	if w.begun {
		return nil
	}
	w.begun = true
	collection := newElement("collection", "")
	if head != nil {
		collection = head.collection
	} else {
		collection.add(newElement("source", "ctxnorm"), newElement("date", ""), newElement("key", ""))
	}
	var b strings.Builder
	b.WriteString(biocStart)
	collection.writeStart(&b)
	b.WriteString("\n")
	for _, child := range collection.children {
		writeNode(&b, child)
		b.WriteString("\n")
	}
	_, err := w.WriteString(b.String())
	return err
}

// Write implements [Writer].
func (w *biocWriter) Write(r *Record, d *linked.Document) error {
	l := newLinkedRecord(r, d)
	if err := checkIDs(l, BioC, linkedID); err != nil {
		return err
	}
	w.options.lostControls(l.ID, l.Text)
	document, collection, ok := fillBioC[*element](l)
	if !ok {
		document = newBioCElement(l)
	}
	head, _ := collection.(*biocHead)
	if err := w.begin(head); err != nil {
		return err
	}
	var b strings.Builder
	document.write(&b)
	return w.write(b.String() + "\n")
}

func newBioCElement(l *linkedRecord) *element {
	passage := newElement("passage", "").add(newElement("offset", "0"), newElement("text", l.Text))
	for i := range l.Mentions {
		m := &l.Mentions[i]
		passage.add(annotationOf(m, annotationID(m, i), 0).element())
	}
	return newElement("document", "").add(newElement("id", l.ID), passage)
}

// annotationID returns the identifier of a mention in the input, or else its number.
func annotationID(m *linked.Mention, i int) string {
	if m.AnnotationID != "" {
		return m.AnnotationID
	}
	return strconv.Itoa(i)
}

// Close implements [Writer].
func (w *biocWriter) Close() error {
	if err := w.begin(nil); err != nil {
		return err
	}
	return w.write("</collection>\n")
}

// biocJSONOutput is BioC JSON, whose extension may also be that of lines of JSON.
var biocJSONOutput = OutputFormat{
	Name: BioCJSON, Extensions: []string{".json"}, Ambiguous: true, MIME: "application/json",
	New: func(w io.Writer, _ WriterOptions) Writer { return &biocJSONWriter{output: newOutput(w)} },
}

// biocJSONWriter writes BioC JSON in the form of the first document: a collection, the
// documents of PubTator3, or a document a line; as a collection if that was of another format.
type biocJSONWriter struct {
	*output
	collection *biocJSONCollection
	count      int
}

// begin writes what is before the first document.
func (w *biocJSONWriter) begin(collection *biocJSONCollection) error {
	if w.collection != nil {
		return nil
	}
	if collection == nil {
		collection = &biocJSONCollection{key: "documents", before: 4, members: *newObject(
			"source", "ctxnorm", "date", "", "key", "", "infons", newObject())}
	}
	w.collection = collection
	var b bytes.Buffer
	if collection.listed {
		b.WriteString("[")
	}
	if collection.key != "" {
		b.WriteString("{")
		for _, m := range collection.members.members[:collection.before] {
			if err := writeMember(&b, m); err != nil {
				return err
			}
			b.WriteString(",")
		}
		key, err := marshal(collection.key)
		if err != nil {
			return err
		}
		b.Write(key)
		b.WriteString(":[")
	}
	_, err := w.Writer.Write(b.Bytes())
	return err
}

func writeMember(b *bytes.Buffer, m member) error {
	key, err := marshal(m.key)
	if err != nil {
		return err
	}
	value, err := marshal(m.value)
	if err != nil {
		return err
	}
	b.Write(key)
	b.WriteByte(':')
	b.Write(value)
	return nil
}

// Write implements [Writer].
func (w *biocJSONWriter) Write(r *Record, d *linked.Document) error {
	l := newLinkedRecord(r, d)
	if err := checkIDs(l, BioCJSON, linkedID); err != nil {
		return err
	}
	document, collection, ok := fillBioC[*object](l)
	if !ok {
		document = newBioCObject(l)
	}
	around, _ := collection.(*biocJSONCollection)
	if err := w.begin(around); err != nil {
		return err
	}
	raw, err := marshal(document)
	if err != nil {
		return err
	}
	separator := ""
	if w.count++; w.count > 1 && (w.collection.key != "" || w.collection.listed) {
		separator = ",\n"
	} else if w.count > 1 {
		separator = "\n"
	}
	return w.write(separator + string(raw))
}

func newBioCObject(l *linkedRecord) *object {
	annotations := make([]*object, len(l.Mentions))
	for i := range l.Mentions {
		m := &l.Mentions[i]
		annotations[i] = annotationOf(m, annotationID(m, i), 0).object()
	}
	empty := json.RawMessage("[]")
	passage := newObject("offset", 0, "infons", newObject(), "text", l.Text, "sentences", empty, "annotations",
		annotations, "relations", empty)
	return newObject("id", l.ID, "infons", newObject(), "passages", []*object{passage}, "annotations", empty,
		"relations", empty)
}

// Close implements [Writer].
func (w *biocJSONWriter) Close() error {
	if err := w.begin(nil); err != nil {
		return err
	}
	var b bytes.Buffer
	c := w.collection
	if c.key != "" {
		b.WriteString("]")
		for _, m := range c.members.members[c.before:] {
			b.WriteString(",")
			if err := writeMember(&b, m); err != nil {
				return err
			}
		}
		b.WriteString("}")
	}
	if c.listed {
		b.WriteString("]")
	}
	b.WriteString("\n")
	return w.write(b.String())
}
