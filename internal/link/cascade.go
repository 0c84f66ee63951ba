package link

import (
	"cmp"
	"context"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// AddCascade makes a resolver whose linker is a [*Ranker] answer mentions without the encoder as long as that costs at
// most the fraction budget of the answers, 0 to 1, see [CascadeSample]. It uses the bounds that calibration found:
//
//	mention -> rank by strings, words and hierarchy -> first candidate's probability
//	           of all >= high           its answer: this candidate
//	           against NIL <= low       its answer: NIL
//	           else                     rank with the encoder
//
// The bounds are those of [model.CascadeCalibration]. A candidate found without the encoder has its probability and
// score in [model.Model.WithoutEncoder], and neither votes nor evidence. All mentions are ranked with the encoder if
// the model has no encoder, no calibration of the cascade or no row within the budget, or with
// [MethodOptions.Evidence]. Words with several senses in English ([sense.English]) always are if the model has a base
// encoder, which tells the senses apart.
func (r *MentionResolver) AddCascade(budget float64) error {
	if budget == 0 || r.ranker == nil || r.ranker.options.Evidence {
		return nil
	}
	m := r.ranker.generator.model
	if m.Vectors == nil || m.Calibration == nil || m.Calibration.WithoutEncoder == nil {
		return nil
	}
	row, ok := m.Calibration.Cascade.Within(budget)
	if !ok {
		return nil
	}
	quick, err := r.withoutEncoder()
	if err != nil {
		return err
	}
	r.quick, r.bounds, r.asksEnglish = quick, row, m.Manifest.BaseEncoder != nil
	if r.ranker.options.MinProbability == 0 { // then a mention with candidates is never NIL
		r.bounds.Low = -1
	}
	return nil
}

// withoutEncoder returns a resolver of the same components for the model without its encoder. They share the index of
// names.
func (r *MentionResolver) withoutEncoder() (*MentionResolver, error) {
	ranker := r.ranker
	m := ranker.generator.model.WithoutEncoder()
	generator := ranker.generator.Generator(m, ranker.generator.components, ranker.generator.own)
	generator.MatchCase = ranker.generator.MatchCase
	quick, err := newCalibratedRanker(generator, ranker.options)
	if err != nil {
		return nil, err
	}
	return NewMentionResolver(m, quick, r.components)
}

// isSettled reports whether the quick resolver settles a query with its result, and counts the outcome. It does if the
// first candidates of the mention, one for each sub-mention, are all outside the bounds.
func (r *MentionResolver) isSettled(q *text.Query, result *resolved) bool {
	isWithin := func(p FirstProbability) bool { return p.AgainstNIL > r.bounds.Low && p.OfAll < r.bounds.High }
	switch {
	case slices.ContainsFunc(result.first, isWithin), r.asksEnglish && sense.English(q.Surface()) != nil:
		r.counts.encoder.Add(1)
		return false
	case len(result.Candidates) == 0:
		r.counts.nil.Add(1)
	default:
		r.counts.concept.Add(1)
	}
	return true
}

// CascadeCounts counts the mentions that a resolver has linked, by how they were answered.
type CascadeCounts struct {
	Concept int64 // without the encoder, with a concept
	NIL     int64 // without the encoder, as NIL
	Encoder int64 // by the ranking with the encoder
}

// CascadeCounts returns the counts of all mentions so far. They are 0 without a cascade.
func (r *MentionResolver) CascadeCounts() CascadeCounts {
	return CascadeCounts{Concept: r.counts.concept.Load(), NIL: r.counts.nil.Load(), Encoder: r.counts.encoder.Load()}
}

// CascadeSample compares how mentions are answered without the encoder and with it.
type CascadeSample struct {
	// Quick holds the probabilities of the first candidates without the encoder: one for each mention, or for each
	// sub-mention of a composite mention.
	Quick [][]FirstProbability
	// Cost holds the cost of each mention's answer without the encoder, in right answers: 0 if the encoder gives the same
	// answer, else 1. If the answer is NIL and the encoder would find a concept, the cost is the probability of that
	// concept. That estimates the number of lost answers: most such concepts are hardly more probable than the threshold.
	Cost []float64
}

// SampleCascade links queries with a calibrated model, with its encoder and without. own maps a document to the rows of
// its contexts, which do not count as evidence for its queries.
func SampleCascade(ctx context.Context, m *model.Model, queries []text.Query,
	own map[string][]int32) (*CascadeSample, error) {
	names, err := NewNameIndex(m)
	if err != nil {
		return nil, err
	}
	generator := names.Generator(m, AllComponents, own)
	ranker, err := newCalibratedRanker(generator, MethodOptions{MinProbability: m.Calibration.MinProbability})
	if err != nil {
		return nil, err
	}
	resolver, err := NewMentionResolver(m, ranker, AllComponents)
	if err != nil {
		return nil, err
	}
	quick, err := resolver.withoutEncoder()
	if err != nil {
		return nil, err
	}
	exact, err := resolver.linkAll(ctx, queries, 1)
	if err != nil {
		return nil, err
	}
	results, err := quick.linkAll(ctx, queries, 1)
	if err != nil {
		return nil, err
	}
	sample := new(CascadeSample)
	for i := range results {
		sample.Quick, sample.Cost = append(sample.Quick, results[i].first), append(sample.Cost, cost(&results[i], &exact[i]))
	}
	return sample, nil
}

// cost returns the cost of a quick answer, given the exact one, as [CascadeSample] defines it.
func cost(quick, exact *resolved) float64 {
	switch {
	case sameFirst(quick.Candidates, exact.Candidates) && slices.EqualFunc(quick.SubMentions, exact.SubMentions,
		func(a, b linked.SubMention) bool { return sameFirst(a.Candidates, b.Candidates) }):
		return 0
	case len(quick.Candidates) > 0 || len(exact.first) == 0:
		return 1
	}
	return slices.MaxFunc(exact.first, func(a, b FirstProbability) int { return cmp.Compare(a.OfAll, b.OfAll) }).OfAll
}

func sameFirst(a, b []linked.Candidate) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	return a[0].Concept == b[0].Concept
}
