package formats

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

func newBioCXML(w io.Writer, o WriterOptions) Writer {
	return newBioC(w, o, &biocWriter[*element]{format: BioC, new: newBioCElement})
}

func newBioCJSON(w io.Writer, o WriterOptions) Writer {
	o.Lost = nil // JSON can represent every character
	return newBioC(w, o, &biocWriter[*object]{format: BioCJSON, new: newBioCObject})
}

func newBioC[T biocNode](w io.Writer, o WriterOptions, b *biocWriter[T]) Writer {
	return &documentWriter{newOutput(w), o, b.document, b.end}
}

// biocCollection is the part of a file around its documents: in XML the *element of the collection with its content
// before the first document, in JSON a *biocJSONCollection.
type biocCollection interface {
	// around returns the text before, between and after the documents. The last includes only what has been read so far.
	around() (before, between, after string, err error)
}

// biocWriter writes BioC: the documents that were read with new concepts, in the collection of the first one, or new
// documents with one passage.
type biocWriter[T biocNode] struct {
	format     Format
	new        func(id, text string) (document, passage T, _ biocCollection)
	collection biocCollection // nil before the first document
	between    string
}

// before returns the text before a document, or before the end of a file without documents.
func (w *biocWriter[T]) before(c biocCollection) (before string, err error) {
	if w.collection != nil {
		return w.between, nil
	}
	w.collection = c
	before, w.between, _, err = c.around()
	return before, err
}

// document returns the text of a document with the text before it.
func (w *biocWriter[T]) document(l *linkedRecord, o *WriterOptions) (string, error) {
	if err := checkIDs(l, w.format, linkedID); err != nil {
		return "", err
	}
	o.lostControls(l.ID, l.Text)
	document, collection := w.filled(l)
	before, err := w.before(collection)
	written, errWritten := writtenNode(document)
	return before + written, cmp.Or(err, errWritten)
}

// filled returns a document that was read in this format with its concepts filled in, or else a new one.
func (w *biocWriter[T]) filled(l *linkedRecord) (T, biocCollection) {
	source, _ := l.source.(*biocDocument)
	node, ok := cmp.Or(source, new(biocDocument)).node.(T)
	if !ok {
		document, passage, collection := w.new(l.ID, l.Text)
		for i := range l.Mentions {
			passage.addAnnotation(&l.Mentions[i], cmp.Or(l.Mentions[i].AnnotationID, strconv.Itoa(i)), 0)
		}
		return document, collection
	}
	placed, own := byPlace(l)
	for i, m := range placed {
		source.annotations[i].link(linkedID(m), attributesOf(m))
	}
	if own {
		return node, source.collection
	}
	node.removeAnnotations()
	offsets, at := text.NewOffsets(l.Text), 0
	blocks := slices.DeleteFunc(slices.Clone(source.blocks), func(b *biocBlock) bool { return b.text == "" })
	for i := range l.Mentions { // in the last block that begins at or before the mention, or the first
		if l.doc.Mentions[i].Start < blocks[at].start { // mentions may be in any order
			at = 0
		}
		for at+1 < len(blocks) && blocks[at+1].start <= l.doc.Mentions[i].Start {
			at++
		}
		passage, _ := strconv.Atoi(blocks[at].offset)
		shift := passage - offsets.CodePoint(blocks[at].start)
		blocks[at].node.addAnnotation(&l.Mentions[i], strconv.Itoa(i), shift)
	}
	return node, source.collection
}

// end returns the end of the file, preceded by its start if there was no document.
func (w *biocWriter[T]) end() (before string, err error) {
	if w.collection == nil {
		_, _, collection := w.new("", "")
		if before, err = w.before(collection); err != nil {
			return "", err
		}
	}
	_, _, after, err := w.collection.around()
	return before + after, err
}

// infonsOf returns the infons for an annotation that was not in the file.
func infonsOf(m *linked.Mention) []infon {
	infons := []infon{{key: "type", value: typeOf(m)}, {key: conceptInfon, value: linkedID(m)}}
	for _, name := range attributesOf(m) {
		infons = append(infons, infon{key: name, value: isSet})
	}
	return infons
}

// writtenNode returns a document as it is written to the file.
func writtenNode(n biocNode) (string, error) {
	if e, ok := n.(*element); ok {
		var b strings.Builder
		e.write(&b)
		return b.String() + "\n", nil
	}
	raw, err := marshal(n)
	return string(raw), err
}

// newBioCElement returns a BioC XML document, its passage, and a collection.
func newBioCElement(id, text string) (document, passage *element, _ biocCollection) {
	passage = newElement("passage", "").add(newElement("offset", "0"), newElement("text", text))
	return newElement("document", "").add(newElement("id", id), passage), passage, newElement("collection", "").add(
		newElement("source", "ctxnorm"), newElement("date", ""), newElement("key", ""))
}

// biocStart is the start of every file of BioC XML.
const biocStart = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE collection SYSTEM \"BioC.dtd\">\n"

// around implements [biocCollection].
func (e *element) around() (before, between, after string, err error) {
	var b strings.Builder
	b.WriteString(biocStart)
	e.writeStart(&b)
	b.WriteString("\n")
	for _, child := range e.children {
		writeNode(&b, child)
		b.WriteString("\n")
	}
	return b.String(), "", "</collection>\n", nil
}

// newBioCObject returns a BioC JSON document, its passage, and a collection.
func newBioCObject(id, text string) (document, passage *object, _ biocCollection) {
	empty := []any{}
	passage = newObject("offset", 0, "infons", newObject(), "text", text, "sentences", empty, "annotations",
		[]*object{}, "relations", empty)
	document = newObject("id", id, "infons", newObject(), "passages", []*object{passage}, "annotations", empty,
		"relations", empty)
	return document, passage, &biocJSONCollection{key: "documents", before: 4, members: *newObject("source", "ctxnorm",
		"date", "", "key", "", "infons", newObject())}
}

// around implements [biocCollection].
func (c *biocJSONCollection) around() (before, between, after string, err error) {
	between = ",\n"
	if c.key != "" {
		o := &object{slices.Insert(slices.Clone(c.members.members), c.before, member{c.key, []any{}})}
		raw, errRaw := marshal(o)
		head, errHead := marshal(&object{o.members[:c.before+1]})
		if err := cmp.Or(errRaw, errHead); err != nil {
			return "", "", "", err
		}
		at := len(head) - len("]}")
		before, after = string(raw[:at]), string(raw[at:])
	}
	switch {
	case c.listed:
		before, after = "["+before, after+"]"
	case c.key == "":
		between = "\n"
	}
	return before, between, after + "\n", nil
}
