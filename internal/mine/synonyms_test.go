package mine

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// paired returns a pair that occurs in the given number of records.
func paired(kind, left, right string, records int) corpus.SynonymPairCount {
	return corpus.SynonymPairCount{SynonymPair: corpus.SynonymPair{Kind: kind, Left: left, Right: right}, Records: records}
}

func TestSynonyms(t *testing.T) {
	d := kb.NewDictionary([]kb.Concept{
		{ID: "D:1", Name: "myocardial infarction", Synonyms: []string{"cardiac infarct", "shared name"}},
		{ID: "D:2", Name: "dementia, Alzheimer", Synonyms: []string{"AD"}},
		{ID: "D:3", Name: "gout", Synonyms: []string{"shared name", "MD"}},
		{ID: "D:4", Name: "high blood pressure"},
		{ID: "D:5", Name: "mitral insufficiency"},
		{ID: "D:6", Name: "aortic insufficiency"},
	})
	for _, c := range []struct {
		name  string
		pairs []corpus.SynonymPairCount
		want  []Synonym
	}{
		{"short form", []corpus.SynonymPairCount{defined("MI", "Myocardial infarctions", 3), defined("MI", "mitral insufficiency", 2)},
			[]Synonym{{"D:1", "MI", 3, text.Origin{Mined: patternShortForm}}}}, // 3 of 5
		{"two names of one concept", []corpus.SynonymPairCount{defined("XI", "myocardial infarction", 1), defined("XI", "cardiac infarct", 1), defined("XI", "xi", 2)},
			[]Synonym{{"D:1", "XI", 2, text.Origin{Mined: patternShortForm}}}}, // 2 of 4
		{"too small a share", []corpus.SynonymPairCount{defined("MI", "myocardial infarction", 3), defined("MI", "mental imagery", 4)}, nil},
		{"as good as another", []corpus.SynonymPairCount{defined("MI", "myocardial infarction", 2), defined("MI", "mitral insufficiency", 2)}, nil},
		{"no capital", []corpus.SynonymPairCount{defined("mi", "myocardial infarction", 5)}, nil},
		{"a name of another concept", []corpus.SynonymPairCount{defined("MD", "myocardial infarction", 5)}, nil},
		{"a name of two concepts", []corpus.SynonymPairCount{defined("SN", "shared name", 5)}, nil},
		{"long form", []corpus.SynonymPairCount{defined("AD", "Alzheimer disease", 3), defined("AD", "atopic dermatitis", 2)},
			[]Synonym{{"D:2", "Alzheimer disease", 3, text.Origin{Mined: patternLongForm}}}},
		{"long form of another thing", []corpus.SynonymPairCount{defined("AD", "atopic dermatitis", 3)}, nil},
		{"apposition", []corpus.SynonymPairCount{paired(kindAlsoKnownAs, "Gout", "podagra", 1), paired(kindAlsoKnownAs, "gout", "Podagra", 2), paired(kindFormerly, "gout", "podagra", 1)},
			[]Synonym{{"D:3", "Podagra", 4, text.Origin{Mined: kindAlsoKnownAs}}}}, // 1 + 2 + 1
		{"brackets", []corpus.SynonymPairCount{paired(kindBracket, "gout", "podagra", 1), paired(kindGloss, "high blood pressures", "arterial hypertension", 2)},
			[]Synonym{{"D:4", "arterial hypertension", 2, text.Origin{Mined: kindGloss}}}},
		{"brackets both ways round", []corpus.SynonymPairCount{paired(kindBracket, "gout", "podagra", 1), paired(kindGloss, "gout", "Podagras", 1)},
			[]Synonym{{"D:3", "Podagras", 2, text.Origin{Mined: kindBracket}}}},
		{"beside a name of two concepts, and of none", []corpus.SynonymPairCount{paired(kindAlsoKnownAs, "shared name", "podagra", 9),
			paired(kindAlsoKnownAs, "hay fever", "pollinosis", 9)}, nil},
		{"a remark in brackets", []corpus.SynonymPairCount{paired(kindBracket, "gout", "urate arthritis", 9)}, nil},
		{"one word before a bracket", []corpus.SynonymPairCount{paired(kindGloss, "gout", "arthritis", 9)}, nil},
		{"the opposite", []corpus.SynonymPairCount{defined("AD", "non-Alzheimer dementia", 3)}, nil},
		{"a name it has already", []corpus.SynonymPairCount{paired(kindAlsoKnownAs, "myocardial infarction", "Cardiac Infarcts", 3)}, nil},
		{"a name of another concept in apposition", []corpus.SynonymPairCount{paired(kindAlsoKnownAs, "myocardial infarction", "gout", 3)}, nil},
		{"contested by two concepts", []corpus.SynonymPairCount{paired(kindAlsoKnownAs, "gout", "the strange one", 3), paired(kindAlsoKnownAs, "high blood pressure", "the strange one", 2)}, nil},
		{"two thirds for one concept", []corpus.SynonymPairCount{paired(kindAlsoKnownAs, "gout", "podagra", 4), paired(kindAlsoKnownAs, "high blood pressure", "podagra", 2)},
			[]Synonym{{"D:3", "podagra", 4, text.Origin{Mined: kindAlsoKnownAs}}}}, // 4 of 6
		{"shortened", []corpus.SynonymPairCount{defined("MI", "infarction", 9), defined("MI", "infarct", 1), paired(kindBracket, "Myocardial Infarction", "MI", 3), paired(kindBracket, "cardiac infarcts", "MIs", 3)},
			[]Synonym{{"D:1", "infarct", 3, text.Origin{Mined: patternShortened}}, {"D:1", "infarction", 3, text.Origin{Mined: patternShortened}}}},
		{"shortened, twice", []corpus.SynonymPairCount{defined("MI", "infarction", 9), paired(kindBracket, "myocardial infarction", "MI", 2)}, nil},
		{"end of names of two concepts", []corpus.SynonymPairCount{defined("IN", "insufficiency", 9), paired(kindBracket, "mitral insufficiency", "IN", 3), paired(kindBracket, "aortic insufficiency", "IN", 1)}, nil},
		{"end of a word", []corpus.SynonymPairCount{defined("FA", "farction", 9), paired(kindBracket, "myocardial infarction", "FA", 3)}, nil},
		{"beside another short form", []corpus.SynonymPairCount{defined("AC", "infarction", 9), paired(kindBracket, "myocardial infarction", "MI", 3)}, nil},
		{"a word of names of two others, as cirrhosis beside liver disease",
			[]corpus.SynonymPairCount{paired(kindBracket, "gout", "insufficiency", 1), paired(kindGloss, "gout", "insufficiency", 1)}, nil},
		{"the same in three records", []corpus.SynonymPairCount{paired(kindBracket, "gout", "insufficiency", 2), paired(kindGloss, "gout", "insufficiency", 1)},
			[]Synonym{{"D:3", "insufficiency", 3, text.Origin{Mined: kindBracket}}}},
		{"a word of a name of one other, and of one of the concept and others", []corpus.SynonymPairCount{paired(kindAlsoKnownAs, "gout", "dementia", 1), paired(kindAlsoKnownAs, "mitral insufficiency", "insufficiency", 1)},
			[]Synonym{{"D:3", "dementia", 1, text.Origin{Mined: kindAlsoKnownAs}}, {"D:5", "insufficiency", 1, text.Origin{Mined: kindAlsoKnownAs}}}},
		{"not a name", []corpus.SynonymPairCount{paired(kindAlsoKnownAs, "gout", "a severe form of arthritis", 9)}, nil},
		{"nothing", nil, nil},
	} {
		must.Equal(t, Synonyms(c.pairs, d), c.want, c.name)
	}
	// In any order.
	pairs := []corpus.SynonymPairCount{
		defined("MI", "myocardial infarction", 3), defined("AD", "Alzheimer disease", 3), paired(kindAlsoKnownAs, "gout", "podagra", 1),
		paired(kindBracket, "gout", "podagra", 2), paired(kindGloss, "gout", "Podagra", 2), paired(kindAlsoKnownAs, "gout", "urate arthritis", 1),
	}
	want := []Synonym{
		{"D:1", "MI", 3, text.Origin{Mined: patternShortForm}}, {"D:2", "Alzheimer disease", 3, text.Origin{Mined: patternLongForm}},
		{"D:3", "podagra", 5, text.Origin{Mined: kindBracket}}, // 1 + 2 + 2; "bracket" comes before "gloss"
		{"D:3", "urate arthritis", 1, text.Origin{Mined: kindAlsoKnownAs}},
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		random.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
		if diff := cmp.Diff(want, Synonyms(pairs, d)); diff != "" {
			t.Fatalf("%v (-want +got):\n%s", pairs, diff)
		}
	}
}

func TestIsName(t *testing.T) {
	for _, phrase := range []string{
		"hepatolenticular degeneration", "Kennedy disease", "podagra", "loss of coordination", "22q13.3 deletion syndrome",
		"spastic paraplegia type 1", "acro-dermato-ungual-lacrimal-tooth syndrome",
	} {
		if !isName(phrase) {
			t.Errorf("%q is rejected", phrase)
		}
	}
	for _, phrase := range []string{
		"", "46", "ALS", "GISTs", "n = 12 cases", "12%", "2 percent", "median 5 months", "risk of gout", "severe form of gout",
		"condition", "related condition", "syndrome", "type II", "- gout nodosa", "and hyperactivity disorder", "often red", "disease called gout", "High Blood Pressure High blood pressure",
	} {
		if isName(phrase) {
			t.Errorf("%q is accepted as a name", phrase)
		}
	}
}
