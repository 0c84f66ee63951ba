package biosyn

import (
	"math"
	"slices"

	"github.com/ctxnorm/ctxnorm/kb"
)

// candidateSettings say which names of the dictionary a mention is ranked among in training
// (section 3.3 of the BioSyn paper, "Iterative Candidate Retrieval").
type candidateSettings struct {
	// PerMention is the number of candidates of a mention, k of the paper. At least 2;
	// default 20 (section 4.1).
	PerMention int `json:"per_mention"`
	// DenseRatio is the share of candidates, 0 to 1, that are nearest by the encoder,
	// rounded down; the others are nearest by strings. alpha of the paper, default 0.5
	// (section 4.1). BERT ranking has 1, and no sparse scores.
	DenseRatio float64 `json:"dense_ratio"`
	// Fixed retrieves candidates once, with the encoder as it is before training. By
	// default, as in the paper, they are retrieved at the start of every epoch.
	Fixed bool `json:"fixed"`
}

// sparse returns the number of candidates that are retrieved by strings, k - floor(alpha k).
func (c candidateSettings) sparse() int {
	const rounding = 1e-9 // 0.29 * 100 is 28.999999999999996
	return c.PerMention - int(math.Floor(c.DenseRatio*float64(c.PerMention)+rounding))
}

// merge returns the candidates of a mention, as rows of the dictionary's names: the first of
// sparse, as many as [candidateSettings.sparse], and then those of dense that are not among
// them, until there are PerMention. Both lists are in descending order of score and have
// PerMention rows, or all rows of a smaller dictionary, so that there are always enough.
func (c candidateSettings) merge(sparse, dense []int32) []int32 {
	rows := slices.Clone(sparse[:min(c.sparse(), len(sparse))])
	for _, row := range dense {
		if len(rows) == c.PerMention {
			break
		}
		if !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	return rows
}

// sharesConcept reports whether a mention and a name have a concept in common: EQUAL of
// equation 7. A name of several concepts is right for each of them.
func sharesConcept(mention, name []kb.ConceptID) bool {
	return slices.ContainsFunc(mention, func(id kb.ConceptID) bool { return slices.Contains(name, id) })
}
