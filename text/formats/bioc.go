package formats

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// biocNode is a document, passage, sentence, annotation or location of BioC (Comeau et al., Database 2013): an *element
// of XML or an *object of JSON. Results are written into the nodes, which keep everything else.
type biocNode interface {
	// scalar returns a string or number from a member or attribute, or "" if it is missing.
	scalar(name string) string
	// content returns the text, or nil if there is none.
	content() (*string, error)
	// nodes returns the nodes of a list such as "passages".
	nodes(list string) ([]biocNode, error)
	infons() ([]infon, error)
	setInfons([]infon)
	addAnnotation(m *linked.Mention, id string, shift int) // offsets in the file are those in the text plus shift
	removeAnnotations()                                    // at any depth
	position() int                                         // the line on which it begins; 0 if unknown
}

// infon is a key-value pair, which BioC uses for all other data.
type infon struct {
	key, value string
	read       any // the *element or [jsontext.Value] of the file; nil for a new one
}

// biocDocument is a document of BioC. Its text is the texts of its passages and of their sentences, joined by single
// spaces as PubTator joins a title and an abstract. Offsets count code points.
//
// According to the specification, the offsets of mentions and passages refer to the source of the collection, so the
// position of a mention is its distance from its passage. The BC5CDR corpus violates this: the offsets of its abstracts
// count "&apos;" in the title as six characters while the offsets of mentions count it as one, and some mentions of the
// abstract are listed under the title. So if the mention's text is not found at its distance from the passage, its
// offset is read as an offset in the document.
type biocDocument struct {
	node        biocNode
	line        int
	blocks      []*biocBlock
	annotations []*biocAnnotation // the annotations that are mentions, indexed by their place
	collection  biocCollection
}

// biocBlock is a passage or a sentence of a passage.
type biocBlock struct {
	node        biocNode
	offset      string // in the file, without the spaces around it
	start       int    // byte offset in the document's text
	text        string
	annotations []*biocAnnotation
}

// biocAnnotation is an annotation of a passage, a sentence or a document.
type biocAnnotation struct {
	node      biocNode
	line      int
	infons    []infon
	locations []biocNode
	text      *string // nil if the file does not give it
}

// isSet is the value of the infon that marks an attribute of an assertion.
const isSet = "true"

// conceptInfon is the key under which a concept is written if the annotation had none.
const conceptInfon = "identifier"

// derivedInfons are the keys under which PubTator3 repeats the concepts of an annotation in other forms.
var derivedInfons = set("accession", "database", "name", "normalized", "normalized_id", "valid")

// link replaces the concepts of the annotation and adds an infon for each attribute of its assertion. The first concept
// infon gets the new concept; the others are removed, as are derivedInfons of PubTator3 if the concept changed.
func (a *biocAnnotation) link(concept string, assertion []string) {
	var kept []infon
	var before []string // the concepts in the file
	for _, i := range a.infons {
		if isConceptInfon(i.key) {
			before = append(before, i.value)
		}
	}
	outdated := !slices.Equal(before, []string{concept}) &&
		slices.ContainsFunc(a.infons, func(i infon) bool { return i.key == "normalized_id" || i.key == "accession" })
	found := false
	for _, i := range a.infons {
		switch {
		case outdated && derivedInfons[i.key], found && isConceptInfon(i.key):
			continue
		case isConceptInfon(i.key):
			i.value, found = concept, true
		}
		kept = append(kept, i)
	}
	if !found {
		kept = append(kept, infon{key: conceptInfon, value: concept})
	}
	for _, name := range assertion {
		if !slices.ContainsFunc(kept, func(i infon) bool { return i.key == name }) {
			kept = append(kept, infon{key: name, value: isSet})
		}
	}
	a.node.setInfons(kept)
}

// isConceptInfon reports whether the infon with this key holds the concepts of an annotation.
func isConceptInfon(key string) bool {
	return slices.Contains([]string{"mesh", "omim", conceptInfon, "ncbi gene"}, strings.ToLower(key))
}

// addBlocks adds the passages of a document, or the sentences of a passage.
func (d *biocDocument) addBlocks(n biocNode, list string) error {
	nodes, err := n.nodes(list)
	for i := 0; err == nil && i < len(nodes); i++ {
		content, errText := nodes[i].content()
		annotations, errAnnotations := d.annotationsOf(nodes[i])
		block := &biocBlock{node: nodes[i], text: *cmp.Or(content, new(string)), annotations: annotations}
		block.offset = strings.TrimSpace(nodes[i].scalar("offset"))
		d.blocks = append(d.blocks, block)
		if err = cmp.Or(errText, errAnnotations); err == nil && list == "passages" {
			err = d.addBlocks(nodes[i], "sentences")
		}
	}
	return err
}

