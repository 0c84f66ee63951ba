package formats

import (
	"bufio"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/text"
)

// biocDocument is a document of BioC XML or JSON (Comeau et al., Database 2013). The text
// of a document is the texts of its passages, or of their sentences, joined by single
// spaces, as PubTator joins a title and an abstract. Offsets count code points.
//
// By definition the offsets of mentions and passages refer to the source of the
// collection, so the position of a mention is its distance from its passage. The BC5CDR
// corpus violates this: the offsets of its abstracts count "&apos;" in the title as six
// characters while the offsets of mentions count it as one, and some mentions of the
// abstract are listed under the title. So if the mention's text is not found at its
// distance from the passage, its offset is taken as an offset in the document.
type biocDocument struct {
	id     string
	line   int
	blocks []*biocBlock
	others []*biocAnnotation // of the document itself, which are not read
	tree   biocTree
}

// biocTree is a document as its syntax has it, to which results are written.
type biocTree interface {
	// removeAnnotations removes all annotations.
	removeAnnotations()
}

// biocBlock is a passage or a sentence of a passage.
type biocBlock struct {
	start       int // byte offset in the document's text
	offset      string
	text        string
	annotations []*biocAnnotation
	add         func(newAnnotation) // appends an annotation
}

// biocAnnotation is an annotation of a passage, a sentence or a document.
type biocAnnotation struct {
	id        string
	line      int
	infons    []infon
	locations []location
	text      *string // nil if it is not stated
	// link replaces the concepts of the annotation, and adds the names of its assertion.
	link func(concept string, assertion []string)
}

// newAnnotation is an annotation that was not in the file.
type newAnnotation struct {
	id, kind, concept, text string
	assertion               []string    // names of its attributes
	locations               []text.Span // in code points of the file
}

// infon is a key and a value that BioC has for anything.
type infon struct{ key, value string }

// location is a fragment of a mention, as the file has it.
type location struct{ offset, length string }

// biocSource is a document as a writer of its format needs it. The place of an annotation is
// its position in annotations.
type biocSource struct {
	document    *biocDocument
	annotations []*biocAnnotation
	collection  any // what is around the documents: *biocHead or *biocJSONCollection
}

// isSet is the value of an infon whose key is the name of an attribute of an assertion.
const isSet = "true"

// conceptInfon is the key of a concept in annotations that have none.
const conceptInfon = "identifier"

// derivedInfons are those by which PubTator3 repeats the concepts of an annotation in other forms.
var derivedInfons = set("accession", "database", "name", "normalized", "normalized_id", "valid")

// outdates reports whether the infon with this key repeats the concepts of the annotation, and is wrong of a new one.
func (a *biocAnnotation) outdates(concept, key string) bool {
	repeats := func(i infon) bool { return i.key == "normalized_id" || i.key == "accession" }
	return derivedInfons[key] && slices.ContainsFunc(a.infons, repeats) &&
		!slices.Equal(concepts(a.infons), []string{concept})
}

// concepts returns the concepts of infons as they are in the file.
func concepts(infons []infon) []string {
	var all []string
	for _, i := range infons {
		if isConceptInfon(i.key) {
			all = append(all, i.value)
		}
	}
	return all
}

// isConceptInfon reports whether the infon with this key holds the concepts of an annotation.
func isConceptInfon(key string) bool {
	switch strings.ToLower(key) {
	case "mesh", "omim", conceptInfon, "ncbi gene":
		return true
	}
	return false
}

// record returns the errors of a document's annotations, followed by its record.
func (f *file) biocRecord(parsed *biocDocument, duplicates duplicateFilter, collection any) []result {
	doc := &text.Document{ID: parsed.id}
	var joined strings.Builder
	for _, block := range parsed.blocks {
		if block.text != "" && joined.Len() > 0 {
			joined.WriteByte(' ')
		}
		block.start = joined.Len()
		joined.WriteString(block.text)
	}
	doc.Text = joined.String()
	reason, again := duplicates.check(doc, parsed.line)
	switch {
	case reason != "":
		return f.fail(parsed.line, reason)
	case again:
		return nil
	}
	annotations := 0
	for _, block := range parsed.blocks {
		annotations += len(block.annotations)
	}
	if err := f.limits.CheckMentions(annotations); err != nil {
		return f.fail(parsed.line, err.Error())
	}
	var (
		results []result
		b       builder
		source  = &biocSource{document: parsed, collection: collection}
		spans   = f.spans(doc.Text)
	)
	for _, a := range parsed.others {
		results = append(results, f.fail(a.line, fmt.Sprintf("annotation %q is in the document, want it in a passage",
			a.id))...)
	}
	before, at := 0, 0 // length of the text before the block, in the unit of the file and in bytes
	for _, block := range parsed.blocks {
		before += spans.unit.count(doc.Text[at:block.start])
		at = block.start
		for _, a := range block.annotations {
			if a.isSubMention() {
				continue
			}
			m, annotation, note, reason := a.mention(spans, block, before)
			if reason != "" {
				results = append(results, f.fail(a.line, reason)...)
				continue
			}
			if note != "" {
				f.note(a.line, note)
			}
			annotation.place = len(source.annotations)
			source.annotations = append(source.annotations, a)
			b.add(m, annotation)
		}
	}
	return append(results, result{record: b.record(doc, source)})
}

