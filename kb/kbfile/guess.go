package kbfile

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// inferColumns infers the columns of a table without a header from a sample of its rows. A third column after id and
// name holds synonyms, unless it has few distinct values; after name and id it holds synonyms if some cell contains a
// vertical bar, or else the preferred name. "-" and "-1" mean a missing id or preferred name.
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

// firstIsID reports whether the identifiers are in the first column rather than the second: it has more cells that look
// like identifiers. If neither column has them in half of the rows, or both have the same number, the identifiers are
// in the column with fewer distinct cells, or in the first if these numbers are equal, too.
func firstIsID(sample []row) bool {
	first, second := countCells(sample, 0), countCells(sample, 1)
	if first.ids != second.ids && 2*max(first.ids, second.ids) >= len(sample) {
		return first.ids > second.ids
	}
	return first.distinct <= second.distinct
}

// isHeader reports whether the first row is a header, given the column of identifiers: its cell there does not look
// like an identifier while all others do, or it names a column of identifiers or names and no cell looks like an
// identifier.
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

// cellCounts counts the cells of a column: those with text, empty ones, those that look like identifiers, and distinct
// ones.
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

// isIDLike reports whether a cell looks like an identifier: ASCII without white space, with at least one digit.
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

// isProse reports whether the rows of a table without a header are lines of a text split at its commas: half of them
// end like a sentence, and no cell in the columns of identifiers and names looks like an identifier.
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

// floatID matches a number of four or more digits that was written as a float.
var floatID = regexp.MustCompile(`^\d{4,}\.0$`)

// areFloats reports whether all ids of the sample were written as floats, which occur in no vocabulary.
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

// templateCell matches a cell in the second row of a ROBOT template (https://robot.obolibrary.org/template), which
// specifies the content of its column: the property of an annotation, or a parent.
var templateCell = regexp.MustCompile(`^>?(?:A[LTI]? (\S+?)(?:@\S+|\^\^\S+)?|SC .*%.*|C .*%.*)(?: SPLIT=\S+)?$`)

// templateHeader returns the column names for a ROBOT template, given its second row. Unused columns have empty names.
// For any other row, all names are empty.
func templateHeader(second []string) []string {
	header := make([]string, len(second))
	for i, cell := range second {
		cell = strings.TrimSpace(cell)
		switch found := templateCell.FindStringSubmatch(cell); {
		case cell == "ID", cell == "LABEL":
			header[i] = strings.ToLower(cell)
		case found == nil:
		case found[1] == "": // a class expression
			header[i] = "parents"
		default:
			if has := rdfRoles[fullIRI(found[1])]; has == stateObsolete || slices.Contains(ColumnRoles(), string(has)) {
				header[i] = string(has)
			}
		}
	}
	return header
}

// completeHeader fixes the header in the first row of the sample by the rows below it: the second row of a ROBOT
// template specifies the columns, and R writes row numbers into a column that the header lacks.
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
