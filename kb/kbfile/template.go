package kbfile

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// templateCell is a cell of the second row of a template of ROBOT (https://robot.obolibrary.org/template), which says
// what its column has: the property of an annotation, or a parent.
var templateCell = regexp.MustCompile(`^>?(?:A[LTI]? (\S+?)(?:@\S+|\^\^\S+)?|SC .*%.*|C .*%.*)(?: SPLIT=\S+)?$`)

// templateColumns maps what a property says to the name of a column that has it.
var templateColumns = map[rdfRole]string{
	rdfPreferred: "label", rdfSynonym: "synonyms", rdfXref: "xrefs", rdfAltID: "alt_ids", rdfDeprecated: "deprecated",
	rdfReplacedBy: "replaced_by",
}

// curiePrefixes are the prefixes that ROBOT knows, of the properties of rdfRoles.
var curiePrefixes = map[string]string{
	"rdfs": rdfsNS, "skos": skosNS, "owl": owlNS, "oboInOwl": oboInOwlNS, "IAO": oboNS + "IAO_", "OMO": oboNS + "OMO_",
}

// templateHeader returns the names of the columns of a template of ROBOT by its second row, or nil if the row is none
// of a template. Columns of no use have empty names.
func templateHeader(second []string) []string {
	header := make([]string, len(second))
	ids, others := 0, 0
	for i, cell := range second {
		cell = strings.TrimSpace(cell)
		switch found := templateCell.FindStringSubmatch(cell); {
		case cell == "ID":
			header[i] = "id"
			ids++
		case cell == "LABEL":
			header[i] = "label"
			others++
		case found == nil:
		case found[1] == "": // the expression of a class
			header[i] = "parents"
			others++
		default:
			prefix, local, _ := strings.Cut(found[1], ":")
			header[i] = templateColumns[rdfRoles[curiePrefixes[prefix]+local]]
			others++
		}
	}
	if ids != 1 || others == 0 {
		return nil
	}
	return header
}

// completeHeader completes the header in the first row of the sample by the rows below it: a template of ROBOT says in
// its second row what the columns have, and R writes the numbers of rows into a column that the header lacks.
func (t *tableFile) completeHeader() {
	if t.header != nil || len(t.sample) < 2 {
		return
	}
	first := t.sample[0].Cells
	if header := templateHeader(t.sample[1].Cells); header != nil && rolesOf(header).areNamed() {
		t.sample = slices.Delete(t.sample, 1, 2)
		t.sample[0].Cells = header
		return
	}
	for i, r := range t.sample[1:] {
		if len(r.Cells) != len(first)+1 || r.Cells[0] != strconv.Itoa(i+1) || !isIDLike(r.Cells[1]) {
			return
		}
	}
	t.sample[0].Cells = slices.Insert(first, 0, "")
}
