package link

import (
	"cmp"
	"maps"
	"math"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/lsa"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text"
)

// hivesModel returns a model with the names hives and gastric ulcer and two contexts for each. change, which may be
// nil, changes its options.
func hivesModel(t *testing.T, encoder *fixtures.BagOfWords, change func(*model.BuildOptions)) *model.Model {
	t.Helper()
	dict := kb.NewDictionary([]kb.Concept{{ID: "H", Name: "hives"}, {ID: "U", Name: "gastric ulcer"}})
	tagger, _, err := matcher.NewTagger(dict, matcher.DefaultNameFilter())
	must.Succeed(t, err)
	var base text.Encoder
	dir := modeltest.Build(t, encoder, func(o *model.BuildOptions) {
		o.Dictionary, o.Tagger, o.Contexts = dict, tagger, nil
		for i, sentence := range []string{"itching skin with hives", "hives of the skin", "gastric ulcer after aspirin", "aspirin and gastric ulcer"} {
			doc := &text.Document{ID: string(rune('1' + i)), Text: sentence, Mentions: tagger.Tag(nil, sentence)}
			q := text.Query{Document: doc, Mention: doc.Mentions[0], Sentence: text.Span{Start: 0, End: len(sentence)}}
			o.Contexts = append(o.Contexts, text.Exemplar{Query: q})
		}
		if change != nil {
			change(o)
		}
		base = o.BaseEncoder
	})
	return modeltest.OpenWithBase(t, dir, encoder, base)
}

// A one-word mention is less probable in the context of another concept than in its own. Without a context, its
// probability is that of the ranking alone.
func TestContextOfAWord(t *testing.T) {
	for _, encoder := range []*fixtures.BagOfWords{nil, {Name: "hives", Vocabulary: strings.Fields("hives itching skin gastric ulcer aspirin")}} {
		m := hivesModel(t, encoder, nil)
		ranker := must.Get(newRanker(m, MethodOptions{}))
		rank := func(marked string) Ranking {
			t.Helper()
			rankings := must.Get(ranker.Rank(t.Context(), []text.Query{fixtures.Query(t, marked)}, 5))
			sum := rankings[0].NIL
			for _, c := range rankings[0].Candidates {
				sum += c.Probability
			}
			if math.Abs(sum-1) > 1e-9 {
				t.Errorf("%s: probabilities add up to %g, want 1", marked, sum)
			}
			must.Equal(t, rankings[0].Candidates[0].Concept, "H", marked, "first")
			return rankings[0]
		}
		own, other, alone := rank("itching skin and <hives>"), rank("aspirin and <hives>"), rank("<hives>")
		if own.Candidates[0].Probability <= other.Candidates[0].Probability {
			t.Errorf("encoder %v: %g in its own context, %g in another", encoder != nil, own.Candidates[0].Probability, other.Candidates[0].Probability)
		}
		if alone.Candidates[0].Probability <= own.Candidates[0].Probability {
			t.Errorf("encoder %v: %g without a context, %g in its own", encoder != nil, alone.Candidates[0].Probability, own.Candidates[0].Probability)
		}
	}
}

func TestMayBeOrdinary(t *testing.T) {
	generator := must.Get(NewCandidateGenerator(skinModel(t, nil), AllComponents, nil))
	for surface, want := range map[string]bool{
		"hives": true, "boils": true, "Cold": true, "block": true, "labour": true, "hepatitis": false, "anaemia": false, "pain": false, "tumours": false, "hypotension": false, "Schmerz": false,
		"dermatitis": false, "AD": true, "ad": true, "all": true, "ox": true, "breast cancer": false, "common cold": false, "": false,
	} {
		must.Equal(t, generator.mayBeOrdinary(surface), want, "mayBeOrdinary", surface)
	}
}

