package link

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

func organDictionary() *kb.Dictionary {
	return kb.NewDictionary([]kb.Concept{
		{ID: "B", Name: "breast cancer"}, {ID: "O", Name: "ovarian cancer", Synonyms: []string{"cancer of the ovary"}},
		{ID: "H", Name: "head and neck neoplasms", Synonyms: []string{"head and neck cancer"}},
		{ID: "F", Name: "hand, foot and mouth disease"}, {ID: "M", Name: "mouth disease"}, {ID: "N", Name: "neck cancer"},
		{ID: "R", Name: "renal failure"},
	})
}

// resolverOf returns a resolver for mentions of a dictionary's concepts.
func resolverOf(t *testing.T, dict *kb.Dictionary, linker Linker, components Components) *MentionResolver {
	t.Helper()
	m := modelOf(t, dict)
	return must.Get(NewMentionResolver(m, linker, components))
}

func TestSplitComposite(t *testing.T) {
	names := model.NewDictionaryIndexes(organDictionary())
	for _, test := range []struct {
		surface string
		want    []string
	}{
		{"breast and ovarian cancer", []string{"breast cancer", "ovarian cancer"}},
		{"hereditary breast/ovarian cancer", []string{"hereditary breast cancer", "ovarian cancer"}},
		{"head and neck cancers", nil}, // a name in the plural
		{"hand, foot, and mouth disease", nil},
		{"renal failure", nil},
		{"breast cancer, ovarian cancer", []string{"breast cancer", "ovarian cancer"}},
		{"renal failure / breast cancer", []string{"renal failure", "breast cancer"}},
		{"cancer, breast", nil},
		{"renal failure, acute", nil},
		{"qqq and www", nil}, // no name is similar to the whole or its sub-mentions
		{"", nil},
	} {
		got := splitComposite(names, test.surface)
		must.Equal(t, got, test.want, test.surface)
	}
}

func TestResolverLinksSubMentions(t *testing.T) {
	dict := organDictionary()
	lexical := stringLinker{model.NewDictionaryIndexes(dict)}
	resolver := resolverOf(t, dict, lexical, ComponentDocumentAbbreviations|ComponentComposites)
	queries := []text.Query{
		fixtures.Query(t, "renal failure (RF) and <RF> again"),
		fixtures.Query(t, "a case of <breast and ovarian cancer> here"),
		fixtures.Query(t, "<head and neck cancer>"),
	}
	answers := must.Get(resolver.LinkMentions(t.Context(), queries, 2))
	type summary struct {
		Resolved    string
		First       kb.ConceptID
		SubMentions []string
	}
	var got []summary
	for _, a := range answers {
		s := summary{Resolved: a.ResolvedText, First: a.Candidates[0].Concept}
		for _, sub := range a.SubMentions {
			s.SubMentions = append(s.SubMentions, sub.Text+"="+string(sub.Candidates[0].Concept))
		}
		got = append(got, s)
	}
	want := []summary{
		{Resolved: "renal failure", First: "R"},
		{First: "B", SubMentions: []string{"breast cancer=B", "ovarian cancer=O"}},
		{First: "H"},
	}
	must.Equal(t, got, want)
	// The first candidates of both sub-mentions come before any second one.
	must.Equal(t, conceptIDs(Ranking{Candidates: answers[1].Candidates}), []kb.ConceptID{"B", "O"},
		"candidates of the whole")
	// Without components mentions stay unchanged.
	plain := must.Get(resolverOf(t, dict, lexical, 0).LinkMentions(t.Context(), queries, 2))
	for i := range plain {
		if plain[i].ResolvedText != "" || plain[i].SubMentions != nil {
			t.Errorf("%q is resolved to %q with sub-mentions %v", queries[i].Surface(), plain[i].ResolvedText, plain[i].SubMentions)
		}
	}
}

