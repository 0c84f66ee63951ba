package kbfile

import (
	"regexp"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

// flatFile is how the entries of UniProt's and Expasy's text files begin, each line with a code of two letters, and
// end.
var flatFile = regexp.MustCompile(`(?m)^(?:ID|IT|IO)   \S[^\n]*\n(?:[A-Z]{2}(?:   [^\n]*)?\r?\n)*//\r?$`)

// flatEntry is an entry of such a file.
type flatEntry struct {
	id, accession, description string
	acronyms                   []string
	synonyms, alternatives     []string // lines
	xrefs                      []kb.ConceptID
}

// readFlatFile reads the vocabularies of UniProt (humdisease.txt, keywlist.txt, subcell.txt;
// https://www.uniprot.org/docs), Cellosaurus (https://www.cellosaurus.org/description.html) and enzymes (enzyme.dat,
// https://enzyme.expasy.org). The identifier is the accession AC, of enzymes the EC number in ID. Names are ID, the
// acronyms AR and the synonyms SY, of enzymes DE and AN.
func (c *collector) readFlatFile(lines *input.Lines) error {
	var entry flatEntry
	err := c.eachLine(lines, func(text string, line int) error {
		c.report.Rows-- // an entry is a row
		code, value := text[:min(2, len(text))], strings.TrimSpace(text[min(2, len(text)):])
		switch {
		case text == "//":
			err := c.addFlat(&entry, line)
			entry = flatEntry{}
			return err
		case !strings.HasPrefix(text, code+"   "): // the comments at the top and at the end
			return nil
		}
		switch code {
		case "ID", "IT", "IO":
			entry.id = value
		case "AC":
			entry.accession = value
		case "AR":
			entry.acronyms = append(entry.acronyms, strings.TrimSuffix(value, "."))
		case "SY":
			entry.synonyms = append(entry.synonyms, value)
		case "DE":
			entry.description = strings.TrimSpace(entry.description + " " + value)
		case "AN":
			entry.alternatives = append(entry.alternatives, value)
		case "DR":
			if database, id, found := strings.Cut(value, ";"); found {
				id, _, _ = strings.Cut(strings.TrimRight(id, "."), ";")
				entry.xrefs = append(entry.xrefs, kb.ConceptID(database+":"+strings.TrimSpace(id)))
			}
		}
		return nil
	})
	return err
}

// addFlat adds the concept of an entry, which ends in a line.
func (c *collector) addFlat(e *flatEntry, line int) error {
	if e.id == "" { // the end of the comments
		return nil
	}
	c.report.Rows++
	switch {
	case e.accession == "" && ecNumber.MatchString(e.id):
		return c.addEnzyme(e)
	case e.accession == "":
		return c.badRow(line, "an accession (AC) in each entry", input.Quote(e.id))
	}
	concept := kb.Concept{ID: kb.ConceptID(e.accession), Name: strings.TrimSuffix(e.id, "."), Synonyms: e.acronyms,
		Xrefs: e.xrefs}
	if strings.HasPrefix(e.accession, "DI-") { // a synonym a line, which may have a semicolon
		for _, name := range e.synonyms {
			concept.Synonyms = append(concept.Synonyms, strings.TrimSuffix(name, "."))
		}
	} else {
		all := strings.TrimSuffix(strings.Join(e.synonyms, " "), ".")
		for name := range strings.SplitSeq(all, ";") {
			if name = strings.TrimSpace(name); name != "" {
				concept.Synonyms = append(concept.Synonyms, name)
			}
		}
	}
	return c.addChecked(line, concept)
}

var (
	ecNumber      = regexp.MustCompile(`^\d+\.\d+\.\d+\.n?\d+$`)
	ecTransferred = regexp.MustCompile(`^Transferred entry: (\d+\.\d+\.\d+\.n?\d+)\.$`)
)

// addEnzyme adds an enzyme. One that was deleted or transferred is retired; a single entry that it was transferred to
// replaces it.
func (c *collector) addEnzyme(e *flatEntry) error {
	id := kb.ConceptID(e.id)
	if e.description == "Deleted entry." || strings.HasPrefix(e.description, "Transferred entry:") {
		c.report.Counts[obsoleteTerms]++
		if by := ecTransferred.FindStringSubmatch(e.description); by != nil {
			c.replace(id, kb.ConceptID(by[1]))
		}
		return nil
	}
	concept := kb.Concept{ID: id, Name: strings.TrimSuffix(e.description, ".")}
	name := ""
	for _, line := range e.alternatives { // a name ends in a period, and may go on in the next line
		name = strings.TrimSpace(name + " " + line)
		if strings.HasSuffix(line, ".") {
			concept.Synonyms = append(concept.Synonyms, strings.TrimSuffix(name, "."))
			name = ""
		}
	}
	c.add(concept)
	return nil
}
