package link

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
)

// painModel returns a model of three concepts in a chain and one beside it, without contexts. The
// vector of a name counts its words, so the cosine of two names of different words is the number of
// common words over the root of the product of their numbers.
func painModel(t *testing.T) *model.Model {
	t.Helper()
	encoder := &linktest.BagOfWords{Name: "pain", Vocabulary: strings.Fields("pain ulcer fever chronic rash")}
	dict := kb.NewDictionary([]kb.Concept{
		{ID: "P", Name: "pain"},
		{ID: "C", Name: "chronic rash", Parents: []kb.ConceptID{"P"}},
		{ID: "D", Name: "fever ulcer", Parents: []kb.ConceptID{"C"}},
		{ID: "U", Name: "ulcer", Synonyms: []string{"ulcer fever rash", "chronic ulcer", "rash"}},
	})
	return modeltest.Open(t, modeltest.Build(t, encoder, func(o *model.BuildOptions) {
		o.Dictionary, o.Contexts = dict, nil
	}), encoder)
}

// featuresOf returns the features of each candidate of a mention.
func featuresOf(t *testing.T, m *model.Model, marked string) map[kb.ConceptID]Features {
	t.Helper()
	g, err := NewCandidateGenerator(m, AllComponents, nil)
	if err != nil {
		t.Fatal(err)
	}
	generated, err := g.Generate(t.Context(), []text.Query{linktest.Query(t, marked)})
	if err != nil {
		t.Fatal(err)
	}
	features := make(map[kb.ConceptID]Features)
	for _, c := range generated[0].Concepts {
		features[m.Dictionary.At(int(c.Concept)).ID] = c.Features
	}
	return features
}

// TestNameFeatures derives the features of names from the words of mention and names.
func TestNameFeatures(t *testing.T) {
	m := painModel(t)
	for _, tc := range []struct {
		mention string
		concept kb.ConceptID
		feature feature
		want    float64
	}{
		// ulcer: 1; ulcer fever rash: 1/√3; chronic ulcer: 1/√2; rash: 0
		{"ulcer", "U", nameCosine, 1},
		{"ulcer", "U", nameCosineTop3, (1 + 1/math.Sqrt2 + 1/math.Sqrt(3)) / 3},
		// The ancestor "pain" has 1/√2, the descendant "fever ulcer" 1/2.
		{"pain ulcer", "C", relativeCosine, 1/math.Sqrt2 + .5},
		{"pain ulcer", "D", relativeCosine, 1 / math.Sqrt2},
		{"pain ulcer", "P", relativeCosine, .5},
	} {
		features, ok := featuresOf(t, m, "<"+tc.mention+">")[tc.concept]
		if got := features[tc.feature]; !ok || math.Abs(got-tc.want) > 1e-6 {
			t.Errorf("%s, %s: feature %d is %g (candidate: %t), want %g", tc.mention, tc.concept, tc.feature, got, ok, tc.want)
		}
	}
}

// TestLexicalScoreOfCombiningForms: the same words in other words are the same name.
func TestLexicalScoreOfCombiningForms(t *testing.T) {
	m := modeltest.Open(t, modeltest.Build(t, nil, func(o *model.BuildOptions) {
		o.Contexts, o.Dictionary = nil, kb.NewDictionary([]kb.Concept{
			{ID: "M", Name: "pains, muscle"}, {ID: "S", Name: "myalgia syndrome, chronic"},
		})
	}), nil)
	features := featuresOf(t, m, "<myalgia>")
	if same, longer := features["M"][lexicalScore], features["S"][lexicalScore]; same != 1 || longer >= 1 {
		t.Errorf("lexical scores of myalgia: %g of muscle pains, want 1, and %g of a longer name", same, longer)
	}
}

