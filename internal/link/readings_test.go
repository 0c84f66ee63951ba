package link

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// skinModel returns a model in which AD is a name of Alzheimer's disease. The corpus also defines AD as atopic
// dermatitis and as axial diffusivity, each with contexts. HIV is a word of a name.
func skinModel(t *testing.T, encoder *fixtures.BagOfWords) *model.Model {
	t.Helper()
	dict := kb.NewDictionary([]kb.Concept{
		{ID: "A", Name: "alzheimer disease", Synonyms: []string{"AD"}}, {ID: "D", Name: "atopic dermatitis"}, {ID: "C", Name: "C7D"},
		{ID: "H", Name: "hiv infections"}, {ID: "M", Name: "mitral stenosis"}, {ID: "S", Name: "multiple sclerosis"},
	})
	table := mine.AbbreviationTable{
		{Short: "AD", Long: []mine.LongForm{
			{Text: "Alzheimer disease", Count: 60}, {Text: "axial diffusivity", Count: 20}, {Text: "atopic dermatitis", Count: 20},
		}},
		{Short: "HIV", Long: []mine.LongForm{{Text: "human immunodeficiency virus", Count: 90}}},
		{Short: "MS", Long: []mine.LongForm{{Text: "multiple sclerosis", Count: 30}}},
		{Short: "QT", Long: []mine.LongForm{{Text: "QTc", Count: 9}}},
	}
	tagger, _, err := matcher.NewTagger(dict, matcher.DefaultNameFilter())
	must.Succeed(t, err)
	context := func(id, marked, long string, concepts ...kb.ConceptID) text.Exemplar {
		q := fixtures.Query(t, marked)
		q.ID, q.Mention.LongForm, q.Mention.Concepts = id, long, concepts
		q.Mention.Name, _ = tagger.LookupLongForm(long)
		q.Mentions[0] = q.Mention
		return text.Exemplar{Query: q}
	}
	dir := modeltest.Build(t, encoder, func(o *model.BuildOptions) {
		o.Dictionary, o.Tagger, o.Abbreviations = dict, tagger, table
		o.Contexts = []text.Exemplar{
			context("1", "memory of old people with <AD>", "Alzheimer disease", "A"),
			context("2", "<AD> and memory", "Alzheimer disease", "A"),
			context("3", "itching skin of children with <AD>", "atopic dermatitis", "D"),
			context("4", "skin in <AD>", "atopic dermatitis", "D"),
			context("5", "<AD> along the fibre tracts", "axial diffusivity"),
			context("6", "tracts with lower <AD>", "axial diffusivity"),
		}
	})
	return modeltest.Open(t, dir, encoder)
}

func skinEncoder() *fixtures.BagOfWords {
	return &fixtures.BagOfWords{Name: "skin", Vocabulary: strings.Fields("memory skin itching children tracts fibre ad alzheimer dermatitis diffusivity")}
}

// read returns the readings of a marked mention.
func read(t *testing.T, m *model.Model, components Components, marked string) []reading {
	t.Helper()
	resolver := must.Get(NewMentionResolver(m, nil, components))
	readings := must.Get(resolver.reader.read(t.Context(), []text.Query{fixtures.Query(t, marked)}))
	sum := 0.
	for _, reading := range readings[0] {
		sum += reading.Probability
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("%s: probabilities of %v add up to %g, want 1", marked, readings[0], sum)
	}
	return readings[0]
}

// The context decides between the senses of a form that the document does not define, with an encoder and without one.
func TestReadings(t *testing.T) {
	for _, encoder := range []*fixtures.BagOfWords{nil, skinEncoder()} {
		m := skinModel(t, encoder)
		for _, test := range []struct{ text, want, why string }{
			{"<AD> here", "Alzheimer disease", "the most frequent"},
			{"<ADs> here", "Alzheimer disease", "a plural"},
			{"itching skin with <AD>", "atopic dermatitis", "its words are in the contexts"},
			{"itching skin with <severe AD>", "severe atopic dermatitis", "within a mention"},
			{"tracts of fibre with low <AD>", "axial diffusivity", "a sense outside the dictionary"},
			{"atrial dilation (AD): skin itching in <AD>", "atrial dilation", "the text defines it"},
			{"<ad> of skin", "ad", "case counts"},
			{"<HIV> here", "human immunodeficiency virus", "a word of names, but the whole mention"},
			{"<HIV infection> here", "HIV infection", "a word of names"},
			{"<QT> here", "QT", "QTc is not long enough"},
			{"<GMS> stain", "GMS", "MS is no word of it"},
			{"<anti-MS> here", "anti-multiple sclerosis", "MS is a word of it"},
		} {
			if got := read(t, m, AllComponents, test.text)[0]; got.Text != test.want {
				t.Errorf("encoder %v: %q is read as %q (%.2f), want %q: %s", encoder != nil, test.text, got.Text, got.Probability, test.want, test.why)
			}
		}
		if encoder == nil {
			continue
		}
		// Without the context components, the probabilities of the senses are the same everywhere.
		blind := AllComponents &^ (ComponentContexts | ComponentDocumentContext)
		must.EqualBy(t, cmp.AllowUnexported(reading{}), read(t, m, blind, "itching skin with <AD>"),
			read(t, m, blind, "<AD> here"), "without contexts, here and skin")
	}
}

