package kbfile

import (
	"strings"
	"unicode"
)

// Columns of a table
//
// If a table has a header (the first row, or a comment above the rows), its names
// determine the columns, in any order: see roleOf. A header has the names of an
// identifier column and a name column; columns with unknown names are ignored. Without a
// header, the identifier is in the first or the second column:
//
//	id, name [, synonyms]             if the first column is the identifier
//	name, id [, synonyms|preferred]   if the second column is
//
// The identifier column is the one with more cells that look like identifiers (ASCII, no
// white space, at least one digit). If neither column has them in half of the rows, or
// both have equally many, it is the column with fewer distinct cells, and the first
// column if these are equally many too. A third column after a name and an identifier is
// synonyms if some cell contains a vertical bar, and otherwise the preferred name. A cell
// may have several identifiers, synonyms or parents, separated by vertical bars. "-" and
// "-1" stand for no identifier or no preferred name.

// role is the meaning of a column.
type role int

const (
	roleUnused role = iota
	roleID
	roleName
	rolePreferred
	roleSynonyms
	roleAltIDs
	roleParents
	roleTreeNumbers
)

var roleLabels = [...]string{
	roleUnused:      "",
	roleID:          "id",
	roleName:        "name",
	rolePreferred:   "preferred name",
	roleSynonyms:    "synonyms",
	roleAltIDs:      "alternative ids",
	roleParents:     "parents",
	roleTreeNumbers: "tree numbers",
}

// columns is the roles of a table's columns, from left to right.
type columns []role

// rolesOf returns the roles of the columns of a header. Only the first identifier and the
// first name are used.
func rolesOf(header []string) columns {
	cols := make(columns, len(header))
	for i, cell := range header {
		cols[i] = roleOf(cell)
		if once := cols[i] == roleID || cols[i] == roleName; once && cols[:i].has(cols[i]) {
			cols[i] = roleUnused
		}
	}
	return cols
}

// roleOf returns the role of a column from its name, such as DiseaseID, MESH_ID, icd10,
// "Preferred Label", ParentIDs or CTDCuratedSynonyms.
func roleOf(cell string) role {
	cell = strings.TrimSpace(cell)
	plain := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, cell)
	switch {
	case plain == "treenumbers", plain == "treenumber":
		return roleTreeNumbers
	case strings.Contains(plain, "tree"), strings.Contains(plain, "category"):
		return roleUnused
	case strings.HasPrefix(plain, "parent"):
		return roleParents
	case strings.HasPrefix(plain, "alt"):
		return roleAltIDs
	case strings.Contains(plain, "synonym"), strings.Contains(plain, "alias"), plain == "othernames", strings.HasSuffix(plain, "symbol"):
		return roleSynonyms
	case plain == "term", plain == "label", plain == "preferredterm", plain == "preferredlabel", plain == "str", strings.HasSuffix(plain, "name"):
		return roleName
	case plain == "id", plain == "identifier", plain == "cui", plain == "code", plain == "concept", plain == "child",
		strings.HasPrefix(plain, "icd"), strings.HasSuffix(plain, "code"),
		strings.HasSuffix(cell, "ID"), strings.HasSuffix(cell, "Id"), strings.HasSuffix(cell, "_id"), strings.HasSuffix(cell, " id"):
		return roleID
	}
	return roleUnused
}

// inferColumns returns the columns of a table without a header, from a sample of its rows.
func inferColumns(sample []row) columns {
	if firstIsID(sample) {
		return columns{roleID, roleName, roleSynonyms}
	}
	for _, r := range sample {
		if len(r.cells) > 2 && strings.Contains(r.cells[2], "|") {
			return columns{roleName, roleID, roleSynonyms}
		}
	}
	return columns{roleName, roleID, rolePreferred}
}

// firstIsID reports whether the first column, rather than the second, is the identifier.
func firstIsID(sample []row) bool {
	first, second := statsOf(sample, 0), statsOf(sample, 1)
	if most := max(first.idLikeCells, second.idLikeCells); first.idLikeCells != second.idLikeCells && 2*most >= len(sample) {
		return first.idLikeCells == most
	}
	return first.distinctCells <= second.distinctCells
}

// columnStats counts properties of the cells of a column.
type columnStats struct {
	idLikeCells, distinctCells int
}

func statsOf(sample []row, column int) columnStats {
	var stats columnStats
	seen := make(map[string]bool)
	for _, r := range sample {
		if column >= len(r.cells) {
			continue
		}
		cell := r.cells[column]
		seen[cell] = true
		if isIDLike(cell) {
			stats.idLikeCells++
		}
	}
	stats.distinctCells = len(seen)
	return stats
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

func (c columns) has(want role) bool { return c.first(want) >= 0 }

// first returns the index of the first column with the role, or -1.
func (c columns) first(want role) int {
	for i, have := range c {
		if have == want {
			return i
		}
	}
	return -1
}

// firstCell returns the cell in the first column with the role, trimmed, or "" if there is
// none.
func (c columns) firstCell(r row, want role) string {
	if i := c.first(want); i >= 0 && i < len(r.cells) {
		return strings.TrimSpace(r.cells[i])
	}
	return ""
}

// cells returns the cells, trimmed, in all columns with the role.
func (c columns) cells(r row, want role) []string {
	var cells []string
	for i, have := range c {
		if have == want && i < len(r.cells) {
			cells = append(cells, strings.TrimSpace(r.cells[i]))
		}
	}
	return cells
}

// labels returns the names of the roles, for the report.
func (c columns) labels() []string {
	names := make([]string, len(c))
	for i, have := range c {
		names[i] = roleLabels[have]
	}
	return names
}