// TestStringFeatures derives the features of strings and of the hierarchy from the words of a mention and of five names.
func TestStringFeatures(t *testing.T) {
	dict := kb.NewDictionary([]kb.Concept{
		{ID: "A", Name: "fever"},
		{ID: "B", Name: "chronic fever", Synonyms: []string{"chronic spotted fever", "rash"}, Parents: []kb.ConceptID{"N"}},
		{ID: "C", Name: "spotted rash", Parents: []kb.ConceptID{"N"}},
		{ID: "N"},
	})
	m := modeltest.Open(t, modeltest.Build(t, nil, func(o *model.BuildOptions) { o.Dictionary, o.Contexts = dict, nil }), nil)
	g, err := NewCandidateGenerator(m, AllComponents, nil)
	if err != nil {
		t.Fatal(err)
	}
	const NIL = "NIL"
	for _, tc := range []struct {
		mention string
		concept kb.ConceptID
		feature feature
		want    float64
	}{
		{"fever, chronic", "B", tokenSetMatch, 1},
		{"fever, chronic", "A", tokenSetMatch, 0},
		{"fever, chronic", "B", sameConceptWords, 1},
		{"fever, chronic", "B", sameWording, 0},
		{"fever, chronic", "B", sameWordsNames, math.Log2(1 + 1)},
		{"fever, chronic", "B", lexicalScore, 1},
		// "chronic spotted fever" of three names
		{"fever, chronic", "B", longerNames, 1. / 3},
		{"fever, chronic", "N", bestChildLongerNames, 1. / 3},
		{"fever, chronic", "N", noName, 1},
		{"fever, chronic", "B", noName, 0},
		// Two names have both words, of the three of B and of the four of B, C and N: 2 p r / (p + r)
		{"fever, chronic", "B", subtreeTermF1, 2 * (2. / 3) * 1 / (2./3 + 1)},
		{"fever, chronic", "N", subtreeTermF1, 2 * (2. / 4) * 1 / (2./4 + 1)},
		{"fever, chronic", NIL, nilBias, 1},
		{"fever, chronic", NIL, nilLexical, 1},
		{"fever, chronic", NIL, nilWordCoverage, 1},
		{"fever, chronic", NIL, nilUnknownWords, 0},
		{"fever, chronic", NIL, nilShortForm, 0},
		{"FV", NIL, nilShortForm, 1},
		{"FV", NIL, nilUnknownWords, 1},
		{"fevre", NIL, nilCorrected, 1},
		// one letter exchanged, of five
		{"fevre", NIL, nilErrorRate, 1. / 5},
		{"fevre", NIL, nilUnknownWords, 0},
	} {
		generated, err := g.Generate(t.Context(), []text.Query{linktest.Query(t, "<"+tc.mention+">")})
		if err != nil {
			t.Fatal(err)
		}
		of := map[kb.ConceptID]Features{NIL: generated[0].NIL}
		for _, c := range generated[0].Concepts {
			of[dict.At(int(c.Concept)).ID] = c.Features
		}
		features, ok := of[tc.concept]
		if got := features[tc.feature]; !ok || math.Abs(got-tc.want) > 1e-6 {
			t.Errorf("%s, %s: %s is %g (candidate: %t), want %g", tc.mention, tc.concept,
				rankingFeatures.features[tc.feature].name, got, ok, tc.want)
		}
	}
}

// TestContextFeatures derives the features of contexts. The vector of a mention in its sentence counts the words, those
// of the mention three times.
func TestContextFeatures(t *testing.T) {
	encoder := &linktest.BagOfWords{Name: "pain", Vocabulary: strings.Fields("pain ulcer fever")}
	context := func(id, marked string, concept kb.ConceptID) text.Exemplar {
		q := linktest.Query(t, marked)
		q.ID, q.Mention.Concepts = id, []kb.ConceptID{concept}
		q.Mentions[0] = q.Mention
		return text.Exemplar{Query: q}
	}
	m := modeltest.Open(t, modeltest.Build(t, encoder, func(o *model.BuildOptions) {
		o.Dictionary = kb.NewDictionary([]kb.Concept{{ID: "P", Name: "pain"}, {ID: "U", Name: "ulcer"}})
		o.Contexts = []text.Exemplar{context("1", "fever with <ulcer>", "U"), context("2", "fever pain with <ulcer>", "P")}
	}), encoder)
	// fever once and ulcer three times, as in the context of U; that of P has pain, too
	nearest, other := 1., (1*1+3*3)/math.Sqrt((1*1+3*3)*(1*1+1*1+3*3))
	vote := math.Exp((other - nearest) / knnindex.DefaultTemperature)
	features := featuresOf(t, m, "fever with <ulcer>")
	for _, tc := range []struct {
		concept kb.ConceptID
		feature feature
		want    float64
	}{
		{"U", contextCosine, nearest},
		{"P", contextCosine, other},
		{"U", contextVote, 1 / (1 + vote)},
		{"P", contextVote, vote / (1 + vote)},
	} {
		if got := features[tc.concept][tc.feature]; math.Abs(got-tc.want) > 1e-5 {
			t.Errorf("%s: %s is %g, want %g", tc.concept, rankingFeatures.features[tc.feature].name, got, tc.want)
		}
	}
}

