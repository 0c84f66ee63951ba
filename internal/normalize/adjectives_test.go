package normalize

import (
	"slices"
	"strings"
	"testing"
)

func TestNounsOf(t *testing.T) {
	for adjective, noun := range map[string]string{
		"epileptic": "epilepsy", "dyskinetic": "dyskinesia", "cirrhotic": "cirrhosis", "anemic": "anemia", "nephritic": "nephritis",
		"edematous": "edema", "parkinsonian": "parkinsonism", "cachectic": "cachexia", "apoplectic": "apoplexy", "autistic": "autism",
		"asthmatic": "asthma", "comatose": "coma", "vertiginous": "vertigo", "hypertensive": "hypertension", "hysterical": "hysteria",
		"delirious": "delirium", "cancerous": "cancer", "demented": "dementia", "aneurysmal": "aneurysm", "diarrheal": "diarrhea",
		"incontinent": "incontinence", "obese": "obesity", "blind": "blindness", "thyrotoxic": "thyrotoxicosis", "febrile": "fever",
		"choreoathetoid": "choreoathetosis", "hypothyroid": "hypothyroidism", "hepatotoxic": "hepatotoxicity", "septic": "sepsis",
	} {
		if nouns := NounsOf(adjective); !slices.Contains(nouns, noun) {
			t.Errorf("%s: %q, want %s among them", adjective, nouns, noun)
		}
	}
	for _, word := range []string{"", "ic", "ous", "糖尿病"} {
		for _, noun := range NounsOf(word) {
			if !strings.HasSuffix(noun, "ness") {
				t.Errorf("%q: %q", word, noun)
			}
		}
	}
}
