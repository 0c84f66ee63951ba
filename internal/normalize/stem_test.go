package normalize

import (
	"testing"
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
				if got := Stem(token); got != stem {
					t.Errorf("the stem of %s is %q, want %q", word, got, stem)
				}
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

// An ending listed after a shorter one might never apply.
func TestDerivationsLongestFirst(t *testing.T) {
	for i, d := range lang.Derivations[1:] {
		if len(d.Ending) > len(lang.Derivations[i].Ending) {
			t.Errorf("%q is listed after %q", d.Ending, lang.Derivations[i].Ending)
		}
	}
}

func TestHasMedicalEnding(t *testing.T) {
	for word, want := range map[string]bool{
		"hepatitis": true, "Anaemia": true, "neuropathies": true, "nephrotoxicity": true, "seborrhoea": true,
		"boils": false, "strain": false, "mania": false, "cold": false, "": false,
	} {
		if got := hasMedicalEnding(word); got != want {
			t.Errorf("hasMedicalEnding(%q) = %v, want %v", word, got, want)
		}
	}
}
