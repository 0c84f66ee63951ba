package dictionary

import (
	"strings"
	"unicode"
)

// Columns of a table
//
// With a header (the first row, or a comment above the rows) columns go by
// their names, whatever their order: see roleOf. A header names an identifier
// and a name; columns that it calls something else are not used. Without one,
// the identifier is in the first or the second column:
//
//	id, name [, synonyms]             where the first column is the identifier
//	name, id [, synonyms|preferred]   where the second is
//
// It is the column of which more cells look like identifiers (no blanks, all
// ASCII, a digit in them); if neither has them in half of the rows, or both have
// them equally often, the one with fewer distinct cells; and the first if that
// is equal too. A third column after a name and an identifier holds synonyms if
// there is a bar in it and else the preferred name. Identifiers, synonyms and
// parents may be several in one cell, set apart by bars. "-" and "-1" stand for no
// identifier or preferred name.

// role is what a column holds.
type role int

const (
	unused role = iota
	id
	name
	preferred
	synonyms
	altIDs
	parents
	treeNumbers
)

var roleNames = [...]string{
	unused:      "",
	id:          "id",
	name:        "name",
	preferred:   "preferred name",
	synonyms:    "synonyms",
	altIDs:      "alternative ids",
	parents:     "parents",
	treeNumbers: "tree numbers",
}

// columns are the roles of a table's columns, from the left.
type columns []role

// rolesOf reads a header.
func rolesOf(header []string) columns {
	cols := make(columns, len(header))
	for i, cell := range header {
		cols[i] = roleOf(cell)
		if once := cols[i] == id || cols[i] == name; once && cols[:i].has(cols[i]) {
			cols[i] = unused
		}
	}
	return cols
}

// roleOf takes the name of a column: DiseaseID, MESH_ID, icd10, "Preferred
// Label", ParentIDs, CTDCuratedSynonyms.
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
		return treeNumbers
	case strings.Contains(plain, "tree"), strings.Contains(plain, "category"):
		return unused
	case strings.HasPrefix(plain, "parent"):
		return parents
	case strings.HasPrefix(plain, "alt"):
		return altIDs
	case strings.Contains(plain, "synonym"), strings.Contains(plain, "alias"), plain == "othernames", strings.HasSuffix(plain, "symbol"):
		return synonyms
	case plain == "term", plain == "label", plain == "preferredterm", plain == "preferredlabel", plain == "str", strings.HasSuffix(plain, "name"):
		return name
	case plain == "id", plain == "identifier", plain == "cui", plain == "code", plain == "concept", plain == "child",
		strings.HasPrefix(plain, "icd"), strings.HasSuffix(plain, "code"),
		strings.HasSuffix(cell, "ID"), strings.HasSuffix(cell, "Id"), strings.HasSuffix(cell, "_id"), strings.HasSuffix(cell, " id"):
		return id
	}
	return unused
}

// guessColumns tells the columns of a table without a header.
func guessColumns(sample []row) columns {
	if firstIsID(sample) {
		return columns{id, name, synonyms}
	}
	for _, r := range sample {
		if len(r.cells) > 2 && strings.Contains(r.cells[2], "|") {
			return columns{name, id, synonyms}
		}
	}
	return columns{name, id, preferred}
}

// firstIsID reports whether the first column holds the identifiers, and not the
// second.
func firstIsID(sample []row) bool {
	first, second := lookAt(sample, 0), lookAt(sample, 1)
	if most := max(first.idLike, second.idLike); first.idLike != second.idLike && 2*most >= len(sample) {
		return first.idLike == most
	}
	return first.distinct <= second.distinct
}

// look is what the cells of a column are like.
type look struct {
	idLike, distinct int
}

func lookAt(sample []row, column int) look {
	var l look
	seen := make(map[string]bool)
	for _, r := range sample {
		if column >= len(r.cells) {
			continue
		}
		cell := r.cells[column]
		seen[cell] = true
		if isIDLike(cell) {
			l.idLike++
		}
	}
	l.distinct = len(seen)
	return l
}

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

// first is the first column of a role, or -1.
func (c columns) first(want role) int {
	for i, have := range c {
		if have == want {
			return i
		}
	}
	return -1
}

// cell is the text in the first column of a role, empty where there is none.
func (c columns) cell(r row, want role) string {
	if i := c.first(want); i >= 0 && i < len(r.cells) {
		return strings.TrimSpace(r.cells[i])
	}
	return ""
}

// cells are the texts in all columns of a role.
func (c columns) cells(r row, want role) []string {
	var cells []string
	for i, have := range c {
		if have == want && i < len(r.cells) {
			cells = append(cells, strings.TrimSpace(r.cells[i]))
		}
	}
	return cells
}

// names are the roles in words, for the report.
func (c columns) names() []string {
	names := make([]string, len(c))
	for i, have := range c {
		names[i] = roleNames[have]
	}
	return names
}
