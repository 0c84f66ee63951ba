package link

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// painModel returns a model without contexts of three concepts in a chain and one outside it. The vector of a name
// counts its words, so the cosine of two names with distinct words is the number of common words, divided by the square
// root of the product of their lengths.
func painModel(t *testing.T) *model.Model {
	t.Helper()
	encoder := &fixtures.BagOfWords{Name: "pain", Vocabulary: strings.Fields("pain ulcer fever chronic rash")}
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

// nilAnswer stands for NIL among concepts.
const nilAnswer = "NIL"

// generate returns the candidates of a mention with all components, from a model without the held-out names.
func generate(t *testing.T, m *model.Model, marked string, heldOutNames map[string]bool) Candidates {
	t.Helper()
	g := must.Get(NewCandidateGenerator(m, AllComponents, heldOutNames))
	generated := must.Get(g.Generate(t.Context(), []text.Query{fixtures.Query(t, marked)}))
	return generated[0]
}

// featuresOf returns the features of each candidate of a mention, and of NIL, by name.
func featuresOf(t *testing.T, m *model.Model, marked string) map[kb.ConceptID]map[string]float64 {
	t.Helper()
	generated := generate(t, m, marked, nil)
	features := map[kb.ConceptID]map[string]float64{nilAnswer: RankingFeatures.ByName(generated.NIL)}
	for _, c := range generated.Concepts {
		features[m.Dictionary.At(int(c.Concept)).ID] = RankingFeatures.ByName(c.Features)
	}
	return features
}

// voteModel returns a model of two contexts. The vector of a mention in its sentence counts the words, and the words of
// the mention three times.
func voteModel(t *testing.T) *model.Model {
	t.Helper()
	encoder := &fixtures.BagOfWords{Name: "pain", Vocabulary: strings.Fields("pain ulcer fever")}
	context := func(id, marked string, concept kb.ConceptID) text.Exemplar {
		q := fixtures.Query(t, marked)
		q.ID, q.Mention.Concepts = id, []kb.ConceptID{concept}
		q.Mentions[0] = q.Mention
		return text.Exemplar{Query: q}
	}
	return modeltest.Open(t, modeltest.Build(t, encoder, func(o *model.BuildOptions) {
		o.Dictionary = kb.NewDictionary([]kb.Concept{{ID: "P", Name: "pain"}, {ID: "U", Name: "ulcer"}})
		o.Contexts = []text.Exemplar{context("1", "fever with <ulcer>", "U"), context("2", "fever pain with <ulcer>", "P")}
	}), encoder)
}

// TestFeatures derives features from the words of mentions, names and contexts.
func TestFeatures(t *testing.T) {
	pain := painModel(t)
	muscle := conceptsModel(t, kb.Concept{ID: "M", Name: "pains, muscle"},
		kb.Concept{ID: "S", Name: "myalgia syndrome, chronic"})
	fever := conceptsModel(t, kb.Concept{ID: "A", Name: "fever"},
		kb.Concept{ID: "B", Name: "chronic fever", Synonyms: []string{"chronic spotted fever", "rash"}, Parents: []kb.ConceptID{"N"}},
		kb.Concept{ID: "C", Name: "spotted rash", Parents: []kb.ConceptID{"N"}}, kb.Concept{ID: "N"})
	ulcers := conceptsModel(t, kb.Concept{ID: "U"}, kb.Concept{ID: "V", Name: "gastric cancer"},
		kb.Concept{ID: "U1", Name: "gastric ulcer", Parents: []kb.ConceptID{"U"}},
		kb.Concept{ID: "U2", Name: "duodenal ulcer", Parents: []kb.ConceptID{"U"}})
	same := conceptsModel(t, kb.Concept{ID: "A1", Name: "dermatitis, atopic, 1", Synonyms: []string{"dermatitis, atopic"}},
		kb.Concept{ID: "A2", Name: "atopic dermatitis", Synonyms: []string{"dermatitis, atopic", "atopic dermatitides"}},
		kb.Concept{ID: "D1", Name: "diseases"}, kb.Concept{ID: "D2", Name: "disease"})
	votes := voteModel(t)
	// fever once and ulcer three times, as in the context of U; the context of P also has pain
	nearest, other := 1., (1*1+3*3)/math.Sqrt((1*1+3*3)*(1*1+1*1+3*3))
	vote := math.Exp(50 * (other - nearest))
	for _, tc := range []struct {
		model   *model.Model
		mention string
		concept kb.ConceptID
		feature string
		want    float64
	}{
		// ulcer: 1; ulcer fever rash: 1/√3; chronic ulcer: 1/√2; rash: 0
		{pain, "<ulcer>", "U", "name_cosine", 1},
		{pain, "<ulcer>", "U", "name_cosine_top3", (1 + 1/math.Sqrt2 + 1/math.Sqrt(3)) / 3},
		// The ancestor "pain" has 1/√2, the descendant "fever ulcer" 1/2.
		{pain, "<pain ulcer>", "C", "relative_cosine", 1/math.Sqrt2 + .5},
		{pain, "<pain ulcer>", "D", "relative_cosine", 1 / math.Sqrt2},
		{pain, "<pain ulcer>", "P", "relative_cosine", .5},
		// The same words in other words are the same name.
		{muscle, "<myalgia>", "M", "lexical", 1},
		{fever, "<fever, chronic>", "B", "token_set_match", 1},
		{fever, "<fever, chronic>", "A", "token_set_match", 0},
		{fever, "<fever, chronic>", "B", "same_concept_words", 1},
		{fever, "<fever, chronic>", "B", "same_wording", 0},
		{fever, "<fever, chronic>", "B", "same_words_names", math.Log2(1 + 1)},
		{fever, "<fever, chronic>", "B", "lexical", 1},
		// "chronic spotted fever" among three names
		{fever, "<fever, chronic>", "B", "longer_names", 1. / 3},
		{fever, "<fever, chronic>", "N", "best_child_longer_names", 1. / 3},
		{fever, "<fever, chronic>", "N", "no_name", 1},
		{fever, "<fever, chronic>", "B", "no_name", 0},
		// two names have both words: of the three names of B, and of the four of B, C and N: 2 p r / (p + r)
		{fever, "<fever, chronic>", "B", "subtree_term_f1", 2 * (2. / 3) * 1 / (2./3 + 1)},
		{fever, "<fever, chronic>", "N", "subtree_term_f1", 2 * (2. / 4) * 1 / (2./4 + 1)},
		{fever, "<fever, chronic>", nilAnswer, "nil_bias", 1},
		{fever, "<fever, chronic>", nilAnswer, "nil_lexical", 1},
		{fever, "<fever, chronic>", nilAnswer, "nil_word_coverage", 1},
		{fever, "<fever, chronic>", nilAnswer, "nil_unknown_words", 0},
		{fever, "<fever, chronic>", nilAnswer, "nil_short_form", 0},
		{fever, "<FV>", nilAnswer, "nil_short_form", 1},
		{fever, "<FV>", nilAnswer, "nil_unknown_words", 1},
		{fever, "<fevre>", nilAnswer, "nil_corrected", 1},
		{fever, "<fevre>", nilAnswer, "nil_error_rate", 1. / 5}, // one letter exchanged, of five
		{fever, "<fevre>", nilAnswer, "nil_unknown_words", 0},
		// Both names with "ulcer", which is not a name itself, are below U, and U's subtree has no others: precision
		// and recall are 1. U1 has one of the two and no others: F1 = 2*1*.5/1.5. Each child of U has only names with
		// an additional word.
		{ulcers, "an <ulcer> bled", "U", "subtree_term_f1", 1},
		{ulcers, "an <ulcer> bled", "U1", "subtree_term_f1", 2. / 3},
		{ulcers, "an <ulcer> bled", "U1", "longer_names", 1},
		{ulcers, "an <ulcer> bled", "U1", "best_child_longer_names", 0},
		{ulcers, "an <ulcer> bled", "U", "longer_names", 0},
		{ulcers, "an <ulcer> bled", "U", "best_child_longer_names", 1},
		{same, "<Disease>", "D2", "same_wording", 1},
		{same, "<Disease>", "D1", "same_wording", 0},
		{same, "<diseases>", "D1", "same_wording", 1},
		{same, "<dermatitis, atopic>", "A1", "same_words_names", math.Log2(1 + 1)},
		{same, "<dermatitis, atopic>", "A2", "same_words_names", math.Log2(1 + 3)},
		{votes, "fever with <ulcer>", "U", "context_cosine", nearest},
		{votes, "fever with <ulcer>", "P", "context_cosine", other},
		{votes, "fever with <ulcer>", "U", "context_vote", 1 / (1 + vote)},
		{votes, "fever with <ulcer>", "P", "context_vote", vote / (1 + vote)},
	} {
		features := featuresOf(t, tc.model, tc.mention)[tc.concept]
		if got := features[tc.feature]; features == nil && tc.want != 0 || math.Abs(got-tc.want) > 1e-5 {
			t.Errorf("%s, %s: %s is %g (candidate: %t), want %g", tc.mention, tc.concept, tc.feature, got, features != nil, tc.want)
		}
	}
	// The score of U includes those of U1 and U2.
	got := featuresOf(t, ulcers, "an <ulcer> bled")
	below := []float64{got["U1"]["subtree_score"], got["U2"]["subtree_score"]}
	if own := got["U"]; own["subtree_score"] < below[0]+below[1] || own["best_child_score"] != slices.Max(below) {
		t.Errorf("subtree_score of U is %g, best_child_score %g, of its children %v", own["subtree_score"],
			own["best_child_score"], below)
	}
}

// TestExpandSenses: the probable readings of a short form are kept, at most four.
func TestExpandSenses(t *testing.T) {
	q := fixtures.Query(t, "a <XY> here")
	senses := []sense.Sense{{LongForm: "first"}, {LongForm: "second"}, {LongForm: "third"}, {LongForm: "fourth"}, {LongForm: "fifth"}}
	for _, tc := range []struct {
		probabilities []float64 // of the senses, and of an unknown one
		want          map[string]float64
	}{
		{[]float64{.4, .25, .15, .1, .06, .04}, map[string]float64{"first": .4 / .9, "second": .25 / .9, "third": .15 / .9, "fourth": .1 / .9}},
		{[]float64{.01, .5, .47, .01, .005, .005}, map[string]float64{"second": .5 / .97, "third": .47 / .97}},
		{[]float64{.005, .97, .025, 0, 0, 0}, map[string]float64{"second": .97 / .995, "third": .025 / .995}},
		{[]float64{.1, 0, 0, 0, 0, .9}, map[string]float64{"XY": .9, "first": .1}}, // an unknown sense keeps the text as written
	} {
		readings := expandSenses(&SenseQuery{&q, senses}, "XY", tc.probabilities)
		must.Equal(t, len(readings), len(tc.want), tc.probabilities, "readings")
		for _, reading := range readings {
			if want := tc.want[reading.Text]; math.Abs(reading.Probability-want) > 1e-12 {
				t.Errorf("%v: %q has %g, want %g", tc.probabilities, reading.Text, reading.Probability, want)
			}
		}
	}
}

// TestMixedReadingsAreRankedDeep: the first candidate of an ambiguous short form is a sum over its readings. It may be
// a candidate that is not first in any of them, and it does not depend on the number of candidates requested. The test
// compares two depths of the ranking and derives no value.
func TestMixedReadingsAreRankedDeep(t *testing.T) {
	encoder := skinEncoder()
	m := skinModel(t, encoder)
	ranker := must.Get(newRanker(m, MethodOptions{}))
	resolver := must.Get(NewMentionResolver(m, ranker, AllComponents))
	queries := []text.Query{fixtures.Query(t, "itching skin and memory with <AD>")}
	one := must.Get(resolver.LinkMentions(t.Context(), queries, 1))
	all := must.Get(resolver.LinkMentions(t.Context(), queries, mixDepthForTest))
	if len(one[0].Readings) < 2 {
		t.Fatalf("readings %v, want several", one[0].Readings)
	}
	if got, want := one[0].Candidates[0], all[0].Candidates[0]; got.Concept != want.Concept || math.Abs(got.Probability-want.Probability) > 1e-12 {
		t.Errorf("the first of one is %s with %g, of all %s with %g", got.Concept, got.Probability, want.Concept, want.Probability)
	}
}

// mixDepthForTest is more than the number of concepts in any model of these tests.
const mixDepthForTest = 20

// TestSenseNameWords: a sense whose name shares words with the document scores their share, weighted by rarity; others
// score 0.
func TestSenseNameWords(t *testing.T) {
	m := skinModel(t, nil)
	q := fixtures.Query(t, "alzheimer disease in families with <AD>")
	senses := m.Inventory().Senses("AD")
	features := must.Get(newDisambiguator(m, AllComponents, nil).features(t.Context(), []SenseQuery{{&q, senses}}))
	for i, one := range senses {
		got, want := senseFeature(features[0][i], "name_words"), 0.
		if strings.EqualFold(one.LongForm, "alzheimer disease") {
			want = 1 // both of its content words
		}
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %g, want %g", one.LongForm, got, want)
		}
	}
}

