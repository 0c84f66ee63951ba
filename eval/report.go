package eval

import (
	"fmt"
	"slices"

	"github.com/ctxnorm/ctxnorm/text"
)

// Report is the outcome of an evaluation: the results of one or more linkers on the
// same gold mentions, and comparisons of them. Package report prints it, and
// encoding/json encodes and decodes it.
type Report struct {
	Gold          []string       `json:"gold"`               // files of the gold annotations
	Types         []string       `json:"types,omitempty"`    // entity types that were read; empty for all
	Model         string         `json:"model,omitempty"`    // model folder
	Dictionary    string         `json:"dictionary"`         // hash of the dictionary that was linked to
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

// NewReport returns a report that describes the gold mentions. The caller sets
// Model, Dictionary, HeldOut, Contamination, Results and Comparisons.
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
	// Relations is set by the caller, from the function [Relations].
	Relations []RelationCount `json:"relations,omitempty"`
	// Confidence is nil if the linker returns no probabilities.
	Confidence *Confidence `json:"confidence,omitempty"`
}

// SliceResult measures the mentions of one slice.
type SliceResult struct {
	Name    string   `json:"name"`
	Metrics []Metric `json:"metrics"` // Acc@1, Acc@5
}

// NewResult scores the predictions of a linker under a policy, in total and for
// each slice.
//
// MRR is the mean of 1/rank within depth, with 0 for mentions without a correct
// candidate. Coverage is the share of mentions with any candidate. Risk is the
// share of those whose prediction is wrong at 1.
func NewResult(linker string, predictions []Prediction, policy Policy, mentionSlices []Slice, seed uint64) Result {
	all := evaluate(predictions, policy, AllMentions())
	r := Result{
		Linker: linker, Policy: policy.Name,
		Documents:  len(sumPredictions(all.predictions, func(int) (float64, bool) { return 1, true })),
		Mentions:   len(all.predictions),
		Confidence: newConfidence(all, policy, seed),
	}
	for _, g := range all.failures(policy) {
		r.Failures = append(r.Failures, g.FailureCount)
	}
	r.Metrics = append(all.accuracy(seed, 1, 5, depth), all.meanReciprocalRank(seed), all.coverage(seed),
		all.risk(seed))
	if policy.NIL == NILCorrect {
		r.Metrics = append(r.Metrics, all.nilMetrics(seed)...)
	}
	if groups := all.groupsRight(seed); groups.Denominator > 0 {
		r.Metrics = append(r.Metrics, groups)
	}
	for _, s := range mentionSlices {
		r.Slices = append(r.Slices, SliceResult{s.Name, evaluate(predictions, policy, s).accuracy(seed, 1, 5)})
	}
	return r
}

// evaluated holds the predictions that a policy evaluates within a slice, with
// their ranks.
type evaluated struct {
	predictions []*Prediction
	ranks       []int // parallel to predictions; see Policy.rank
}

func evaluate(predictions []Prediction, policy Policy, slice Slice) evaluated {
	var e evaluated
	for i := range predictions {
		p := &predictions[i]
		if policy.evaluates(p.Mention) && slice.Contains(p.Mention) {
			e.predictions = append(e.predictions, p)
			e.ranks = append(e.ranks, policy.rank(p))
		}
	}
	return e
}

func (e evaluated) accuracy(seed uint64, depths ...int) []Metric {
	var metrics []Metric
	for _, k := range depths {
		hits := sumPredictions(e.predictions, func(i int) (float64, bool) {
			return oneIf(0 < e.ranks[i] && e.ranks[i] <= k), true
		})
		metrics = append(metrics, NewMetric(fmt.Sprintf("Acc@%d", k), hits, seed))
	}
	return metrics
}

func (e evaluated) meanReciprocalRank(seed uint64) Metric {
	return NewMetric("MRR", sumPredictions(e.predictions, func(i int) (float64, bool) {
		if e.ranks[i] == 0 {
			return 0, true
		}
		return 1 / float64(e.ranks[i]), true
	}), seed)
}

func (e evaluated) coverage(seed uint64) Metric {
	return NewMetric("coverage", sumPredictions(e.predictions, func(i int) (float64, bool) {
		return oneIf(len(e.predictions[i].Candidates) > 0), true
	}), seed)
}

func (e evaluated) risk(seed uint64) Metric {
	return NewMetric("risk", sumPredictions(e.predictions, func(i int) (float64, bool) {
		return oneIf(e.ranks[i] != 1), len(e.predictions[i].Candidates) > 0
	}), seed)
}

// nilMetrics returns precision, recall and F1 of NIL predictions: mentions without a
// candidate are the predicted NILs, mentions outside the evaluated set the gold ones.
func (e evaluated) nilMetrics(seed uint64) []Metric {
	outside := func(i int) bool { return !e.predictions[i].Mention.InSet() }
	abstained := func(i int) bool { return len(e.predictions[i].Candidates) == 0 }
	precision := sumPredictions(e.predictions, func(i int) (float64, bool) { return oneIf(outside(i)), abstained(i) })
	recall := sumPredictions(e.predictions, func(i int) (float64, bool) { return oneIf(abstained(i)), outside(i) })
	f1 := make([]Sum, len(precision)) // F1 = 2 |predicted and gold| / (|predicted| + |gold|)
	for i := range f1 {
		f1[i] = Sum{precision[i].Value + recall[i].Value, precision[i].N + recall[i].N}
	}
	return []Metric{
		NewMetric("NIL precision", precision, seed),
		NewMetric("NIL recall", recall, seed),
		NewMetric("NIL F1", f1, seed),
	}
}

// groupsRight returns the share of the groups of documents all of whose mentions are right at
// 1, with an interval over groups. Documents without a group are not counted.
func (e evaluated) groupsRight(seed uint64) Metric {
	wrong := make(map[string]int)
	var groups []string
	for i, p := range e.predictions {
		group := p.Mention.Query.Group
		if group == "" {
			continue
		}
		if _, known := wrong[group]; !known {
			wrong[group] = 0
			groups = append(groups, group)
		}
		if e.ranks[i] != 1 {
			wrong[group]++
		}
	}
	slices.Sort(groups)
	sums := make([]Sum, len(groups))
	for i, group := range groups {
		sums[i] = Sum{oneIf(wrong[group] == 0), 1}
	}
	return NewMetric("groups right", sums, seed)
}

func oneIf(condition bool) float64 {
	if condition {
		return 1
	}
	return 0
}

// sumPredictions is [SumByDocument] of predictions.
func sumPredictions(predictions []*Prediction, value func(i int) (v float64, included bool)) []Sum {
	return SumByDocument(len(predictions), func(i int) *GoldMention { return predictions[i].Mention }, value)
}
