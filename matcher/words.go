package matcher

import "strings"

// The words that [Clean.CommonWords] drops when they are the whole of a name, in
// normal form. Each list says why its words are no use as names.

// commonWords tell nothing. The first part is PubMed's own list of stop words
// (PubMed User Guide, "Stopwords"). The second are words of every abstract that
// are also what some dictionary calls a disease: an acronym that reads as a word
// (glass, oak, star) or a word in another of its senses (a bacterial strain).
// They are those seen more than 100 times, almost never as the disease, when the
// names of half of MEDIC were tagged in 194 million characters of abstracts, and
// their like.
var commonWords = wordSet(`
a about again all almost also although always among an and another any are as at
be because been before being between both but by can could did do does done due
during each either enough especially etc for found from further had has have
having here how however i if in into is it its itself just kg km made mainly make
may mg might ml mm most mostly must nearly neither no nor obtained of often on our
overall perhaps pmid quite rather really regarding seem seen several should show
showed shown shows significantly since so some such than that the their theirs
them then there therefore these they this those through thus to upon use used
using various very was we were what when which while with within without would

glass included fed mend oak or out pact star strain strains tar us who not
cam gas lab man men met net per set via yes
`)

// generalTerms name no concept that a sentence could tell from another: heads of
// names, and what MeSH files under "Disease Attributes" (C23.550.291). Their
// sentences are about any disease at all.
var generalTerms = wordSet(`
abnormality abnormalities complication complications condition conditions defect
defects disease diseases disorder disorders finding findings illness illnesses
sign signs symptom symptoms syndrome syndromes

acute_disease acute_diseases catastrophic_illness chronic_disease
chronic_diseases chronic_illness chronic_illnesses convalescence critical_illness
critical_illnesses critically_ill disease_attributes disease_progression
disease_susceptibility emergency emergencies genetic_predisposition
genetic_susceptibility rare_disease rare_diseases recurrence recurrences relapse
relapses

birth_weight cadaver cadavers gain_weight signs_and_symptoms
`)

// shortWords are words of three letters that are the names of diseases, where a
// name of three letters is otherwise taken for an acronym.
var shortWords = wordSet(`flu pox sty tic wen`)

// wordSet is the set of the words of a list; a name of several words has _
// between them.
func wordSet(list string) map[string]bool {
	set := make(map[string]bool)
	for _, word := range strings.Fields(list) {
		set[strings.ReplaceAll(word, "_", " ")] = true
	}
	return set
}