func senseFeature(values []float64, name string) float64 { return SenseFeatures.ByName(values)[name] }

// TestSensesWithoutEvidence: contexts from the mention's own document do not count as evidence.
func TestSensesWithoutEvidence(t *testing.T) {
	m := skinModel(t, nil)
	contexts := must.Get(m.Contexts.Exemplars())
	rows := make(map[string][]int32) // by sense
	for row := range contexts {
		long := contexts[row].Mention.LongForm
		rows[long] = append(rows[long], int32(row))
	}
	var queries []SenseQuery
	senses := m.Inventory().Senses("AD")
	for _, own := range []string{"no sense", "atopic dermatitis", "axial diffusivity"} { // contexts of the document
		q := fixtures.Query(t, "itching skin with <AD>")
		q.Document.ID = own
		queries = append(queries, SenseQuery{&q, senses})
	}
	features := must.Get(SenseEvidence(t.Context(), m, queries, rows))
	dermatitis := slices.IndexFunc(senses, func(s sense.Sense) bool { return s.LongForm == "atopic dermatitis" })
	var words [3]float64
	for i := range words {
		words[i] = senseFeature(features[i][dermatitis], "words")
	}
	if words[0] <= 0 || words[1] != 0 || words[2] != words[0] {
		t.Errorf("words of dermatitis count %g with its contexts, %g without them, want 0, and %g without others",
			words[0], words[1], words[2])
	}
}

