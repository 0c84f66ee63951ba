package kbfile

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// inferColumns returns the columns of a table without a header, from a sample of its rows. A third column after an
// identifier and a name is synonyms, unless it has few values; after a name and an identifier it is that if some cell
// contains a vertical bar, and otherwise the preferred name. "-" and "-1" stand for no identifier or preferred name.
func inferColumns(sample []row) columns {
	if firstIsID(sample) {
		third := countCells(sample, 2)
		if values := third.distinct - min(1, third.empty); third.filled > 1 && 2*values <= third.filled { // species or types
			return columns{roleID, roleName}
		}
		return columns{roleID, roleName, roleSynonyms}
	}
	for _, r := range sample {
		if len(r.Cells) > 2 && strings.Contains(r.Cells[2], "|") {
			return columns{roleName, roleID, roleSynonyms}
		}
	}
	return columns{roleName, roleID, rolePreferred}
}

// firstIsID reports whether the first column, and not the second, is the identifier: it has more cells that look like
// identifiers. If neither column has them in half of the rows, or both have equally many, the identifier is the column
// with fewer distinct cells, and the first column if these are equally many too.
func firstIsID(sample []row) bool {
	first, second := countCells(sample, 0), countCells(sample, 1)
	if first.ids != second.ids && 2*max(first.ids, second.ids) >= len(sample) {
		return first.ids > second.ids
	}
	return first.distinct <= second.distinct
}

// isHeader reports whether the first row is a header, given the column of identifiers: its
// cell does not look like an identifier, and those of all other rows do, or it has the name
// of a column of identifiers or names and no cell that looks like an identifier.
func isHeader(sample []row, id int) bool {
	if len(sample) < 2 || id < 0 || id >= len(sample[0].Cells) {
		return false
	}
	first := strings.TrimSpace(sample[0].Cells[id])
	if !isIDLike(first) && !isNone(first) && countCells(sample[1:], id).ids == len(sample)-1 {
		return true
	}
	cols := rolesOf(sample[0].Cells)
	return (cols.has(roleID) || cols.has(roleName)) && !slices.ContainsFunc(sample[0].Cells, isIDLike)
}

// cellCounts are numbers of cells of a column: of those that have a text, that have none, that look like identifiers,
// and that differ.
type cellCounts struct{ filled, empty, ids, distinct int }

func countCells(sample []row, column int) (n cellCounts) {
	seen := make(map[string]bool)
	for _, r := range sample {
		if column >= len(r.Cells) {
			continue
		}
		if seen[r.Cells[column]] = true; r.Cells[column] == "" {
			n.empty++
		} else {
			n.filled++
		}
		if isIDLike(r.Cells[column]) {
			n.ids++
		}
	}
	n.distinct = len(seen)
	return n
}

// isIDLike reports whether a cell looks like an identifier: ASCII without white space, with
// at least one digit.
func isIDLike(cell string) bool {
	digit := false
	for i := 0; i < len(cell); i++ {
		b := cell[i]
		if b <= ' ' || b >= 0x7f {
			return false
		}
		digit = digit || '0' <= b && b <= '9'
	}
	return digit
}

// isProse reports whether the rows of a table without a header are lines of a text that were split at its commas: half
// of them end as a sentence does, and no cell in the columns of identifiers and names looks like an identifier.
func isProse(sample []row) bool {
	sentences := 0
	for _, r := range sample {
		last := strings.TrimSpace(r.Cells[len(r.Cells)-1])
		if strings.Contains(last, " ") && strings.IndexByte(".?!", last[len(last)-1]) >= 0 {
			sentences++
		}
	}
	return sentences > 0 && 2*sentences >= len(sample) && countCells(sample, 0).ids+countCells(sample, 1).ids == 0
}

// floatID is a number of four digits or more that was written as one with a fraction.
var floatID = regexp.MustCompile(`^\d{4,}\.0$`)

// areFloats reports whether all ids of the sample are numbers with a fraction of 0, of which a vocabulary has none.
func areFloats(sample []row, cols columns) bool {
	floats := 0
	for _, r := range sample {
		switch id := strings.TrimSpace(cols.firstCell(r, roleID)); {
		case floatID.MatchString(id):
			floats++
		case id != "" && !missingValues[id]:
			return false
		}
	}
	return floats > 0
}

// templateCell is a cell of the second row of a template of ROBOT (https://robot.obolibrary.org/template), which says
// what its column has: the property of an annotation, or a parent.
var templateCell = regexp.MustCompile(`^>?(?:A[LTI]? (\S+?)(?:@\S+|\^\^\S+)?|SC .*%.*|C .*%.*)(?: SPLIT=\S+)?$`)

// templateColumns maps what a property says to the name of a column that has it.
var templateColumns = map[rdfRole]string{
	rdfPreferred: "label", rdfSynonym: "synonyms", rdfXref: "xrefs", rdfAltID: "alt_ids", rdfDeprecated: "deprecated",
	rdfReplacedBy: "replaced_by",
}

// templateHeader returns the names of the columns of a template of ROBOT by its second row. Those of no use have empty
// names, as have those of any other row.
func templateHeader(second []string) []string {
	header := make([]string, len(second))
	for i, cell := range second {
		cell = strings.TrimSpace(cell)
		switch found := templateCell.FindStringSubmatch(cell); {
		case cell == "ID", cell == "LABEL":
			header[i] = strings.ToLower(cell)
		case found == nil:
		case found[1] == "": // the expression of a class
			header[i] = "parents"
		default:
			header[i] = templateColumns[rdfRoles[fullIRI(found[1])]]
		}
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
	if header := templateHeader(t.sample[1].Cells); rolesOf(header).areNamed() {
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
