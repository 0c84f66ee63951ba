package kbfile

import (
	"bufio"
	"regexp"
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

// orphanetRetired are how the names of retired disorders begin.
var orphanetRetired = regexp.MustCompile(`^(?:OBSOLETE:|MOVED TO|MOVED:|DEPRECATED:)`)

// readOrphanet reads the disorders of Orphanet, such as en_product1.xml
// (https://www.orphadata.com/orphanet-nomenclature-for-coding/). The identifier is ORPHA: and the code. Disorders that
// are retired lead to the one that they were moved to.
func (c *collector) readOrphanet(r *bufio.Reader) error {
	return eachRecord(c, r, []string{"Disorder"}, func(disorder *orphanetDisorder, line int) error {
		concept := kb.Concept{ID: orphanetID(disorder.Code)}
		if concept.ID == "" {
			return c.badRow(line, "an OrphaCode", "none")
		}
		wants := func(name orphanetName) bool { return name.Language == "" || c.wants(name.Language) }
		for _, name := range disorder.Names {
			text := strings.TrimSpace(name.Text)
			if orphanetRetired.MatchString(text) {
				c.report.Counts[obsoleteTerms]++
				for _, related := range disorder.Related {
					if strings.EqualFold(strings.TrimSpace(related.Type), "Moved to") {
						c.replace(concept.ID, orphanetID(related.Target))
					}
				}
				return nil
			}
			if wants(name) && concept.Name == "" {
				concept.Name = strings.TrimSpace(strings.TrimPrefix(text, "NON RARE IN EUROPE:"))
			}
		}
		for _, name := range disorder.Synonyms {
			if wants(name) {
				concept.Synonyms = append(concept.Synonyms, name.Text)
			}
		}
		for _, name := range disorder.Types {
			concept.Types = append(concept.Types, strings.TrimSpace(name.Text))
		}
		return c.addChecked(0, concept)
	})
}

// orphanetID returns the identifier of a code, "" for none.
func orphanetID(code string) kb.ConceptID {
	if code = strings.TrimSpace(code); code == "" {
		return ""
	}
	return kb.ConceptID("ORPHA:" + code)
}
