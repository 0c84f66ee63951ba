package kbfile

import (
	"bufio"
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
// (https://www.nlm.nih.gov/mesh/xml_data_elements.html), one record at a time. The name of
// a record is its preferred name, and the terms of all its concepts are its synonyms. The
// parents of a descriptor come from its tree numbers, those of a supplementary record are
// the descriptors that it is mapped to.
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
