package kbfile

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

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

// icdWidths are the columns of the description, from 0, in files of codes: of ICD-9-CM and of ICD-10.
var icdWidths = [...]int{6, 8}

// isICD reports whether the start of a text is that of a file of CMS.
func isICD(head []byte) bool {
	if end := bytes.LastIndexByte(head, '\n'); end >= 0 {
		head = head[:end] // the last line may be cut
	}
	width, n := 0, 0
	for line := range bytes.Lines(head) {
		text := string(bytes.TrimRight(line, "\r\n"))
		if n++; n > 100 {
			break
		}
		if icdOrder.MatchString(text) {
			continue
		}
		at := icdCode.FindStringSubmatchIndex(text)
		if at == nil || width != 0 && at[4] != width || !strings.ContainsAny(text[at[2]:at[3]], "0123456789") {
			return false
		}
		if width = at[4]; width != icdWidths[0] && width != icdWidths[1] {
			return false
		}
	}
	return n > 1
}

// parseICD returns the code and the names of a row, and whether its width is that of ICD-10. The code is "" if the
// row is malformed.
func parseICD(text string) (concept kb.Concept, tenth bool) {
	if parts := icdOrder.FindStringSubmatch(text); parts != nil {
		return kb.Concept{ID: kb.ConceptID(parts[1]), Name: parts[3],
			Synonyms: []string{strings.TrimSpace(parts[2])}}, true
	}
	at := icdCode.FindStringSubmatchIndex(text)
	if at == nil || at[4] != icdWidths[0] && at[4] != icdWidths[1] {
		return kb.Concept{}, false
	}
	return kb.Concept{ID: kb.ConceptID(text[at[2]:at[3]]), Name: text[at[4]:]}, at[4] == icdWidths[1]
}

// readICD reads a file of CMS. The parent of a code is the longest of the codes before it that it begins with. Codes of
// ICD-10-CM, which have no point there, also have the identifier with the point.
func (c *collector) readICD(lines *input.Lines) error {
	var above []string // codes, each of which begins with the one before it
	clinical := false  // ICD-10-CM, whose first code begins with a letter, and that of ICD-10-PCS with a digit
	return c.eachLine(lines, func(text string, line int) error {
		concept, tenth := parseICD(text)
		code := string(concept.ID)
		if code == "" {
			return c.badRow(line, "a code and its description in columns of fixed width", input.Quote(text))
		}
		if len(above) == 0 && !clinical {
			clinical = tenth && code[0] >= 'A'
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
