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

// flatEntry is an entry of such a file: its lines by their codes.
type flatEntry map[string][]string

// last returns the last line of one of the codes, or "".
func (e flatEntry) last(codes ...string) (line string) {
	for _, code := range codes {
		if lines := e[code]; len(lines) > 0 {
			line = lines[len(lines)-1]
		}
	}
	return line
}

// readFlatFile reads the vocabularies of UniProt (humdisease.txt, keywlist.txt, subcell.txt;
// https://www.uniprot.org/docs), Cellosaurus (https://www.cellosaurus.org/description.html) and enzymes (enzyme.dat,
// https://enzyme.expasy.org). The identifier is the accession AC, of enzymes the EC number in ID. Names are ID, the
// acronyms AR and the synonyms SY, of enzymes DE and AN.
func (c *collector) readFlatFile(lines *input.Lines) error {
	entry := make(flatEntry)
	return c.eachLine(lines, func(text string, line int) error {
		c.report.Rows-- // an entry is a row
		code, value, found := strings.Cut(text, "   ")
		switch {
		case text == "//":
			err := c.addFlat(entry, line)
			clear(entry)
			return err
		case found && len(code) == 2: // and none of the comments at the top and at the end
			entry[code] = append(entry[code], strings.TrimSpace(value))
		}
		return nil
	})
}

// addFlat adds the concept of an entry, which ends in a line.
func (c *collector) addFlat(e flatEntry, line int) error {
	id, accession := e.last("ID", "IT", "IO"), e.last("AC")
	if id == "" { // the end of the comments
		return nil
	}
	c.report.Rows++
	switch {
	case accession == "" && ecNumber.MatchString(id):
		return c.addEnzyme(kb.ConceptID(id), e)
	case accession == "":
		return c.badRow(line, "an accession (AC) in each entry", input.Quote(id))
	}
	concept := kb.Concept{ID: kb.ConceptID(accession), Name: strings.TrimSuffix(id, ".")}
	for _, acronym := range e["AR"] {
		concept.Synonyms = append(concept.Synonyms, strings.TrimSuffix(acronym, "."))
	}
	for _, reference := range e["DR"] {
		if database, id, found := strings.Cut(reference, ";"); found {
			id, _, _ = strings.Cut(strings.TrimRight(id, "."), ";")
			concept.Xrefs = append(concept.Xrefs, kb.ConceptID(database+":"+strings.TrimSpace(id)))
		}
	}
	if strings.HasPrefix(accession, "DI-") { // a synonym a line, which may have a semicolon
		for _, name := range e["SY"] {
			concept.Synonyms = append(concept.Synonyms, strings.TrimSuffix(name, "."))
		}
		return c.addChecked(line, concept)
	}
	names := namesBySemicolons(strings.TrimSuffix(strings.Join(e["SY"], " "), "."))
	concept.Synonyms = append(concept.Synonyms, names...)
	return c.addChecked(line, concept)
}

var (
	ecNumber      = regexp.MustCompile(`^\d+\.\d+\.\d+\.n?\d+$`)
	ecTransferred = regexp.MustCompile(`^Transferred entry: (\d+\.\d+\.\d+\.n?\d+)\.$`)
)

// addEnzyme adds an enzyme. One that was deleted or transferred is retired; a single entry that it was transferred to
// replaces it.
func (c *collector) addEnzyme(id kb.ConceptID, e flatEntry) error {
	description := strings.TrimSpace(strings.Join(e["DE"], " "))
	t := &term{Concept: kb.Concept{ID: id, Name: strings.TrimSuffix(description, ".")}}
	t.obsolete = description == "Deleted entry." || strings.HasPrefix(description, "Transferred entry:")
	if by := ecTransferred.FindStringSubmatch(description); by != nil {
		t.replacedBy = []kb.ConceptID{kb.ConceptID(by[1])}
	}
	name := ""
	for _, line := range e["AN"] { // a name ends in a period, and may go on in the next line
		name = strings.TrimSpace(name + " " + line)
		if strings.HasSuffix(line, ".") {
			t.Synonyms = append(t.Synonyms, strings.TrimSuffix(name, "."))
			name = ""
		}
	}
	return c.addTerm(t)
}
