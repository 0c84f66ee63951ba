package formats

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// element is an XML element with all its content, so that it can be written as it was read.
type element struct {
	name     xml.Name
	attrs    []xml.Attr
	children []any // of *element, string (character data) and xml.Comment
	line     int   // on which it begins
}

// markup is an XML file in any encoding that its declaration names.
type markup struct {
	*xml.Decoder
	file    *file
	records *input.RecordReader // the source of the decoder
}

// newMarkup returns a decoder for the XML in r. what names its records in errors about limits.
func newMarkup(f *file, r io.Reader, what string) *markup {
	records := input.NewRecordReader(r, what, f.Limits)
	return &markup{input.NewXMLDecoder(records, false), f, records}
}

// record reads the rest of an element that began with start and is a record.
func (m *markup) record(start xml.StartElement) (*element, error) {
	m.records.Begin(m.InputOffset())
	e, err := readElement(m.Decoder, start, 0)
	m.records.Begin(m.InputOffset())
	return e, err
}

// maxElements is the maximum depth of elements. PubMed's files reach 14, including MathML.
const maxElements = 1000

// readElement reads the rest of an element that began with start.
func readElement(d *xml.Decoder, start xml.StartElement, depth int) (*element, error) {
	line, _ := d.InputPos()
	if depth > maxElements {
		return nil, &xml.SyntaxError{Msg: fmt.Sprintf("more than %d elements within each other", maxElements),
			Line: line}
	}
	e := &element{name: start.Name, attrs: start.Copy().Attr, line: line}
	for {
		token, err := d.Token()
		if err == io.EOF {
			return nil, &xml.SyntaxError{Msg: "unexpected EOF", Line: line}
		}
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			child, err := readElement(d, token, depth+1)
			if err != nil {
				return nil, err
			}
			e.children = append(e.children, child)
		case xml.CharData:
			e.children = append(e.children, string(token))
		case xml.Comment:
			e.children = append(e.children, token.Copy())
		case xml.EndElement:
			return e, nil
		}
	}
}

// elements returns the children with this name.
func (e *element) elements(name string) []*element {
	var found []*element
	for _, child := range e.children {
		if child, ok := child.(*element); ok && child.name.Local == name {
			found = append(found, child)
		}
	}
	return found
}

// child returns the first child with this name, or nil.
func (e *element) child(name string) *element {
	if found := e.elements(name); len(found) > 0 {
		return found[0]
	}
	return nil
}

// text returns the character data in the element, at any depth; for nil it returns "".
func (e *element) text() string {
	if e == nil {
		return ""
	}
	var b strings.Builder
	for _, child := range e.children {
		switch child := child.(type) {
		case string:
			b.WriteString(child)
		case *element:
			b.WriteString(child.text())
		}
	}
	return b.String()
}

// attr returns an attribute, or the empty string.
func (e *element) attr(name string) string {
	for _, a := range e.attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// newElement returns an element with attributes, given as alternating names and values.
func newElement(name, content string, attrs ...string) *element {
	e := &element{name: xml.Name{Local: name}}
	if content != "" {
		e.children = []any{content}
	}
	for i := 0; i < len(attrs); i += 2 {
		e.attrs = append(e.attrs, xml.Attr{Name: xml.Name{Local: attrs[i]}, Value: attrs[i+1]})
	}
	return e
}

// add appends children.
func (e *element) add(children ...*element) *element {
	for _, child := range children {
		e.children = append(e.children, child)
	}
	return e
}

// write appends the element to b.
func (e *element) write(b *strings.Builder) {
	e.writeStart(b)
	for _, child := range e.children {
		writeNode(b, child)
	}
	b.WriteString("</" + e.name.Local + ">")
}

func (e *element) writeStart(b *strings.Builder) {
	b.WriteString("<" + e.name.Local)
	for _, a := range e.attrs {
		name := a.Name.Local
		if a.Name.Space == "xmlns" || a.Name.Space == "xml" || strings.HasSuffix(a.Name.Space, "/XML/1998/namespace") {
			prefix := "xml"
			if a.Name.Space == "xmlns" {
				prefix = "xmlns"
			}
			name = prefix + ":" + name
		}
		b.WriteString(" " + name + `="` + attributeEscaper.Replace(printable(a.Value)) + `"`)
	}
	b.WriteString(">")
}

func writeNode(b *strings.Builder, node any) {
	switch node := node.(type) {
	case *element:
		node.write(b)
	case string:
		b.WriteString(textEscaper.Replace(printable(node)))
	case xml.Comment:
		b.WriteString("<!--" + string(node) + "-->")
	}
}

// xml.EscapeText would write quotation marks and line feeds as references.
var (
	textEscaper      = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#xD;")
	attributeEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\r", "&#xD;", "\n",
		"&#xA;", "\t", "&#x9;")
)

// end handles an error of the decoder, after which nothing can be parsed. For malformed XML it reports an error and
// ends the file; it returns read errors.
func (m *markup) end(err error) error {
	line, _ := m.InputPos()
	if syntax, ok := errors.AsType[*xml.SyntaxError](err); ok {
		m.file.fail(line, "want XML, got "+syntax.Msg)
		return io.EOF
	}
	if err == io.EOF {
		return err
	}
	return fmt.Errorf("line %d: %w", line, err)
}