// annotationsOf returns the annotations of a document, a passage or a sentence.
func (d *biocDocument) annotationsOf(parent biocNode) (annotations []*biocAnnotation, err error) {
	nodes, err := parent.nodes("annotations")
	for _, n := range nodes {
		a := &biocAnnotation{node: n, line: cmp.Or(n.position(), d.line)}
		var errText, errInfons, errLocations error
		a.text, errText = n.content()
		a.infons, errInfons = n.infons()
		a.locations, errLocations = n.nodes("locations")
		if err := cmp.Or(errText, errInfons, errLocations); err != nil {
			return nil, err
		}
		annotations = append(annotations, a)
	}
	return annotations, err
}

// readBioC reads a document from a node, reports errors in its annotations, and emits its record.
func (f *file) readBioC(n biocNode, id string, line int, collection biocCollection) error {
	parsed := &biocDocument{node: n, line: line, collection: collection}
	others, err := parsed.annotationsOf(n) // annotations of the document itself, which are not read
	if err == nil {
		err = parsed.addBlocks(n, "passages")
	}
	if err != nil {
		return err
	}
	doc := &text.Document{ID: id}
	var joined strings.Builder
	annotations := 0
	for _, block := range parsed.blocks {
		if block.text != "" && joined.Len() > 0 {
			joined.WriteByte(' ')
		}
		block.start = joined.Len()
		joined.WriteString(block.text)
		annotations += len(block.annotations)
	}
	doc.Text = joined.String()
	if !f.isNew(doc, line) {
		return nil
	}
	if err := f.Limits.CheckMentions(annotations); err != nil {
		f.fail(line, err.Error())
		return nil
	}
	var b builder
	spans := f.spans(doc.Text)
	for _, a := range others {
		f.fail(a.line, fmt.Sprintf("annotation %q is in the document, want it in a passage", a.node.scalar("id")))
	}
	before, at := 0, 0 // length of the text before the block, in the unit of the file and in bytes
	for _, block := range parsed.blocks {
		before += spans.unit.count(doc.Text[at:block.start])
		at = block.start
		for _, a := range block.annotations {
			if slices.ContainsFunc(a.infons, func(i infon) bool {
				return i.key == "CompositeRole" && i.value == "IndividualMention" // a part of another annotation
			}) {
				continue
			}
			m, annotation, note, reason := a.mention(spans, block, before)
			if reason != "" {
				f.fail(a.line, reason)
				continue
			}
			f.note(a.line, note)
			annotation.place = len(parsed.annotations)
			parsed.annotations = append(parsed.annotations, a)
			b.add(m, annotation)
		}
	}
	f.emit(b.record(doc, parsed))
	return nil
}

// mention returns the annotation as a mention of the document. before is the length of the text before the block. If the
// annotation is wrong, mention returns the reason.
func (a *biocAnnotation) mention(spans *spans, block *biocBlock,
	before int) (m text.Mention, annotation Annotation, note, reason string) {
	name := *cmp.Or(a.text, new(string))
	if len(a.locations) == 0 {
		return m, annotation, "", fmt.Sprintf("mention %q: want a location, got none", name)
	}
	passage, errPassage := strconv.Atoi(block.offset)
	shift := before - passage
	inDocument, inPassage := place{text: a.text}, place{text: a.text}
	for _, l := range a.locations {
		start, errStart := strconv.Atoi(l.scalar("offset"))
		length, errLength := strconv.Atoi(l.scalar("length"))
		if err := cmp.Or(errPassage, errStart, errLength); err != nil {
			return m, annotation, "",
				fmt.Sprintf("mention %q: want whole numbers as offsets and length, got %q, %q and %q", name,
					block.offset, l.scalar("offset"), l.scalar("length"))
		}
		inDocument.ranges = append(inDocument.ranges, [2]int{start, start + length})
		inPassage.ranges = append(inPassage.ranges, [2]int{start + shift, start + length + shift})
	}
	if m, note, reason = spans.find(inPassage); reason != "" || note != "" {
		if other, otherNote, no := spans.find(inDocument); no == "" && otherNote == "" {
			m, note, reason = other, "", ""
		}
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
	annotation = Annotation{ID: a.node.scalar("id"), Start: inDocument.start(), End: inDocument.end()}
	return m, annotation, note, reason
}
