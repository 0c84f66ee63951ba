package matcher

import "github.com/ctxnorm/ctxnorm/internal/normalize"

// The names, in normal form, that [NameFilter.CommonWords] drops. Each list says why
// its names are useless for tagging.

// commonWords carry no meaning of their own. The first block is PubMed's list of stop
// words (PubMed User Guide, "Stopwords"), the second is other function words. The third
// is words of ordinary abstracts that MEDIC also lists as names of
// diseases: an acronym that reads as a word (glass, oak, star), an editor's remark
// (included), or a word in another of its senses (a bacterial strain). In 194 million
// characters of abstracts, tagged with half of MEDIC, they were found 19,000 times,
// almost never as the disease.
var commonWords = normalize.WordSet(`
a about again all almost also although always among an and another any are as at
be because been before being between both but by can could did do does done due
during each either enough especially etc for found from further had has have
having here how however i if in into is it its itself just kg km made mainly make
may mg might ml mm most mostly must nearly neither no nor obtained of often on our
overall perhaps pmid quite rather really regarding seem seen several should show
showed shown shows significantly since so some such than that the their theirs
them then there therefore these they this those through thus to upon use used
using various very was we were what when which while with within without would

after he her him his not off only other out over she under until us via who
whom whose why yes you your

fed glass included oak star strain strains tar
`)

// generalTerms do not identify a concept: they are heads of names, and what MeSH files
// under "Disease Attributes" (C23.550.291). A sentence with one of them may be about
// any disease.
var generalTerms = normalize.WordSet(`
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

// shortDiseaseNames are names of diseases of three letters that are words. Any other
// name of three letters counts as an acronym.
var shortDiseaseNames = normalize.WordSet(`flu pox sty tic wen`)