func TestInterleave(t *testing.T) {
	subMentions := []Ranking{
		{Candidates: []linked.Candidate{
			{Concept: "A", Score: 7, Probability: .5}, {Concept: "B", Score: 6, Probability: .3}, {Concept: "C", Score: 5, Probability: .2},
		}},
		{Candidates: []linked.Candidate{
			{Concept: "D", Score: 2, Probability: .9}, {Concept: "A", Score: 1, Probability: .1},
		}},
		{}, // NIL
	}
	// A .5 - 0, B .3 - 1, C .2 - 2; D .9 - 0, and A's .1 - 1 is less than its .5 - 0.
	want := []linked.Candidate{
		{Concept: "D", Score: .9, Probability: .9}, {Concept: "A", Score: .5, Probability: .5},
		{Concept: "B", Score: -.7, Probability: .3}, {Concept: "C", Score: -1.8, Probability: .2},
	}
	for k := range 6 {
		must.Equal(t, interleave(subMentions, k), want[:min(k, 4)], "first", k)
	}
	slices.Reverse(subMentions)
	must.Equal(t, interleave(subMentions, 4), want, "in another order")
	// Scores count if there are no probabilities.
	cosines := []Ranking{
		{Candidates: []linked.Candidate{{Concept: "A", Score: .4}}},
		{Candidates: []linked.Candidate{{Concept: "B", Score: .8}}},
	}
	must.Equal(t, conceptIDs(Ranking{Candidates: interleave(cosines, 2)}), []kb.ConceptID{"B", "A"}, "cosines")
}

func TestNamesOfSubMentions(t *testing.T) {
	mentions := []linked.Mention{{
		Text: "RF", ResolvedText: "renal failure", Candidates: []linked.Candidate{{Concept: "R"}},
		SubMentions: []linked.SubMention{{Text: "renal", Candidates: []linked.Candidate{{Concept: "R"}}}, {Text: "failure"}},
	}}
	must.Succeed(t, NameCandidates(t.Context(), mentions, organDictionary()))
	named := []linked.Candidate{{Concept: "R", Name: "renal failure", MatchedName: "renal failure"}}
	want := []linked.Mention{{
		Text: "RF", ResolvedText: "renal failure", Candidates: named,
		SubMentions: []linked.SubMention{{Text: "renal", Candidates: named}, {Text: "failure"}},
	}}
	must.Equal(t, mentions, want)
}

// TestPlaceholders tests what tables contain in place of a mention, and names that look similar.
func TestPlaceholders(t *testing.T) {
	for surface, want := range map[string]bool{
		"n/a": true, "-": true, "5": true, "x": true, "none": true, "Unknown": true, "?": true, "not applicable": true, "1/2": true,
		"NaN": true, "なし": true, "": true, "癌": false, "B12": false, "flu": false, "no pain": false, "IL-6": false,
	} {
		must.Equal(t, isPlaceholder(surface), want, surface)
	}
	dict := kb.NewDictionary([]kb.Concept{{ID: "N", Name: "n/a disease"}, {ID: "K", Name: "K"}, {ID: "MI", Name: "MI"}, {ID: "T", Name: "T5 none"},
		{ID: "NA", Name: "neonatal asphyxia"}})
	linker := stringLinker{model.NewDictionaryIndexes(dict)}
	resolver := resolverOf(t, dict, linker, AllComponents)
	for surface, want := range map[string]kb.ConceptID{"n/a": "", "none": "", "5": "", "k": "K", "MIs": "MI", "n/a disease": "N",
		"neonatal asphyxia (NA) and <NA>": "NA", "neonatal asphyxia and <NA>": "", // as the document defines it
	} {
		query := text.NameExemplar(surface).Query
		if strings.Contains(surface, "<") {
			query = fixtures.Query(t, surface)
		}
		mentions := must.Get(resolver.LinkMentions(t.Context(), []text.Query{query}, 1))
		var got kb.ConceptID
		if len(mentions[0].Candidates) > 0 {
			got = mentions[0].Candidates[0].Concept
		}
		must.Equal(t, got, want, surface)
	}
}

