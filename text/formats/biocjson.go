package formats

import (
	"bufio"
	"cmp"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// biocJSONParser reads BioC JSON in all published variants: a collection ({"documents": […]}), a list of collections
// (PMC), the documents of PubTator3 ({"PubTator3": […]}), and concatenated documents.
type biocJSONParser struct {
	jsonStream
	collection *biocJSONCollection
	current    *object // the collection whose documents are being read, without them; nil outside a collection
}

// biocJSONCollection holds the parts of a file around its documents.
type biocJSONCollection struct {
	members object // all but the documents
	key     string // of the documents; empty if there is no collection
	before  int    // number of members before them
	listed  bool   // the collection is in a list
}

func readBioCJSON(f *file, r *bufio.Reader) (parser, error) {
	records := input.NewRecordReader(r, aDocument, f.Limits)
	stream := jsonStream{input.NewJSONDecoder(records), f, records}
	p := &biocJSONParser{jsonStream: stream, collection: &biocJSONCollection{}}
	return func() error {
		records.Begin(p.InputOffset())
		if err := p.step(); err != nil {
			return stream.end(err)
		}
		return nil
	}, nil
}

// step reads a document, or the start or end of a list or collection. It returns the decoder's error.
func (p *biocJSONParser) step() error {
	if p.current != nil && p.PeekKind() == '{' {
		raw, err := p.ReadValue()
		if err != nil {
			return err
		}
		line := p.line(raw)
		o, err := parseObject(raw.Clone())
		if err != nil {
			p.fail(line, input.JSONError(err).Error())
			return nil
		}
		p.document(o, line)
		return nil
	}
	token, err := p.ReadToken()
	if err != nil {
		return err
	}
	switch kind := token.Kind(); {
	case kind == '[' && p.StackDepth() == 1:
		p.collection.listed = true
	case kind == '{':
		return p.members(&object{}, p.line(nil))
	case kind == '[':
		return p.wrong("want a collection or a document of BioC, got a list")
	case kind != ']':
		return p.wrong("want a collection or a document of BioC, got " + input.Quote(token.String()))
	case p.current != nil: // at the end of the documents
		return p.members(p.current, 0)
	}
	return nil
}

// members reads the members of an object up to its end or its list of documents.
func (p *biocJSONParser) members(o *object, line int) (err error) {
	again := "" // a repeated member
	defer func() {
		if again != "" && err == nil {
			p.fail(cmp.Or(line, p.line(nil)), "want each member of an object once, got another "+input.Quote(again))
		}
	}()
	for {
		token, err := p.ReadToken()
		if err != nil {
			return err
		}
		if token.Kind() == '}' {
			break
		}
		name := token.String()
		if o.index(name) >= 0 {
			again = name
		}
		if name == "documents" || name == "PubTator3" {
			return p.documents(o, name)
		}
		value, err := p.ReadValue()
		if err != nil {
			return err
		}
		o.members = append(o.members, member{name, value.Clone()})
	}
	switch {
	case o == p.current:
		p.current = nil
	case again == "":
		p.document(o, line)
	}
	return nil
}

// documents enters the list of documents that the named member of a collection holds.
func (p *biocJSONParser) documents(o *object, name string) error {
	token, err := p.ReadToken()
	switch {
	case err != nil:
		return err
	case token.Kind() != '[':
		return p.wrong(fmt.Sprintf("want a list in %s, got another value", name))
	case p.current != nil:
		return p.wrong("want one list of documents in a collection, got another")
	}
	p.current = o
	if c := p.collection; c.key == "" {
		c.key, c.members, c.before = name, *o, len(o.members)
		p.current = &c.members
	}
	return nil
}

// wrong reports an error and ends the file, because the rest cannot be read.
func (p *biocJSONParser) wrong(reason string) error {
	p.fail(p.line(nil), reason)
	return io.EOF
}

// document emits the document in an object.
func (p *biocJSONParser) document(o *object, line int) {
	id, reason := jsonID(o.raw("id"))
	switch {
	case reason != "":
		p.fail(line, reason)
		return
	case o.raw("passages") == nil:
		p.fail(line, fmt.Sprintf(`document %q: want "passages", got none`, id))
		return
	}
	if err := p.readBioC(o, id, line, p.collection); err != nil {
		p.fail(line, fmt.Sprintf("document %q: %s", id, input.JSONError(err)))
	}
}

// position and the following methods implement [biocNode].
func (o *object) position() int { return 0 }

func (o *object) scalar(name string) string { return scalar(o.raw(name)) }

// scalar returns a string, or any other value as its JSON; null is the empty string.
func scalar(raw jsontext.Value) (s string) {
	if raw.Kind() == 'n' || len(raw) == 0 || input.DecodeJSON(raw, &s) == nil {
		return s
	}
	return string(raw)
}

func (o *object) content() (content *string, err error) {
	err = o.decode("text", &content)
	return content, err
}

func (o *object) nodes(list string) (nodes []biocNode, err error) {
	objects, err := o.objects(list)
	for _, child := range objects {
		nodes = append(nodes, child)
	}
	return nodes, err
}

func (o *object) infons() (infons []infon, err error) {
	raw := o.raw("infons")
	if raw == nil {
		return nil, nil
	}
	read, err := parseObject(raw)
	if err != nil {
		return nil, err
	}
	for _, m := range read.members {
		infons = append(infons, infon{m.key, read.scalar(m.key), m.value})
	}
	return infons, nil
}

func (o *object) setInfons(infons []infon) {
	written := &object{}
	for _, i := range infons {
		value := any(i.value)
		if read, ok := i.read.(jsontext.Value); ok && scalar(read) == i.value {
			value = read
		}
		written.members = append(written.members, member{i.key, value})
	}
	o.set("infons", written)
}

func (o *object) addAnnotation(m *linked.Mention, id string, shift int) {
	locations := []*object{}
	for _, f := range fragmentsOf(m) {
		locations = append(locations, newObject("offset", f.Start+shift, "length", f.Len()))
	}
	annotation := newObject("id", id, "infons", nil, "text", m.Text, "locations", locations)
	annotation.setInfons(infonsOf(m))
	list, _ := o.value("annotations").([]*object)
	o.set("annotations", append(list, annotation))
}

func (o *object) removeAnnotations() {
	for i, m := range o.members {
		objects, isList := m.value.([]*object)
		for _, child := range objects {
			child.removeAnnotations()
		}
		if isList && m.key == "annotations" {
			o.members[i].value = []*object{}
		}
	}
}
