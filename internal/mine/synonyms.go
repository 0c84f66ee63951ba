package mine

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// Synonym is a name that texts use for a concept and that the dictionary lacks.
type Synonym struct {
	Concept kb.ConceptID `json:"concept"`
	Text    string       `json:"text"`   // the most frequent variant in texts
	Count   int          `json:"count"`  // number of records with evidence for it
	Origin  text.Origin  `json:"source"` // of most of the evidence: "short form", "long form" or a kind of pair
}

// The patterns of synonyms other than the kinds of pairs.
const (
	patternShortForm = "short form" // of a name of the concept
	patternLongForm  = "long form"  // of a short form that is a name of the concept
	patternShortened = "shortened"  // end of a longer name, if texts define one short form by both
)

// Thresholds for accepting a string as a name, chosen by inspection: of about 790 synonyms mined from 109,176 records
// with half of MEDIC, 95 of a random 100 were names of their concept. Three names are shortened: "Parkinson's disease",
// "heart failure" and "segment elevation myocardial infarction".
const (
	minShare     = .5 // share of a short form's defining records that use long forms of the concept
	minBrackets  = 2  // records with one name in brackets
	minShortened = 3  // records in which a longer name of the concept stands before the short form
)

// Synonyms returns the further names of the concepts of d for which pairs are evidence, ordered by concept and text.
// The pairs may come in any order.
func Synonyms(pairs []corpus.SynonymPairCount, d *kb.Dictionary) []Synonym {
	c := synonymCollector{d, lexical.NewKeyIndex(context.Background(), d, variantKey), make(map[string]*proposedName)}
	forms := NewAbbreviationTable(pairs)
	for i := range forms {
		c.addDefinitions(&forms[i])
	}
	c.addShortened(pairs, forms)
	c.addAppositions(pairs)
	return c.resolve()
}

// synonymCollector collects the evidence for further names of concepts.
type synonymCollector struct {
	dict  *kb.Dictionary
	names *lexical.KeyIndex        // by variantKey
	found map[string]*proposedName // by variantKey
}

// proposedName is a string that may be a name, with the evidence for it.
type proposedName struct {
	forms    normalize.WrittenForms
	evidence map[evidence]int // number of records
}

// evidence is a concept that a string may name, and the pattern that suggests it.
type evidence struct {
	concept int // index in the dictionary
	pattern string
}

// onlyConcept returns the index of the concept with a dictionary name, if there is exactly one.
func (c *synonymCollector) onlyConcept(name string) (concept int, ok bool) {
	concepts := c.names.Lookup(name)
	if len(concepts) != 1 {
		return 0, false
	}
	return c.dict.Index(concepts[0])
}

// add adds evidence from count records for a name.
func (c *synonymCollector) add(name string, e evidence, count int) {
	propose(c.found, variantKey(name), name, e, count)
}

// propose adds evidence from count records, which write a name in the given form, to the name with the key.
func propose[K comparable](names map[K]*proposedName, key K, form string, e evidence, count int) {
	p := names[key]
	if p == nil {
		p = &proposedName{make(normalize.WrittenForms), make(map[evidence]int)}
		names[key] = p
	}
	p.forms[form] += count
	p.evidence[e] += count
}

// resolve assigns each proposed name to the concept that has at least two thirds of its evidence. It drops names that
// the dictionary already has.
func (c *synonymCollector) resolve() []Synonym {
	var synonyms []Synonym
names:
	for key, p := range c.found {
		for range c.names.Find(key) {
			continue names
		}
		totals := make(map[int]int)
		for e, n := range p.evidence {
			totals[e.concept] += n
		}
		form, all := p.forms.MostFrequent()
		for concept, n := range totals {
			if 3*n >= 2*all {
				synonyms = append(synonyms, Synonym{c.dict.At(concept).ID, form, n, text.Origin{Mined: p.pattern(concept)}})
			}
		}
	}
	slices.SortFunc(synonyms, func(a, b Synonym) int {
		return cmp.Or(cmp.Compare(a.Concept, b.Concept), strings.Compare(a.Text, b.Text))
	})
	return synonyms
}

// pattern returns the pattern with most of the evidence for a concept. Ties are broken alphabetically.
func (p *proposedName) pattern(concept int) string {
	pattern, most := "", 0
	for e, n := range p.evidence {
		if e.concept == concept && (n > most || n == most && e.pattern < pattern) {
			pattern, most = e.pattern, n
		}
	}
	return pattern
}
