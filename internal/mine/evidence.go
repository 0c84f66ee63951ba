package mine

import (
	"maps"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
)

// addDefinitions adds the evidence from the definitions of a short form. The short form is a name of a concept if most
// of its long forms are. Conversely, a long form is a name of the concept that the short form names, if it resembles
// that concept's names.
func (c *synonymCollector) addDefinitions(s *ShortForm) {
	counts := make(map[int]int)
	shares := make(map[int]float64)
	for _, l := range s.Long {
		if concept, ok := c.onlyConcept(l.Text); ok {
			counts[concept] += l.Count
			shares[concept] += l.Share
		}
	}
	for concept, n := range counts {
		if shares[concept] >= minShare && normalize.AtMostHalfLowercase(s.Short) {
			c.add(s.Short, evidence{concept, patternShortForm}, n)
		}
	}
	concept, ok := c.onlyConcept(s.Short)
	if !ok {
		return
	}
	for _, l := range s.Long {
		if isName(l.Text) && c.resemblesNames(l.Text, concept) {
			c.add(l.Text, evidence{concept, patternLongForm}, l.Count)
		}
	}
}

// resemblesNames reports whether most content words of a long form occur in names of a concept, so that both mean the
// same by their short form. The opposite of the concept ("non-acquired immunodeficiency syndrome") does not resemble
// it.
func (c *synonymCollector) resemblesNames(long string, concept int) bool {
	known := make(map[string]bool)
	negated := false
	for _, name := range c.dict.At(concept).Names() {
		maps.Copy(known, contentWords(name))
		negated = negated || slices.Contains(strings.Fields(variantKey(name)), lang.Non)
	}
	if strings.HasPrefix(variantKey(long), lang.Non+" ") && !negated {
		return false
	}
	words := contentWords(long)
	shared := 0
	for w := range words {
		if known[w] {
			shared++
		}
	}
	return 2*shared > len(words)
}

// addShortened adds long forms that are shorter than a name of the dictionary. If texts write "idiopathic Parkinson's
// disease (PD)", the definition of PD is "Parkinson's disease", which has its letters, but PD stands for the concept of
// the longer name. A long form at the end of names of several concepts, such as "diabetes mellitus", is more general
// than each of them.
func (c *synonymCollector) addShortened(pairs []corpus.SynonymPairCount, forms []ShortForm) {
	longForms := make(map[string][]LongForm, len(forms)) // by short form
	for i := range forms {
		longForms[forms[i].Short] = forms[i].Long
	}
	records := make(map[string]map[int]int) // long form -> concept -> number of records with a longer name of it
	for _, pair := range pairs {
		if pair.Kind != kindBracket {
			continue
		}
		concept, ok := c.onlyConcept(pair.Left)
		if !ok {
			continue
		}
		name := variantKey(pair.Left)
		for _, l := range longForms[normalize.SingularShortForm(pair.Right)] {
			if strings.HasSuffix(name, " "+variantKey(l.Text)) && isName(l.Text) {
				if records[l.Text] == nil {
					records[l.Text] = make(map[int]int)
				}
				records[l.Text][concept] += pair.Records
			}
		}
	}
	for long, concepts := range records {
		for concept, n := range concepts {
			if len(concepts) == 1 && n >= minShortened {
				c.add(long, evidence{concept, patternShortened}, n)
			}
		}
	}
}

// apposition is a phrase that texts put next to names of a concept.
type apposition struct {
	concept int    // index in the dictionary
	key     string // variantKey of the phrase
}

// addAppositions adds the evidence from the phrases next to names.
func (c *synonymCollector) addAppositions(pairs []corpus.SynonymPairCount) {
	found := make(map[apposition]*proposedName)
	for _, pair := range pairs {
		concept, ok := c.onlyConcept(pair.Left)
		if pair.Kind == kindAbbreviation || !ok || normalize.AllCapitals(normalize.SingularShortForm(pair.Left)) || !isName(pair.Right) {
			continue
		}
		at := apposition{concept, variantKey(pair.Right)}
		propose(found, at, pair.Right, evidence{concept, pair.Kind}, pair.Records)
	}
	concepts := c.conceptsOfWords(found)
	for a, p := range found {
		if a.isAccepted(p.evidence) && !isKind(p.evidence, concepts[a.key], c.dict.At(a.concept).ID) {
			form, _ := p.forms.MostFrequent()
			for e, n := range p.evidence {
				c.add(form, e, n)
			}
		}
	}
}

// conceptsOfWords returns, for each phrase of one word, the concepts with names that contain it.
func (c *synonymCollector) conceptsOfWords(found map[apposition]*proposedName) map[string]map[kb.ConceptID]bool {
	concepts := make(map[string]map[kb.ConceptID]bool)
	for a := range found {
		if !strings.Contains(a.key, " ") {
			concepts[a.key] = make(map[kb.ConceptID]bool)
		}
	}
	for row := range c.dict.NameRows() {
		name, concept := c.dict.NameAt(row)
		for _, word := range strings.Fields(variantKey(name)) {
			if of := concepts[word]; of != nil {
				of[c.dict.ID(concept)] = true
			}
		}
	}
	return concepts
}

// minKindRecords is the number of records that distinguish a name from a kind of the named concept: see [isKind].
const minKindRecords = 3

// isKind reports whether a phrase is more likely a kind of the named concept, as cirrhosis is of "liver disease": a
// word that occurs in names of several other concepts and in no name of this one, and that fewer than three records put
// next to it.
func isKind(records map[evidence]int, concepts map[kb.ConceptID]bool, named kb.ConceptID) bool {
	sum := 0
	for _, n := range records {
		sum += n
	}
	return sum < minKindRecords && len(concepts) > 1 && !concepts[named]
}

// isAccepted reports whether there is enough evidence that the phrase is a name.
//
// A phrase in brackets may be a remark or a kind of the named concept ("spasms (myoclonus)"), and a phrase before a
// name in brackets may be too short for it ("growths (polyps)"). So brackets are evidence only if they occur in both
// orders, or if the name explains a phrase of several words.
func (a apposition) isAccepted(records map[evidence]int) bool {
	count := func(kind string) int { return records[evidence{a.concept, kind}] }
	bracket, gloss := count(kindBracket), count(kindGloss)
	return count(kindAlsoKnownAs)+count(kindFormerly) > 0 ||
		gloss > 0 && (bracket > 0 || strings.Contains(a.key, " ")) && bracket+gloss >= minBrackets
}