// TestNamesOfTheSameWords: of concepts whose names have the mention's words, the one that has them as they
// are written, or in more names, is the first.
func TestNamesOfTheSameWords(t *testing.T) {
	dict := kb.NewDictionary([]kb.Concept{
		{ID: "A1", Name: "dermatitis, atopic, 1", Synonyms: []string{"dermatitis, atopic"}},
		{ID: "A2", Name: "atopic dermatitis", Synonyms: []string{"dermatitis, atopic", "atopic dermatitides"}},
		{ID: "D1", Name: "diseases"},
		{ID: "D2", Name: "disease"},
	})
	m := modeltest.Open(t, modeltest.Build(t, nil, func(o *model.BuildOptions) { o.Dictionary, o.Contexts = dict, nil }), nil)
	ranker, err := newRanker(m, RankOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		mention  string
		wording  map[kb.ConceptID]float64 // sameWording
		names    map[kb.ConceptID]float64 // with the same words
		expected kb.ConceptID             // first
	}{
		{"Disease", map[kb.ConceptID]float64{"D2": 1}, map[kb.ConceptID]float64{"D1": 1, "D2": 1}, "D2"},
		{"diseases", map[kb.ConceptID]float64{"D1": 1}, map[kb.ConceptID]float64{"D1": 1, "D2": 1}, "D1"},
		{"dermatitis, atopic", map[kb.ConceptID]float64{"A1": 1, "A2": 1}, map[kb.ConceptID]float64{"A1": 1, "A2": 3}, "A2"},
		{"atopic dermatitis", map[kb.ConceptID]float64{"A2": 1}, map[kb.ConceptID]float64{"A1": 1, "A2": 3}, "A2"},
	} {
		for concept, f := range featuresOf(t, m, "<"+tc.mention+">") {
			if f[sameWording] != tc.wording[concept] || f[sameWordsNames] != math.Log2(1+tc.names[concept]) {
				t.Errorf("%s, %s: %g and %g, want %g and the logarithm of 1+%g", tc.mention, concept,
					f[sameWording], f[sameWordsNames], tc.wording[concept], tc.names[concept])
			}
		}
		rankings, err := ranker.Link(t.Context(), []text.Query{linktest.Query(t, "<"+tc.mention+">")}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if first := rankings[0].Candidates[0].Concept; first != tc.expected {
			t.Errorf("%s: %s is first, want %s", tc.mention, first, tc.expected)
		}
	}
}

// TestContextsVote: the nearest contexts of both concepts have a part in the votes, which add up to 1.
// The model has four contexts, so this says nothing of how many more vote.
func TestContextsVote(t *testing.T) {
	features := featuresOf(t, ulcerModel(t), "aspirin and wheat for <ulcer>")
	sum, voted := 0., 0
	for _, f := range features {
		sum += f[contextVote]
		if f[contextVote] > 0 {
			voted++
		}
	}
	if voted != 2 || math.Abs(sum-1) > 1e-9 {
		t.Errorf("contexts vote for %d concepts, with %g together, want for both that have contexts, and 1", voted, sum)
	}
}

// TestExpandSenses keeps the probable readings of a short form, four at most.
func TestExpandSenses(t *testing.T) {
	q := linktest.Query(t, "a <XY> here")
	senses := []sense.Sense{{LongForm: "first"}, {LongForm: "second"}, {LongForm: "third"}, {LongForm: "fourth"}, {LongForm: "fifth"}}
	for _, tc := range []struct {
		probabilities []float64 // of the senses, and of an unknown one
		want          map[string]float64
	}{
		{[]float64{.4, .25, .15, .1, .06, .04}, map[string]float64{"first": .4 / .9, "second": .25 / .9, "third": .15 / .9, "fourth": .1 / .9}},
		{[]float64{.01, .5, .47, .01, .005, .005}, map[string]float64{"second": .5 / .97, "third": .47 / .97}},
		{[]float64{.005, .97, .025, 0, 0, 0}, map[string]float64{"second": .97 / .995, "third": .025 / .995}},
		{[]float64{.1, 0, 0, 0, 0, .9}, map[string]float64{"XY": .9, "first": .1}}, // an unknown sense: as it is written
	} {
		readings := expandSenses(&ambiguousForm{query: &q, senses: senses}, "XY", tc.probabilities)
		if len(readings) != len(tc.want) {
			t.Errorf("%v: %d readings, want %d", tc.probabilities, len(readings), len(tc.want))
		}
		for _, reading := range readings {
			if want := tc.want[reading.Text]; math.Abs(reading.Probability-want) > 1e-12 {
				t.Errorf("%v: %q has %g, want %g", tc.probabilities, reading.Text, reading.Probability, want)
			}
		}
	}
}

// TestMixedReadingsAreRankedDeep: the first candidate of an ambiguous short form is a sum over its
// readings, also of candidates that are not the first of any, and does not depend on how many are asked for.
// It compares two depths of the ranking, and derives no value.
func TestMixedReadingsAreRankedDeep(t *testing.T) {
	encoder := skinEncoder()
	m := skinModel(t, encoder)
	ranker, err := newRanker(m, RankOptions{})
	if err != nil {
		t.Fatal(err)
	}
	resolver, err := NewMentionResolver(m, ranker, ResolverOptions{Components: AllComponents})
	if err != nil {
		t.Fatal(err)
	}
	queries := []text.Query{linktest.Query(t, "itching skin and memory with <AD>")}
	one, err := resolver.LinkMentions(t.Context(), queries, 1)
	if err != nil {
		t.Fatal(err)
	}
	all, err := resolver.LinkMentions(t.Context(), queries, mixDepthForTest)
	if err != nil {
		t.Fatal(err)
	}
	if len(one[0].Readings) < 2 {
		t.Fatalf("readings %v, want several", one[0].Readings)
	}
	if got, want := one[0].Candidates[0], all[0].Candidates[0]; got.Concept != want.Concept || math.Abs(got.Probability-want.Probability) > 1e-12 {
		t.Errorf("the first of one is %s with %g, of all %s with %g", got.Concept, got.Probability, want.Concept, want.Probability)
	}
}

// mixDepthForTest is more than the concepts of any model of these tests.
const mixDepthForTest = 20

// TestSenseNameWords: a sense whose name has words of the document has their share, weighted by
// rarity, and others have none.
func TestSenseNameWords(t *testing.T) {
	m := skinModel(t, nil)
	q := linktest.Query(t, "alzheimer disease in families with <AD>")
	senses := m.Inventory().Senses("AD")
	features, err := newDisambiguator(m, AllComponents, nil).features(t.Context(), []ambiguousForm{{query: &q, senses: senses}})
	if err != nil {
		t.Fatal(err)
	}
	shares := make([]SenseFeatures, len(senses)+1)
	setShares(shares, senses)
	for i, one := range senses {
		if got, want := features[0][i][senseLogShare], shares[i][senseLogShare]; got != want || want == 0 {
			t.Errorf("%s: log share %g, want %g", one.LongForm, got, want)
		}
		got, want := features[0][i][senseNameWords], 0.
		if strings.EqualFold(one.LongForm, "alzheimer disease") {
			want = 1 // both of its content words
		}
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %g, want %g", one.LongForm, got, want)
		}
	}
}