// TestSenseName: a long form outside the dictionary is compared with the sentence by its vector. For "fibre
// diffusivity" and "axial diffusivity", whose first words are and are not in the vocabulary, the cosine is 1/√2. No
// name of the model has a word of the sentence.
func TestSenseName(t *testing.T) {
	m := skinModel(t, skinEncoder())
	q := fixtures.Query(t, "fibre diffusivity <AD>")
	senses := m.Inventory().Senses("AD")
	s := newDisambiguator(m, AllComponents, nil)
	for range 2 { // the vector is computed first and then cached
		features := must.Get(s.features(t.Context(), []SenseQuery{{&q, senses}}))
		for i, one := range senses {
			want := 0.
			if one.LongForm == "axial diffusivity" {
				want = cosineScale / math.Sqrt2
			}
			if got := senseFeature(features[0][i], "name"); math.Abs(got-want) > 1e-6 {
				t.Errorf("%s: %g, want %g", one.LongForm, got, want)
			}
		}
	}
}

// TestSenseLatentName: the words of a document are compared with the names of a sense by latent semantic analysis,
// minus their mean cosine with all names.
func TestSenseLatentName(t *testing.T) {
	space := hivesSpace(t)
	m := hivesModel(t, nil, func(o *model.BuildOptions) { o.Space = space })
	q := fixtures.Query(t, "itching skin with <HV>")
	senses := []sense.Sense{{LongForm: "gastric ulcer"}, {LongForm: "skin rash"}}
	features := must.Get(newDisambiguator(m, AllComponents, nil).features(t.Context(), []SenseQuery{{&q, senses}}))
	around := m.Space.Vector(normalize.ContentWords("itching skin"))
	for i, one := range senses {
		want := 10 * (dot.InOrder(space.Vector(normalize.ContentWords(one.LongForm)), around) - m.MeanLatentNameCosine(around))
		if got := senseFeature(features[0][i], "latent_name"); math.Abs(got-want) > 1e-5 || want == 0 {
			t.Errorf("%s: %g, want %g", one.LongForm, got, want)
		}
	}
}

