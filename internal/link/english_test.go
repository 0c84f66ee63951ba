package link

import (
	"cmp"
	"math"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/text"
)

// TestEnglishSensesOfAWord: the sentence is compared with the glosses of hives, "… itching wheals of the skin …" and "a house
// of honey bees", of which the base encoder knows a word each.
func TestEnglishSensesOfAWord(t *testing.T) {
	encoder := &linktest.BagOfWords{Name: "hives", Vocabulary: strings.Fields("hives")}
	base := &linktest.BagOfWords{Name: "base", Vocabulary: strings.Fields("itching bees")}
	m := hivesModel(t, encoder, func(o *model.BuildOptions) { o.BaseEncoder, o.BaseEncoderDir = base, linktest.EncoderDir(t) })
	generator, err := NewCandidateGenerator(m, AllComponents, nil)
	if err != nil {
		t.Fatal(err)
	}
	for marked, want := range map[string]float64{
		"itching <hives>":          10,
		"bees in <hives>":          -10,
		"itching by bees, <hives>": 0,
		"<hives> of clover":        0,
	} {
		generated, err := generator.Generate(t.Context(), []text.Query{linktest.Query(t, strings.Replace(marked, ",", " ,", 1))})
		if err != nil {
			t.Fatal(err)
		}
		if got := generated[0].Fit[fitEnglish]; math.Abs(got-want) > 1e-5 {
			t.Errorf("%s: %g, want %g", marked, got, want)
		}
	}
}

// TestReadEnglish: a word that is no name of the dictionary is read by the name of its sense, and its
// context is asked all the same. An adjective is read by its noun.
func TestReadEnglish(t *testing.T) {
	m := hivesModel(t, nil, nil)
	ranker, err := NewRanker(m, RankOptions{})
	if err != nil {
		t.Fatal(err)
	}
	exact := NewExactLinker(m.DictionaryIndexes())
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
		resolver, err := NewMentionResolver(m, tc.linker, ResolverOptions{Components: tc.components})
		if err != nil {
			t.Fatal(err)
		}
		results, err := resolver.LinkMentions(t.Context(), []text.Query{linktest.Query(t, tc.marked)}, 1)
		if err != nil {
			t.Fatal(err)
		}
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
