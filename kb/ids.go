package kb

import "github.com/ctxnorm/ctxnorm/internal/curie"

// Find returns the position of the concept with this ID or alternative ID in any spelling, and reports whether there is
// one: as it is, else with another spelling of the prefix ("HP:0001250" is "hp:0001250", "HP_0001250" and
// "http://purl.obolibrary.org/obo/HP_0001250", and "ORPHA:524" is "Orphanet:524"), else without a prefix if only one of
// the two identifiers has one. An identifier that could be of two concepts is of none.
//
// The first identifier that no concept has as it is takes a list of all spellings, some hundred bytes for each.
func (d *Dictionary) Find(id ConceptID) (int, bool) {
	if i, known := d.Index(id); known || id == "" {
		return i, known
	}
	d.spellOnce.Do(d.spell)
	prefix, local, sure := curie.Split(string(id))
	i, known := d.spellings[prefix+":"+local]
	switch {
	case known:
	case prefix == "":
		i, known = d.spellings[local]
	case sure:
		i, known = d.spellings[":"+local]
	}
	if !known || i == ambiguous {
		return 0, false
	}
	return int(i), true
}

const ambiguous = -1 // in [Dictionary.spellings]: of several concepts

// spell lists what the spellings of each identifier have in common.
func (d *Dictionary) spell() {
	d.spellings = make(map[string]int32)
	for i := range d.Len() {
		for _, id := range append(wordsOf[ConceptID](&d.table, &d.altIDs, i), d.ID(i)) {
			at, _ := d.Index(id)
			prefix, local, _ := curie.Split(string(id))
			keys := []string{prefix + ":" + local, local} // without a prefix the first begins with a colon
			if prefix == "" {
				keys = keys[:1]
			}
			for _, key := range keys {
				if other, known := d.spellings[key]; known && other != int32(at) {
					d.spellings[key] = ambiguous
				} else {
					d.spellings[key] = int32(at)
				}
			}
		}
	}
}