// isSubMention reports whether the annotation is a sub-mention of a composite mention,
// which has an annotation of its own.
func (a *biocAnnotation) isSubMention() bool {
	for _, infon := range a.infons {
		if infon.key == "CompositeRole" && infon.value == "IndividualMention" {
			return true
		}
	}
	return false
}

// mention returns the annotation as a mention of the document. before is the length of the
// text before the block. A non-empty reason says what is wrong.
func (a *biocAnnotation) mention(spans *spans, block *biocBlock,
	before int) (m text.Mention, annotation Annotation, note, reason string) {
	name := ""
	if a.text != nil {
		name = *a.text
	}
	if len(a.locations) == 0 {
		return m, annotation, "", fmt.Sprintf("mention %q: want a location, got none", name)
	}
	passage, errPassage := strconv.Atoi(strings.TrimSpace(block.offset))
	inDocument := place{text: a.text}
	for _, l := range a.locations {
		start, errStart := strconv.Atoi(l.offset)
		length, errLength := strconv.Atoi(l.length)
		if err := cmp.Or(errPassage, errStart, errLength); err != nil {
			return m, annotation, "",
				fmt.Sprintf("mention %q: want whole numbers as offsets and length, got %q, %q and %q", name,
					block.offset, l.offset, l.length)
		}
		inDocument.ranges = append(inDocument.ranges, [2]int{start, start + length})
	}
	inPassage := place{text: a.text}
	shift := before - passage
	for _, r := range inDocument.ranges {
		inPassage.ranges = append(inPassage.ranges, [2]int{r[0] + shift, r[1] + shift})
	}
	if m, note, reason = spans.find(inPassage); reason != "" || note != "" {
		if other, otherNote, no := spans.find(inDocument); no == "" && otherNote == "" {
			m, note, reason = other, "", ""
		}
	}
	if reason != "" {
		return m, annotation, "", reason
	}
	for _, infon := range a.infons {
		value := strings.TrimSpace(infon.value)
		switch {
		case strings.EqualFold(infon.key, "type"):
			m.Type = value
		case isConceptInfon(infon.key):
			ids, composite := parseIDs(value)
			m.Concepts = append(m.Concepts, ids...)
			m.Composite = m.Composite || composite
		}
	}
	annotation = Annotation{ID: a.id, Start: inDocument.start(), End: inDocument.end()}
	return m, annotation, note, ""
}

// biocParser reads BioC XML.
type biocParser struct {
	*file
	decoder     *xml.Decoder
	records     *input.RecordReader // the source of decoder
	duplicates  duplicateFilter
	head        *biocHead
	sawRoot     bool // <collection> has been read
	sawDocument bool
	done        bool
}

// biocHead is the collection's element and what is in it before the first document.
type biocHead struct{ collection *element }

func newBioCParser(f *file, r *bufio.Reader, seen duplicateFilter) *biocParser {
	records := input.NewRecordReader(r, aDocument, f.limits)
	return &biocParser{file: f, decoder: newDecoder(records), records: records, duplicates: seen, head: &biocHead{}}
}

