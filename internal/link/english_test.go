package link

import (
	"cmp"
	"maps"
	"math"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/text"
)

// TestEnglishSensesOfAWord: the sentence is compared with the glosses of hives, "… itching wheals of the skin …" and "a
// house of honey bees", of which the base encoder knows a word each.
func TestEnglishSensesOfAWord(t *testing.T) {
	encoder := &linktest.BagOfWords{Name: "hives", Vocabulary: strings.Fields("hives")}
	base := &linktest.BagOfWords{Name: "base", Vocabulary: strings.Fields("itching bees")}
	m := hivesModel(t, encoder, func(o *model.BuildOptions) { o.BaseEncoder, o.BaseEncoderDir = base, linktest.EncoderDir(t) })
	for marked, want := range map[string]float64{
		"itching <hives>":          10,
		"bees in <hives>":          -10,
		"itching by bees, <hives>": 0,
		"<hives> of clover":        0,
	} {
		fit := generate(t, m, strings.Replace(marked, ",", " ,", 1), nil).Fit
		if got := FitFeatures.ByName(fit)["english"]; math.Abs(got-want) > 1e-5 {
			t.Errorf("%s: %g, want %g", marked, got, want)
		}
	}
}

// TestFieldOfASentence: any word is asked what field of life its sentence speaks of. The base encoder knows a word of
// "a patient with a disease", which is that of a name too, and one of "politics, government, parties and elections".
func TestFieldOfASentence(t *testing.T) {
	start, _ := StartFitWeights()
	of := func(field float64) map[string]float64 { return map[string]float64{"field": field, "any_word": 1} }
	for _, tc := range []struct {
		vocabulary, marked string
		want               map[string]float64 // those that are not 0
	}{
		{"disease parties", "<enteropathy> of the parties", of(10 * (-1 - .05))},
		{"disease parties", "disease with <enteropathy>", map[string]float64{"any_word": 1}}, // .95 above
		{"disease parties", "parties , disease and <enteropathy>", of(10 * -.05)},
		{"disease parties", "<enteropathy>", nil},                   // no context
		{"disease parties", "<gluten enteropathy> in parties", nil}, // two words
		{"gluten parties", "<enteropathy> of the parties", nil},     // its names are not of medicine
	} {
		base := &linktest.BagOfWords{Name: "base", Vocabulary: strings.Fields(tc.vocabulary)}
		dir := modeltest.Build(t, linktest.GutEncoder(), func(o *model.BuildOptions) {
			o.BaseEncoder, o.BaseEncoderDir = base, linktest.EncoderDir(t)
		})
		m := modeltest.OpenWithBase(t, dir, linktest.GutEncoder(), base)
		m.Calibration = &model.Calibration{FitWeights: FitFeatures.ByName(start)}
		got := FitFeatures.ByName(generate(t, m, tc.marked, nil).Fit)
		maps.DeleteFunc(got, func(_ string, value float64) bool { return value == 0 })
		if diff := gocmp.Diff(tc.want, got, cmpopts.EquateApprox(0, 1e-5), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", tc.vocabulary, tc.marked, diff)
		}
	}
	for field, want := range map[float64]float64{0: 3, -.75: 0, -1.5: -3} {
		features := make([]float64, len(start))
		FitFeatures.set(features, of(field))
		if got, want := fitProbability(start, features), 1/(1+math.Exp(-want)); math.Abs(got-want) > 1e-12 {
			t.Errorf("the probability at %g is %g, want %g", field, got, want)
		}
	}
}

// TestReadEnglish: a word that is no name of the dictionary is read by the name of its sense, and its
// context is asked all the same. An adjective is read by its noun.
func TestReadEnglish(t *testing.T) {
	m := hivesModel(t, nil, nil)
	ranker := must(newRanker(m, RankOptions{}))
	exact := stringLinker{m.DictionaryIndexes()} // which reads what is written
	for _, tc := range []struct {
		linker       Linker
		components   Components
		marked, want string
	}{
		{ranker, AllComponents, "a <stroke> of the pump", "cerebral stroke"},
		{ranker, AllComponents, "<Strokes>", "cerebral stroke"},
		{ranker, AllComponents, "<hives> of the skin", "hives"}, // a name
		{ranker, AllComponents, "<pumps>", "pumps"},
		{ranker, AllComponents, "an <ulcerous> skin", "ulcer"}, // an adjective
		{exact, AllComponents, "an <ulcerous> skin", "ulcerous"},
		{exact, AllComponents, "a <stroke>", "stroke"},
		{ranker, AllComponents, "burning mouth syndrome (BITE); a <BITE>", "burning mouth syndrome"}, // as the document says
		{ranker, AllComponents &^ ComponentStrings, "a <stroke>", "stroke"},
		{ranker, AllComponents &^ ComponentStrings, "an <ulcerous> skin", "ulcerous"},
	} {
		resolver := must(NewMentionResolver(m, tc.linker, ResolverOptions{Components: tc.components}))
		results := must(resolver.LinkMentions(t.Context(), []text.Query{linktest.Query(t, tc.marked)}, 1))
		if got := cmp.Or(results[0].ResolvedText, results[0].Text); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.marked, got, tc.want)
		}
	}
	q := linktest.Query(t, "a <stroke> of the pump")
	read := q.WithSurface("cerebral stroke")
	other := q.WithSurface("short time rate")
	if got := englishWordOf(&read); got != "stroke" {
		t.Errorf("the word is %q, want stroke", got)
	}
	if got := englishWordOf(&other); got != "short time rate" {
		t.Errorf("the word is %q, want the long form", got)
	}
}
