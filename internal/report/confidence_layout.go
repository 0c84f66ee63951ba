package report

import (
	"fmt"
	"slices"

	"github.com/ctxnorm/ctxnorm/eval"
)

func confidenceTable(r *eval.Report) table {
	t := table{
		title:       "Probability of the first candidate",
		header:      []string{"policy", "linker", "metric", "value", "of", "interval"},
		firstNumber: 3,
	}
	for _, result := range r.Results {
		c := result.Confidence
		if c == nil {
			continue
		}
		name := fmt.Sprintf("ECE, %d bins", len(c.Bins))
		t.rows = append(t.rows, []string{result.Policy, result.Linker, name, formatRatio(c.ECE), c.ECE.Fraction(), "-"})
		for _, m := range c.Metrics {
			t.rows = append(t.rows, append([]string{result.Policy, result.Linker, m.Name}, metricCells(m)...))
		}
	}
	return t
}

// thresholdTable shows the first linker of the report only. It has columns for NIL
// if a policy scores NIL as correct, and leaves out thresholds that change nothing.
func thresholdTable(r *eval.Report) table {
	t := table{
		title: "By lowest probability",
		header: []string{"policy", "linker", "least", "coverage", "mentions", "risk", "mentions", "Acc@1",
			"mentions"},
		firstNumber: 2,
	}
	hasNIL := slices.ContainsFunc(r.Results, func(r eval.Result) bool {
		return r.Confidence != nil && r.Confidence.Thresholds[0].NIL != nil
	})
	if hasNIL {
		t.header = append(t.header, "NIL precision", "mentions", "NIL recall", "mentions", "NIL F1")
	}
	for _, result := range r.Results {
		if result.Confidence == nil || result.Linker != r.Results[0].Linker {
			continue
		}
		for i, row := range result.Confidence.Thresholds {
			if i > 0 && row.Coverage == result.Confidence.Thresholds[i-1].Coverage {
				continue
			}
			cells := []string{
				result.Policy, result.Linker, eval.Decimals(row.MinProbability),
				formatRatio(row.Coverage), row.Coverage.Fraction(), formatRatio(row.Risk), row.Risk.Fraction(),
				formatRatio(row.Acc1), row.Acc1.Fraction(),
			}
			switch n := row.NIL; {
			case n != nil:
				cells = append(cells, formatRatio(n.Precision), n.Precision.Fraction(), formatRatio(n.Recall),
					n.Recall.Fraction(), formatRatio(n.F1))
			case hasNIL:
				cells = append(cells, "-", "-", "-", "-", "-")
			}
			t.rows = append(t.rows, cells)
		}
	}
	return t
}

// reliabilityTable leaves out empty bins.
func reliabilityTable(r *eval.Report) table {
	t := table{
		title: "Reliability",
		header: []string{"policy", "linker", "above", "up to", "mentions", "mean probability", "right",
			"mentions"},
		firstNumber: 2,
	}
	for _, result := range r.Results {
		if result.Confidence == nil {
			continue
		}
		for _, b := range result.Confidence.Bins {
			if b.Mentions > 0 {
				t.rows = append(t.rows, []string{
					result.Policy, result.Linker, eval.Decimals(b.Low), eval.Decimals(b.High), fmt.Sprint(b.Mentions),
					formatRatio(b.MeanProbability), formatRatio(b.Accuracy), b.Accuracy.Fraction(),
				})
			}
		}
	}
	return t
}

// outOfDictionaryTable has one row for each threshold of the distance beyond which a mention is NIL.
func outOfDictionaryTable(r *eval.Report) table {
	t := table{
		title: "NIL by the distance of the nearest name",
		header: []string{"policy", "threshold", "Acc@1", "deviation", "samples", "mentions of each",
			"measured on"},
		firstNumber: 2,
	}
	for _, o := range r.OutOfDictionary {
		for _, s := range o.Strategies {
			t.rows = append(t.rows, []string{
				o.Policy, s.Strategy, fmt.Sprintf("%.4f", s.Mean), fmt.Sprintf("%.4f", s.Deviation),
				fmt.Sprint(o.Repeats), fmt.Sprint(o.Sample), fmt.Sprint(o.Rest),
			})
		}
	}
	return t
}
