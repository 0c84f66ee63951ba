package kb

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/curie"
)

// IDs finds concepts by their identifiers and alternative identifiers in any spelling: as they are, else with another
// spelling of the prefix ("HP:0001250" is "hp:0001250", "HP_0001250" and "http://purl.obolibrary.org/obo/HP_0001250", and
// "ORPHA:524" is "Orphanet:524"), else without a prefix if only one of the two identifiers has one. An identifier that
// could be of two concepts is of none.
type IDs struct {
	exact    func(ConceptID) (ConceptID, bool)
	spelling map[string]ConceptID // by what spellings have in common; "" for several concepts
}

// NewIDs returns the identifiers of the concepts that are keys of altIDs, which maps each to its alternative
// identifiers. A concept's own ID always names that concept; an alternative one of several names the first of them.
func NewIDs(altIDs map[ConceptID][]ConceptID) *IDs {
	conceptOf := make(map[ConceptID]ConceptID)
	own := slices.Sorted(maps.Keys(altIDs))
	for _, id := range own {
		conceptOf[id] = id
	}
	for _, id := range own {
		for _, alt := range altIDs[id] {
			if _, taken := conceptOf[alt]; !taken {
				conceptOf[alt] = id
			}
		}
	}
	return newIDs(maps.Keys(conceptOf), func(id ConceptID) (ConceptID, bool) {
		concept, known := conceptOf[id]
		return concept, known
	})
}

func newIDs(all iter.Seq[ConceptID], exact func(ConceptID) (ConceptID, bool)) *IDs {
	x := &IDs{exact, make(map[string]ConceptID)}
	for id := range all {
		concept, _ := exact(id)
		prefix, local, _ := curie.Split(string(id))
		keys := []string{prefix + ":" + local, local} // without a prefix the first begins with a colon
		if prefix == "" {
			keys = keys[:1]
		}
		for _, key := range keys {
			if other, known := x.spelling[key]; known && other != concept {
				x.spelling[key] = ""
			} else {
				x.spelling[key] = concept
			}
		}
	}
	return x
}

// Lookup returns the concept that an identifier names, and whether there is one.
func (x *IDs) Lookup(id ConceptID) (ConceptID, bool) {
	if concept, known := x.exact(id); known {
		return concept, true
	}
	prefix, local, sure := curie.Split(string(id))
	concept, known := x.spelling[prefix+":"+local]
	switch {
	case known:
	case prefix == "":
		concept = x.spelling[local]
	case sure:
		concept = x.spelling[":"+local]
	}
	return concept, concept != ""
}

// Find returns the position of the concept with this ID or alternative ID in any spelling (see [IDs]), and reports
// whether there is one.
func (d *Dictionary) Find(id ConceptID) (int, bool) {
	if i, known := d.Index(id); known {
		return i, known
	}
	_, local, _ := curie.Split(string(id))
	if !strings.Contains(string(id), ":") && (!strings.ContainsAny(local, "0123456789") || strings.Contains(local, " ")) {
		return 0, false // a name, for which no list of identifiers is made
	}
	d.spellOnce.Do(func() {
		d.spellings = newIDs(func(yield func(ConceptID) bool) {
			for i := range d.Len() {
				for _, id := range append(wordsOf[ConceptID](&d.table, &d.altIDs, i), d.ID(i)) {
					if !yield(id) {
						return
					}
				}
			}
		}, func(id ConceptID) (ConceptID, bool) {
			i, known := d.Index(id)
			if !known {
				return "", false
			}
			return d.ID(i), true
		})
	})
	concept, known := d.spellings.Lookup(id)
	if !known {
		return 0, false
	}
	return d.Index(concept)
}
