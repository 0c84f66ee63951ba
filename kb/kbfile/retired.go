package kbfile

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/ctxnorm/ctxnorm/kb"
)

// What a column of states says, by its name: whether or until when a row is in use, or that it is retired.
const (
	stateActive   role = "active"
	stateEnd      role = "end"
	stateObsolete role = "obsolete"
)

// What cells of states have, in lower case: words that say that a row is retired, "no", and no value.
var (
	retiredWords = []string{
		"deprecated", "retired", "obsolete", "withdrawn", "inactive", "invalid", "removed", "merged", "suppressed",
		"deleted", "superseded", "replaced", "discontinued", "inaktiv", "inactif", "inactivo", "inativo", "ungültig",
		"gelöscht", "obsolète", "obsoleto", "supprimé",
	}
	noCells    = []string{"0", "false", "no", "n", "f", "nein", "non", "não", "nee", "nie", "nej", "нет", "否"}
	emptyCells = []string{"", "-", `\n`, "none", "null", "na", "n/a"}
)

// isRetired reports whether a cell of a column of states says that its row is retired, given the last day that a
// row of the table ends on: see lastDay.
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
	return said || cell == "i" // A and I
}

// dayOf returns the day in a cell in lower case, such as 2019-12-31, with a time or not, 20191231, 31.12.2019,
// 12/31/2019 and 31/12/2019, or the first day of a year.
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

// openYear is a year so far away that its days stand for none, such as 2099-12-31.
const openYear = 2090

// never is after each day that a cell may have.
var never = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)

// lastDay returns the last day on which a row of the table ends, [never] if one does not end: of rows that end on
// different days, only those that end last are in use. The day on which the file is read does not matter. Since any
// row may be that one, all are in the sample then.
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

// A preferred name that says that its concept is retired, as the labels of ontologies do: "obsolete river fever",
// "DEPRECATED: river fever", "river fever [retired]".
var obsoleteLabel = regexp.MustCompile(`(?is)^(?:obsolete[ :_]|(?:deprecated|retired)[:_]|[(\[](?:obsolete|deprecated|retired)[)\]]).|` +
	`.[(\[](?:obsolete|deprecated|retired)[)\]]$`)

// retire records identifiers of retired concepts, so that names in other files do not bring them
// back.
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

// withReplaced returns the dictionary in which identifiers of concepts that were replaced are alternative identifiers
// of the concept that is in use in their place, if there is one, and their number.
func withReplaced(d *kb.Dictionary, replaced map[kb.ConceptID]kb.ConceptID) (*kb.Dictionary, int) {
	var names []kb.Concept // of the concepts in use: the identifiers that lead to them
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
