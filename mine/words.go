package mine

import (
	"maps"
	"strings"
)

// functionWords end a phrase. "of", "the" and "de" are missing: names hold them
// (tetralogy of Fallot).
var functionWords = wordSet(`
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

// determiners stand before a name and are no part of it.
var determiners = wordSet(`a an her his its our that the their these this those`)

var copulas = wordSet(`are is was were`)

// prepositions join what is before them to the phrase behind.
var prepositions = wordSet(`about around at between for from in into of on than through to under within`)

// openers stand before a phrase and belong to what came before.
var openers = wordSet(`by include included includes including like as`)

// continuers before a phrase say that it is the end of something longer
// ("hereditary sensory and autonomic …") or no noun ("had found many clumps").
var continuers = wordSet(`and are be been had has have is was were`)

// kindsOf come before "of": what follows is broader than what is meant ("a form
// of cancer, also known as …").
var kindsOf = wordSet(`
category class form forms group kind kinds manifestation manifestations part
presentation spectrum stage sort subgroup subset subtype subtypes type types
variant variants variety
`)

// aspects come before "of": what is meant is not what follows, but something of
// it.
var aspects = wordSet(`
case cause chance complication course diagnosis development effect episode
evidence expression feature frequency history incidence management mechanism mimic model
number onset pathogenesis patient prevalence prevention rate report result risk sign
symptom treatment
`)

// vagueWords end a phrase that points to something and is no name of it.
var vagueWords = wordSet(`
case category cell complication condition consequence entity feature finding
form gene group growth kind line locus manifestation manner mass model name
phenomenon problem result sign stage state subgroup subtype symptom term type
variant
`)

func wordSet(list string) map[string]bool {
	set := make(map[string]bool)
	for _, word := range strings.Fields(list) {
		set[word] = true
	}
	return set
}

// union is the words of several sets.
func union(sets ...map[string]bool) map[string]bool {
	all := make(map[string]bool)
	for _, set := range sets {
		maps.Copy(all, set)
	}
	return all
}

// countWords are in brackets that give figures.
var countWords = wordSet(`
day e eg grade group hour i ie mean median minute month percent range ratio score
subject table total versus vs week year
`)

// generalWords tell one disease from another no more than "disease" does.
var generalWords = wordSet(`
abnormality acute anomaly attack autosomal case chronic condition congenital
defect deficiency disability disease disorder dominant entity episode familial
feature finding form hereditary idiopathic illness inherited lesion name
infantile juvenile patient primary problem recessive secondary severe sign
subtype symptom syndrome term type variant
`)
