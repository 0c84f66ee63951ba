package kbfile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The columns of a table come from a known vocabulary, from the names in a header (see roleOf), or without a header
// from the cells (see inferColumns). [Options.Columns] overrides all of this.

// role is the meaning of a column. Its value is the name in [ColumnRoles] and reports.
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

// Column is a column of a table as ctxnorm interprets it.
type Column struct {
	Name      string `json:"name,omitempty"`      // in the header
	Role      string `json:"role,omitempty"`      // one of [ColumnRoles]; empty if the column is not used
	Separator string `json:"separator,omitempty"` // of several names in a cell; empty if there are none
}

// ColumnRoles returns the roles that a column can have.
func ColumnRoles() []string {
	return strings.Fields(string(roleID + " " + roleName + " " + rolePreferred + " " + roleSynonyms + " " + roleAltIDs + " " +
		roleXrefs + " " + roleParents + " " + roleTreeNumbers + " " + roleTypes + " " + roleStatus + " " + roleReplacedBy +
		" " + roleLanguage + " " + roleScheme + " " + roleMark))
}

// checkColumns returns an error unless choices such as "id=Code", "name=2" and "synonyms=Synonyme" name a column of ids
// and one of names. There may be several columns of synonyms, alt_ids, xrefs, parents and types. In a table without
// ids, the same column may hold ids and names.
func checkColumns(choices []string) error {
	chosen := make(map[string]bool)
	for _, choice := range choices {
		label, column, _ := strings.Cut(choice, "=")
		if !slices.Contains(ColumnRoles(), label) || column == "" {
			return fmt.Errorf("DictionaryOptions.Columns: column %q: want ROLE=COLUMN with a role of %v", choice, ColumnRoles())
		}
		chosen[label] = true
	}
	for _, needed := range []role{roleID, roleName} {
		if len(choices) > 0 && !chosen[string(needed)] {
			return fmt.Errorf("DictionaryOptions.Columns: columns %q: want one with the role %s", choices, needed)
		}
	}
	return nil
}

// chooseColumns returns the chosen columns of a table whose first row is first, and reports whether that row is a
// header: a choice names one of its cells, or it names a column of ids and one of names. A column of both ids and names
// gets [roleName], and there is no [roleID].
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

// columns holds the roles of a table's columns, from left to right.
type columns []role

// areNamed reports whether there are columns of ids and names, as in a dictionary.
func (c columns) areNamed() bool {
	return c.has(roleID) && (c.has(roleName) || c.has(roleSynonyms))
}

func (c columns) has(want role) bool { return c.first(want) >= 0 }

// first returns the index of the first column with the role, or -1.
func (c columns) first(want role) int { return slices.Index(c, want) }

// firstCell returns the trimmed cell in the first column with the role, or "".
func (c columns) firstCell(r row, want role) string {
	if i := c.first(want); i >= 0 && i < len(r.Cells) {
		return strings.TrimSpace(r.Cells[i])
	}
	return ""
}

// names reports whether a column holds names of the row's concepts.
func (r role) names() bool { return r == roleName || r == rolePreferred || r == roleSynonyms }