// definedMentions returns the queries of the mentions that a document marks with < and >. Mentions with the short form
// as their text stand for the long form outside the dictionary.
func definedMentions(t *testing.T, short, long string, marked ...string) []text.Query {
	t.Helper()
	doc := new(text.Document)
	for _, m := range marked {
		one := fixtures.Query(t, m)
		mention := one.Mention
		mention.Start, mention.End = mention.Start+len(doc.Text), mention.End+len(doc.Text)
		if one.Surface() == short {
			mention.LongForm = long
		}
		doc.Mentions = append(doc.Mentions, mention)
		doc.Text += one.Text + "\n\n"
	}
	return Queries(doc)
}

// TestDefinedOnce: of a document's mentions with the same long form outside the dictionary, only the first is linked.
func TestDefinedOnce(t *testing.T) {
	a := definedMentions(t, "BP", "belly pain", "the <BP> is", "an <ulcer> is", "a <BP> of", "an <ulcer> is")
	b := definedMentions(t, "BP", "belly pain", "then <BP> was")
	other := definedMentions(t, "BP", "blood pressure", "one <BP> is")
	queries := slices.Concat(a, b, other)
	distinct, of := Distinct(queries)
	var spans []text.Span
	for i := range distinct {
		spans = append(spans, distinct[i].Mention.Span)
	}
	must.Equal(t, spans, []text.Span{a[0].Mention.Span, a[1].Mention.Span, a[3].Mention.Span, b[0].Mention.Span,
		other[0].Mention.Span}, "distinct")
	must.Equal(t, of, []int{0, 1, 0, 2, 3, 4})
	known := slices.Clone(a) // a long form that is a name has concepts and is linked in each sentence
	for i := range known {
		known[i].Mention.Concepts = []kb.ConceptID{"P"}
	}
	if distinct, _ := Distinct(known); len(distinct) != len(known) {
		t.Errorf("of a name %v are distinct, want all", distinct)
	}
}

// TestDefinedShortFormMeansOneThing: every mention of a short form gets the result from the place where its document
// defines it, and keeps its own span.
func TestDefinedShortFormMeansOneThing(t *testing.T) {
	t.Parallel()
	m, encoder := cascadeModel(t, model.CascadeRow{})
	resolver := cascadeOf(t, m, MethodOptions{}, 0)
	queries := definedMentions(t, "BP", "belly pain", "belly pain (<BP>) of an ulcer", "aspirin for <BP>", "sprue with <BP>")
	alone := must.Get(resolver.LinkMentions(t.Context(), queries[:1], 3))
	encoder.encoded = nil
	together := must.Get(resolver.LinkMentions(t.Context(), queries, 3))
	slices.Sort(encoder.encoded)
	must.Equal(t, encoder.encoded, []string{"belly pain", "belly pain (belly pain) of an ulcer"}, "encoded")
	for i := range together {
		want := alone[0]
		want.Span = queries[i].Mention.Span
		must.Equal(t, together[i], want, "mention", i)
	}
}

// queryOf returns the mention from start to end of a document of one sentence.
func queryOf(doc *text.Document, start, end int) text.Query {
	return text.Query{Document: doc, Sentence: text.Span{End: len(doc.Text)},
		Mention: text.Mention{Span: text.Span{Start: start, End: end}}}
}

// correctedQuery returns the first mention of a phrase in a text of one sentence, with a concept.
func correctedQuery(s, wording string, concept kb.ConceptID) text.Exemplar {
	start := strings.Index(s, wording)
	q := queryOf(&text.Document{Text: s}, start, start+len(wording))
	q.Mention.Concepts = []kb.ConceptID{concept}
	return text.Exemplar{Query: q}
}

