package lexical

import (
	"testing"

	"github.com/ctxnorm/ctxnorm/kb"
)

// TestParaphrase: the dictionary teaches that renal is kidney, as in TestLearnWordSynonyms.
func TestParaphrase(t *testing.T) {
	d := kidneys(6, 10)
	concepts := []kb.Concept{
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
	}
	for i := range d.Len() {
		concepts = append(concepts, *d.At(i))
	}
	x, err := NewIndex(kb.NewDictionary(concepts), DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	for phrase, want := range map[string]string{
		"Epileptic":              "epilepsies",
		"oedematous":             "edema",
		"dyskinetic":             "dyskinesia", // a word of names, but no name
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
		"ocular damage":          "", // nothing says that it is the eye
		"eye damage":             "eye disorders",
		"cardiotoxicity":         "", // a name, in plain words
		"heart complications":    "heart disease",
		"toxicity":               "",
		"complications":          "",
		"severe and persistent renal toxicity in rats": "",
		"": "",
	} {
		if got := x.Paraphrase(phrase); got != want {
			t.Errorf("%q: %q, want %q", phrase, got, want)
		}
	}
}