// A short form in small letters is an ordinary word, although the dictionary has it in capitals.
func TestSmallLetters(t *testing.T) {
	m := skinModel(t, nil)
	ranker := must.Get(newRanker(m, MethodOptions{}))
	rankings := must.Get(ranker.Rank(t.Context(), []text.Query{fixtures.Query(t, "commercials and <ad> campaigns"), fixtures.Query(t, "memory and <AD>")}, 1))
	small, capitals := rankings[0].Candidates[0], rankings[1].Candidates[0]
	if small.Concept != "A" || capitals.Concept != "A" || small.Probability > capitals.Probability/5 {
		t.Errorf("ad: %s at %g; AD: %s at %g; want A, and ad at most a fifth as probable", small.Concept, small.Probability, capitals.Concept, capitals.Probability)
	}
}

// An everyday word is more probably a concept if the base encoder finds its sentence similar to names.
func TestMeanNameOfASentence(t *testing.T) {
	encoder := &fixtures.BagOfWords{Name: "hives", Vocabulary: strings.Fields("hives")}
	base := &fixtures.BagOfWords{Name: "base", Vocabulary: strings.Fields("gastric ulcer clover")}
	m := hivesModel(t, encoder, func(o *model.BuildOptions) { o.BaseEncoder, o.BaseEncoderDir = base, fixtures.EncoderDir(t) })
	weights := make([]float64, len(FitFeatures.features))
	FitFeatures.set(weights, map[string]float64{"mean_name": 1})
	fit := func(marked string) float64 {
		t.Helper()
		return fitProbability(weights, generate(t, m, marked, nil).Fit)
	}
	// The mean of the vectors of "hives" (0) and "gastric ulcer" is half of the latter.
	if got, want := fit("ulcer and <hives>"), 1/(1+math.Exp(-10*.5/math.Sqrt2)); math.Abs(got-want) > 1e-6 {
		t.Errorf("beside an ulcer %g, want %g", got, want)
	}
	if got := fit("clover and <hives>"); math.Abs(got-.5) > 1e-6 {
		t.Errorf("beside clover %g, want .5", got)
	}
}

// hivesSpace returns a latent space of three topics. One of them is skin.
func hivesSpace(t *testing.T) *lsa.Space {
	t.Helper()
	texts := func(yield func([]string, error) bool) {
		for i := range 60 {
			topics := []string{"hives itching skin rash weals", "gastric ulcer aspirin stomach blood", "clover honey meadow flowers bees"}
			if !yield(normalize.ContentWords(topics[i%3]), nil) {
				return
			}
		}
	}
	space, err := lsa.Train(t.Context(), texts, 3, 2, 1)
	if err != nil || space == nil {
		t.Fatal(space, err)
	}
	return space
}

// A text is compared with the names of one concept and with all names, by latent semantic analysis.
func TestLatentFit(t *testing.T) {
	space := hivesSpace(t)
	m := hivesModel(t, nil, func(o *model.BuildOptions) { o.Space = space })
	generator := must.Get(NewCandidateGenerator(m, AllComponents, nil))
	for marked, around := range map[string]string{"itching skin with <hives>": "itching skin", "honey of <hives> in clover": "honey clover"} {
		fits := must.Get(generator.ContextFits(t.Context(), []text.Query{fixtures.Query(t, marked)}))
		cosine := func(name string) float64 {
			return dot.InOrder(space.Vector(normalize.ContentWords(name)), space.Vector(normalize.ContentWords(around)))
		}
		mean := (cosine("hives") + cosine("gastric ulcer")) / 2
		fit := FitFeatures.ByName(fits[0])
		if got, want := fit["latent_name"], 10*(cosine("hives")-mean); math.Abs(got-want) > 1e-5 {
			t.Errorf("%s: latent name %g, want %g", marked, got, want)
		}
		if got, want := fit["mean_latent_name"], 10*mean; math.Abs(got-want) > 1e-5 {
			t.Errorf("%s: mean latent name %g, want %g", marked, got, want)
		}
		if got := fit["latent_centroid"]; (got > .1) != (around == "itching skin") {
			t.Errorf("%s: latent centroid %g, want it high with the words of the exemplars alone", marked, got)
		}
	}
}