// Mentions that alternate between two sentences and two texts each find their own corrections.
func TestCorrectionsByTurns(t *testing.T) {
	dict := organDictionary()
	concept := dict.At(0).ID
	finder := correctionFinder{dictionary: dict, Corrections: (*Corrections)(nil).With(
		[]text.Exemplar{correctedQuery("The CD rose.", "CD", concept)}, []text.Exemplar{correctedQuery("no CD", "CD", concept)})}
	const first, second = "A low CD. ", "The\u00a0CD rose."
	doc := &text.Document{Text: first + second}
	inFirst, inSecond := queryOf(doc, 6, 8), queryOf(doc, len(first)+5, len(first)+7)
	inFirst.Sentence.End, inSecond.Sentence.Start = len(first), len(first)
	single, other := queryOf(&text.Document{Text: "no CD"}, 3, 5), queryOf(&text.Document{Text: "CD CD"}, 3, 5)
	for round := range 2 {
		for name, test := range map[string]struct {
			q    text.Query
			want bool
		}{"first": {inFirst, false}, "second": {inSecond, true}, "single": {single, true}, "other text": {other, false}} {
			must.Equal(t, finder.find(&test.q) != nil, test.want, "round", round, name, "the mention", test.q.Surface(),
				"is corrected")
		}
	}
}

// TestCorrectedAmongOthers: a corrected mention does not change the answers of the mentions after it.
func TestCorrectedAmongOthers(t *testing.T) {
	m := ulcerModel(t)
	resolver := must.Get(NewMentionResolver(m, must.Get(newRanker(m, MethodOptions{})), AllComponents))
	resolver.Corrections = (*Corrections)(nil).With([]text.Exemplar{correctedQuery("A low CD.", "CD", "G1")}, nil)
	queries := []text.Query{correctedQuery("A low CD.", "CD", "").Query, fixtures.Query(t, "a <gastric ulcer>")}
	for i, m := range must.Get(resolver.LinkMentions(t.Context(), queries, 1)) {
		if len(m.Candidates) != 1 || (m.Candidates[0].Concept == "G1") != (i == 0) {
			t.Errorf("mention %d: %+v, want a candidate, G1 for the first alone", i, m)
		}
	}
}

// Correcting 40,000 mentions in a sentence of 200 kB takes time linear in its length.
func TestCorrectionsInTime(t *testing.T) {
	const mentions, word = 40_000, "gout "
	dict := organDictionary()
	finder := correctionFinder{dictionary: dict,
		Corrections: (*Corrections)(nil).With([]text.Exemplar{correctedQuery("A low CD.", "CD", dict.At(0).ID)}, nil)}
	doc := &text.Document{Text: strings.Repeat(word, mentions)}
	begin := time.Now()
	for i := range mentions {
		q := queryOf(doc, i*len(word), (i+1)*len(word)-1)
		if finder.find(&q) != nil {
			t.Fatal("a mention is corrected")
		}
	}
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}

// listingEncoder records the sentences that it encodes.
type listingEncoder struct {
	*fixtures.BagOfWords
	mu      sync.Mutex
	encoded []string
}

// Encode implements [text.Encoder].
func (e *listingEncoder) Encode(ctx context.Context, dst []float32, queries []text.Query) error {
	e.mu.Lock()
	for i := range queries {
		e.encoded = append(e.encoded, queries[i].Sentence.Of(queries[i].Text))
	}
	e.mu.Unlock()
	return e.BagOfWords.Encode(ctx, dst, queries)
}

// cascadeModel returns a model that is calibrated for a cascade with these bounds, and its encoder.
func cascadeModel(t *testing.T, row model.CascadeRow) (*model.Model, *listingEncoder) {
	t.Helper()
	encoder := &listingEncoder{BagOfWords: fixtures.GutEncoder()}
	m := modeltest.Open(t, modeltest.Build(t, encoder.BagOfWords, modeltest.Ulcer), encoder)
	prior, without := PriorWeights(m, AllComponents), PriorWeights(m.WithoutEncoder(), AllComponents)
	row.Budget = .001
	m.Calibration = &model.Calibration{
		Weights: RankingFeatures.ByName(prior), MinProbability: .3,
		WithoutEncoder: &model.Calibration{Weights: RankingFeatures.ByName(without)},
		Cascade:        &model.CascadeCalibration{Mentions: 1, Rows: []model.CascadeRow{row}},
	}
	return m, encoder
}