// TestOwnName: a defined short form that is a name can also mean that name, unless the corpus defines it otherwise.
func TestOwnName(t *testing.T) {
	m := skinModel(t, nil)
	ranker := must.Get(newRanker(m, MethodOptions{}))
	resolver := must.Get(NewMentionResolver(m, ranker, AllComponents))
	for marked, want := range map[string]string{
		"C7 deficiency (C7D) and <C7D>": "C7 deficiency|C7D", "atrial dilation (AD) and <AD>": "atrial dilation",
	} {
		readings := must.Get(resolver.reader.read(t.Context(), []text.Query{fixtures.Query(t, marked)}))
		var got []string
		for _, reading := range readings[0] {
			got = append(got, reading.Text)
		}
		must.Equal(t, strings.Join(got, "|"), want, marked)
	}
}

// The document's definitions and the corpus's senses work independently of each other.
func TestReadingSources(t *testing.T) {
	m := skinModel(t, nil)
	const defined = "<AD>: atrial dilation (AD)"
	for _, test := range []struct {
		components Components
		want       []string
	}{
		{0, []string{"AD", "AD"}},
		{ComponentDocumentAbbreviations, []string{"atrial dilation", "AD"}},
		{ComponentCorpusAbbreviations, []string{"Alzheimer disease", "Alzheimer disease"}},
	} {
		got := []string{read(t, m, test.components, defined)[0].Text, read(t, m, test.components, "<AD>")[0].Text}
		must.Equal(t, got, test.want, test.components)
	}
}

// A short form that the tagger found by a definition outside the dictionary is more probably NIL than the same mention
// in gold data, where all mentions name a disease.
func TestTaggedOutside(t *testing.T) {
	m := skinModel(t, nil)
	weights := PriorWeights(m, AllComponents)
	m.Calibration = &model.Calibration{Weights: RankingFeatures.ByName(weights), LongForms: &model.LongFormCalibration{Slope: 1, Intercept: 3, Queries: 1}}
	ranker := must.Get(newRanker(m, MethodOptions{}))
	resolver := must.Get(NewMentionResolver(m, ranker, AllComponents))
	gold := fixtures.Query(t, "atopic dilation (AD): skin itching in <AD>")
	tagger := must.Get(m.Tagger())
	tagged := TagDocument(gold.Document, tagger)
	queries := Queries(tagged)
	if n := len(queries); n == 0 || queries[n-1].Mention.LongForm != "atopic dilation" {
		t.Fatalf("tagged %+v, want AD by its definition", tagged.Mentions)
	}
	results := must.Get(resolver.linkAll(t.Context(), []text.Query{gold, queries[len(queries)-1]}, 1))
	of, in := results[0].first[0], results[1].first[0]
	if of.AgainstNIL <= in.AgainstNIL || results[0].readings[0].Text != results[1].readings[0].Text {
		t.Errorf("%q of gold has %g against NIL, %q of the tagger %g; want less", results[0].readings[0].Text, of.AgainstNIL, results[1].readings[0].Text, in.AgainstNIL)
	}
}

// The probability of a concept is the sum over readings, and so is that of NIL.
func TestMix(t *testing.T) {
	readings := []reading{{Reading: linked.Reading{Text: "one", Probability: .75}}, {Reading: linked.Reading{Text: "two", Probability: .25}}}
	rankings := []Ranking{
		{Candidates: []linked.Candidate{{Concept: "A", Probability: .5, Votes: 7}, {Concept: "B", Probability: .1}}, NIL: .4},
		{Candidates: []linked.Candidate{{Concept: "B", Probability: .9, Votes: 3}, {Concept: "A", Probability: .1}}, NIL: 0},
	}
	want := Ranking{
		Candidates: []linked.Candidate{
			{Concept: "A", Probability: .75*.5 + .25*.1, Votes: 7},
			{Concept: "B", Probability: .75*.1 + .25*.9, Votes: 3}, // most of it from the second reading
		},
		NIL: .75 * .4,
	}
	for i := range want.Candidates {
		want.Candidates[i].Score = want.Candidates[i].Probability
	}
	// A long form that is a name of B means B, whatever the ranking says.
	named := []reading{{Reading: linked.Reading{Text: "one", Probability: 1}, concepts: []kb.ConceptID{"B"}}}
	if got, want := mix(named, rankings[:1], uncorrected), .9+.1*.1; math.Abs(got.Candidates[0].Probability-want) > 1e-12 || got.Candidates[0].Concept != "B" {
		t.Errorf("a name of B gives %v, want B with %g", got, want)
	}
	got := mix(readings, rankings, uncorrected)
	got.Broader = nil
	must.EqualBy(t, cmpopts.EquateApprox(0, 1e-12), got, want)
}