// TestEnglishSensesOfAWord: the sentence is compared with the glosses of hives, "… itching wheals of the skin …" and "a
// house of honey bees". The base encoder knows one word of each.
func TestEnglishSensesOfAWord(t *testing.T) {
	encoder := &fixtures.BagOfWords{Name: "hives", Vocabulary: strings.Fields("hives")}
	base := &fixtures.BagOfWords{Name: "base", Vocabulary: strings.Fields("itching bees")}
	m := hivesModel(t, encoder, func(o *model.BuildOptions) { o.BaseEncoder, o.BaseEncoderDir = base, fixtures.EncoderDir(t) })
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

// TestFieldOfASentence: the topic of the sentence is checked for any word. The base encoder knows one word of "a
// patient with a disease", which also occurs in a name, and one of "politics, government, parties and elections".
func TestFieldOfASentence(t *testing.T) {
	start, _ := StartFitWeights()
	of := func(field float64) map[string]float64 { return map[string]float64{"field": field, "any_word": 1} }
	for _, tc := range []struct {
		vocabulary, marked string
		want               map[string]float64 // the nonzero features
	}{
		{"disease parties", "<enteropathy> of the parties", of(10 * (-1 - .05))},
		{"disease parties", "disease with <enteropathy>", map[string]float64{"any_word": 1}}, // .95 above
		{"disease parties", "parties , disease and <enteropathy>", of(10 * -.05)},
		{"disease parties", "<enteropathy>", nil},                   // no context
		{"disease parties", "<gluten enteropathy> in parties", nil}, // two words
		{"gluten parties", "<enteropathy> of the parties", nil},     // names that are not medical
	} {
		base := &fixtures.BagOfWords{Name: "base", Vocabulary: strings.Fields(tc.vocabulary)}
		dir := modeltest.Build(t, fixtures.GutEncoder(), func(o *model.BuildOptions) {
			o.BaseEncoder, o.BaseEncoderDir = base, fixtures.EncoderDir(t)
		})
		m := modeltest.OpenWithBase(t, dir, fixtures.GutEncoder(), base)
		m.Calibration = &model.Calibration{FitWeights: FitFeatures.ByName(start)}
		got := FitFeatures.ByName(generate(t, m, tc.marked, nil).Fit)
		maps.DeleteFunc(got, func(_ string, value float64) bool { return value == 0 })
		must.EqualBy(t, gocmp.Options{cmpopts.EquateApprox(0, 1e-5), cmpopts.EquateEmpty()}, got, tc.want, tc.vocabulary,
			tc.marked)
	}
	for field, want := range map[float64]float64{0: 3, -.75: 0, -1.5: -3} {
		features := make([]float64, len(start))
		FitFeatures.set(features, of(field))
		if got, want := fitProbability(start, features), 1/(1+math.Exp(-want)); math.Abs(got-want) > 1e-12 {
			t.Errorf("the probability at %g is %g, want %g", field, got, want)
		}
	}
}

// TestReadEnglish: a word that is not a name of the dictionary is read as the name of its sense, and its context is
// still checked. An adjective is read as its noun.
func TestReadEnglish(t *testing.T) {
	m := hivesModel(t, nil, nil)
	ranker := must.Get(newRanker(m, MethodOptions{}))
	exact := stringLinker{m.DictionaryIndexes()} // links the text as written
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
		{ranker, AllComponents, "burning mouth syndrome (BITE); a <BITE>", "burning mouth syndrome"}, // as defined in the document
		{ranker, AllComponents &^ ComponentStrings, "a <stroke>", "stroke"},
		{ranker, AllComponents &^ ComponentStrings, "an <ulcerous> skin", "ulcerous"},
	} {
		resolver := must.Get(NewMentionResolver(m, tc.linker, tc.components))
		results := must.Get(resolver.LinkMentions(t.Context(), []text.Query{fixtures.Query(t, tc.marked)}, 1))
		must.Equal(t, cmp.Or(results[0].ResolvedText, results[0].Text), tc.want, tc.marked)
	}
	q := fixtures.Query(t, "a <stroke> of the pump")
	read := q.WithSurface("cerebral stroke")
	other := q.WithSurface("short time rate")
	must.Equal(t, englishWordOf(&read), "stroke", "the word")
	must.Equal(t, englishWordOf(&other), "short time rate", "the word")
}