// cascadeOf returns a resolver that may change the fraction budget of its answers.
func cascadeOf(t *testing.T, m *model.Model, o MethodOptions, budget float64) *MentionResolver {
	t.Helper()
	ranker := must.Get(newRanker(m, o))
	resolver := must.Get(NewMentionResolver(m, ranker, AllComponents))
	must.Succeed(t, resolver.AddCascade(budget))
	return resolver
}

// sameResults compares results with a tolerance for probabilities and scores.
var sameResults = cmp.Options{cmpopts.EquateApprox(0, 1e-9)}

// randomMentions returns mentions of words from names and other words, each in a sentence of its own.
func randomMentions(t *testing.T) []text.Query {
	t.Helper()
	random := rand.New(rand.NewPCG(3, 4))
	words := strings.Fields("gastric coeliac peptic ulcer disease bleeding belly pain sprue of and")
	var queries []text.Query
	for range 200 {
		mention := make([]string, 1+random.IntN(3))
		for i := range mention {
			mention[i] = words[random.IntN(len(words))]
		}
		queries = append(queries, fixtures.Query(t, "aspirin and <"+strings.Join(mention, " ")+"> in a patient"))
	}
	return queries
}

// TestCascade compares the cascade with the ranking of all mentions, with bounds that settle all, some or no mentions.
func TestCascade(t *testing.T) {
	t.Parallel()
	queries := randomMentions(t)
	for _, bounds := range []model.CascadeRow{
		{Low: -1, High: 2}, {Low: 1, High: 0}, {Low: .2, High: .6}, {Low: -1, High: .5},
	} {
		m, _ := cascadeModel(t, bounds)
		o := MethodOptions{MinProbability: m.Calibration.MinProbability}
		exact := must.Get(cascadeOf(t, m, o, 0).linkAll(t.Context(), queries, 3))
		quick := must.Get(cascadeOf(t, m.WithoutEncoder(), o, 0).linkAll(t.Context(), queries, 3))
		resolver := cascadeOf(t, m, o, m.Calibration.Cascade.Rows[0].Budget)
		got := must.Get(resolver.LinkMentions(t.Context(), queries, 3))
		settled := 0
		var counts CascadeCounts
		for i := range queries {
			want := exact[i]
			isSettled := !slices.ContainsFunc(quick[i].first, func(p FirstProbability) bool { return p.AgainstNIL > bounds.Low && p.OfAll < bounds.High })
			switch {
			case !isSettled:
				counts.Encoder++
			case len(quick[i].Candidates) == 0:
				counts.NIL++
			default:
				counts.Concept++
			}
			if isSettled {
				settled++
				want = quick[i]
			}
			must.EqualBy(t, sameResults, got[i], want.mention(), bounds, queries[i].Surface())
		}
		must.Equal(t, resolver.CascadeCounts(), counts, bounds, "counts")
		if some := bounds.High == .6; (settled > 0 && settled < len(queries)) != some && bounds.High != .5 {
			t.Errorf("%+v settle %d of %d mentions", bounds, settled, len(queries))
		}
	}
}

