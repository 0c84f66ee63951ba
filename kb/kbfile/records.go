package kbfile

import (
	"bufio"
	"cmp"
	"encoding/xml"
	"regexp"
	"strings"

	"github.com/ctxnorm/ctxnorm/kb"
)

// meshRecord is a DescriptorRecord or a SupplementalRecord.
type meshRecord struct {
	DescriptorUI     string   `xml:"DescriptorUI"`
	DescriptorName   string   `xml:"DescriptorName>String"`
	SupplementalUI   string   `xml:"SupplementalRecordUI"`
	SupplementalName string   `xml:"SupplementalRecordName>String"`
	TreeNumbers      []string `xml:"TreeNumberList>TreeNumber"`
	MappedTo         []string `xml:"HeadingMappedToList>HeadingMappedTo>DescriptorReferredTo>DescriptorUI"`
	Concepts         []struct {
		Types []string `xml:"SemanticTypeList>SemanticType>SemanticTypeUI"`
		Terms []string `xml:"TermList>Term>String"`
	} `xml:"ConceptList>Concept"`
}

// readMeSH reads the descriptors or the supplementary concept records of MeSH
// (https://www.nlm.nih.gov/mesh/xml_data_elements.html), one record at a time. The name of a record is its preferred
// name, and the terms of all its concepts are its synonyms. The parents of a descriptor come from its tree numbers;
// those of a supplementary record are the descriptors to which it is mapped.
func (c *collector) readMeSH(r *bufio.Reader) error {
	records := []string{"DescriptorRecord", "SupplementalRecord"}
	return eachRecord(c, r, records, func(record *meshRecord, line int) error {
		concept := kb.Concept{
			ID:   kb.ConceptID(strings.TrimSpace(record.DescriptorUI + record.SupplementalUI)),
			Name: strings.TrimSpace(record.DescriptorName + record.SupplementalName),
		}
		if concept.ID == "" {
			return c.badRow(line, "a DescriptorUI or a SupplementalRecordUI", "none")
		}
		for _, number := range record.TreeNumbers {
			c.positions = append(c.positions, treePosition{concept.ID, strings.TrimSpace(number)})
		}
		for _, id := range record.MappedTo {
			concept.Parents = append(concept.Parents, kb.ConceptID(strings.TrimLeft(strings.TrimSpace(id), "*")))
		}
		for _, part := range record.Concepts {
			concept.Types = append(concept.Types, part.Types...)
			concept.Synonyms = append(concept.Synonyms, part.Terms...)
		}
		return c.addChecked(0, concept)
	})
}

// clamlClass is a class of a classification (EN 14463).
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

// clamlLabel is the text of a rubric without references, which are codes of other classes.
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

// readClaML reads the classes of a classification in ClaML, such as WHO's ICD-10 and ICD-10-GM. The name is the long
// preferred rubric, or else the preferred rubric. Inclusions, which are often narrower, are skipped and counted, and so
// are chapters and blocks, which are only parents of classes.
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
				long = string(rubric.Label) // "Cholera due to …", where the preferred rubric may be just "due to …"
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

// orphanetName is a name in a language.
type orphanetName struct {
	Language string `xml:"lang,attr"`
	Text     string `xml:",chardata"`
}

// orphanetDisorder is a Disorder of Orphadata.
type orphanetDisorder struct {
	Code     string         `xml:"OrphaCode"`
	Names    []orphanetName `xml:"Name"`
	Synonyms []orphanetName `xml:"SynonymList>Synonym"`
	Types    []orphanetName `xml:"DisorderType>Name"`
	Related  []struct {
		Type   string `xml:"DisorderDisorderAssociationType>Name"`
		Target string `xml:"TargetDisorder>OrphaCode"`
	} `xml:"DisorderDisorderAssociationList>DisorderDisorderAssociation"`
}

// orphanetRetired matches the beginning of a retired disorder's name.
var orphanetRetired = regexp.MustCompile(`^(?:OBSOLETE:|MOVED TO|MOVED:|DEPRECATED:)`)

// readOrphanet reads the disorders of Orphanet, such as en_product1.xml
// (https://www.orphadata.com/orphanet-nomenclature-for-coding/). The identifier is "ORPHA:" and the code. Retired
// disorders lead to the disorder they were moved to.
func (c *collector) readOrphanet(r *bufio.Reader) error {
	return eachRecord(c, r, []string{"Disorder"}, func(disorder *orphanetDisorder, line int) error {
		t := &term{Concept: kb.Concept{ID: orphanetID(disorder.Code)}}
		if t.ID == "" {
			return c.badRow(line, "an OrphaCode", "none")
		}
		wants := func(name orphanetName) bool { return name.Language == "" || c.wants(name.Language) }
		for _, name := range disorder.Names {
			text := strings.TrimSpace(name.Text)
			if t.obsolete = orphanetRetired.MatchString(text); t.obsolete {
				for _, related := range disorder.Related {
					if strings.EqualFold(strings.TrimSpace(related.Type), "Moved to") {
						t.replacedBy = append(t.replacedBy, orphanetID(related.Target))
					}
				}
				return c.addTerm(t)
			}
			if wants(name) && t.Name == "" {
				t.Name = strings.TrimSpace(strings.TrimPrefix(text, "NON RARE IN EUROPE:"))
			}
		}
		for _, name := range disorder.Synonyms {
			if wants(name) {
				t.Synonyms = append(t.Synonyms, name.Text)
			}
		}
		for _, name := range disorder.Types {
			t.Types = append(t.Types, strings.TrimSpace(name.Text))
		}
		return c.addTerm(t)
	})
}

// orphanetID returns the identifier for a code, or "" for no code.
func orphanetID(code string) kb.ConceptID {
	if code = strings.TrimSpace(code); code == "" {
		return ""
	}
	return kb.ConceptID("ORPHA:" + code)
}
