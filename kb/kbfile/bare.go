package kbfile

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
)

// addBareNames returns the dictionary in which concepts also have the bare forms of their names, see [normalize.WithoutAdditions], and the
// types that their semantic tags say. A bare name is of the concepts that it costs least, if they are few and no other
// concept has it as a name: asthma is not "other asthma" if there is "asthma, unspecified".
func (c *collector) addBareNames(d *kb.Dictionary) *kb.Dictionary {
	if c.report.Format == JSONL || c.report.Vocabulary == "LOINC" { // what [Write] wrote; brackets that tell tests apart
		return d
	}
	type claim struct {
		name string // as the dictionary has it
		cost int
		by   []kb.Concept // the concepts, each with the bare name
	}
	claims := make(map[string]*claim) // by bare names in lower case
	var added []kb.Concept
	for _, concept := range d.All() {
		names := concept.Names()
		for _, name := range names {
			bare, tag, cost := normalize.WithoutAdditions(name, names)
			if bare == "" {
				continue
			}
			if tag != "" {
				added = append(added, kb.Concept{ID: concept.ID, Types: []string{tag}})
			}
			known := claims[strings.ToLower(bare)]
			if known == nil || cost < known.cost {
				known = &claim{name: name, cost: cost}
				claims[strings.ToLower(bare)] = known
			}
			if cost == known.cost {
				known.by = append(known.by, kb.Concept{ID: concept.ID, Synonyms: []string{bare}})
			}
		}
	}
	if len(claims) == 0 {
		return d
	}
	for _, concept := range d.All() {
		for _, name := range concept.Names() {
			if known := claims[strings.ToLower(name)]; known != nil {
				known.by = slices.DeleteFunc(known.by, func(by kb.Concept) bool { return by.ID != concept.ID })
			}
		}
	}
	const few = 3
	example := ""
	for _, bare := range slices.Sorted(maps.Keys(claims)) {
		if known := claims[bare]; len(known.by) <= few {
			added = append(added, known.by...)
			example = cmp.Or(example, known.name)
		}
	}
	bare := new(kb.Builder).AddAll(d, nil).AddAll(kb.NewDictionary(added), nil).Dictionary()
	if added := bare.CountNames() - d.CountNames(); added > 0 {
		c.note("names read also without what classifications add to them: %d, such as %q", added, example)
	}
	return bare
}
