package papers

import (
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

func TestMostFrequentSense(t *testing.T) {
	dict := kb.NewDictionary([]kb.Concept{
		{ID: "A", Name: "celiac disease", Synonyms: []string{"coeliac disease", "MS"}},
		{ID: "B", Name: "Crohn's disease"},
		{ID: "C", Name: "pernicious anemia"},
		{ID: "E", Name: "rheumatoid arthritis"}, {ID: "F", Name: "rheumatoid arthritis"},
	})
	table := mine.AbbreviationTable{
		{Short: "CD", Long: []mine.LongForm{{Text: "Crohn's disease", Count: 4}, {Text: "celiac disease", Count: 3}, {Text: "coeliac disease", Count: 2}, {Text: "cell death", Count: 1}}},
		{Short: "MS", Long: []mine.LongForm{{Text: "mass spectrometry", Count: 5}, {Text: "celiac disease", Count: 1}}},
		{Short: "RA", Long: []mine.LongForm{{Text: "rheumatoid arthritis", Count: 3}, {Text: "right atrium", Count: 1}}},
	}
	m := modeltest.Open(t, modeltest.Build(t, nil, func(o *model.BuildOptions) { o.Dictionary, o.Contexts, o.Abbreviations = dict, nil, table }), nil)
	linker := NewMostFrequentSenseLinker(m)
	for mention, want := range map[string][]linked.Candidate{
		"CD":                {{Concept: "A", Score: .5, Probability: .5}}, // 3 + 2 of 10, more than the 4 of B
		"CDs":               {{Concept: "A", Score: .5, Probability: .5}},
		"MS":                nil, // most often none of the dictionary, though a name of A
		"RA":                {{Concept: "E", Score: .75, Probability: .375}, {Concept: "F", Score: .75, Probability: .375}},
		"Pernicious anemia": {{Concept: "C", Score: 1, Probability: 1}},
		"cd":                nil,
	} {
		got := linkTexts(t, linker, 5, "a <"+mention+"> again")
		must.EqualBy(t, cmpopts.EquateEmpty(), got[0].Candidates, want, mention)
	}
}
