package link

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// listingEncoder lists the sentences that it encodes.
type listingEncoder struct {
	*linktest.BagOfWords
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

// cascadeModel returns a model with an encoder that is calibrated for a cascade with these
// bounds, and its encoder.
func cascadeModel(t *testing.T, row model.CascadeRow) (*model.Model, *listingEncoder) {
	t.Helper()
	encoder := &listingEncoder{BagOfWords: linktest.GutEncoder()}
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

// cascadeOf returns a resolver of a model that lets the share budget of its answers change.
func cascadeOf(t *testing.T, m *model.Model, o RankOptions, budget float64) *MentionResolver {
	t.Helper()
	ranker := must(newRanker(m, o))
	resolver := must(NewMentionResolver(m, ranker, ResolverOptions{Components: AllComponents, ExactBudget: budget}))
	return resolver
}

// sameResults ignores what a result holds beside its answer.
var sameResults = cmp.Options{cmpopts.EquateApprox(0, 1e-9)}

// randomMentions returns mentions of words of names and others, in one sentence each.
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
		queries = append(queries, linktest.Query(t, "aspirin and <"+strings.Join(mention, " ")+"> in a patient"))
	}
	return queries
}

// TestCascade compares the cascade with the ranking of all mentions, by bounds that settle all,
// some and none.
func TestCascade(t *testing.T) {
	t.Parallel()
	queries := randomMentions(t)
	for _, bounds := range []model.CascadeRow{
		{Low: -1, High: 2}, {Low: 1, High: 0}, {Low: .2, High: .6}, {Low: -1, High: .5},
	} {
		m, _ := cascadeModel(t, bounds)
		o := RankOptions{MinProbability: m.Calibration.MinProbability}
		exact := must(cascadeOf(t, m, o, 0).linkAll(t.Context(), queries, 3))
		quick := must(cascadeOf(t, m.WithoutEncoder(), o, 0).linkAll(t.Context(), queries, 3))
		resolver := cascadeOf(t, m, o, m.Calibration.Cascade.Rows[0].Budget)
		got := must(resolver.LinkMentions(t.Context(), queries, 3))
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
			if diff := cmp.Diff(want.mention(), got[i], sameResults); diff != "" {
				t.Errorf("%+v: %q (-want +got):\n%s", bounds, queries[i].Surface(), diff)
			}
		}
		if diff := cmp.Diff(counts, resolver.CascadeCounts()); diff != "" {
			t.Errorf("%+v: counts (-want +got):\n%s", bounds, diff)
		}
		if some := bounds.High == .6; (settled > 0 && settled < len(queries)) != some && bounds.High != .5 {
			t.Errorf("%+v settle %d of %d mentions", bounds, settled, len(queries))
		}
	}
}

// TestCascadeEncodes: what is encoded for a mention.
func TestCascadeEncodes(t *testing.T) {
	t.Parallel()
	const sentence = "aspirin and gastric ulcer in a patient"
	known, unknown := linktest.Query(t, "aspirin and <gastric ulcer> in a patient"), linktest.Query(t, "aspirin and <ulcer of the belly> in a patient")
	for _, test := range []struct {
		name    string
		row     model.CascadeRow
		options RankOptions
		budget  float64
		query   text.Query
		want    []string
	}{
		{"a name, no budget", model.CascadeRow{Low: -1, High: .5}, RankOptions{}, 0, known, []string{"gastric ulcer", sentence}},
		{"a name", model.CascadeRow{Low: -1, High: .5}, RankOptions{}, .001, known, nil},
		{"a name with its evidence", model.CascadeRow{Low: -1, High: .5}, RankOptions{Evidence: true}, .001, known, []string{"gastric ulcer", sentence}},
		{"a budget below the calibrated ones", model.CascadeRow{Low: -1, High: .5}, RankOptions{}, .0005, known, []string{"gastric ulcer", sentence}},
		{"no name", model.CascadeRow{Low: -1, High: .999}, RankOptions{}, .001, unknown, []string{"aspirin and ulcer of the belly in a patient", "ulcer of the belly"}},
		{"NIL, but every mention is to be answered", model.CascadeRow{Low: 1, High: 2}, RankOptions{}, .001, known, []string{"gastric ulcer", sentence}},
		{"NIL", model.CascadeRow{Low: 1, High: 2}, RankOptions{MinProbability: .3}, .001, known, nil},
	} {
		m, encoder := cascadeModel(t, test.row)
		resolver := cascadeOf(t, m, test.options, test.budget)
		encoder.encoded = nil
		if _, err := resolver.LinkMentions(t.Context(), []text.Query{test.query}, 3); err != nil {
			t.Fatal(err)
		}
		slices.Sort(encoder.encoded)
		slices.Sort(test.want)
		if diff := cmp.Diff(test.want, encoder.encoded, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: encoded (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestBareMentionsAreEncodedOnce: a wording is encoded once for the mentions of two documents that
// are linked together.
func TestBareMentionsAreEncodedOnce(t *testing.T) {
	t.Parallel()
	m, encoder := cascadeModel(t, model.CascadeRow{})
	resolver := cascadeOf(t, m, RankOptions{}, 0)
	encoder.encoded = nil
	const marked = "a <gastric ulcer> once more"
	results := must(resolver.LinkMentions(t.Context(), []text.Query{linktest.Query(t, marked), linktest.Query(t, marked)}, 3))
	if !cmp.Equal(results[0], results[1], sameResults) {
		t.Errorf("%v, want %v as for the first", results[1], results[0])
	}
	bare := 0
	for _, sentence := range encoder.encoded {
		if sentence == "gastric ulcer" {
			bare++
		}
	}
	if bare != 1 {
		t.Errorf("encoded %q, the bare mention %d times, want 1", encoder.encoded, bare)
	}
}

// TestCascadeOfEnglishWords: a word with several senses in English is never settled without the encoder.
func TestCascadeOfEnglishWords(t *testing.T) {
	t.Parallel()
	encoder := &linktest.BagOfWords{Name: "hives", Vocabulary: strings.Fields("hives gastric ulcer")}
	base := &linktest.BagOfWords{Name: "base", Vocabulary: strings.Fields("itching bees")}
	m := hivesModel(t, encoder, func(o *model.BuildOptions) { o.BaseEncoder, o.BaseEncoderDir = base, linktest.EncoderDir(t) })
	zero := RankingFeatures.ByName(make([]float64, len(RankingFeatures.features)))
	m.Calibration = &model.Calibration{
		Weights: zero, WithoutEncoder: &model.Calibration{Weights: zero},
		Cascade: &model.CascadeCalibration{Mentions: 1, Rows: []model.CascadeRow{{Budget: .001, Low: 1, High: 0}}}, // settles all
	}
	resolver := cascadeOf(t, m, RankOptions{MinProbability: .1}, .001)
	queries := []text.Query{linktest.Query(t, "bees in <hives>"), linktest.Query(t, "<gastric ulcer>"), linktest.Query(t, "a bee <hive>")}
	if _, err := resolver.LinkMentions(t.Context(), queries, 1); err != nil {
		t.Fatal(err)
	}
	if got := resolver.CascadeCounts(); got.Encoder != 2 || got.Concept+got.NIL != 1 {
		t.Errorf("%+v, want two mentions with the encoder and one without", got)
	}
}

// TestCost: another answer costs one, and NIL instead of a concept as much as the concept is probable.
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
		if got := cost(&quick, &exact); got != test.want {
			t.Errorf("%s instead of %s costs %g, want %g", test.quick, test.exact, got, test.want)
		}
	}
}
