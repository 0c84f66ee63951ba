package kbfile

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

// readBioSyn reads the dictionary format of BioSyn (Sung et al., ACL 2020,
// https://github.com/dmis-lab/BioSyn): one concept per line, with its identifier and any
// alternative ones separated by |, then ||, and its names separated by |, the preferred one
// first.
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

// The files of CMS with the codes of ICD-10-CM, ICD-10-PCS and ICD-9-CM
// (https://www.cms.gov/medicare/coding-billing/icd-10-codes) have columns of fixed width. Those of codes
// (icd10cm_codes, icd10pcs_codes, CMS32_DESC_LONG_DX) have a code and its description:
//
//	A000    Cholera due to Vibrio cholerae 01, biovar cholerae
//
// Order files (icd10cm_order) have the number of the row, the code, 0 for a header or 1 for a code that can be
// billed, and the short and the long description:
//
//	00002 A000    1 Cholera d/t Vib cholerae 01                                      Cholera due to Vibrio cholerae 01
var (
	icdCode  = regexp.MustCompile(`^([A-Z0-9]{3,7}) +([^|\s].*)$`)
	icdOrder = regexp.MustCompile(`^\d{5} ([A-Z0-9]{3,7}) +[01] (.{60}) (\S.*)$`)
)

// isICD reports whether the start of a text is that of a file of CMS.
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

// parseICD returns the code and the names of a row, and the column of the description in a file of codes: 6 in
// ICD-9-CM and 8 in ICD-10, or 0 for a row of an order file. The code is "" if the row is malformed.
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

// readICD reads a file of CMS. The parent of a code is the longest of the codes before it that it begins with. Codes of
// ICD-10-CM, which have no point there, also have the identifier with the point.
func (c *collector) readICD(lines *input.Lines) error {
	var above []string // codes, each of which begins with the one before it
	clinical := false  // ICD-10-CM, whose first code begins with a letter, and that of ICD-10-PCS with a digit
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
