package kbfile

import (
	"bufio"
	"cmp"
	"encoding/xml"
	"strings"

	"github.com/ctxnorm/ctxnorm/kb"
)

// clamlClass is a class of a classification, of EN 14463.
type clamlClass struct {
	Code    string `xml:"code,attr"`
	Kind    string `xml:"kind,attr"`
	Parents []struct {
		Code string `xml:"code,attr"`
	} `xml:"SuperClass"`
	Rubrics []struct {
		Kind  string     `xml:"kind,attr"`
		Label clamlLabel `xml:"Label"`
	} `xml:"Rubric"`
}

// clamlLabel is the text of a rubric. References in it are the codes of other classes.
type clamlLabel string

// UnmarshalXML implements [xml.Unmarshaler].
func (l *clamlLabel) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	var b strings.Builder
	for depth := 1; depth > 0; {
		token, err := d.Token()
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			if token.Name.Local == "Reference" {
				if err := d.Skip(); err != nil {
					return err
				}
				continue
			}
			depth++
		case xml.EndElement:
			depth--
		case xml.CharData:
			b.Write(token)
		}
	}
	*l = clamlLabel(strings.Join(strings.Fields(b.String()), " "))
	return nil
}

// readClaML reads the classes of a classification in ClaML, such as ICD-10 of WHO and ICD-10-GM. The preferred rubric
// is the name, the long one before others. Inclusions, which are often narrower, are left out and counted, as are
// chapters and blocks, whose classes are the parents of others.
func (c *collector) readClaML(r *bufio.Reader) error {
	return eachRecord(c, r, []string{"Class"}, func(class *clamlClass, line int) error {
		concept := kb.Concept{ID: kb.ConceptID(strings.TrimSpace(class.Code))}
		switch {
		case concept.ID == "":
			return c.badRow(line, "a code of the class", "none")
		case class.Kind == "chapter", class.Kind == "block":
			c.report.Counts[rowsWithoutID]++
			return nil
		}
		long := ""
		for _, rubric := range class.Rubrics {
			switch rubric.Kind {
			case "preferred":
				concept.Name = string(rubric.Label)
			case "preferredLong":
				long = string(rubric.Label) // "Cholera due to …", of which the preferred rubric may be "due to …"
			case "inclusion":
				c.report.Counts[otherNames]++
			}
		}
		concept.Name = cmp.Or(long, concept.Name)
		for _, parent := range class.Parents {
			concept.Parents = append(concept.Parents, kb.ConceptID(strings.TrimSpace(parent.Code)))
		}
		return c.addChecked(0, concept)
	})
}
