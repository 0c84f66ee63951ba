package eval

import (
	"fmt"
	"slices"
)

func confidenceTable(r *Report) table {
	t := table{
		title:  "Probability of the first candidate",
		header: []string{"policy", "linker", "figure", "value", "of", "interval"},
		number: 3,
	}
	for _, result := range r.Results {
		c := result.Confidence
		if c == nil {
			continue
		}
		name := fmt.Sprintf("ECE, %d bins", len(c.Bins))
		t.rows = append(t.rows, []string{result.Policy, result.Linker, name, c.ECE.text(), c.ECE.Fraction(), "-"})
		for _, f := range c.Figures {
			t.rows = append(t.rows, append([]string{result.Policy, result.Linker, f.Name}, cells(f)...))
		}
	}
	return t
}

// thresholdTable is of the linker whose results come first: the one that is
// measured beside the others. NIL has columns where a policy wants it.
func thresholdTable(r *Report) table {
	t := table{
		title:  "With --min-probability",
		header: []string{"policy", "linker", "least", "coverage", "mentions", "risk", "mentions", "Acc@1", "mentions"},
		number: 2,
	}
	wantsNIL := slices.ContainsFunc(r.Results, func(r Result) bool { return r.Confidence != nil && r.Confidence.Thresholds[0].NIL != nil })
	if wantsNIL {
		t.header = append(t.header, "NIL precision", "mentions", "NIL recall", "mentions", "NIL F1")
	}
	for _, result := range r.Results {
		if result.Confidence == nil || result.Linker != r.Results[0].Linker {
			continue
		}
		for i, row := range result.Confidence.Thresholds {
			if i > 0 && row.Coverage == result.Confidence.Thresholds[i-1].Coverage {
				continue // nothing has changed
			}
			line := []string{
				result.Policy, result.Linker, Decimals(row.MinProbability),
				row.Coverage.text(), row.Coverage.Fraction(), row.Risk.text(), row.Risk.Fraction(), row.Acc1.text(), row.Acc1.Fraction(),
			}
			switch n := row.NIL; {
			case n != nil:
				line = append(line, n.Precision.text(), n.Precision.Fraction(), n.Recall.text(), n.Recall.Fraction(), n.F1.text())
			case wantsNIL:
				line = append(line, "-", "-", "-", "-", "-")
			}
			t.rows = append(t.rows, line)
		}
	}
	return t
}

// reliabilityTable leaves out empty bins.
func reliabilityTable(r *Report) table {
	t := table{
		title:  "Reliability",
		header: []string{"policy", "linker", "above", "up to", "mentions", "mean probability", "right", "mentions"},
		number: 2,
	}
	for _, result := range r.Results {
		if result.Confidence == nil {
			continue
		}
		for _, b := range result.Confidence.Bins {
			if b.Mentions > 0 {
				t.rows = append(t.rows, []string{
					result.Policy, result.Linker, Decimals(b.Low), Decimals(b.High), fmt.Sprint(b.Mentions),
					b.Probability.text(), b.Right.text(), b.Right.Fraction(),
				})
			}
		}
	}
	return t
}