// TestWeightsOfModel reads stored weights back, and rejects missing, huge and unknown ones.
func TestWeightsOfModel(t *testing.T) {
	want := make([]float64, len(SenseFeatures.features))
	for i := range want {
		want[i] = float64(i) - 2.5
	}
	prior := SenseFeatures.Prior()
	for what, tc := range map[string]struct {
		change func(map[string]float64)
		want   string // error; none if empty
	}{
		"all":     {func(map[string]float64) {}, ""},
		"none":    {func(stored map[string]float64) { clear(stored) }, `no weight for the feature "log_share"`},
		"missing": {func(stored map[string]float64) { delete(stored, "unknown") }, `no weight for the feature "unknown"`},
		"huge":    {func(stored map[string]float64) { stored["words"] = -1e7 }, `a weight that is too large for the feature "words"`},
		"unknown": {func(stored map[string]float64) { stored["kith"] = 1 }, `a weight for the unknown feature "kith"`},
	} {
		stored := SenseFeatures.ByName(want)
		tc.change(stored)
		m := &model.Model{Dir: "model", Calibration: &model.Calibration{SenseWeights: stored}}
		got, err := SenseFeatures.weightsOf(m, prior)
		var damaged *files.DamagedError
		switch {
		case tc.want == "":
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: got %v, %v, want %v", what, got, err, want)
			}
		case !errors.As(err, &damaged) || damaged.Path != filepath.Join("model", "calibration.json") ||
			damaged.Reason != "sense_weights: "+tc.want:
			t.Errorf("%s: error %v, want %s", what, err, tc.want)
		}
	}
	must.Equal(t, must.Get(SenseFeatures.weightsOf(&model.Model{}, prior)), prior, "without a calibration")
}