// TestCascadeEncodes tests what is encoded for a mention.
func TestCascadeEncodes(t *testing.T) {
	t.Parallel()
	const sentence = "aspirin and gastric ulcer in a patient"
	known, unknown := fixtures.Query(t, "aspirin and <gastric ulcer> in a patient"), fixtures.Query(t, "aspirin and <ulcer of the belly> in a patient")
	for _, test := range []struct {
		name    string
		row     model.CascadeRow
		options MethodOptions
		budget  float64
		query   text.Query
		want    []string
	}{
		{"a name, no budget", model.CascadeRow{Low: -1, High: .5}, MethodOptions{}, 0, known, []string{"gastric ulcer", sentence}},
		{"a name", model.CascadeRow{Low: -1, High: .5}, MethodOptions{}, .001, known, nil},
		{"a name with its evidence", model.CascadeRow{Low: -1, High: .5}, MethodOptions{Evidence: true}, .001, known, []string{"gastric ulcer", sentence}},
		{"a budget below the calibrated ones", model.CascadeRow{Low: -1, High: .5}, MethodOptions{}, .0005, known, []string{"gastric ulcer", sentence}},
		{"no name", model.CascadeRow{Low: -1, High: .999}, MethodOptions{}, .001, unknown, []string{"aspirin and ulcer of the belly in a patient", "ulcer of the belly"}},
		{"NIL, but every mention is to be answered", model.CascadeRow{Low: 1, High: 2}, MethodOptions{}, .001, known, []string{"gastric ulcer", sentence}},
		{"NIL", model.CascadeRow{Low: 1, High: 2}, MethodOptions{MinProbability: .3}, .001, known, nil},
	} {
		m, encoder := cascadeModel(t, test.row)
		resolver := cascadeOf(t, m, test.options, test.budget)
		encoder.encoded = nil
		must.Get(resolver.LinkMentions(t.Context(), []text.Query{test.query}, 3))
		slices.Sort(encoder.encoded)
		slices.Sort(test.want)
		must.EqualBy(t, cmpopts.EquateEmpty(), encoder.encoded, test.want, test.name, "encoded")
	}
}

// TestBareMentionsAreEncodedOnce: a surface form in two documents that are linked together is encoded once.
func TestBareMentionsAreEncodedOnce(t *testing.T) {
	t.Parallel()
	m, encoder := cascadeModel(t, model.CascadeRow{})
	resolver := cascadeOf(t, m, MethodOptions{}, 0)
	encoder.encoded = nil
	const marked = "a <gastric ulcer> once more"
	results := must.Get(resolver.LinkMentions(t.Context(), []text.Query{fixtures.Query(t, marked), fixtures.Query(t, marked)}, 3))
	if !cmp.Equal(results[0], results[1], sameResults) {
		t.Errorf("%v, want %v as for the first", results[1], results[0])
	}
	bare := 0
	for _, sentence := range encoder.encoded {
		if sentence == "gastric ulcer" {
			bare++
		}
	}
	must.Equal(t, bare, 1, "times that the bare mention is encoded", encoder.encoded)
}

// TestCascadeOfEnglishWords: a word with several senses in English always goes to the encoder.
func TestCascadeOfEnglishWords(t *testing.T) {
	t.Parallel()
	encoder := &fixtures.BagOfWords{Name: "hives", Vocabulary: strings.Fields("hives gastric ulcer")}
	base := &fixtures.BagOfWords{Name: "base", Vocabulary: strings.Fields("itching bees")}
	m := hivesModel(t, encoder, func(o *model.BuildOptions) { o.BaseEncoder, o.BaseEncoderDir = base, fixtures.EncoderDir(t) })
	zero := RankingFeatures.ByName(make([]float64, len(RankingFeatures.features)))
	m.Calibration = &model.Calibration{
		Weights: zero, WithoutEncoder: &model.Calibration{Weights: zero},
		Cascade: &model.CascadeCalibration{Mentions: 1, Rows: []model.CascadeRow{{Budget: .001, Low: 1, High: 0}}}, // settles all
	}
	resolver := cascadeOf(t, m, MethodOptions{MinProbability: .1}, .001)
	queries := []text.Query{fixtures.Query(t, "bees in <hives>"), fixtures.Query(t, "<gastric ulcer>"), fixtures.Query(t, "a bee <hive>")}
	must.Get(resolver.LinkMentions(t.Context(), queries, 1))
	if got := resolver.CascadeCounts(); got.Encoder != 2 || got.Concept+got.NIL != 1 {
		t.Errorf("%+v, want two mentions with the encoder and one without", got)
	}
}

