package kbfile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The columns of a table are those of a known vocabulary, those that the names in a header say (see roleOf), or without
// one those that the cells show (see inferColumns). [Options.Columns] overrides all of this.

// role is the meaning of a column, by its name in [ColumnRoles] and reports.
type role string

const (
	roleUnused      role = ""
	roleID          role = "id"
	roleName        role = "name"
	rolePreferred   role = "preferred_name"
	roleSynonyms    role = "synonyms"
	roleAltIDs      role = "alt_ids"
	roleXrefs       role = "xrefs"
	roleParents     role = "parents"
	roleTreeNumbers role = "tree_numbers"
	roleTypes       role = "types"
	roleStatus      role = "status"
	roleReplacedBy  role = "replaced_by"
	roleLanguage    role = "language"
	roleScheme      role = "scheme"
	roleMark        role = "is_preferred"
)

// Column is a column of a table, as it was understood.
type Column struct {
	Name      string `json:"name,omitempty"`      // in the header
	Role      string `json:"role,omitempty"`      // one of [ColumnRoles]; empty if the column is not used
	Separator string `json:"separator,omitempty"` // of several names in a cell; empty if there are none
}

// ColumnRoles returns what a column can have.
func ColumnRoles() []string {
	return strings.Fields(string(roleID + " " + roleName + " " + rolePreferred + " " + roleSynonyms + " " + roleAltIDs + " " +
		roleXrefs + " " + roleParents + " " + roleTreeNumbers + " " + roleTypes + " " + roleStatus + " " + roleReplacedBy +
		" " + roleLanguage + " " + roleScheme + " " + roleMark))
}

// CheckColumns returns an error unless choices such as "id=Code", "name=2" and "synonyms=Synonyme" say which column has
// ids, and which names. There may be several columns of synonyms, alt_ids, xrefs, parents and types. One column may be
// that of ids and of names, in a table without ids.
func CheckColumns(choices []string) error {
	chosen := make(map[string]bool)
	for _, choice := range choices {
		label, column, _ := strings.Cut(choice, "=")
		if !slices.Contains(ColumnRoles(), label) || column == "" {
			return fmt.Errorf("column %q: want ROLE=COLUMN with a role of %v", choice, ColumnRoles())
		}
		chosen[label] = true
	}
	for _, needed := range []role{roleID, roleName} {
		if len(choices) > 0 && !chosen[string(needed)] {
			return fmt.Errorf("columns %q: want one with the role %s", choices, needed)
		}
	}
	return nil
}

// chooseColumns returns the chosen columns of a table whose first row is first, and
// reports whether that row is a header: a column is chosen by its name in it, or it has
// the names of an identifier column and a name column. A column of ids and names has [roleName]; there is no [roleID]
// then.
func chooseColumns(first []string, choices []string) (cols columns, headed bool, err error) {
	headed = rolesOf(first).areNamed()
	for _, choice := range choices {
		label, column, _ := strings.Cut(choice, "=")
		at := slices.IndexFunc(first, func(cell string) bool { return strings.TrimSpace(cell) == column })
		headed = headed || at >= 0
		if number, err := strconv.Atoi(column); err == nil && at < 0 {
			at = number - 1
		}
		if at < 0 || at >= len(first) {
			return nil, false, fmt.Errorf("column %q of %s: the first row has the %d columns %q", column, label,
				len(first), first)
		}
		for len(cols) <= at {
			cols = append(cols, roleUnused)
		}
		switch have, chosen := cols[at], role(label); {
		case have == roleUnused, have == chosen, have == roleID && chosen == roleName:
			cols[at] = chosen
		case have != roleName || chosen != roleID:
			return nil, false, fmt.Errorf("column %q is %s and %s, want one of them", column, have, chosen)
		}
	}
	return cols, headed, nil
}

// columns is the roles of a table's columns, from left to right.
type columns []role

// areNamed reports whether the columns have identifiers and names: those of a dictionary.
func (c columns) areNamed() bool {
	return c.has(roleID) && (c.has(roleName) || c.has(roleSynonyms))
}

func (c columns) has(want role) bool { return c.first(want) >= 0 }

// first returns the index of the first column with the role, or -1.
func (c columns) first(want role) int { return slices.Index(c, want) }

// firstCell returns the cell in the first column with the role, trimmed, or "" if there is
// none.
func (c columns) firstCell(r row, want role) string {
	if i := c.first(want); i >= 0 && i < len(r.Cells) {
		return strings.TrimSpace(r.Cells[i])
	}
	return ""
}

// names reports whether a column has names of the row's concepts.
func (r role) names() bool { return r == roleName || r == rolePreferred || r == roleSynonyms }