// Holding out a name also removes its contexts and the mined synonyms of its concept.
func TestHeldOutNames(t *testing.T) {
	m := modeltest.Open(t, modeltest.Build(t, fixtures.GutEncoder(), func(o *model.BuildOptions) {
		o.CorpusSynonyms = []mine.Synonym{
			{Concept: "G1", Text: "wheat belly", Count: 2, Origin: text.Origin{Mined: "also known as"}},
			{Concept: "G2", Text: "children belly", Count: 2, Origin: text.Origin{Mined: "also known as"}},
		}
	}), fixtures.GutEncoder())
	smaller := must.Get(m.WithoutNames(map[string]bool{"gastric ulcer": true}, true))
	var names, contexts []string // that remain
	for _, ex := range exemplarsOf(t, &smaller.Names) {
		names = append(names, ex.Text)
	}
	for _, ex := range exemplarsOf(t, &smaller.Contexts) {
		contexts = append(contexts, ex.Surface())
	}
	must.Equal(t, names, []string{"coeliac disease", "gluten enteropathy", "wheat belly"}, "names")
	must.Equal(t, contexts, []string{"gluten enteropathy", "coeliac disease"}, "contexts")
}

// TestLabeledNamesAreNotMined: a labeled mention remains a name if another name of its concept is held out, and without
// the synonyms of the corpus. Holding out its own surface form removes it like any other.
func TestLabeledNamesAreNotMined(t *testing.T) {
	m := modeltest.Open(t, modeltest.Build(t, fixtures.GutEncoder(), func(o *model.BuildOptions) {
		o.CorpusSynonyms = []mine.Synonym{
			{Concept: "G2", Text: "children belly", Count: 2, Origin: text.Origin{Mined: "also known as"}},
			{Concept: "G2", Text: "stomach sore", Count: 1, Origin: text.Origin{Labeled: true}},
		}
	}), fixtures.GutEncoder())
	for _, tc := range []struct {
		heldOut         string // of G2
		mined           bool
		labeled, corpus bool // whether they stay
	}{
		{"gastric ulcer", true, true, false},
		{"stomach sore", true, false, false},
		{"celiac", true, true, true}, // not a name of the model
		{"celiac", false, true, false},
	} {
		stays := make(map[string]bool)
		smaller := must.Get(m.WithoutNames(map[string]bool{tc.heldOut: true}, tc.mined))
		for _, ex := range exemplarsOf(t, &smaller.Names) {
			stays[ex.Text] = true
		}
		if stays["stomach sore"] != tc.labeled || stays["children belly"] != tc.corpus {
			t.Errorf("without %q, mined %t: labeled name %t, mined name %t, want %t and %t",
				tc.heldOut, tc.mined, stays["stomach sore"], stays["children belly"], tc.labeled, tc.corpus)
		}
	}
}

