package mine

import (
	"cmp"
	"slices"
	"strings"

	"ctxnorm"
	"ctxnorm/corpus"
)

// Synonym is a name of a concept that texts give it and its dictionary does not.
type Synonym struct {
	Concept ctxnorm.ConceptID `json:"concept"`
	Text    string            `json:"text"`   // as texts write it
	Count   int               `json:"count"`  // records that say so
	Source  string            `json:"source"` // the kind of pair that most of them have
}

// Sources of synonyms beside the kinds of pairs.
const (
	ShortOf = "short form" // of a name of the concept
	LongOf  = "long form"  // of a short form that is a name of the concept
)

// SynonymOptions say what is taken for a name. The zero value sets no bounds.
type SynonymOptions struct {
	MinDefinitions int     `json:"min_definitions"` // records that define a short form by long forms of the concept
	MinShare       float64 `json:"min_share"`       // of all records that define it; for a short form that is to be a name
	MinAppositions int     `json:"min_appositions"` // records that say "also known as" or the like
	MinBrackets    int     `json:"min_brackets"`    // records that have both in brackets, or as "A, or B,"
}

// DefaultSynonyms were chosen by eye: of some 790 synonyms mined from 109,176 records
// with half of MEDIC, 95 in a random 100 were names of their concept.
func DefaultSynonyms() SynonymOptions {
	return SynonymOptions{MinDefinitions: 1, MinShare: .5, MinAppositions: 1, MinBrackets: 2}
}

// Synonyms finds the names that pairs, in any order, give to the concepts of d,
// ordered by concept and text.
func Synonyms(pairs []corpus.PairCount, d *ctxnorm.Dictionary, o SynonymOptions) []Synonym {
	m := miner{owners: owners(d), dict: d, found: make(map[string]*candidate)}
	for _, s := range poolDefinitions(pairs) {
		m.shortForm(&s, &o)
	}
	m.appositions(pairs, &o)
	return m.settle()
}

// miner gathers names for concepts.
type miner struct {
	dict   *ctxnorm.Dictionary
	owners map[string][]int // by poolKey of a name: positions of the concepts
	found  map[string]*candidate
}

// candidate is a string that may be a name.
type candidate struct {
	texts  variants
	counts map[vote]int
}

func newCandidate() *candidate { return &candidate{make(variants), make(map[vote]int)} }

// vote is for a concept, by its position, from a source.
type vote struct {
	concept int
	source  string
}

// owners gives the concepts of every name.
func owners(d *ctxnorm.Dictionary) map[string][]int {
	o := make(map[string][]int, d.CountNames())
	for i := range d.Len() {
		for _, name := range d.At(i).Names() {
			if key := poolKey(name); key != "" && !slices.Contains(o[key], i) {
				o[key] = append(o[key], i)
			}
		}
	}
	return o
}

// owner is the one concept that has a name.
func (m *miner) owner(name string) (int, bool) {
	o := m.owners[poolKey(name)]
	if len(o) != 1 {
		return 0, false
	}
	return o[0], true
}

// vote counts for text as a name of a concept.
func (m *miner) vote(text string, v vote, count int) {
	key := poolKey(text)
	c := m.found[key]
	if c == nil {
		c = newCandidate()
		m.found[key] = c
	}
	c.texts[text] += count
	c.counts[v] += count
}

// settle gives every string to the one concept that has two thirds of its
// counts; not to any if it is a name in the dictionary.
func (m *miner) settle() []Synonym {
	var synonyms []Synonym
	for key, c := range m.found {
		if len(m.owners[key]) > 0 {
			continue
		}
		totals := make(map[int]int)
		for v, n := range c.counts {
			totals[v.concept] += n
		}
		text, all := c.texts.commonest()
		for concept, n := range totals {
			if 3*n >= 2*all {
				synonyms = append(synonyms, Synonym{m.dict.At(concept).ID, text, n, c.source(concept)})
			}
		}
	}
	slices.SortFunc(synonyms, func(a, b Synonym) int {
		return cmp.Or(cmp.Compare(a.Concept, b.Concept), strings.Compare(a.Text, b.Text))
	})
	return synonyms
}

// source is where most counts for a concept come from, the first of equals.
func (c *candidate) source(concept int) string {
	source, most := "", 0
	for v, n := range c.counts {
		if v.concept == concept && (n > most || n == most && v.source < source) {
			source, most = v.source, n
		}
	}
	return source
}
