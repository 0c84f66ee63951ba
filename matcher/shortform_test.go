package matcher

import (
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
)

func shortFormTagger(t testing.TB) *Tagger {
	t.Helper()
	d := kb.NewDictionary([]kb.Concept{
		{ID: "D1", Name: "Celiac disease", Synonyms: []string{"Gluten-sensitive enteropathy", "CeD"}},
		{ID: "D2", Name: "Alzheimer's Disease"},
		{ID: "D3", Name: "Carcinoma of the lung"},
		{ID: "D4", Name: "Spinocerebellar ataxia type 17"},
		{ID: "D5", Name: "Allergy", Synonyms: []string{"Allergic diseases"}},
		{ID: "D6", Name: "Øre ångest"},
	})
	tagger, _, err := NewTagger(d, DefaultNameFilter())
	must.Succeed(t, err)
	return tagger
}

func TestLookupLongForm(t *testing.T) {
	tagger := shortFormTagger(t)
	tests := []struct {
		long, name string
		concept    kb.ConceptID // or empty
	}{
		{"celiac disease", "celiac disease", "D1"},
		{"Gluten sensitive enteropathy", "gluten sensitive enteropathy", "D1"},
		{"the celiac disease", "celiac disease", "D1"},
		{"Celiac diseases", "celiac disease", "D1"},
		{"a celiac diseases", "celiac disease", "D1"},
		{"allergies", "allergy", "D5"},
		{"allergic diseases", "allergic diseases", "D5"}, // the plural is the name
		{"severe celiac disease", "severe celiac disease", ""},
		{"celiac disease activity", "celiac disease activity", ""},
		{"The axial diffusivities", "the axial diffusivities", ""},
		{"celiac disease and allergy", "celiac disease and allergy", ""}, // two names
		{"the", "the", ""},
		{"", "", ""},
	}
	for _, test := range tests {
		name, concepts := tagger.LookupLongForm(test.long)
		var want []kb.ConceptID
		if test.concept != "" {
			want = []kb.ConceptID{test.concept}
		}
		if name != test.name || !slices.Equal(concepts, want) {
			t.Errorf("LookupLongForm(%q) = %q, %v, want %q, %v", test.long, name, concepts, test.name, want)
		}
	}
}

func TestMayStandFor(t *testing.T) {
	tagger := shortFormTagger(t)
	for _, short := range []string{
		"CeD",             // a name
		"CeD risk",        // contains a name
		"CD", "cd", "CDs", // celiac disease
		"GSE", "G-SE", // the hyphen separates words
		"AD", "ASD", // with and without the possessive s
		"CL", "COTL", // with and without "of the"
		"SAT17", // the number as a whole
		"ØÅ",    // letters without accents
	} {
		if !tagger.MayStandFor(short) {
			t.Errorf("MayStandFor(%q) = false", short)
		}
	}
	for _, short := range []string{"", "C", "CTL", "COL", "DC", "SAT1", "SAT", "A", "CDX", "XCD"} {
		if tagger.MayStandFor(short) {
			t.Errorf("MayStandFor(%q) = true", short)
		}
	}
}
