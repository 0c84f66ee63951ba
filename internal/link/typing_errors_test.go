package link

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// pressureModel returns a model without an encoder in which some concepts exclude each other.
func pressureModel(t *testing.T) *model.Model {
	t.Helper()
	dict := kb.NewDictionary([]kb.Concept{
		{ID: "A", Name: "hypertension", Synonyms: []string{"high blood pressure"}},
		{ID: "B", Name: "hepatocellular carcinoma"},
		{ID: "C", Name: "left heart failure"},
		{ID: "D", Name: "vitamin B12 deficiency"},
		{ID: "E", Name: "type 1 diabetes mellitus", Synonyms: []string{"juvenile diabetes"}},
		{ID: "F", Name: "ovarian carcinoma", Synonyms: []string{"carcinomatoses"}},
		{ID: "G", Name: "primary immunodeficiency disorder", Parents: []kb.ConceptID{"H"}},
		{ID: "H", Name: "immune disease"},
	})
	return modelOf(t, dict)
}

func TestCorrect(t *testing.T) {
	g := must.Get(NewCandidateGenerator(pressureModel(t), AllComponents, nil))
	for _, tc := range []struct {
		mention, want string
		rate          float64
	}{
		{"hepatocelular carcinoma", "hepatocellular carcinoma", 1. / 13}, // 13 letters as written
		{"hepatocellular carcnoma", "hepatocellular carcinoma", 1. / 8},
		{"heaptocellular carcinmoa", "hepatocellular carcinoma", 2. / (14 + 9)},
		{"hepatocellular carcinoma", "hepatocellular carcinoma", 0},
		{"hypotension", "hypotension", 0},                       // opposed, not misspelled
		{"lift heart failure", "lift heart failure", 0},         // too short
		{"vitamin B13 deficiency", "vitamin b13 deficiency", 0}, // a number
		{"endometrial carcinoma", "endometrial carcinoma", 0},   // similar to no word
		{"ovarain carcinoma", "ovarian carcinoma", 1. / 7},      // neighboring letters exchanged
		{"HEPATOCELULAR CARCINOMA", "hepatocellular carcinoma", 1. / 13},
		{"carcinomatossees", "carcinomatosis", 2. / 15}, // the plural as written is nearer
	} {
		q := fixtures.Query(t, "<"+tc.mention+">")
		b := &featureBuilder{CandidateGenerator: g, query: &q}
		b.readMention()
		got, rate := strings.Join(b.corrected.tokens, " "), ratio(float64(b.corrected.errors), float64(b.corrected.letters))
		if got != tc.want || math.Abs(rate-tc.rate) > 1e-9 {
			t.Errorf("%s: corrected to %q with an error rate of %g, want %q, %g", tc.mention, got, rate, tc.want, tc.rate)
		}
	}
}

// A mention with a typing error is linked like the correct spelling, even with a threshold. A mention of a concept
// other than that of the most similar name is not.
func TestLinkMisspelledAndOpposed(t *testing.T) {
	m := pressureModel(t)
	prior := PriorWeights(m, AllComponents)
	m.Calibration = &model.Calibration{Weights: RankingFeatures.ByName(prior)}
	r := must.Get(newRanker(m, MethodOptions{MinProbability: .1})) // about the weights that training learns
	for _, tc := range []struct {
		mention string
		want    kb.ConceptID // empty for NIL
	}{
		{"hypertension", "A"},
		{"hypertensoin", "A"},
		{"hepatocelular carcinoma", "B"},
		{"ovarian carcimona", "F"},
		{"hypotension", ""},
		{"right heart failure", ""},
		{"vitamin B6 deficiency", ""},
		{"type 2 diabetes mellitus", ""},
		{"secondary immunodeficiency disorder", "H"}, // the parent
	} {
		rankings := must.Get(r.Link(t.Context(), []text.Query{fixtures.Query(t, "patients with <"+tc.mention+"> here")}, 1))
		got := kb.ConceptID("")
		if c := rankings[0].Candidates; len(c) > 0 {
			got = c[0].Concept
		}
		must.Equal(t, got, tc.want, tc.mention, rankings[0].NIL)
	}
}

func TestOpposedName(t *testing.T) {
	m := pressureModel(t)
	for _, tc := range []struct {
		mention string
		concept kb.ConceptID
		want    float64
	}{
		{"hypotension", "A", 1},
		{"hypertension", "A", 0},
		{"right heart failure", "C", 1},
		{"heart failure", "C", 0},
		{"left or right heart failure", "C", 0}, // has the word of the name, too
		{"vitamin B6 deficiency", "D", 1},
		{"vitamin deficiency", "D", 0},
		{"diabetes mellitus type 2", "E", 1},
		{"diabetes mellitus type II", "E", 1},
	} {
		features, ok := featuresOf(t, m, "<"+tc.mention+">")[tc.concept]
		if !ok || features["opposed_name"] != tc.want {
			t.Errorf("%s, %s: opposedName is %g (candidate: %t), want %g", tc.mention, tc.concept, features["opposed_name"], ok, tc.want)
		}
	}
}

// Words of names and of the texts are known.
func TestRareWords(t *testing.T) {
	g := must.Get(NewCandidateGenerator(pressureModel(t), AllComponents, nil))
	tokens := slices.Clone(strings.Fields("left qzx failure 77"))
	if got := g.rareWords(tokens); got != .25 { // qzx; a number is not rare
		t.Errorf("rareWords is %g, want .25", got)
	}
}