// TestSensesOfRepeatedForm: a form that a document repeats, or that another document has, has the same features as
// where it is asked for alone.
func TestSensesOfRepeatedForm(t *testing.T) {
	m := skinModel(t, skinEncoder())
	senses := m.Inventory().Senses("AD")
	first := linktest.Query(t, "itching skin of children with <AD>. Memory and AD.")
	second := first
	second.Mention.Start = strings.LastIndex(first.Text, "AD")
	second.Mention.End = second.Mention.Start + len("AD")
	second.Sentence = text.Span{Start: strings.Index(first.Text, "Memory"), End: len(first.Text)}
	other := linktest.Query(t, "memory in families with <AD>")
	forms := []ambiguousForm{{query: &first, senses: senses}, {query: &second, senses: senses}, {query: &other, senses: senses}}
	s := newDisambiguator(m, AllComponents, nil)
	together, err := s.features(t.Context(), forms)
	if err != nil {
		t.Fatal(err)
	}
	for i := range forms {
		alone, err := s.features(t.Context(), forms[i:i+1])
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(together[i], alone[0]) {
			t.Errorf("form %d: %v, alone %v", i, together[i], alone[0])
		}
	}
	if together[0][0] == together[2][0] || together[0][0][senseCentroid] == together[1][0][senseCentroid] {
		t.Errorf("documents and sentences do not differ: %v", together)
	}
}

