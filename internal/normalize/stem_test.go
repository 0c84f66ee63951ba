package normalize

import (
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

func TestStemJoins(t *testing.T) {
	for stem, words := range map[string][]string{
		"epilept":   {"epilepsy", "epileptic", "epilepsies"},
		"diabet":    {"diabetes", "diabetic"},
		"nephrotox": {"nephrotoxicity", "nephrotoxic"},
		"hypotens":  {"hypotension", "hypotensive"},
		"neoplast":  {"neoplasm", "neoplasms", "neoplasia", "neoplastic"},
		"parkinson": {"parkinson", "parkinsonism"},
		"ovar":      {"ovary", "ovarian", "ovaries"},
		"ischem":    {"ischemia", "ischaemia", "ischemic"},
		"psychot":   {"psychosis", "psychoses", "psychotic"},
		"dyskinet":  {"dyskinesia", "dyskinetic"},
		"hemorrhag": {"hemorrhage", "haemorrhagic"},
		"allerg":    {"allergy", "allergic"},
		"anem":      {"anemia", "anaemic"},
		"neurolog":  {"neurology", "neurologic", "neurological", "neurologically"},
		"糖尿病":       {"糖尿病"},
		"tox":       {"tox"},
	} {
		for _, word := range words {
			for _, token := range CanonicalTokens(word) {
				must.Equal(t, Stem(token), stem, "the stem", word)
			}
		}
	}
}

func TestStemKeepsApart(t *testing.T) {
	words := []string{"hepatitis", "hepatic", "renal", "toxic", "tonic", "colitis", "colic", "carcinoma", "cancer", "parkinson", "parkinsonian"}
	for i, a := range words {
		for _, b := range words[:i] {
			if Stem(a) == Stem(b) {
				t.Errorf("%s and %s have the same stem, %q", a, b, Stem(a))
			}
		}
	}
}

func TestHasMedicalEnding(t *testing.T) {
	for word, want := range map[string]bool{
		"hepatitis": true, "Anaemia": true, "neuropathies": true, "nephrotoxicity": true, "seborrhoea": true,
		"boils": false, "strain": false, "mania": false, "cold": false, "": false,
	} {
		must.Equal(t, HasMedicalEnding(word), want, "HasMedicalEnding", word)
	}
}

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

func TestNameWords(t *testing.T) {
	for _, same := range [][]string{
		{"nephropathy", "Nephropathies", "kidney disease", "diseases of the kidney"},
		{"myalgia", "muscle pains"},
		{"cardiomyopathy", "heart muscle disease"},
		{"hepatosplenomegaly", "liver and spleen enlargement"},
		{"lymphadenopathy", "lymph node disease"},
		{"neuropathic pain", "nerve disease with pain"},
		{"ototoxicity", "toxicity of the ear"},
		{"haemorrhagic nephropathy", "hemorrhage, kidney disease"},
	} {
		want := NameWordsOf(CanonicalTokens(same[0]))
		for _, text := range same[1:] {
			must.Equal(t, NameWordsOf(CanonicalTokens(text)), want, "the words", same[0], text)
		}
	}
}

func TestPlainWordsOfOtherWords(t *testing.T) {
	// Words with an unknown part, or with only a beginning or only an ending.
	for _, word := range []string{"polyneuropathy", "myelopathy", "cardiac", "pathy", "toxic", "algia", "homeopathy", "colon", "o", "", "糖尿病"} {
		must.Equal(t, PlainWords(word), []string{word}, "PlainWords", word)
	}
}

// TestCombiningFormsAreDistinct checks that there is only one way to split a word, whatever the order of the forms.
func TestCombiningFormsAreDistinct(t *testing.T) {
	check := func(forms map[string]string, contains func(s, part string) bool) {
		t.Helper()
		for a := range forms {
			for b := range forms {
				if a != b && contains(a, b) {
					t.Errorf("%q and %q both fit a word", a, b)
				}
			}
		}
	}
	check(lang.CombiningBeginnings, strings.HasPrefix)
	check(lang.CombiningEndings, strings.HasSuffix)
}
