package kbfile

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/ctxnorm/ctxnorm/kb"
)

// These are the kinds of columns of states: whether a row is in use, until when it is in use, or that it is retired.
const (
	stateActive   role = "active"
	stateEnd      role = "end"
	stateObsolete role = "obsolete"
)

// These are values of states in lower case: words for a retired row, "no", and no value.
var (
	retiredWords = []string{
		"deprecated", "retired", "obsolete", "withdrawn", "inactive", "invalid", "removed", "merged", "suppressed",
		"deleted", "superseded", "replaced", "discontinued", "inaktiv", "inactif", "inactivo", "inativo", "ungültig",
		"gelöscht", "obsolète", "obsoleto", "supprimé",
	}
	noCells    = []string{"0", "false", "no", "n", "f", "nein", "non", "não", "nee", "nie", "nej", "нет", "否"}
	emptyCells = []string{"", "-", `\n`, "none", "null", "na", "n/a"}
)

// isRetired reports whether a cell in a column of states means that its row is retired. last is the last day on which a
// row of the table ends: see lastDay.
func isRetired(kind role, cell string, last time.Time) bool {
	cell = strings.ToLower(strings.TrimSpace(cell))
	isNo := slices.Contains(noCells, cell)
	said := slices.ContainsFunc(retiredWords, func(word string) bool { return strings.Contains(cell, word) })
	switch kind {
	case stateActive:
		return isNo || said
	case stateEnd:
		end, isDay := dayOf(cell)
		return isDay && end.Year() < openYear && end.Before(last)
	case stateObsolete:
		return !isNo && !slices.Contains(emptyCells, cell) && cell != "active" && cell != "valid"
	}
	return said || cell == "i" // states are A and I
}

// dayOf returns the day in a lower-case cell, such as 2019-12-31, 20191231, 31.12.2019, 12/31/2019 or 31/12/2019, with
// or without a time. For a year alone it returns the first day of the year.
func dayOf(cell string) (day time.Time, ok bool) {
	cell, _, _ = strings.Cut(cell, "t")
	cell, _, _ = strings.Cut(cell, " ")
	for _, layout := range []string{"2006-1-2", "20060102", "2.1.2006", "2-1-2006", "1/2/2006", "2/1/2006", "2006/1/2", "2006"} {
		if day, err := time.Parse(layout, cell); err == nil {
			return day, true
		}
	}
	return day, false
}

// openYear is a year so far in the future that its days, such as 2099-12-31, mean that there is no end.
const openYear = 2090

// never is later than any day in a cell.
var never = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)

// lastDay returns the last day on which a row of the table ends, or [never] if a row does not end. If rows end on
// different days, only those that end last are in use; the current date does not matter. To find the last day, lastDay
// reads all rows into the sample.
func (t *tableFile) lastDay() (last time.Time) {
	ends := slices.Index(t.states, stateEnd)
	if ends < 0 {
		return last
	}
	for t.err == nil && t.c.full == nil {
		t.readOne()
	}
	for _, r := range t.sample {
		cell := ""
		if ends < len(r.Cells) {
			cell = strings.ToLower(strings.TrimSpace(r.Cells[ends]))
		}
		switch day, isDay := dayOf(cell); {
		case isDay && day.Year() >= openYear, slices.Contains(emptyCells, cell):
			return never
		case isDay && day.After(last):
			last = day
		}
	}
	return last
}

// obsoleteLabel matches a preferred name that marks its concept as retired, like the labels of ontologies: "obsolete
// river fever", "DEPRECATED: river fever", "river fever [retired]".
var obsoleteLabel = regexp.MustCompile(`(?is)^(?:obsolete[ :_]|(?:deprecated|retired)[:_]|[(\[](?:obsolete|deprecated|retired)[)\]]).|` +
	`.[(\[](?:obsolete|deprecated|retired)[)\]]$`)

// retire records identifiers of retired concepts, so that names in other files do not bring them back.
func (c *collector) retire(ids ...kb.ConceptID) {
	for _, id := range ids {
		if !c.report.Retired[id] {
			c.charge(idCost)
			c.report.Retired[kb.ConceptID(strings.Clone(string(id)))] = true
		}
	}
}

// replace records that a retired concept was replaced by another.
func (c *collector) replace(old, by kb.ConceptID) {
	if old == "" || by == "" || old == by || checkIDs([]kb.ConceptID{old}) != nil {
		return
	}
	if _, known := c.replaced[old]; !known {
		c.charge(2 * idCost)
		c.replaced[kb.ConceptID(strings.Clone(string(old)))] = kb.ConceptID(strings.Clone(string(by)))
	}
}

// withReplaced returns the dictionary with identifiers of replaced concepts added as alternative identifiers of their
// replacements, if these are in use, and the number of identifiers added.
func withReplaced(d *kb.Dictionary, replaced map[kb.ConceptID]kb.ConceptID) (*kb.Dictionary, int) {
	var names []kb.Concept // concepts in use, with the identifiers that lead to them
	for _, old := range slices.Sorted(maps.Keys(replaced)) {
		var chain []kb.ConceptID // the replacement may have been replaced itself
		id := old
		for ; replaced[id] != ""; id, replaced[id] = replaced[id], "" { // a cycle ends here, too
			if _, living := d.Index(id); living {
				break
			}
			chain = append(chain, id)
		}
		for _, before := range chain {
			replaced[before] = id
		}
		if at, living := d.Index(id); living && id != old {
			names = append(names, kb.Concept{ID: d.ID(at), AltIDs: []kb.ConceptID{old}})
		}
	}
	if len(names) == 0 {
		return d, 0
	}
	b := new(kb.Builder).AddAll(d, nil)
	for i := range names {
		b.Add(&names[i])
	}
	return b.Dictionary(), len(names)
}
