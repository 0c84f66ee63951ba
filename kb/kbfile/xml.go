package kbfile

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"

	"golang.org/x/text/encoding/htmlindex"
)

// xmlFormats maps the root elements of XML dictionaries to their formats.
var xmlFormats = map[string]Format{
	"DescriptorRecordSet":   MeSH,
	"SupplementalRecordSet": MeSH,
	"RDF":                   RDF,
}

// rootElement returns the local name of the first element of a text, or "" if the text
// is not XML.
func rootElement(head []byte) string {
	decoder := xml.NewDecoder(bytes.NewReader(head))
	decoder.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	for {
		token, err := decoder.Token()
		if err != nil {
			return ""
		}
		if start, ok := token.(xml.StartElement); ok {
			return start.Name.Local
		}
	}
}

// eachElement calls element for each start tag of the XML in r, until element returns an
// error. element may read the rest of the element from the decoder. A syntax error is a
// [*RowError], which ends the file.
func (c *collector) eachElement(r io.Reader, element func(*xml.Decoder, xml.StartElement) error) error {
	decoder := xml.NewDecoder(r)
	decoder.CharsetReader = func(name string, r io.Reader) (io.Reader, error) {
		encoding, err := htmlindex.Get(name)
		if err != nil {
			return nil, err
		}
		return encoding.NewDecoder().Reader(r), nil
	}
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			if start, ok := token.(xml.StartElement); ok {
				err = element(decoder, start)
			}
		}
		var syntax *xml.SyntaxError
		switch {
		case errors.As(err, &syntax):
			return &RowError{File: c.file, Line: syntax.Line, Want: "XML", Got: syntax.Msg}
		case err != nil:
			return err
		}
	}
}

// line returns the line that a decoder has reached.
func line(decoder *xml.Decoder) int {
	line, _ := decoder.InputPos()
	return line
}

// errRoot returns the error for XML that is not a dictionary.
func errRoot(root string) error {
	return fmt.Errorf("the XML has the root element <%s>, want <DescriptorRecordSet> or <SupplementalRecordSet> of MeSH, or <rdf:RDF> of OWL or SKOS", root)
}
