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

// nilAnswer stands for NIL among concepts.
const nilAnswer = "NIL"

// generate returns the candidates of a mention by all components, without the names held out.
func generate(t *testing.T, m *model.Model, marked string, heldOutNames map[string]bool) Candidates {
	t.Helper()
	g := must(NewCandidateGenerator(m, AllComponents, heldOutNames))
	generated := must(g.Generate(t.Context(), []text.Query{linktest.Query(t, marked)}))
	return generated[0]
}

// featuresOf returns the features of each candidate of a mention, and of NIL, by their names.
func featuresOf(t *testing.T, m *model.Model, marked string) map[kb.ConceptID]map[string]float64 {
	t.Helper()
	generated := generate(t, m, marked, nil)
	features := map[kb.ConceptID]map[string]float64{nilAnswer: RankingFeatures.ByName(generated.NIL)}
	for _, c := range generated.Concepts {
		features[m.Dictionary.At(int(c.Concept)).ID] = RankingFeatures.ByName(c.Features)
	}
	return features
}

// voteModel returns a model of two contexts. The vector of a mention in its sentence counts the words, those of the
// mention three times.
func voteModel(t *testing.T) *model.Model {
	t.Helper()
	encoder := &linktest.BagOfWords{Name: "pain", Vocabulary: strings.Fields("pain ulcer fever")}
	context := func(id, marked string, concept kb.ConceptID) text.Exemplar {
		q := linktest.Query(t, marked)
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
	// fever once and ulcer three times, as in the context of U; that of P has pain, too
	nearest, other := 1., (1*1+3*3)/math.Sqrt((1*1+3*3)*(1*1+1*1+3*3))
	vote := math.Exp((other - nearest) / knnindex.DefaultTemperature)
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
		// "chronic spotted fever" of three names
		{fever, "<fever, chronic>", "B", "longer_names", 1. / 3},
		{fever, "<fever, chronic>", "N", "best_child_longer_names", 1. / 3},
		{fever, "<fever, chronic>", "N", "no_name", 1},
		{fever, "<fever, chronic>", "B", "no_name", 0},
		// Two names have both words, of the three of B and of the four of B, C and N: 2 p r / (p + r)
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
		// Both names with "ulcer", which is no name, are below U, which has no others: precision and recall are 1. U1 has
		// one of the two and no other: F1 = 2*1*.5/1.5. Both children of U have only names with another word.
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
	ranker := must(newRanker(m, RankOptions{}))
	resolver := must(NewMentionResolver(m, ranker, ResolverOptions{Components: AllComponents}))
	queries := []text.Query{linktest.Query(t, "itching skin and memory with <AD>")}
	one := must(resolver.LinkMentions(t.Context(), queries, 1))
	all := must(resolver.LinkMentions(t.Context(), queries, mixDepthForTest))
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
	features := must(newDisambiguator(m, AllComponents, nil).features(t.Context(), []ambiguousForm{{query: &q, senses: senses}}))
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

// TestSensesWithoutEvidence: contexts of the document of a mention are no evidence for it.
func TestSensesWithoutEvidence(t *testing.T) {
	m := skinModel(t, nil)
	contexts := must(m.Contexts.Exemplars())
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
	features := must(SenseEvidence(t.Context(), m, queries, rows))
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

// TestSenseName: a long form outside the dictionary is compared with the sentence by its vector. Of "fibre diffusivity"
// and "axial diffusivity", whose first words are and are not in the vocabulary, the cosine is 1/√2, and no name of the
// model has a word of the sentence.
func TestSenseName(t *testing.T) {
	m := skinModel(t, skinEncoder())
	q := linktest.Query(t, "fibre diffusivity <AD>")
	senses := m.Inventory().Senses("AD")
	s := newDisambiguator(m, AllComponents, nil)
	for range 2 { // the vector is made, and remembered
		features := must(s.features(t.Context(), []ambiguousForm{{query: &q, senses: senses}}))
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

// TestSenseLatentName: the words of a document are compared with the names of a sense by latent
// semantic analysis, less their mean cosine with all names.
func TestSenseLatentName(t *testing.T) {
	space := hivesSpace(t)
	m := hivesModel(t, nil, func(o *model.BuildOptions) { o.Space = space })
	q := linktest.Query(t, "itching skin with <HV>")
	senses := []sense.Sense{{LongForm: "gastric ulcer"}, {LongForm: "skin rash"}}
	features := must(newDisambiguator(m, AllComponents, nil).features(t.Context(), []ambiguousForm{{query: &q, senses: senses}}))
	around := m.LatentVector(normalize.ContentWords("itching skin"))
	for i, one := range senses {
		want := 10 * (dot.InOrder(space.Vector(normalize.ContentWords(one.LongForm)), around) - m.MeanLatentNameCosine(around))
		if got := senseFeature(features[0][i], "latent_name"); math.Abs(got-want) > 1e-5 || want == 0 {
			t.Errorf("%s: %g, want %g", one.LongForm, got, want)
		}
	}
}