func (p *biocParser) next() ([]result, error) {
	if p.done {
		return nil, io.EOF
	}
	for {
		token, err := p.decoder.Token()
		if err != nil {
			p.done = true
			return p.markupEnd(p.decoder, err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		line, _ := p.decoder.InputPos()
		switch {
		case !p.sawRoot && start.Name.Local != "collection":
			p.done = true
			return p.fail(line, fmt.Sprintf("want BioC's <collection>, got <%s>", start.Name.Local)), nil
		case !p.sawRoot:
			p.sawRoot = true
			p.head.collection = &element{name: start.Name, attrs: start.Copy().Attr}
			continue
		}
		isDocument := start.Name.Local == "document"
		if isDocument {
			p.records.Begin(p.decoder.InputOffset())
			p.sawDocument = true
		}
		e, err := readElement(p.decoder, start, 0)
		if err != nil {
			p.done = true
			return p.markupEnd(p.decoder, err)
		}
		if !isDocument {
			if !p.sawDocument { // the head is written before the documents
				p.head.collection.add(e)
			}
			continue
		}
		p.records.Begin(p.decoder.InputOffset())
		if results := p.biocRecord(biocDocumentOf(e), p.duplicates, p.head); len(results) > 0 {
			return results, nil
		}
	}
}

// biocDocumentOf returns the document that an element holds.
func biocDocumentOf(e *element) *biocDocument {
	doc := &biocDocument{id: strings.TrimSpace(e.child("id").text()), line: e.line, tree: e}
	for _, a := range e.elements("annotation") {
		doc.others = append(doc.others, biocAnnotationOf(a))
	}
	for _, passage := range e.elements("passage") {
		doc.blocks = append(doc.blocks, biocBlockOf(passage))
		for _, sentence := range passage.elements("sentence") {
			doc.blocks = append(doc.blocks, biocBlockOf(sentence))
		}
	}
	return doc
}

func biocBlockOf(e *element) *biocBlock {
	block := &biocBlock{offset: e.child("offset").text(), text: e.child("text").text()}
	block.add = func(a newAnnotation) { e.addAnnotation(a.element()) }
	for _, a := range e.elements("annotation") {
		block.annotations = append(block.annotations, biocAnnotationOf(a))
	}
	return block
}

func biocAnnotationOf(e *element) *biocAnnotation {
	a := &biocAnnotation{id: e.attr("id"), line: e.line}
	a.link = func(concept string, assertion []string) {
		e.children = slices.DeleteFunc(e.children, func(child any) bool {
			infon, ok := child.(*element)
			return ok && infon.name.Local == "infon" && a.outdates(concept, infon.attr("key"))
		})
		e.setConcept(concept)
		for _, name := range assertion {
			e.addInfon(name, isSet)
		}
	}
	for _, i := range e.elements("infon") {
		a.infons = append(a.infons, infon{i.attr("key"), i.text()})
	}
	for _, l := range e.elements("location") {
		a.locations = append(a.locations, location{l.attr("offset"), l.attr("length")})
	}
	if stated := e.child("text"); stated != nil {
		s := stated.text()
		a.text = &s
	}
	return a
}

// setConcept replaces the concepts of an annotation: the first infon that has one gets the new one, and
// the others are removed. Without any, the concept is in a new infon.
func (e *element) setConcept(concept string) {
	found := false
	e.children = slices.DeleteFunc(e.children, func(child any) bool {
		infon, ok := child.(*element)
		if !ok || infon.name.Local != "infon" || !isConceptInfon(infon.attr("key")) {
			return false
		}
		again := found
		infon.children, found = []any{concept}, true
		return again
	})
	if found {
		return
	}
	e.addInfon(conceptInfon, concept)
}

// addInfon adds an infon after the others, unless there is one of the key.
func (e *element) addInfon(key, value string) {
	at := 0 // after the other infons
	for i, child := range e.children {
		if infon, ok := child.(*element); ok && infon.name.Local == "infon" {
			if infon.attr("key") == key {
				return
			}
			at = i + 1
		}
	}
	e.insert(at, newElement("infon", value, "key", key))
}

// addAnnotation inserts an annotation after the others, and before the relations.
func (e *element) addAnnotation(a *element) {
	at := len(e.children)
	for i, child := range e.children {
		if child, ok := child.(*element); ok && child.name.Local == "relation" {
			at = i
			break
		}
	}
	e.insert(at, a)
}

// insert inserts a child before the child at position i.
func (e *element) insert(i int, child *element) {
	e.children = append(e.children[:i:i], append([]any{child}, e.children[i:]...)...)
}

// removeAnnotations implements [biocTree].
func (e *element) removeAnnotations() {
	kept := e.children[:0]
	for _, child := range e.children {
		if child, ok := child.(*element); ok {
			if child.name.Local == "annotation" {
				continue
			}
			child.removeAnnotations()
		}
		kept = append(kept, child)
	}
	e.children = kept
}

func (a newAnnotation) element() *element {
	e := newElement("annotation", "", "id", a.id)
	e.add(newElement("infon", a.kind, "key", "type"))
	e.add(newElement("infon", a.concept, "key", conceptInfon))
	for _, name := range a.assertion {
		e.add(newElement("infon", isSet, "key", name))
	}
	for _, l := range a.locations {
		e.add(newElement("location", "", "offset", strconv.Itoa(l.Start), "length", strconv.Itoa(l.Len())))
	}
	return e.add(newElement("text", a.text))
}
