package kbfile

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

// readBioSyn reads the dictionary format of BioSyn (Sung et al., ACL 2020, https://github.com/dmis-lab/BioSyn): one
// concept per line, with its identifier and any alternative ones separated by |, then ||, and its names separated by |,
// the preferred one first.
func (c *collector) readBioSyn(lines *input.Lines) error {
	const want = `"id|altid||name|synonym"`
	return c.eachLine(lines, func(text string, line int) error {
		left, right, found := strings.Cut(text, "||")
		ids := splitIDs(left)
		if !found || len(ids) == 0 {
			return c.badRow(line, want, input.Quote(text))
		}
		names := strings.Split(right, "|")
		return c.addChecked(line, kb.Concept{ID: ids[0], Name: names[0], Synonyms: names[1:], AltIDs: ids[1:]})
	})
}

// scispacyConcept is a line of a knowledge base of scispaCy.
type scispacyConcept struct {
	ID      string   `json:"concept_id"`
	Name    string   `json:"canonical_name"`
	Aliases []string `json:"aliases"`
	Types   []string `json:"types"`
}

// readScispaCy reads the JSON lines of a knowledge base of scispaCy
// (https://github.com/allenai/scispacy, scispacy/linking_utils.py).
func (c *collector) readScispaCy(lines *input.Lines) error {
	return c.eachLine(lines, func(text string, line int) error {
		var concept scispacyConcept
		if err := input.DecodeJSON([]byte(text), &concept); err != nil {
			return c.reject(line, input.JSONError(err))
		}
		if concept.ID = strings.TrimSpace(concept.ID); concept.ID == "" {
			return c.badRow(line, `an object with a "concept_id"`, input.Quote(text))
		}
		return c.addChecked(line, kb.Concept{ID: kb.ConceptID(concept.ID), Name: concept.Name, Synonyms: concept.Aliases,
			Types: concept.Types})
	})
}

// CMS publishes the codes of ICD-10-CM, ICD-10-PCS and ICD-9-CM in files with columns of fixed width
// (https://www.cms.gov/medicare/coding-billing/icd-10-codes). Code files (icd10cm_codes, icd10pcs_codes,
// CMS32_DESC_LONG_DX) have a code and its description:
//
//	A000    Cholera due to Vibrio cholerae 01, biovar cholerae
//
// Order files (icd10cm_order) have the row number, the code, 0 for a header or 1 for a billable code, and the short and
// the long description:
//
//	00002 A000    1 Cholera d/t Vib cholerae 01                                      Cholera due to Vibrio cholerae 01
var (
	icdCode  = regexp.MustCompile(`^([A-Z0-9]{3,7}) +([^|\s].*)$`)
	icdOrder = regexp.MustCompile(`^\d{5} ([A-Z0-9]{3,7}) +[01] (.{60}) (\S.*)$`)
)

// isICD reports whether a text begins like a file of CMS.
func isICD(head []byte) bool {
	if end := bytes.LastIndexByte(head, '\n'); end >= 0 {
		head = head[:end] // the last line may be cut
	}
	widths, n := 0, 0
	for line := range bytes.Lines(head) {
		if n++; n > 100 {
			break
		}
		concept, width := parseICD(string(bytes.TrimRight(line, "\r\n")))
		widths |= width
		if concept.ID == "" || widths == 6|8 || width > 0 && !strings.ContainsAny(string(concept.ID), "0123456789") {
			return false
		}
	}
	return n > 1
}

// parseICD returns the code and names in a row, and in a code file the column of the description, which is 6 in
// ICD-9-CM and 8 in ICD-10. The column is 0 in an order file. The code is "" if the row is malformed.
func parseICD(text string) (concept kb.Concept, width int) {
	if parts := icdOrder.FindStringSubmatch(text); parts != nil {
		return kb.Concept{ID: kb.ConceptID(parts[1]), Name: parts[3],
			Synonyms: []string{strings.TrimSpace(parts[2])}}, 0
	}
	at := icdCode.FindStringSubmatchIndex(text)
	if at == nil || at[4] != 6 && at[4] != 8 {
		return kb.Concept{}, 0
	}
	return kb.Concept{ID: kb.ConceptID(text[at[2]:at[3]]), Name: text[at[4]:]}, at[4]
}

// readICD reads a file of CMS. The parent of a code is its longest proper prefix among the codes before it. Codes of
// ICD-10-CM, which have no point in these files, also get the identifier with the point.
func (c *collector) readICD(lines *input.Lines) error {
	var above []string // codes, each a prefix of the next
	clinical := false  // ICD-10-CM: its first code begins with a letter, that of ICD-10-PCS with a digit
	return c.eachLine(lines, func(text string, line int) error {
		concept, width := parseICD(text)
		code := string(concept.ID)
		if code == "" {
			return c.badRow(line, "a code and its description in columns of fixed width", input.Quote(text))
		}
		if len(above) == 0 && !clinical {
			clinical = width != 6 && code[0] >= 'A'
		}
		if clinical && len(code) > 3 {
			concept.AltIDs = []kb.ConceptID{kb.ConceptID(code[:3] + "." + code[3:])}
		}
		above = slices.DeleteFunc(above, func(other string) bool {
			return other == code || !strings.HasPrefix(code, other)
		})
		if len(above) > 0 {
			concept.Parents = []kb.ConceptID{kb.ConceptID(above[len(above)-1])}
		}
		above = append(above, code)
		c.add(concept)
		return nil
	})
}

// flatFile matches an entry in the text files of UniProt and Expasy, in which each line begins with a two-letter code.
var flatFile = regexp.MustCompile(`(?m)^(?:ID|IT|IO)   \S[^\n]*\n(?:[A-Z]{2}(?:   [^\n]*)?\r?\n)*//\r?$`)

// flatEntry is an entry of such a file: its lines by their codes.
type flatEntry map[string][]string

// last returns the last line of the last of these codes that has one, or "".
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
// https://enzyme.expasy.org). The identifier is the accession AC, or for enzymes the EC number in ID. Names are ID, the
// acronyms AR and the synonyms SY, or for enzymes DE and AN.
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
		case found && len(code) == 2: // not a comment at the top or the end
			entry[code] = append(entry[code], strings.TrimSpace(value))
		}
		return nil
	})
}

// addFlat adds the concept of an entry that ends on this line.
func (c *collector) addFlat(e flatEntry, line int) error {
	id, accession := e.last("ID", "IT", "IO"), e.last("AC")
	if id == "" { // end of the comments
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
	if strings.HasPrefix(accession, "DI-") { // one synonym per line, which may have a semicolon
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

// addEnzyme adds an enzyme. Deleted and transferred enzymes are retired. An enzyme that was transferred to a single
// entry is replaced by it.
func (c *collector) addEnzyme(id kb.ConceptID, e flatEntry) error {
	description := strings.TrimSpace(strings.Join(e["DE"], " "))
	t := &term{Concept: kb.Concept{ID: id, Name: strings.TrimSuffix(description, ".")}}
	t.obsolete = description == "Deleted entry." || strings.HasPrefix(description, "Transferred entry:")
	if by := ecTransferred.FindStringSubmatch(description); by != nil {
		t.replacedBy = []kb.ConceptID{kb.ConceptID(by[1])}
	}
	name := ""
	for _, line := range e["AN"] { // a name ends with a period and may span lines
		name = strings.TrimSpace(name + " " + line)
		if strings.HasSuffix(line, ".") {
			t.Synonyms = append(t.Synonyms, strings.TrimSuffix(name, "."))
			name = ""
		}
	}
	return c.addTerm(t)
}
