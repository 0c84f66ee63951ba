package corpus

import (
	"cmp"
	"slices"
	"strings"

	"ctxnorm"
)

// Stats says what a corpus holds.
type Stats struct {
	Sentences int `json:"sentences"`
	Records   int `json:"records"` // with a sentence in the corpus
	Mentions  int `json:"mentions"`
	Ambiguous int `json:"ambiguous"` // mentions of a name of several concepts
	Names     int `json:"names"`
	Concepts  int `json:"concepts"`
	// ConceptsWith is the number of concepts with at least so many mentions. A
	// mention of an ambiguous name counts for each of its concepts.
	ConceptsWith []AtLeast   `json:"concepts_with"`
	TopNames     []NameCount `json:"top_names"` // most mentions first, ties by name
}

// AtLeast is how many concepts have so many mentions.
type AtLeast struct {
	Mentions int `json:"mentions"`
	Concepts int `json:"concepts"`
}

// NameCount is how many mentions a name has.
type NameCount struct {
	Name     string `json:"name"`
	Mentions int    `json:"mentions"`
}

// conceptSteps are the numbers of mentions by which Stats counts concepts: 25 is
// how many exemplars of a concept the paper keeps.
var conceptSteps = []int{1, 5, 25}

const topNames = 20

// Stats reads the corpus and counts.
func (c *Corpus) Stats() (*Stats, error) {
	var s Stats
	names := make(map[string]int)
	concepts := make(map[ctxnorm.ConceptID]int)
	last := ""
	for sentence, err := range c.Sentences() {
		if err != nil {
			return nil, err
		}
		s.Sentences++
		if s.Sentences == 1 || sentence.ID != last { // they come ordered by PMID
			s.Records++
			last = sentence.ID
		}
		for _, m := range sentence.Mentions {
			s.Mentions++
			if len(m.Concepts) > 1 {
				s.Ambiguous++
			}
			names[m.Name]++
			for _, id := range m.Concepts {
				concepts[id]++
			}
		}
	}
	s.Names, s.Concepts = len(names), len(concepts)
	for _, step := range conceptSteps {
		n := 0
		for _, mentions := range concepts {
			if mentions >= step {
				n++
			}
		}
		s.ConceptsWith = append(s.ConceptsWith, AtLeast{step, n})
	}
	for name, n := range names {
		s.TopNames = append(s.TopNames, NameCount{name, n})
	}
	slices.SortFunc(s.TopNames, func(a, b NameCount) int {
		return cmp.Or(b.Mentions-a.Mentions, strings.Compare(a.Name, b.Name))
	})
	s.TopNames = s.TopNames[:min(topNames, len(s.TopNames))]
	return &s, nil
}
