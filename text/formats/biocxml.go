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

	"github.com/ctxnorm/ctxnorm/text/linked"
)

// readBioCXML reads BioC XML.
func readBioCXML(f *file, r *bufio.Reader) (parser, error) {
	m, documents := newMarkup(f, r, aDocument), 0
	var head *element // the collection's element with its content before the first document
	return func() error {
		token, err := m.Token()
		if err != nil {
			return m.end(err)
		}
		start, ok := token.(xml.StartElement)
		switch {
		case !ok:
			return nil
		case head == nil && start.Name.Local != "collection":
			line, _ := m.InputPos()
			f.fail(line, fmt.Sprintf("want BioC's <collection>, got <%s>", start.Name.Local))
			return io.EOF
		case head == nil:
			head = &element{name: start.Name, attrs: start.Copy().Attr}
			return nil
		case start.Name.Local != "document":
			e, err := readElement(m.Decoder, start, 0)
			if err != nil {
				return m.end(err)
			}
			if documents == 0 { // the head is written before the documents
				head.add(e)
			}
			return nil
		}
		documents++
		e, err := m.record(start)
		if err != nil {
			return m.end(err)
		}
		return f.readBioC(e, strings.TrimSpace(e.child("id").text()), e.line, head)
	}, nil
}

// position and the following methods implement [biocNode].
func (e *element) position() int { return e.line }

func (e *element) scalar(name string) string { return cmp.Or(e.attr(name), e.child(name).text()) }

func (e *element) content() (*string, error) {
	child := e.child("text")
	if child == nil {
		return nil, nil
	}
	s := child.text()
	return &s, nil
}

func (e *element) nodes(list string) (nodes []biocNode, err error) {
	for _, child := range e.elements(strings.TrimSuffix(list, "s")) {
		nodes = append(nodes, child)
	}
	return nodes, nil
}

func (e *element) infons() (infons []infon, err error) {
	for _, i := range e.elements("infon") {
		infons = append(infons, infon{i.attr("key"), i.text(), i})
	}
	return infons, nil
}

func (e *element) setInfons(infons []infon) {
	at := 0 // behind the last infon
	var children []any
	for _, child := range e.children {
		if old, ok := child.(*element); ok && old.name.Local == "infon" {
			i := slices.IndexFunc(infons, func(i infon) bool { return i.read == any(old) })
			if i < 0 {
				continue
			}
			if old.text() != infons[i].value {
				old.children = []any{infons[i].value}
			}
			at = len(children) + 1
		}
		children = append(children, child)
	}
	for _, i := range infons {
		if i.read == nil {
			children = slices.Insert(children, at, any(newElement("infon", i.value, "key", i.key)))
			at++
		}
	}
	e.children = children
}

// addAnnotation inserts an annotation after the others, before the relations.
func (e *element) addAnnotation(m *linked.Mention, id string, shift int) {
	annotation := newElement("annotation", "", "id", id)
	for _, i := range infonsOf(m) {
		annotation.add(newElement("infon", i.value, "key", i.key))
	}
	for _, f := range fragmentsOf(m) {
		offset, length := strconv.Itoa(f.Start+shift), strconv.Itoa(f.Len())
		annotation.add(newElement("location", "", "offset", offset, "length", length))
	}
	annotation.add(newElement("text", m.Text))
	at := len(e.children)
	for i, child := range slices.Backward(e.children) {
		if last, ok := child.(*element); ok && last.name.Local == "relation" {
			at = i
		} else if ok {
			break
		}
	}
	e.children = slices.Insert(e.children, at, any(annotation))
}

func (e *element) removeAnnotations() {
	e.children = slices.DeleteFunc(e.children, func(child any) bool {
		within, ok := child.(*element)
		if ok && within.name.Local != "annotation" {
			within.removeAnnotations()
		}
		return ok && within.name.Local == "annotation"
	})
}