// TestSensesWithoutEvidence: contexts of the document of a mention are no evidence for it.
func TestSensesWithoutEvidence(t *testing.T) {
	m := skinModel(t, nil)
	contexts, err := m.Contexts.Exemplars()
	if err != nil {
		t.Fatal(err)
	}
	rows := make(map[string][]int32) // by sense
	for row := range contexts {
		long := contexts[row].Mention.LongForm
		rows[long] = append(rows[long], int32(row))
	}
	var queries []SenseQuery
	senses := m.Inventory().Senses("AD")
	for _, own := range []string{"no sense", "atopic dermatitis", "axial diffusivity"} { // contexts of the document
		q := linktest.Query(t, "itching skin with <AD>")
		q.Document.ID = own
		queries = append(queries, SenseQuery{Query: q, Senses: senses})
	}
	features, err := SenseEvidence(t.Context(), m, queries, rows)
	if err != nil {
		t.Fatal(err)
	}
	dermatitis := slices.IndexFunc(senses, func(s sense.Sense) bool { return s.LongForm == "atopic dermatitis" })
	all, without, others := features[0][dermatitis], features[1][dermatitis], features[2][dermatitis]
	if all[senseWords] <= 0 || without[senseWords] != 0 || others != all {
		t.Errorf("words of dermatitis count %g with its contexts, %g without them, want 0, and %g without others",
			all[senseWords], without[senseWords], others[senseWords])
	}
}

// TestSenseName: a long form outside the dictionary is compared with the sentence by its vector. Of "fibre diffusivity"
// and "axial diffusivity", whose first words are and are not in the vocabulary, the cosine is 1/√2, and no name of the
// model has a word of the sentence.
func TestSenseName(t *testing.T) {
	m := skinModel(t, skinEncoder())
	q := linktest.Query(t, "fibre diffusivity <AD>")
	senses := m.Inventory().Senses("AD")
	s := newDisambiguator(m, AllComponents, nil)
	for range 2 { // the vector is made, and remembered
		features, err := s.features(t.Context(), []ambiguousForm{{query: &q, senses: senses}})
		if err != nil {
			t.Fatal(err)
		}
		for i, one := range senses {
			want := 0.
			if one.LongForm == "axial diffusivity" {
				want = cosineScale / math.Sqrt2
			}
			if got := features[0][i][senseName]; math.Abs(got-want) > 1e-6 {
				t.Errorf("%s: %g, want %g", one.LongForm, got, want)
			}
		}
	}
}

// TestSenseLatentName: the words of a document are compared with the names of a sense by latent
// semantic analysis, less their mean cosine with all names.
func TestSenseLatentName(t *testing.T) {
	space := hivesSpace(t)
	m := hivesModel(t, nil, func(o *model.BuildOptions) { o.Space = space })
	q := linktest.Query(t, "itching skin with <HV>")
	senses := []sense.Sense{{LongForm: "gastric ulcer"}, {LongForm: "skin rash"}}
	features, err := newDisambiguator(m, AllComponents, nil).features(t.Context(), []ambiguousForm{{query: &q, senses: senses}})
	if err != nil {
		t.Fatal(err)
	}
	around := m.LatentVector(normalize.ContentWords("itching skin"))
	for i, one := range senses {
		want := 10 * (dot.InOrder(space.Vector(normalize.ContentWords(one.LongForm)), around) - m.MeanLatentNameCosine(around))
		if got := features[0][i][senseLatentName]; math.Abs(got-want) > 1e-5 || want == 0 {
			t.Errorf("%s: %g, want %g", one.LongForm, got, want)
		}
	}
}
