package kbfile

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
)

// addBareNames returns the dictionary with the bare forms of names added (see [normalize.WithoutAdditions]) and their
// semantic tags as types. A bare name goes to the concepts for which its cost is lowest, if they are few and it is not
// a name of another concept: asthma is not "other asthma" if there is "asthma, unspecified".
func (c *collector) addBareNames(d *kb.Dictionary) *kb.Dictionary {
	if c.report.Format == JSONL || c.report.Vocabulary == "LOINC" { // [Write] wrote it; brackets tell tests apart
		return d
	}
	type claim struct {
		name string // in the dictionary
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
		c.note("names also read without the additions of classifications: %d, such as %q", added, example)
	}
	return bare
}
