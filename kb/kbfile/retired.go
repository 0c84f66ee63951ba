package kbfile

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ctxnorm/ctxnorm/internal/table"
	"github.com/ctxnorm/ctxnorm/kb"
)

// Words that say in a cell of a column of states that a row is retired, in lower case.
var retiredWords = []string{
	"deprecated", "retired", "obsolete", "withdrawn", "inactive", "invalid", "removed", "merged", "suppressed",
	"deleted", "superseded", "replaced", "discontinued", "inaktiv", "inactif", "inactivo", "inativo", "ungültig",
	"gelöscht", "obsolète", "obsoleto", "supprimé",
}

// Names of columns of states, in plain form, and of what takes the place of a row.
var (
	// Whether a row is in use.
	activeHeaders = []string{"active", "isactive", "current", "iscurrent", "enabled", "valid", "isvalid", "inuse", "gültig",
		"vigente", "geldig", "aktiv", "actif", "activo", "ativo", "attivo", "válido", "valido", "актуально", "有效"}
	// Whether, when or why it is retired.
	obsoleteHeaders = []string{
		"obsolete", "isobsolete", "deprecated", "isdeprecated", "retired", "isretired", "inactive", "isinactive",
		"withdrawn", "invalid", "invalidreason", "isinvalid", "suppress", "suppressed", "discontinued", "isdiscontinued",
		"archived", "isarchived", "deleted", "isdeleted", "removed", "isremoved",
	}
	statusHeaders = []string{"status", "state", "statut", "estado", "stato", "conceptstatus", "recordstate", "termstatus", "entrystatus",
		"recordstatus", "codestatus", "lifecyclestatus", "lifecycle", "publicationstatus"}
	obsoleteEnds = []string{"since", "date", "on", "at", "in", "reason", "flag", "version", "inversion"}
	// The last day of a row. A day to come, such as 2099-12-31, says that it is in use.
	endHeaders = []string{
		"enddate", "validenddate", "validto", "validuntil", "validthru", "validthrough", "effectiveto", "effectiveenddate",
		"expirationdate", "expirydate", "expires", "expireson", "terminationdate", "termdt", "gültigbis", "gueltigbis",
		"datefin", "datedefin", "einddatum", "geldigtot", "fechafin", "datafim", "datafine", "platnostdo",
	}
	replacedHeaders = []string{"replacedby", "isreplacedby", "termreplacedby", "mapto", "mergedinto", "supersededby"}
)

// What cells have for "no", and for no value, in lower case.
var (
	noCells    = []string{"0", "false", "no", "n", "f", "nein", "non", "não", "nee", "nie", "nej", "нет", "否"}
	emptyCells = []string{"", "-", `\n`, "none", "null", "na", "n/a"}
)

// isStatusHeader reports whether a column with this name, in plain form, has the states of rows.
func isStatusHeader(plain string) bool {
	return slices.Contains(activeHeaders, plain) || isObsoleteHeader(plain) || slices.Contains(statusHeaders, plain) ||
		slices.Contains(endHeaders, plain)
}

// isObsoleteHeader reports whether a column with this name, in plain form, says whether, when or why a row is
// retired: "obsolete", "deprecated_since".
func isObsoleteHeader(plain string) bool {
	return slices.Contains(obsoleteHeaders, plain) || slices.ContainsFunc(obsoleteEnds, func(end string) bool {
		start, found := strings.CutSuffix(plain, end)
		return found && slices.Contains(obsoleteHeaders, start)
	})
}

// isObsoleteLabel reports whether a preferred name says that its concept is retired, as the labels of ontologies do:
// "obsolete river fever", "DEPRECATED: river fever", "river fever [retired]".
func isObsoleteLabel(name string) bool {
	for _, word := range []string{"obsolete", "deprecated", "retired"} {
		if len(name) <= len(word)+1 {
			continue
		}
		if strings.EqualFold(name[:len(word)], word) {
			next := name[len(word)]
			return next == ':' || next == '_' || next == ' ' && word == "obsolete"
		}
		for _, brackets := range []string{"()", "[]"} {
			mark := brackets[:1] + word + brackets[1:]
			if len(name) > len(mark) && (strings.EqualFold(name[:len(mark)], mark) ||
				name[len(name)-1] == mark[len(mark)-1] && strings.EqualFold(name[len(name)-len(mark):], mark)) {
				return true
			}
		}
	}
	return false
}

