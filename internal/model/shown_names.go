package model

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// withShownNames returns the dictionary in which each concept without a preferred name has the name that the contexts
// write most often, as they write it most often. Of equally frequent names the first of the dictionary is shown, and of
// equally frequent spellings the first in the order of strings. Contexts of several concepts do not count.
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

// mostWritten returns the spelling of the name that is written most often, given the numbers of surfaces, or "" if
// none of the names is written. Case is ignored between names.
func mostWritten(names []string, surfaces map[string]int) string {
	counts := make(map[string]int, len(surfaces)) // name in lower case -> number
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
	var written []string
	for surface := range surfaces {
		if strings.ToLower(surface) == best {
			written = append(written, surface)
		}
	}
	return slices.MinFunc(written, func(a, b string) int {
		return cmp.Or(cmp.Compare(surfaces[b], surfaces[a]), cmp.Compare(a, b))
	})
}
