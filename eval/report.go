package eval

import (
	"fmt"
	"maps"
	"slices"

	"github.com/ctxnorm/ctxnorm/text"
)

// Report is the outcome of an evaluation: the results of one or more linkers on the same gold mentions, and their
// comparisons. Its Write methods print it, and encoding/json encodes and decodes it.
type Report struct {
	Gold          []string       `json:"gold"`               // files of the gold annotations
	Types         []string       `json:"types,omitempty"`    // requested entity types; empty for all
	Model         string         `json:"model,omitempty"`    // model folder
	Dictionary    string         `json:"dictionary"`         // hash of the dictionary that the linker uses
	HeldOut       int            `json:"held_out,omitempty"` // concepts held out of the model and of the evaluated set
	Seed          uint64         `json:"seed"`               // seed of the bootstrap
	Documents     int            `json:"documents"`          // documents with a mention
	Mentions      int            `json:"mentions"`           // mentions of these types
	Outside       int            `json:"outside"`            // mentions outside the evaluated set
	Composite     int            `json:"composite"`          // composite mentions
	Malformed     int            `json:"unreadable"`         // malformed records in the gold files, which were skipped
	Contamination *Contamination `json:"contamination,omitempty"`
	Results       []Result       `json:"results"`
	Comparisons   []Comparison   `json:"comparisons,omitempty"`
}

// NewReport returns a report that describes the gold mentions. The caller sets Model, Dictionary, HeldOut,
// Contamination, Results and Comparisons.
func NewReport(gold *Gold, seed uint64) *Report {
	r := &Report{Gold: gold.Files, Types: gold.Types, Seed: seed, Mentions: len(gold.Mentions),
		Malformed: len(gold.Malformed)}
	documents := make(map[*text.Document]bool)
	for i := range gold.Mentions {
		m := &gold.Mentions[i]
		documents[m.Query.Document] = true
		if !m.InSet() {
			r.Outside++
		}
		if m.Query.Mention.Composite {
			r.Composite++
		}
	}
	r.Documents = len(documents)
	return r
}

// Result measures the predictions of one linker under one policy.
type Result struct {
	Linker    string `json:"linker"`
	Policy    string `json:"policy"`
	Documents int    `json:"documents"` // documents with an evaluated mention
	Mentions  int    `json:"mentions"`  // evaluated mentions
	// Acc@1, Acc@5, Acc@20, MRR, coverage, risk; NIL precision, recall and F1 if the policy scores NIL as correct;
	// groups right if the gold has groups
	Metrics  []Metric       `json:"metrics"`
	Slices   []SliceResult  `json:"slices"`
	Failures []FailureCount `json:"failures"`
	// Relations is set by the caller, with the function [Relations].
	Relations []FailureCount `json:"relations,omitempty"`
	// Confidence is nil if the linker returns no probabilities.
	Confidence *Confidence `json:"confidence,omitempty"`
}

// SliceResult measures the mentions of one slice.
type SliceResult struct {
	Name    string   `json:"name"`
	Metrics []Metric `json:"metrics"` // Acc@1, Acc@5
}

// NewResult scores the predictions of a linker under a policy, in total and for each slice.
//
// MRR is the mean of 1/rank within depth, with 0 for mentions without a correct candidate. Coverage is the share of
// mentions with any candidate. Risk is the share of these whose prediction is wrong at rank 1.
func NewResult(linker string, predictions []Prediction, policy Policy, mentionSlices []Slice, seed uint64) Result {
	all := evaluate(predictions, policy, AllMentions())
	_, documents := documentNumbers(len(all.predictions), all.mention)
	r := Result{
		Linker: linker, Policy: policy.Name, Documents: documents, Mentions: len(all.predictions),
		Confidence: newConfidence(all, policy, seed),
		Metrics:    all.metrics(seed, accuracy(1), accuracy(5), accuracy(depth), reciprocalRank, coverage, risk),
	}
	for _, g := range all.failures(policy) {
		r.Failures = append(r.Failures, g.FailureCount)
	}
	if policy.ScoresNIL {
		r.Metrics = append(r.Metrics, all.metrics(seed, nilPrecision, nilRecall, nilF1)...)
	}
	if groups := all.groupsRight(seed); groups.Denominator > 0 {
		r.Metrics = append(r.Metrics, groups)
	}
	for _, s := range mentionSlices {
		of := evaluate(predictions, policy, s)
		r.Slices = append(r.Slices, SliceResult{s.Name, of.metrics(seed, accuracy(1), accuracy(5))})
	}
	return r
}

