package formats

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// biocJSONParser reads BioC JSON as it is published: a collection ({"documents": […]}), a
// list of collections (PMC), the documents of PubTator3 ({"PubTator3": […]}), and documents
// one after the other.
type biocJSONParser struct {
	*file
	decoder    *json.Decoder
	newlines   *newlineCounter
	records    *input.RecordReader // the source of newlines
	duplicates duplicateFilter
	open       []json.Delim // of the lists and collections that are being read
	collection *biocJSONCollection
	current    *object // the members of the collection whose documents are being read; nil outside one
	done       bool
}

// biocJSONCollection is what is around the documents of a file.
type biocJSONCollection struct {
	members object // without the documents
	key     string // of the documents; empty if they are in no collection
	before  int    // number of members before them
	listed  bool   // the collection is in a list
}

func newBioCJSONParser(f *file, r *bufio.Reader, seen duplicateFilter) *biocJSONParser {
	records := input.NewRecordReader(r, aDocument, f.limits)
	newlines := &newlineCounter{r: records}
	return &biocJSONParser{
		file: f, decoder: json.NewDecoder(newlines), newlines: newlines, records: records, duplicates: seen,
		collection: &biocJSONCollection{},
	}
}

func (p *biocJSONParser) next() ([]result, error) {
	for !p.done {
		results, err := p.step()
		if err != nil || len(results) > 0 {
			return results, err
		}
	}
	return nil, io.EOF
}

// step reads up to the end of a document, or of a list or collection.
func (p *biocJSONParser) step() ([]result, error) {
	p.records.Begin(p.decoder.InputOffset())
	if len(p.open) > 0 && !p.decoder.More() {
		closed, err := p.decoder.Token()
		if err != nil {
			return p.end(err)
		}
		p.open = p.open[:len(p.open)-1]
		if closed == json.Delim(']') && p.current != nil {
			return p.members(p.current, 0) // of the collection, after its documents
		}
		return nil, nil
	}
	token, err := p.decoder.Token()
	if err != nil {
		return p.end(err)
	}
	switch token {
	case json.Delim('['):
		if len(p.open) > 0 {
			return p.wrong("want a document of BioC, got a list")
		}
		p.collection.listed = true
		p.open = append(p.open, '[')
		return nil, nil
	case json.Delim('{'):
		line := p.newlines.line(p.decoder.InputOffset())
		p.open = append(p.open, '{')
		return p.members(&object{}, line)
	}
	return p.wrong(fmt.Sprintf("want a collection or a document of BioC, got %v", token))
}

// members reads the members of an object up to its end or to its list of documents.
func (p *biocJSONParser) members(o *object, line int) ([]result, error) {
	seen, again := make(map[string]bool), ""
	for p.decoder.More() {
		key, err := p.decoder.Token()
		if err != nil {
			return p.end(err)
		}
		name := key.(string)
		if seen[name] {
			again = name
		}
		seen[name] = true
		if name == "documents" || name == "PubTator3" {
			token, err := p.decoder.Token()
			if err != nil {
				return p.end(err)
			}
			if token != json.Delim('[') {
				return p.wrong(fmt.Sprintf("want a list in %s, got %v", name, token))
			}
			if p.current != nil {
				return p.wrong("want one list of documents in a collection, got another")
			}
			p.open = append(p.open, '[')
			p.current = o
			if p.collection.key == "" {
				p.collection.key, p.collection.members, p.collection.before = name, *o, len(o.members)
				p.current = &p.collection.members
			}
			return p.twice(line, again), nil
		}
		var value json.RawMessage
		if err := p.decoder.Decode(&value); err != nil {
			return p.end(err)
		}
		o.members = append(o.members, member{name, value})
	}
	if _, err := p.decoder.Token(); err != nil {
		return p.end(err)
	}
	p.open = p.open[:len(p.open)-1]
	if o == p.current {
		p.current = nil
		return p.twice(p.newlines.line(p.decoder.InputOffset()), again), nil
	}
	if again != "" {
		return p.twice(line, again), nil
	}
	doc, reason := biocJSONDocument(o, line)
	if reason != "" {
		return p.fail(line, reason), nil
	}
	return p.biocRecord(doc, p.duplicates, p.collection), nil
}

// twice returns the error of an object that has a member twice; name is empty if none has.
func (p *biocJSONParser) twice(line int, name string) []result {
	if name == "" {
		return nil
	}
	return p.fail(line, fmt.Sprintf("want each member of an object once, got another %s", input.Quote(name)))
}

func (p *biocJSONParser) wrong(reason string) ([]result, error) {
	p.done = true
	return p.fail(p.newlines.line(p.decoder.InputOffset()), reason), nil
}

// end handles an error of the decoder, after which nothing can be parsed.
func (p *biocJSONParser) end(err error) ([]result, error) {
	p.done = true
	if err == io.EOF && len(p.open) == 0 {
		return nil, io.EOF
	}
	if p.newlines.err != nil && p.newlines.err != io.EOF {
		return nil, fmt.Errorf("line %d: %w", p.newlines.line(p.decoder.InputOffset()), p.newlines.err)
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return p.wrong(input.JSONError(err).Error())
}

// newlineCounter counts the lines of what is read, for the messages.
type newlineCounter struct {
	r        io.Reader
	offset   int64
	newlines []int64 // offsets of the line feeds that no message was needed for yet
	passed   int     // line feeds before those
	err      error
}

func (c *newlineCounter) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	for at := 0; ; at++ {
		next := bytes.IndexByte(b[at:n], '\n')
		if next < 0 {
			break
		}
		at += next
		c.newlines = append(c.newlines, c.offset+int64(at))
	}
	c.offset += int64(n)
	c.err = err
	return n, err
}

