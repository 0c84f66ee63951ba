package model

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// withShownNames returns a dictionary in which each concept without a preferred name shows the name that occurs most
// often in the contexts, in its most frequent spelling. Equally frequent names are shown in the order of the
// dictionary, equally frequent spellings in the order of strings. Contexts with several concepts do not count.
func withShownNames(dict *kb.Dictionary, contexts []text.Exemplar) *kb.Dictionary {
	spellings := make(map[kb.ConceptID]map[string]int) // concept -> surface -> its number
	for i := range contexts {
		ex := &contexts[i]
		if len(ex.Mention.Concepts) != 1 || ex.Bare {
			continue
		}
		c := dict.Lookup(ex.Mention.Concepts[0])
		if c == nil || c.Name != "" {
			continue
		}
		if spellings[c.ID] == nil {
			spellings[c.ID] = make(map[string]int)
		}
		spellings[c.ID][ex.Surface()]++
	}
	if len(spellings) == 0 {
		return dict
	}
	return new(kb.Builder).AddAll(dict, func(c *kb.Concept) bool {
		c.ShownName = mostWritten(c.Synonyms, spellings[c.ID])
		return true
	}).Dictionary()
}

// mostWritten returns the most frequent spelling of the most frequent name, given the counts of surface forms, or "" if
// no name occurs. It ignores case between names.
func mostWritten(names []string, surfaces map[string]int) string {
	counts := make(map[string]int, len(surfaces)) // name in lower case -> count
	for surface, n := range surfaces {
		counts[strings.ToLower(surface)] += n
	}
	best := ""
	for _, name := range names {
		if name = strings.ToLower(name); counts[name] > counts[best] {
			best = name
		}
	}
	if best == "" {
		return ""
	}
	isOther := func(surface string) bool { return strings.ToLower(surface) != best }
	written := slices.DeleteFunc(slices.Collect(maps.Keys(surfaces)), isOther)
	return slices.MinFunc(written, func(a, b string) int {
		return cmp.Or(cmp.Compare(surfaces[b], surfaces[a]), cmp.Compare(a, b))
	})
}
