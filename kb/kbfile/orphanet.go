package kbfile

import (
	"bufio"
	"encoding/xml"
	"strings"

	"github.com/ctxnorm/ctxnorm/kb"
)

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

// Prefixes of the names of disorders: of retired ones, and of those that are not rare in Europe.
var orphanetRetired = []string{"OBSOLETE:", "MOVED TO", "MOVED:", "DEPRECATED:"}

const orphanetNotRare = "NON RARE IN EUROPE:"

// readOrphanet reads the disorders of Orphanet, such as en_product1.xml
// (https://www.orphadata.com/orphanet-nomenclature-for-coding/). The identifier is ORPHA: and the code. Disorders that
// are retired lead to the one that they were moved to.
func (c *collector) readOrphanet(r *bufio.Reader) error {
	return c.eachElement(r, func(decoder *xml.Decoder, start xml.StartElement) (bool, error) {
		if start.Name.Local != "Disorder" {
			return false, nil
		}
		at := line(decoder)
		var disorder orphanetDisorder
		if err := decoder.DecodeElement(&disorder, &start); err != nil {
			return true, err
		}
		c.report.Rows++
		concept := kb.Concept{ID: orphanetID(disorder.Code)}
		if concept.ID == "" {
			return true, c.badRow(at, "an OrphaCode", "none")
		}
		for _, name := range disorder.Names {
			text := strings.TrimSpace(name.Text)
			for _, prefix := range orphanetRetired {
				if strings.HasPrefix(text, prefix) {
					c.report.Obsolete++
					for _, related := range disorder.Related {
						if strings.EqualFold(strings.TrimSpace(related.Type), "Moved to") {
							c.replace(concept.ID, orphanetID(related.Target))
						}
					}
					return true, nil
				}
			}
			if c.wantsName(name) && concept.Name == "" {
				concept.Name = strings.TrimSpace(strings.TrimPrefix(text, orphanetNotRare))
			}
		}
		for _, name := range disorder.Synonyms {
			if c.wantsName(name) {
				concept.Synonyms = append(concept.Synonyms, name.Text)
			}
		}
		for _, name := range disorder.Types {
			concept.Types = append(concept.Types, strings.TrimSpace(name.Text))
		}
		return true, c.addChecked(0, concept)
	})
}

// wantsName reports whether a name is in a language that is wanted, or in none, and counts it if not.
func (c *collector) wantsName(name orphanetName) bool {
	return name.Language == "" || c.wants(name.Language)
}

// orphanetID returns the identifier of a code, "" for none.
func orphanetID(code string) kb.ConceptID {
	if code = strings.TrimSpace(code); code == "" {
		return ""
	}
	return kb.ConceptID("ORPHA:" + code)
}
