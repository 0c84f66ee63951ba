package mine

import (
	"testing"

	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
)

func TestMayMean(t *testing.T) {
	d := kb.NewDictionary([]kb.Concept{
		{ID: "ALZ", Name: "Alzheimer disease"},
		{ID: "ECZ", Name: "eczema", Synonyms: []string{"atopic dermatitis"}},
		{ID: "CEL", Name: "celiac disease"},
		{ID: "CRO", Name: "Crohn disease"},
	})
	c := CountDefinitions([]corpus.SynonymPairCount{
		defined("AD", "Alzheimer diseases", 90), // a name, except for the plural
		defined("AD", "severe Alzheimer disease", 6), defined("AD", "axial diffusivity", 4),
		defined("ADs", "atopic dermatitis", 1), // 96 of 101 are Alzheimer's: 95.05 %
		defined("CD", "celiac disease", 94), defined("CD", "Crohn disease", 6), defined("RD", "rare", 2),
		defined("XD", "Crohn disease", 1), defined("XD", "x-ray", 2), paired(kindBracket, "AD", "other", 900),
	}, d)
	tests := []struct {
		surface  string
		concepts []kb.ConceptID
		want     bool
	}{
		{"AD", []kb.ConceptID{"ALZ"}, true},
		{"ADs", []kb.ConceptID{"ALZ"}, true},
		{"AD", []kb.ConceptID{"ECZ"}, false},
		{"CD", []kb.ConceptID{"CEL"}, false},       // 94 %
		{"CD", []kb.ConceptID{"CEL", "CRO"}, true}, // one of the two
		{"RD", []kb.ConceptID{"ECZ"}, true},        // two records are too few
		{"XD", []kb.ConceptID{"CRO"}, false},       // three are enough
		{"ZD", []kb.ConceptID{"CRO"}, true},        // not defined
		{"cd", []kb.ConceptID{"CEL"}, true},        // not a short form
		{"AD", []kb.ConceptID{"GONE"}, false},      // not in the dictionary
	}
	for _, test := range tests {
		must.Equal(t, c.MayMean(test.surface, test.concepts), test.want, "MayMean", test.surface, test.concepts)
	}
}