// TestCost: a different answer costs 1, and NIL instead of a concept costs the probability of the concept.
func TestCost(t *testing.T) {
	concept := func(id kb.ConceptID, p float64) resolved {
		return resolved{first: []FirstProbability{{OfAll: p}}, Mention: linked.Mention{Candidates: []linked.Candidate{{Concept: id}}}}
	}
	answers := map[string]resolved{
		"A": concept("A", .2), "B": concept("B", .7), "NIL": {first: []FirstProbability{{OfAll: .05}}},
		"two": {first: []FirstProbability{{OfAll: .3}, {OfAll: .6}}, Mention: linked.Mention{
			Candidates: []linked.Candidate{{Concept: "A"}}, SubMentions: make([]linked.SubMention, 2),
		}},
	}
	for _, test := range []struct {
		quick, exact string
		want         float64
	}{
		{"A", "A", 0}, {"NIL", "NIL", 0}, {"two", "two", 0}, {"A", "B", 1}, {"B", "NIL", 1}, {"two", "A", 1},
		{"NIL", "A", .2}, {"NIL", "B", .7}, {"NIL", "two", .6},
	} {
		quick, exact := answers[test.quick], answers[test.exact]
		must.Equal(t, cost(&quick, &exact), test.want, test.quick, "instead", test.exact)
	}
}

// A short form that the text defines is tagged by its definition in the whole text: with the concepts of the long form,
// or with no concepts if the dictionary lacks it.
func TestTagDocumentByDefinition(t *testing.T) {
	dict := kb.NewDictionary([]kb.Concept{
		{ID: "E", Name: "atopic dermatitis"},
		{ID: "A", Name: "Alzheimer disease", Synonyms: []string{"AD"}},
	})
	tagger, _, err := matcher.NewTagger(dict, matcher.DefaultNameFilter())
	must.Succeed(t, err)
	for body, want := range map[string][]string{
		"AD is old.": {"AD=[A] "},
		"Atopic dermatitis (AD) itches. AD is red.":  {"Atopic dermatitis=[E] ", "AD=[E] Atopic dermatitis", "AD=[E] Atopic dermatitis"},
		"An autosomal dominant (AD) trait. AD here.": {"AD=[] autosomal dominant", "AD=[] autosomal dominant"},
	} {
		var got []string
		for _, m := range TagDocument(&text.Document{Text: body}, tagger).Mentions {
			ids := ""
			for _, id := range m.Concepts {
				ids += string(id)
			}
			got = append(got, m.Of(body)+"=["+ids+"] "+m.LongForm)
		}
		must.Equal(t, got, want, body)
	}
}

// A sub-mention is linked in the sentence of the whole mention.
func TestSubMentionsKeepTheirSentence(t *testing.T) {
	linker := &recorder{}
	resolver := resolverOf(t, organDictionary(), linker, ComponentComposites)
	must.Get(resolver.Link(t.Context(), []text.Query{fixtures.Query(t, "Before. A case of <breast and ovarian cancer> here.")}, 1))
	want := []string{"A case of breast cancer here.", "A case of ovarian cancer here."}
	must.Equal(t, linker.sentences, want)
}

// recorder returns no candidates and records the sentences of its queries.
type recorder struct{ sentences []string }

func (*recorder) Name() string { return "recorder" }

func (r *recorder) Link(_ context.Context, queries []text.Query, _ int) ([]Ranking, error) {
	for i := range queries {
		r.sentences = append(r.sentences, queries[i].Sentence.Of(queries[i].Text))
	}
	return make([]Ranking, len(queries)), nil
}
