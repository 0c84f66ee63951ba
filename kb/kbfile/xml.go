package kbfile

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// rootElement returns the local name of the first element of a text, or "" if the text is not XML.
func rootElement(head []byte) string {
	decoder := input.NewXMLDecoder(bytes.NewReader(head), true)
	decoder.Strict = false // attributes may refer to entities
	for {
		token, err := decoder.Token()
		if start, ok := token.(xml.StartElement); ok || err != nil {
			return start.Name.Local
		}
	}
}

// eachElement calls element for each start tag of the XML in r, until element returns an error. element may read the
// rest of the element from the decoder, and reports whether it did; each call is a record for the limits. A syntax
// error is a [*RowError], which ends the file.
func (c *collector) eachElement(r *bufio.Reader,
	element func(*xml.Decoder, xml.StartElement) (read bool, err error)) error {
	records := input.NewRecordReader(r, "an element", c.opts.Limits)
	decoder := input.NewXMLDecoder(records, c.opts.Encoding != "")
	depth := 0
	for {
		c.charge(int(records.Begin(decoder.InputOffset())))
		token, err := decoder.Token()
		if err == io.EOF {
			return nil
		}
		at := line(decoder)
		if err == nil {
			switch token := token.(type) {
			case xml.Directive:
				var longest int64
				decoder.Entity, longest, err = input.Entities(token)
				records.SetEntities(longest)
			case xml.StartElement:
				var read bool
				if read, err = element(decoder, token); !read {
					depth++ // its content follows
				}
			case xml.EndElement:
				depth--
			}
		}
		var syntax *xml.SyntaxError
		var malformed *input.LineError
		switch err = cmp.Or(err, c.full); {
		case errors.As(err, &syntax):
			return c.rowError(syntax.Line, &input.LineError{Want: "XML", Got: syntax.Msg})
		case errors.As(err, &malformed):
			return c.rowError(at, malformed)
		case isLimit(err):
			return fmt.Errorf("line %d: %w", at, err)
		case err != nil:
			return err
		case depth > maxDepth:
			return c.rowError(at, tooDeep)
		}
	}
}

// eachRecord calls add for each element with one of the names, decoded, with the line on which it begins.
func eachRecord[T any](c *collector, r *bufio.Reader, names []string, add func(record *T, line int) error) error {
	return c.eachElement(r, func(decoder *xml.Decoder, start xml.StartElement) (bool, error) {
		if !slices.Contains(names, start.Name.Local) {
			return false, nil
		}
		at, record := line(decoder), new(T)
		if err := decoder.DecodeElement(record, &start); err != nil {
			return true, err
		}
		c.report.Rows++
		return true, add(record, at)
	})
}

// maxDepth is the maximum nesting depth of XML and JSON outside concepts, and of RDF.
const maxDepth = 1000

var tooDeep = &input.LineError{Want: fmt.Sprintf("elements nested at most %d deep", maxDepth), Got: "more"}

// line returns the line that a decoder has reached.
func line(decoder *xml.Decoder) int {
	line, _ := decoder.InputPos()
	return line
}
