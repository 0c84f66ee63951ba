package link

import (
	"cmp"
	"fmt"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
)

// nameIndexOf returns an index of the names of concepts, and of ten that teach that renal means kidney.
func nameIndexOf(t *testing.T, concepts ...kb.Concept) *NameIndex {
	for i := range 10 {
		id := fmt.Sprint("k", i)
		concepts = append(concepts, kb.Concept{ID: kb.ConceptID(id), Synonyms: []string{"renal " + id, "kidney " + id}})
	}
	return must.Get(NewNameIndex(modelOf(t, kb.NewDictionary(concepts))))
}

func TestParaphrase(t *testing.T) {
	x := nameIndexOf(t, []kb.Concept{
		{ID: "kidney", Synonyms: []string{"diseases of the kidney"}},
		{ID: "liver", Synonyms: []string{"liver injury, drug-induced"}},
		{ID: "liver disease", Synonyms: []string{"liver disease"}},
		{ID: "eye", Synonyms: []string{"eye disorders"}},
		{ID: "heart", Synonyms: []string{"heart toxicity"}},
		{ID: "heart disease", Synonyms: []string{"heart disease"}},
		{ID: "epilepsy", Synonyms: []string{"epilepsies"}},
		{ID: "edema", Synonyms: []string{"edema"}},
		{ID: "dyskinesia", Synonyms: []string{"tardive dyskinesia"}},
		{ID: "tetany", Synonyms: []string{"tetany"}},
		{ID: "tetanic", Synonyms: []string{"tetanic"}},
	}...)
	for phrase, want := range map[string]string{
		"Epileptic":              "epilepsies",
		"oedematous":             "edema",
		"dyskinetic":             "dyskinesia", // occurs in names, but is not a name itself
		"tetanic":                "",           // a name
		"leprous":                "",
		"edema":                  "",
		"renal toxicity":         "diseases of the kidney",
		"toxicity of the kidney": "diseases of the kidney",
		"nephrotoxic":            "diseases of the kidney",
		"nephrotoxicity":         "diseases of the kidney",
		"Renal involvement":      "diseases of the kidney",
		"liver toxicity":         "liver injury, drug-induced",
		"hepatotoxic":            "liver injury, drug-induced",
		"liver lesions":          "liver disease",
		"ocular damage":          "", // nothing relates it to the eye
		"eye damage":             "eye disorders",
		"cardiotoxicity":         "", // a name, in plain words
		"heart complications":    "heart disease",
		"toxicity":               "",
		"complications":          "",
		"severe and persistent renal toxicity in rats": "",
		"": "",
	} {
		must.Equal(t, x.paraphrase(phrase), cmp.Or(want, phrase), phrase)
	}
}

// TestInducedBySubstance: names use different words for the cause, in any order.
func TestInducedBySubstance(t *testing.T) {
	x := nameIndexOf(t, []kb.Concept{
		{ID: "dyskinesia", Synonyms: []string{"dyskinesia", "tardive dyskinesia"}},
		{ID: "drug dyskinesia", Synonyms: []string{"Dyskinesia, Drug-Induced"}},
		{ID: "psychosis", Synonyms: []string{"psychotic disorders"}},
		{ID: "substance psychosis", Synonyms: []string{"substance induced psychoses"}},
		{ID: "liver", Synonyms: []string{"chemically-induced liver toxicity"}},
		{ID: "lung", Synonyms: []string{"ventilator-induced lung injury"}},
		{ID: "pain", Synonyms: []string{"drug-induced chest pain"}},
		{ID: "alcoholic", Synonyms: []string{"liver disease, alcoholic"}},
		{ID: "hearing", Synonyms: []string{"noise-induced hearing loss"}},
	}...)
	for phrase, want := range map[string]string{
		"Dyskinesias":             "Dyskinesia, Drug-Induced",
		"psychosis":               "substance induced psychoses",
		"toxicity of the liver":   "chemically-induced liver toxicity",
		"tardive dyskinesia":      "", // no name includes a cause
		"lung injury":             "", // a ventilator is not a substance
		"pain":                    "", // another pain
		"drug-induced dyskinesia": "", // already includes the cause
		"chorea":                  "",
		"a b c d e":               "",
		"":                        "",
	} {
		must.Equal(t, x.inducedBySubstance(phrase), cmp.Or(want, phrase), phrase)
	}
	for phrase, want := range map[string]string{
		"Cocaine-Induced Psychosis":            "Psychosis",
		"cocaine induced acute psychosis":      "acute psychosis",
		"cocaine‐induced Stevens-Johnson rash": "Stevens-Johnson rash", // U+2010
		"alcohol-induced liver disease":        "liver disease, alcoholic",
		"drug-induced dyskinesia":              "drug-induced dyskinesia", // a name
		"Noise-Induced Hearing Loss":           "Noise-Induced Hearing Loss",
		"radiation-induced psychosis":          "radiation-induced psychosis",
		"induced psychosis":                    "induced psychosis", // no cause given
		"cocaine-induced":                      "cocaine-induced",
		"psychosis":                            "psychosis",
		"":                                     "",
	} {
		must.Equal(t, x.withoutCause(phrase, newInducedPhrases(phrase)), want, phrase)
	}
}

// TestOnlyWordOfInduced: renal means kidney, but another word in place of the only word is no match.
func TestOnlyWordOfInduced(t *testing.T) {
	x := nameIndexOf(t, kb.Concept{ID: "drug", Synonyms: []string{"drug-induced kidney", "drug-induced kidney pain"}})
	for phrase, want := range map[string]string{
		"renal": "renal", "kidneys": "drug-induced kidney", "renal pain": "drug-induced kidney pain",
	} {
		must.Equal(t, x.inducedBySubstance(phrase), want, phrase)
	}
}