// line returns the line of an offset, which is not before the offset of the last call.
func (c *newlineCounter) line(offset int64) int {
	for len(c.newlines) > 0 && c.newlines[0] < offset {
		c.newlines = c.newlines[1:]
		c.passed++
	}
	return c.passed + 1
}

// biocJSONDocument returns the document that an object holds.
func biocJSONDocument(o *object, line int) (doc *biocDocument, reason string) {
	id, reason := jsonID(o.raw("id"))
	if reason != "" {
		return nil, reason
	}
	if o.raw("passages") == nil {
		return nil, fmt.Sprintf(`document %q: want "passages", got none`, id)
	}
	doc = &biocDocument{id: id, line: line, tree: o}
	var blocks []*object
	var err error
	if doc.others, err = biocJSONAnnotations(o, line); err == nil {
		blocks, err = doc.addBlocks(o, "passages")
	}
	if err == nil {
		for _, passage := range blocks {
			if _, err = doc.addBlocks(passage, "sentences"); err != nil {
				break
			}
		}
	}
	if err != nil {
		return nil, fmt.Sprintf("document %q: %s", id, input.JSONError(err))
	}
	return doc, ""
}

// addBlocks adds the passages of a document, or the sentences of a passage.
func (d *biocDocument) addBlocks(parent *object, key string) ([]*object, error) {
	objects, err := parent.objects(key)
	if err != nil {
		return nil, err
	}
	for _, o := range objects {
		block := &biocBlock{offset: scalar(o.raw("offset"))}
		if err := o.decode("text", &block.text); err != nil {
			return nil, err
		}
		if block.annotations, err = biocJSONAnnotations(o, d.line); err != nil {
			return nil, err
		}
		block.add = func(a newAnnotation) {
			list, _ := o.value("annotations").([]*object)
			o.set("annotations", append(list, a.object()))
		}
		d.blocks = append(d.blocks, block)
	}
	return objects, nil
}

// biocJSONAnnotations returns the annotations of a document, a passage or a sentence.
func biocJSONAnnotations(o *object, line int) ([]*biocAnnotation, error) {
	objects, err := o.objects("annotations")
	if err != nil {
		return nil, err
	}
	var annotations []*biocAnnotation
	for _, a := range objects {
		annotation, err := biocJSONAnnotation(a, line)
		if err != nil {
			return nil, err
		}
		annotations = append(annotations, annotation)
	}
	return annotations, nil
}

func biocJSONAnnotation(o *object, line int) (*biocAnnotation, error) {
	a := &biocAnnotation{id: scalar(o.raw("id")), line: line}
	if err := o.decode("text", &a.text); err != nil {
		return nil, err
	}
	infons := &object{}
	if raw := o.raw("infons"); raw != nil {
		var err error
		if infons, err = parseObject(raw); err != nil {
			return nil, err
		}
	}
	o.set("infons", infons)
	for _, m := range infons.members {
		a.infons = append(a.infons, infon{m.key, scalar(m.value.(json.RawMessage))})
	}
	a.link = func(concept string, assertion []string) {
		infons.members = slices.DeleteFunc(infons.members, func(m member) bool { return a.outdates(concept, m.key) })
		for _, name := range assertion {
			infons.set(name, isSet)
		}
		first := slices.IndexFunc(infons.members, func(m member) bool { return isConceptInfon(m.key) })
		if first < 0 {
			infons.set(conceptInfon, concept)
			return
		}
		infons.members[first].value = concept
		rest := slices.DeleteFunc(infons.members[first+1:], func(m member) bool { return isConceptInfon(m.key) })
		infons.members = infons.members[:first+1+len(rest)]
	}
	locations, err := o.objects("locations")
	if err != nil {
		return nil, err
	}
	for _, l := range locations {
		a.locations = append(a.locations, location{scalar(l.raw("offset")), scalar(l.raw("length"))})
	}
	return a, nil
}

// scalar returns a string, or another value as JSON has it; null is the empty string.
func scalar(raw json.RawMessage) string {
	var s string
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return ""
	case json.Unmarshal(raw, &s) == nil:
		return s
	}
	return string(raw)
}

// removeAnnotations implements [biocTree].
func (o *object) removeAnnotations() {
	for i, m := range o.members {
		objects, ok := m.value.([]*object)
		switch {
		case ok && m.key == "annotations":
			o.members[i].value = []*object{}
		case ok:
			for _, child := range objects {
				child.removeAnnotations()
			}
		}
	}
}

// newObject returns an object of keys and values.
func newObject(members ...any) *object {
	o := &object{}
	for i := 0; i < len(members); i += 2 {
		o.set(members[i].(string), members[i+1])
	}
	return o
}

func (a newAnnotation) object() *object {
	locations := make([]*object, len(a.locations))
	for i, l := range a.locations {
		locations[i] = newObject("offset", l.Start, "length", l.Len())
	}
	infons := newObject("type", a.kind, conceptInfon, a.concept)
	for _, name := range a.assertion {
		infons.set(name, isSet)
	}
	return newObject("id", a.id, "infons", infons, "text", a.text, "locations", locations)
}