func TestSetShares(t *testing.T) {
	m := skinModel(t, nil)
	senses := m.Inventory().Senses("MS") // 30 records, and a name by its initials
	features := make([]evidence, len(senses)+1)
	setShares(features, senses)
	const total = 30 + initialsRecords + unknownSenseRecords
	for i, records := range []float64{30, initialsRecords, unknownSenseRecords} {
		if got, want := features[i].logShare, math.Log(records/total); math.Abs(got-want) > 1e-12 {
			t.Errorf("sense %d has log share %g, want %g", i, got, want)
		}
	}
}

// uncorrected returns the probability of NIL unchanged.
func uncorrected(_ string, p float64) float64 { return p }

func TestInducedPhrases(t *testing.T) {
	for _, tc := range []struct {
		text, mention string
		want          bool
	}{
		{"Levodopa-induced dyskinesias.", "dyskinesia", true},
		{"Levodopa-Induced Peak-Dose Dyskinesia", "dyskinesias", true}, // two words between
		{"levodopa induced a severe and early dyskinesia", "dyskinesia", true},
		{"levodopa-induced chorea of the left and the right hand, dyskinesia", "dyskinesia", false}, // too far
		{"levodopa-induced chorea; dyskinesia", "dyskinesia", false},                                // another clause
		{"levodopa-induced acute liver injury", "acute liver injury", true},
		{"levodopa-induced acute liver injury", "liver injury", true},
		{"levodopa-induced liver injury", "acute liver injury", false},
		{"Dyskinesia was induced by levodopa.", "dyskinesia", true},
		{"dyskinesia in two rats was later induced by levodopa", "dyskinesia", false}, // too far
		{"Chorea was seen. Induced by levodopa, dyskinesia", "chorea", false},         // another clause
		{"radiation-induced hepatitis", "hepatitis", false},
		{"hepatitis induced by a virus", "hepatitis", false},
		{"hepatitis induced by isoniazid", "hepatitis", true},
		{"induced hepatitis", "hepatitis", false}, // no cause given
		{"Dyskinesia was not induced by levodopa in any patient.", "dyskinesia", false},
		{"We induced dyskinesia in rats.", "dyskinesia", false},
		{"hepatitis after isoniazid", "hepatitis", false},
		{"isoniazid-induced hepatitis", "", false},
		{"", "", false},
		{strings.Repeat("ä ", 99) + "isoniazid-induced hepatitis " + strings.Repeat("ä", 99), "hepatitis", true}, // cut
	} {
		must.Equal(t, newInducedPhrases(tc.text).has(tc.mention), tc.want, tc.mention, tc.text)
	}
}

// TestReadInduced: a mention is read as substance-induced if its document says so elsewhere and a name does too.
func TestReadInduced(t *testing.T) {
	m := conceptsModel(t, kb.Concept{ID: "D", Name: "dyskinesia"}, kb.Concept{ID: "DI", Name: "drug-induced dyskinesia"},
		kb.Concept{ID: "H", Name: "hepatitis"})
	ranker := must.Get(newRanker(m, MethodOptions{}))
	for _, tc := range []struct {
		components Components
		text       string
		want       string
	}{
		{AllComponents, "Levodopa-induced dyskinesia. Two rats had <dyskinesias>.", "DI"},
		{AllComponents, "Levodopa-induced dyskinesia. Two rats were <dyskinetic>.", "DI"},
		{AllComponents, "Levodopa-induced dyskinesia (LID). Two rats had <LID>.", "DI"},
		{AllComponents, "Two rats had <dyskinesias> after levodopa.", "D"},
		{AllComponents, "Two rats had <levodopa-induced hepatitis>.", "H"},
		{AllComponents, "Levodopa-induced hepatitis. Two rats had <hepatitis>.", "H"}, // no name says more
		{AllComponents, "Two rats had <hepatitis + drug-induced dyskinesia>.", "DI H"},
		{AllComponents &^ ComponentDocumentContext, "Levodopa-induced dyskinesia. Two rats had <dyskinesias>.", "D"},
	} {
		resolver := must.Get(NewMentionResolver(m, ranker, tc.components))
		query, wanted := []text.Query{fixtures.Query(t, tc.text)}, strings.Fields(tc.want)
		var got []string
		for _, c := range must.Get(resolver.LinkMentions(t.Context(), query, len(wanted)))[0].Candidates {
			got = append(got, string(c.Concept))
		}
		slices.Sort(got)
		must.Equal(t, got, wanted, tc.text)
	}
}