// TestHeldOutConcept compares the ranking of a model that holds out a concept with that of a model built without it.
func TestHeldOutConcept(t *testing.T) {
	encoder := fixtures.GutEncoder()
	m := modeltest.Open(t, modeltest.Build(t, encoder, nil), encoder)
	smaller := m.HoldOut(func(id kb.ConceptID) bool { return id == "G2" })
	built := modeltest.Open(t, modeltest.Build(t, encoder, func(o *model.BuildOptions) {
		o.Dictionary = kb.NewDictionary([]kb.Concept{*fixtures.GutDictionary().At(0), {ID: "G3"}})
		o.Contexts = slices.DeleteFunc(o.Contexts, func(ex text.Exemplar) bool { return ex.Mention.Concepts[0] != "G1" })
	}), encoder)
	queries := []text.Query{fixtures.Query(t, "aspirin and <gastric ulcer>"), fixtures.Query(t, "<coeliac disease> and wheat")}
	var results [2][]Ranking
	for i, m := range []*model.Model{smaller, built} {
		r := must.Get(newRanker(m, MethodOptions{Evidence: true}))
		results[i] = must.Get(r.Link(t.Context(), queries, 5))
	}
	must.EqualBy(t, sameBroader, results[0], results[1], "built and held out")
}

// TestLabelCount: if annotators labeled a surface form with another concept than the dictionary, that concept becomes a
// candidate, by the number of documents. A held-out name has no labels.
func TestLabelCount(t *testing.T) {
	m := modeltest.Open(t, modeltest.Build(t, nil, func(o *model.BuildOptions) {
		o.CorpusSynonyms = []mine.Synonym{
			{Concept: "G1", Text: "Gastric Ulcer", Count: 7, Origin: text.Origin{Labeled: true}},
			{Concept: "G2", Text: "gastric ulcer", Count: 1, Origin: text.Origin{Labeled: true}},
			{Concept: "G9", Text: "gastric ulcer", Count: 5, Origin: text.Origin{Labeled: true}}, // not in the dictionary
			{Concept: "G1", Text: "gastric ulcer", Count: 9, Origin: text.Origin{Mined: "also known as"}},
		}
	}), nil)
	for _, tc := range []struct {
		mention string
		heldOut map[string]bool
		want    map[kb.ConceptID]float64
	}{
		{"<gastric ulcer> by aspirin", nil, map[kb.ConceptID]float64{"G1": 3, "G2": 1}},
		{"<Gastric Ulcer>", nil, map[kb.ConceptID]float64{"G1": 3, "G2": 1}},
		{"<gastric ulcer>", map[string]bool{"gastric ulcer": true}, nil},
		{"<coeliac disease>", nil, nil},
	} {
		got := make(map[kb.ConceptID]float64)
		for _, c := range generate(t, m, tc.mention, tc.heldOut).Concepts {
			if count := RankingFeatures.ByName(c.Features)["label_count"]; count != 0 {
				got[m.Dictionary.At(int(c.Concept)).ID] = count
			}
		}
		must.EqualBy(t, cmpopts.EquateEmpty(), got, tc.want, tc.mention, "without", tc.heldOut)
	}
}

func TestParseComponents(t *testing.T) {
	got, err := ParseComponents([]string{"hierarchy", "names"})
	if err != nil || got != ComponentNames|ComponentHierarchy || got.String() != "names,hierarchy" {
		t.Errorf("got %s, %v", got, err)
	}
	must.Equal(t, must.Get(ParseComponents(componentNames)), AllComponents, "all names")
	_, err = ParseComponents([]string{"nmaes"})
	must.Fail(t, err, `component is "nmaes", want one of names, strings`, "an unknown component")
}

func TestComponentsAmong(t *testing.T) {
	all := ComponentStrings | ComponentContexts | ComponentHierarchy | ComponentComposites
	for _, tc := range []struct {
		components Components
		want       string
	}{
		{AllComponents, ""},
		{AllComponents &^ ComponentHierarchy, " without hierarchy"},
		{AllComponents &^ ComponentNames, ""}, // not available
		{AllComponents &^ (ComponentHierarchy | ComponentContexts), " without contexts,hierarchy"},
		{ComponentStrings, " by strings alone"},
		{ComponentStrings | ComponentNames, " by strings alone"},
	} {
		must.Equal(t, tc.components.among(all), tc.want, tc.components, "among", all)
	}
}

