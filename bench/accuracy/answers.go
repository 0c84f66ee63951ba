package main

import (
	"fmt"
	"slices"
	"strconv"

	"ctxnorm/eval"
)

// mistakeTable splits the mistakes of the final system: whether the right concept is
// among the candidates, and how the first one stands to it in the tree.
func mistakeTable(seeds []seed, sets []string) table {
	t := table{
		title: "Mistakes of `ranked`", note: "Shares of all mentions: how it fails, and, of what is given a candidate, how the first one stands to the gold.",
		header: append([]string{"mistake"}, overSets(sets, "")...), words: 1,
	}
	kinds := mistakes(seeds, sets)
	for _, kind := range kinds {
		row := []string{kind}
		for _, set := range sets {
			row = append(row, collect(seeds, func(s *seed) (float64, bool) {
				r := s.result("model", set, policy, final)
				if r == nil {
					return 0, false
				}
				return shareOf(r, kind), true
			}).String())
		}
		t.add(row...)
	}
	return t
}

// mistakes lists the ways to fail and the relations that occur, in their order.
func mistakes(seeds []seed, sets []string) []string {
	var found []string
	for i := range seeds {
		for _, set := range sets {
			r := seeds[i].result("model", set, policy, final)
			if r == nil {
				continue
			}
			for _, f := range r.Failures {
				if f.Mentions > 0 && !slices.Contains(found, string(f.Kind)) {
					found = append(found, string(f.Kind))
				}
			}
			for _, row := range r.Relations {
				if row.Mentions > 0 && !slices.Contains(found, string(row.Relation)) {
					found = append(found, string(row.Relation))
				}
			}
		}
	}
	return found
}

// shareOf is the share of mentions with a mistake of the kind.
func shareOf(r *eval.Result, kind string) float64 {
	for _, f := range r.Failures {
		if string(f.Kind) == kind {
			return float64(f.Mentions) / float64(max(1, f.Of))
		}
	}
	for _, row := range r.Relations {
		if string(row.Relation) == kind {
			return float64(row.Mentions) / float64(max(1, row.Of))
		}
	}
	return 0
}

// confidenceTable says what the probabilities of the final system are worth.
func confidenceTable(seeds []seed, sets []string) table {
	t := table{
		title: "Probabilities of `ranked`", note: "Expected calibration error (15 bins), and what eval --help says of the others.",
		header: append([]string{"figure"}, overSets(sets, "")...), words: 1,
	}
	for _, name := range []string{"ECE", "overconfidence", "AURC", "AUROC", "Acc@1 at coverage .8"} {
		row := []string{name}
		for _, set := range sets {
			row = append(row, collect(seeds, func(s *seed) (float64, bool) {
				r := s.result("model", set, policy, final)
				switch {
				case r == nil || r.Confidence == nil:
					return 0, false
				case name == "ECE":
					return r.Confidence.ECE.Value, true
				}
				return figure(r.Confidence.Figures, name)
			}).String())
		}
		t.add(row...)
	}
	return t
}

// nilPolicy counts mentions of held-out concepts: NIL is right for them.
const nilPolicy = "strict"

// nilTable says what a least probability makes of a set when a tenth of the concepts is
// held out of the model.
func nilTable(seeds []seed, set string) table {
	t := table{
		title:  "NIL: " + title(set) + ", a tenth of the concepts held out",
		header: []string{"least probability", "coverage", "risk", "Acc@1", "NIL precision", "NIL recall", "NIL F1"}, words: 1,
	}
	var results []*eval.Result
	held, outside, mentions := 0, 0, 0
	for i := range seeds {
		r := seeds[i].result("nil", set, nilPolicy, final)
		if r == nil || r.Confidence == nil {
			continue
		}
		report := seeds[i].reports["nil."+set]
		held, outside, mentions = held+report.HeldOut, outside+report.Outside, mentions+report.Mentions
		results = append(results, r)
	}
	if len(results) == 0 {
		return t
	}
	n := len(results)
	t.note = fmt.Sprintf("All mentions, all parts of composite ones. On the average of %d seeds %d concepts are held out, so that %d of %d mentions are of none.",
		n, held/n, outside/n, mentions/n)
	for i, row := range results[0].Confidence.Thresholds {
		column := func(of func(*eval.ThresholdRow) eval.Ratio) string {
			var all values
			for _, r := range results {
				if ratio := of(&r.Confidence.Thresholds[i]); ratio.Denominator > 0 {
					all = append(all, ratio.Value)
				}
			}
			if len(all) == 0 {
				return "-"
			}
			return eval.Decimals(all.mean())
		}
		t.add(strconv.FormatFloat(row.MinProbability, 'g', -1, 64),
			column(func(r *eval.ThresholdRow) eval.Ratio { return r.Coverage }),
			column(func(r *eval.ThresholdRow) eval.Ratio { return r.Risk }),
			column(func(r *eval.ThresholdRow) eval.Ratio { return r.Acc1 }),
			column(func(r *eval.ThresholdRow) eval.Ratio { return r.NIL.Precision }),
			column(func(r *eval.ThresholdRow) eval.Ratio { return r.NIL.Recall }),
			column(func(r *eval.ThresholdRow) eval.Ratio { return r.NIL.F1 }))
	}
	return t
}
