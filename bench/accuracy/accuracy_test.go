package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/eval"
)

// share returns a metric with right of 100 mentions.
func share(name string, right float64) eval.Metric {
	return eval.Metric{Name: name, Ratio: eval.Ratio{Numerator: right, Denominator: 100, Value: right / 100}, Low: right/100 - .05, High: right/100 + .05}
}

// result returns the result of a linker, given its Acc@1 and Acc@5 in percent.
func result(linker, policy string, at1, at5 float64) eval.Result {
	return eval.Result{Linker: linker, Policy: policy, Metrics: []eval.Metric{share("Acc@1", at1), share("Acc@5", at5)}}
}

// lead returns the comparison of the model with another linker.
func lead(other, slice string, onlyA, onlyB int) eval.Comparison {
	difference := share("Acc@1 difference", float64(onlyA-onlyB))
	return eval.Comparison{A: final, B: other, Policy: policy, Slice: slice, OnlyA: onlyA, OnlyB: onlyB, Difference: difference, Bootstrap: .04, McNemar: .0001}
}

// folder writes the reports of two seeds; the second has no figures on NIL.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for number, right := range map[string]float64{"1": 80, "2": 83} {
		whole := result(final, policy, right, 90)
		whole.Failures = []eval.FailureCount{{Kind: "candidate missing", Mentions: 5, Total: 100}, {Kind: "ranked low", Mentions: 15, Total: 100}, {Kind: "NIL given", Total: 100}}
		whole.Relations = []eval.RelationCount{{Relation: "sibling", Mentions: 4, Total: 100}}
		whole.Confidence = &eval.Confidence{ECE: eval.Ratio{Value: .05}, Metrics: []eval.Metric{share("AUROC", 85)}}
		write(t, dir, number, "model.Some_set", &eval.Report{
			Results: []eval.Result{whole, result("lexical", policy, 70, 75), result("ranked without contexts", policy, right-2, 89), result(final, "strict", 1, 1)},
			Comparisons: []eval.Comparison{
				lead("lexical", "all mentions", 12, 2),
				lead("ranked without contexts", "all mentions", 5, 3), lead("ranked without contexts", "ambiguous", 4, 0),
			},
		})
		write(t, dir, number, "fraction.25.Some_set", &eval.Report{Results: []eval.Result{result(final, policy, right-20, 80), result("lexical", policy, 50, 60)}})
		steps := "train\t9.00\tv1\tctxnorm train\ntrain\t1.50\tv2\tctxnorm train --seed " + number + "\n"
		if err := os.WriteFile(filepath.Join(dir, "seed"+number, "minutes.tsv"), []byte(steps), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	nothing := eval.Result{Linker: final, Policy: nilPolicy, Confidence: &eval.Confidence{Thresholds: []eval.ThresholdRow{
		{MinProbability: 0, Coverage: eval.Ratio{Numerator: 100, Denominator: 100, Value: 1}, Risk: eval.Ratio{Denominator: 100, Value: .25}, Acc1: eval.Ratio{Denominator: 100, Value: .75},
			NIL: &eval.NILScores{Recall: eval.Ratio{Denominator: 9}, F1: eval.Ratio{Denominator: 9}}},
		{MinProbability: .95, Coverage: eval.Ratio{Denominator: 100, Value: .5}, Risk: eval.Ratio{Denominator: 50, Value: .1}, Acc1: eval.Ratio{Denominator: 100, Value: .5},
			NIL: &eval.NILScores{Precision: eval.Ratio{Denominator: 50, Value: .16}, Recall: eval.Ratio{Denominator: 9, Value: 8. / 9}, F1: eval.Ratio{Denominator: 59, Value: 16. / 59}}},
	}}}
	write(t, dir, "2", "records40.Some_set", &eval.Report{Results: []eval.Result{
		result(final, policy, 71, 80), result("count", policy, 20, 30), result("all-contexts", policy, 70, 80), result("all-document_context", policy, 69, 80),
	}})
	write(t, dir, "1", "nil.Some_set", &eval.Report{HeldOut: 11, Outside: 9, Mentions: 100, Results: []eval.Result{nothing}})
	context := func(linker string, right float64) eval.Result {
		r := result(linker, nilPolicy, right, right)
		r.Slices = []eval.SliceResult{{Name: "sense outside it", Metrics: []eval.Metric{share("Acc@1", right-10)}}}
		return r
	}
	pairs := result(final, nilPolicy, 60, 60)
	pairs.Metrics = append(pairs.Metrics, eval.Metric{Name: "groups right", Ratio: eval.Ratio{Numerator: 3, Denominator: 12, Value: .25}})
	write(t, dir, "1", "context.short_forms", &eval.Report{Results: []eval.Result{context(final, 90), context("most-frequent-sense", 70)}})
	write(t, dir, "1", "context.sentence_pairs", &eval.Report{Results: []eval.Result{pairs}})
	if err := os.MkdirAll(filepath.Join(dir, "seed3", "eval"), 0o777); err != nil { // nothing there yet
		t.Fatal(err)
	}
	return dir
}

func write(t *testing.T, dir, seed, name string, r *eval.Report) {
	t.Helper()
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "seed"+seed, "eval", name+".json")
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestTables(t *testing.T) {
	var got bytes.Buffer
	if err := run(&got, []string{folder(t), "Some_set"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Seeds 1, 2: the mean and, in brackets, each seed if they differ.",
		"## model: linkers", "|  | Some set Acc@1 | Some set from | Some set to | Some set Acc@5 |\n",
		// (80 + 83)/200 and (90 + 90)/200
		"| model: ranked | .815 (.800 .830) | .765 (.750 .780) | .865 (.850 .880) | .900 |\n",
		"| lexical | .700 | .650 | .750 | .750 |\n", "| ranked without contexts | .795 (.780 .810) | ",
		"| lexical | .100 | .050 | .150 | .040 | .000 |\n",
		"| all mentions | .020 | 5 | 3 |\n", "| ambiguous | .040 | 4 | .000 |\n", // (5-3)/100 and (4-0)/100
		"## fraction.25: linkers", "| model: ranked | .615 (.600 .630) | ", "## records40: linkers",
		"| candidate missing | .050 |\n", "| sibling | .040 |\n", "| ECE | .050 |\n", "| AUROC | .850 |\n",
		"| 0 | 1.000 | .250 | .750 | .000 | .000 | - |\n", "| 0.95 | .500 | .100 | .500 | .889 | .271 | .160 |\n",
		"## context: linkers", "| model: ranked | .900 | .850 | .950 | .900 | .600 | .550 | .650 | .600 | .250 |\n", "| most-frequent-sense | .700 | ",
		"| sense outside it | .800 | .600 |\n", "| train | 1.50 | v2 | 1.50 | v2 |\n", "| train | `ctxnorm train --seed 1` |\n",
	} {
		if !strings.Contains(got.String(), want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(got.String(), "NIL given") {
		t.Error("a mistake that nothing made has a row")
	}
	columns := 0 // of the table that the line is in
	for line := range strings.Lines(got.String()) {
		n := strings.Count(line, "|")
		if columns != 0 && n != 0 && n != columns {
			t.Errorf("%q has other columns than its table", line)
		}
		columns = n
	}
	if t.Failed() {
		t.Log(got.String())
	}
}
