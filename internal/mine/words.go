package mine

import (
	"maps"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// functionWords end a phrase. "of", "the" and "de" are not among them, since names
// contain them (tetralogy of Fallot).
var functionWords = normalize.WordSet(`
a about after again all also although among an and any are as at be because been
before being between both but by can could did do does done due during each
either etc except for from further had has have having he her here his how
however i if in into include included includes including indicating is it itself
may might most must nor not on only or other our out over own per rather remain
remains resulting she should since so some such than that their them then there
therefore these they this those through thus to under until upon usually via was
we were what when where whether which while who whom whose will with within
without would yet you
`)

// determiners may precede a name and do not belong to it.
var determiners = normalize.WordSet(`a an her his its our that the their these this those`)

// copulas may join a name and a cue ("gout is also called …").
var copulas = normalize.WordSet(`are is was were`)

// prepositions join the words before them to the phrase after them.
var prepositions = normalize.WordSet(`about around at between for from in into of on than through to under within`)

// openers precede a phrase and belong to the words before it.
var openers = normalize.WordSet(`by include included includes including like as`)

// continuers precede a phrase that is the end of a longer one ("hereditary sensory and
// autonomic …") or not a noun phrase ("had found many clumps").
var continuers = normalize.WordSet(`and are be been had has have is was were`)

// kindNouns precede "of" and a term broader than the one that is meant ("a form of
// cancer, also known as …").
var kindNouns = normalize.WordSet(`
category class form forms group kind kinds manifestation manifestations part
presentation spectrum stage sort subgroup subset subtype subtypes type types
variant variants variety
`)

// aspectNouns precede "of" and a term, and make the phrase mean an aspect of that term
// ("risk of gout").
var aspectNouns = normalize.WordSet(`
case cause chance complication course diagnosis development effect episode
evidence expression feature frequency history incidence management mechanism mimic model
number onset pathogenesis patient prevalence prevention rate report result risk sign
symptom treatment
`)

// vagueWords end a phrase that refers to something without naming it.
var vagueWords = normalize.WordSet(`
case category cell complication condition consequence entity feature finding
form gene group growth kind line locus manifestation manner mass model name
phenomenon problem result sign stage state subgroup subtype symptom term type
variant
`)

// union returns the union of sets.
func union(sets ...map[string]bool) map[string]bool {
	all := make(map[string]bool)
	for _, set := range sets {
		maps.Copy(all, set)
	}
	return all
}

// figureWords occur in bracketed figures.
var figureWords = normalize.WordSet(`
day e eg grade group hour i ie mean median minute month percent range ratio score
subject table total versus vs week year
`)

// generalWords distinguish diseases no better than the word "disease" does.
var generalWords = normalize.WordSet(`
abnormality acute anomaly attack autosomal case chronic condition congenital
defect deficiency disability disease disorder dominant entity episode familial
feature finding form hereditary idiopathic illness inherited lesion name
infantile juvenile patient primary problem recessive secondary severe sign
subtype symptom syndrome term type variant
`)