func TestComponentsOf(t *testing.T) {
	for _, tc := range []struct {
		m    *model.Model
		want string
	}{
		{ulcerModel(t), "names,strings,contexts,document_context,hierarchy,corpus_synonyms,document_abbreviations,composites"},
		{modeltest.Open(t, modeltest.Build(t, nil, nil), nil), "strings,hierarchy,document_abbreviations,composites"},
	} {
		must.Equal(t, ComponentsOf(tc.m).String(), tc.want)
	}
}

// needing lists by hand the features that need each component.
var needing = map[Components]string{
	ComponentNames: "name_cosine name_cosine_top3 relative_cosine text_words nil_name_cosine",
	ComponentStrings: "lexical token_set_match longer_names best_child_longer_names same_concept_words label_count " +
		"opposed_name nil_lexical nil_word_coverage nil_unknown_words nil_corrected nil_error_rate nil_rare_words",
	ComponentContexts:        "context_vote context_cosine",
	ComponentDocumentContext: "text_words",
	ComponentHierarchy: "subtree_score best_child_score relative_cosine subtree_term_f1 no_name " +
		"best_child_longer_names",
}

// TestGeneratorUsesItsComponents generates candidates with every set of components. No feature and no supporting hit
// may need another component, and only the hierarchy finds the concept without a name.
func TestGeneratorUsesItsComponents(t *testing.T) {
	const isNIL = -1 // in place of a concept
	encoder := fixtures.GutEncoder()
	m := modeltest.Open(t, modeltest.Build(t, encoder, func(o *model.BuildOptions) {
		modeltest.Ulcer(o)
		o.CorpusSynonyms = append(o.CorpusSynonyms, mine.Synonym{Concept: "G1", Text: "aspirin belly", Count: 3, Origin: text.Origin{Labeled: true}},
			mine.Synonym{Concept: "G1", Text: "acute rash", Count: 3, Origin: text.Origin{Labeled: true}})
	}), encoder)
	queries := []text.Query{
		fixtures.Query(t, "wheat causes <enteropathy> here, and gluten"), fixtures.Query(t, "<ulcer> by aspirin"), fixtures.Query(t, "<aspirin belly>"),
		fixtures.Query(t, "<gastric ulcers> and coeliac disease"), fixtures.Query(t, "<gluten disease> of children"),
		fixtures.Query(t, "<GU> with unknown words"), fixtures.Query(t, "<gastirc ulcer>"), fixtures.Query(t, "<chronic rash>"),
	}
	covered := make(map[string]bool)
	for components := range ComponentCorpusSynonyms << 1 {
		g := must.Get(NewCandidateGenerator(m, components, nil))
		generated := must.Get(g.Generate(t.Context(), queries))
		var candidates []*Candidate
		found := 0
		for i := range generated {
			candidates = append(candidates, &Candidate{Concept: isNIL, Features: generated[i].NIL})
			candidates = append(candidates, generated[i].Concepts...)
			found += len(generated[i].Concepts)
		}
		for _, p := range candidates {
			for name, value := range RankingFeatures.ByName(p.Features) {
				if value == 0 {
					continue
				}
				covered[name] = true
				for component, features := range needing {
					if slices.Contains(strings.Fields(features), name) && !components.Has(component) {
						t.Errorf("with %s %s is %g", components, name, value)
					}
				}
				must.Equal(t, strings.HasPrefix(name, "nil_"), p.Concept == isNIL, components, name, value, "also for concept",
					p.Concept)
			}
			if p.Concept == isNIL {
				continue
			}
			if m.Dictionary.At(int(p.Concept)).ID == "G0" && !components.Has(ComponentHierarchy) {
				t.Errorf("with %s the concept without a name is a candidate", components)
			}
			for _, v := range p.hits {
				ex := &exemplarsOf(t, v.Rows)[v.Row]
				kind := ComponentContexts
				if ex.Bare {
					kind = ComponentNames
				}
				if ex.Origin.Mined != "" {
					kind |= ComponentCorpusSynonyms
				}
				if !components.Has(kind) {
					t.Errorf("with %s %q supports a candidate", components, ex.Surface())
				}
			}
		}
		must.Equal(t, components&generating != 0, found > 0, components, found, "has candidates")
	}
	for name := range RankingFeatures.ByName(RankingFeatures.Prior()) {
		if !covered[name] {
			t.Errorf("no candidate has the feature %s, so it is not tested", name)
		}
	}
}
