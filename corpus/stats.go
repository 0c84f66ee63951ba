package corpus

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/kb"
)

// Stats counts the content of a corpus.
type Stats struct {
	Sentences int `json:"sentences"`
	Records   int `json:"records"` // records with a sentence in the corpus
	Mentions  int `json:"mentions"`
	Ambiguous int `json:"ambiguous"` // mentions whose name has several concepts
	Defined   int `json:"defined"`   // mentions tagged by their definition
	NIL       int `json:"nil"`       // mentions among Defined without a concept
	Names     int `json:"names"`     // distinct names, and long forms that are not names
	Concepts  int `json:"concepts"`  // distinct concepts
	// ConceptsWith counts the concepts with at least 1, 5 and 25 mentions. A mention of an ambiguous name counts for
	// each of its concepts.
	ConceptsWith []ConceptCount `json:"concepts_with"`
	TopNames     []NameCount    `json:"top_names"` // the 20 names with most mentions; most first, ties by name
}

// ConceptCount is the number of concepts with at least MinMentions mentions.
type ConceptCount struct {
	MinMentions int `json:"mentions"`
	Concepts    int `json:"concepts"`
}

// NameCount is the number of mentions of a name.
type NameCount struct {
	Name     string `json:"name"`
	Mentions int    `json:"mentions"`
}

// minMentions lists the minimum numbers of mentions for which Stats counts concepts. The paper keeps 25 exemplars per
// concept.
var minMentions = []int{1, 5, 25}

const topNames = 20

// Stats reads all sentences and counts them.
func (c *Corpus) Stats(ctx context.Context) (*Stats, error) {
	var s Stats
	names := make(map[string]int)
	concepts := make(map[kb.ConceptID]int)
	pmid := "" // of the previous sentence
	for sent, err := range c.Sentences(ctx) {
		if err != nil {
			return nil, err
		}
		s.Sentences++
		if s.Sentences == 1 || sent.ID != pmid { // sentences are ordered by PMID
			s.Records++
			pmid = sent.ID
		}
		for _, m := range sent.Mentions {
			s.Mentions++
			if len(m.Concepts) > 1 {
				s.Ambiguous++
			}
			if m.LongForm != "" {
				s.Defined++
				if len(m.Concepts) == 0 {
					s.NIL++
				}
			}
			names[m.Name]++
			for _, id := range m.Concepts {
				concepts[id]++
			}
		}
	}
	s.Names, s.Concepts = len(names), len(concepts)
	for _, least := range minMentions {
		n := 0
		for _, mentions := range concepts {
			if mentions >= least {
				n++
			}
		}
		s.ConceptsWith = append(s.ConceptsWith, ConceptCount{least, n})
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