// isPast reports whether a cell in lower case is a day before today, such as 2019-12-31, with a time or not, 20191231,
// 31.12.2019, 12/31/2019 and 31/12/2019, or a year before this one.
func isPast(cell string) bool {
	day, _, _ := strings.Cut(cell, "t")
	day, _, _ = strings.Cut(day, " ")
	for _, layout := range []string{"2006-1-2", "20060102", "2.1.2006", "2-1-2006", "1/2/2006", "2/1/2006", "2006/1/2", "2006"} {
		if end, err := time.Parse(layout, day); err == nil {
			return end.Before(time.Now().AddDate(0, 0, -1)) && (layout != "2006" || end.Year() < time.Now().Year())
		}
	}
	return false
}

// isRetired reports whether a cell says that its row is retired, given the name of its column.
func isRetired(column, cell string) bool {
	column, cell = table.Plain(column), strings.ToLower(strings.TrimSpace(cell))
	isNo := slices.Contains(noCells, cell)
	said := slices.ContainsFunc(retiredWords, func(word string) bool { return strings.Contains(cell, word) })
	switch {
	case slices.Contains(activeHeaders, column):
		return isNo || said
	case slices.Contains(endHeaders, column):
		return isPast(cell)
	case isObsoleteHeader(column):
		return !isNo && !slices.Contains(emptyCells, cell) && cell != "active" && cell != "valid"
	}
	return said || cell == "i" // A and I
}

// retire records identifiers of retired concepts, so that names in other files do not bring them
// back.
func (c *collector) retire(ids ...kb.ConceptID) {
	if c.report.Retired == nil {
		c.report.Retired = make(map[kb.ConceptID]bool)
	}
	for _, id := range ids {
		if !c.report.Retired[id] {
			id = kb.ConceptID(strings.Clone(string(id)))
			c.report.Retired[id] = true
			c.charge(mapEntrySize, string(id))
		}
	}
}

// replace records that a retired concept was replaced by another.
func (c *collector) replace(old, by kb.ConceptID) {
	if old == "" || by == "" || old == by || checkIDs([]kb.ConceptID{old}) != nil {
		return
	}
	if c.replaced == nil {
		c.replaced = make(map[kb.ConceptID]kb.ConceptID)
	}
	if _, known := c.replaced[old]; !known {
		c.replaced[kb.ConceptID(strings.Clone(string(old)))] = kb.ConceptID(strings.Clone(string(by)))
		c.charge(mapEntrySize, string(old), string(by))
	}
}

// withReplaced returns the dictionary in which identifiers of concepts that were replaced are alternative identifiers
// of the concept that is in use in their place, if there is one, and their number.
func withReplaced(d *kb.Dictionary, replaced map[kb.ConceptID]kb.ConceptID) (*kb.Dictionary, int) {
	concepts := make([]kb.Concept, 0, d.Len()+len(replaced))
	for i := range d.Len() {
		concepts = append(concepts, *d.At(i))
	}
	ends := make(map[kb.ConceptID]*kb.Concept, len(replaced)) // what is in use in the end, nil for nothing
	for _, old := range slices.Sorted(maps.Keys(replaced)) {
		var chain []kb.ConceptID // the replacement may have been replaced itself
		id, end := old, d.Lookup(old)
		for end == nil {
			known, isKnown := ends[id]
			by, isReplaced := replaced[id]
			if isKnown || !isReplaced {
				end = known
				break
			}
			ends[id] = nil // a cycle ends here, too
			chain = append(chain, id)
			id, end = by, d.Lookup(by)
		}
		for _, id := range chain {
			ends[id] = end
		}
		if c := ends[old]; c != nil {
			concepts = append(concepts, kb.Concept{ID: c.ID, AltIDs: []kb.ConceptID{old}})
		}
	}
	n := len(concepts) - d.Len()
	if n == 0 {
		return d, 0
	}
	return kb.NewDictionary(concepts), n
}

// WithoutRetired returns the dictionary without the concepts that another file retires, and their
// number.
func WithoutRetired(d *kb.Dictionary, retired map[kb.ConceptID]bool) (*kb.Dictionary, int) {
	var kept []kb.Concept
	for i := range d.Len() {
		if c := d.At(i); !retired[c.ID] {
			kept = append(kept, *c)
		}
	}
	if len(kept) == d.Len() {
		return d, 0
	}
	return kb.NewDictionary(kept), d.Len() - len(kept)
}