// evaluated holds the predictions that a policy evaluates within a slice, with their ranks.
type evaluated struct {
	predictions []*Prediction
	ranks       []int // parallel to predictions; see Policy.rank
}

func evaluate(predictions []Prediction, policy Policy, slice Slice) evaluated {
	var e evaluated
	for i := range predictions {
		if p := &predictions[i]; policy.evaluates(p.Mention) && slice.Contains(p.Mention) {
			e.add(p, policy)
		}
	}
	return e
}

func (e *evaluated) add(p *Prediction, policy Policy) {
	e.predictions, e.ranks = append(e.predictions, p), append(e.ranks, policy.rank(p))
}

func (e *evaluated) mention(i int) *GoldMention { return e.predictions[i].Mention }

// answers reports whether a prediction is not NIL.
func (e *evaluated) answers(i int) bool { return len(e.predictions[i].Candidates) > 0 }

// measure is a mean over the evaluated mentions. value returns the contribution of a mention to the numerator and the
// denominator.
type measure struct {
	name  string
	value func(e *evaluated, i int) Sum
}

// share returns the measure of the share of right mentions among those that count.
func share(name string, right, counts func(e *evaluated, i int) bool) measure {
	return measure{name, func(e *evaluated, i int) Sum {
		if !counts(e, i) {
			return Sum{}
		}
		return Sum{oneIf(right(e, i)), 1}
	}}
}

var (
	anyMention       = func(*evaluated, int) bool { return true }
	predictedConcept = (*evaluated).answers
	predictedNIL     = func(e *evaluated, i int) bool { return !e.answers(i) }
	goldNIL          = func(e *evaluated, i int) bool { return !e.mention(i).InSet() }

	coverage       = share("coverage", predictedConcept, anyMention)
	risk           = share("risk", func(e *evaluated, i int) bool { return e.ranks[i] != 1 }, predictedConcept)
	reciprocalRank = measure{"MRR", func(e *evaluated, i int) Sum {
		if e.ranks[i] == 0 {
			return Sum{0, 1}
		}
		return Sum{1 / float64(e.ranks[i]), 1}
	}}

	nilPrecision = share("NIL precision", goldNIL, predictedNIL)
	nilRecall    = share("NIL recall", predictedNIL, goldNIL)
	nilF1        = measure{"NIL F1", func(e *evaluated, i int) Sum { // 2 |predicted and gold| / (|predicted| + |gold|)
		p, r := nilPrecision.value(e, i), nilRecall.value(e, i)
		return Sum{p.Value + r.Value, p.N + r.N}
	}}
)

// accuracy returns the measure Acc@k.
func accuracy(k int) measure {
	isRight := func(e *evaluated, i int) bool { return 0 < e.ranks[i] && e.ranks[i] <= k }
	return share(fmt.Sprintf("Acc@%d", k), isRight, anyMention)
}

// metrics returns measures with their intervals.
func (e *evaluated) metrics(seed uint64, measures ...measure) (metrics []Metric) {
	for _, m := range measures {
		sums := SumByDocument(len(e.predictions), e.mention, func(i int) Sum { return m.value(e, i) })
		metrics = append(metrics, NewMetric(m.name, sums, seed))
	}
	return metrics
}

// ratio returns a measure without its interval.
func (e *evaluated) ratio(m measure) Ratio {
	var total Sum
	for i := range e.predictions {
		total.add(m.value(e, i), 1)
	}
	return newRatio(total.Value, total.N)
}

// groupsRight returns the share of groups of documents with all mentions right at rank 1, with an interval over groups.
// Documents without a group do not count.
func (e *evaluated) groupsRight(seed uint64) Metric {
	wrong := make(map[string]float64)
	for i, p := range e.predictions {
		if group := p.Mention.Query.Group; group != "" {
			wrong[group] += oneIf(e.ranks[i] != 1)
		}
	}
	var sums []Sum
	for _, group := range slices.Sorted(maps.Keys(wrong)) {
		sums = append(sums, Sum{oneIf(wrong[group] == 0), 1})
	}
	return NewMetric("groups right", sums, seed)
}

func oneIf(condition bool) float64 {
	if condition {
		return 1
	}
	return 0
}
