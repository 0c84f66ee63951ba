package eval

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

const (
	shownSlices = 5 // number of slices in a brief report

	// minSliceShare is the minimum share of the evaluated mentions for a slice in a brief report: a single mention
	// among thousands does not show a weakness of the linker.
	minSliceShare = .01
)

// WriteBrief writes the most important results of a report, in about 20 lines: the measured data, Acc@1 and Acc@5 of
// every linker under every policy, and, for the first linker, how well it finds NIL, the share of right groups, and the
// slices with the lowest Acc@1.
func (r *Report) WriteBrief(w io.Writer) error {
	about := facts(r)
	if c := r.Contamination; c == nil || len(c.SharedDocuments) == 0 && c.SharedSentences == 0 {
		about = slices.DeleteFunc(about, func(f fact) bool { return f.label == contaminationLabel })
	}
	return writeText(w, about, briefTables(r), missingNIL(r))
}

// briefTables returns the tables of a brief report.
func briefTables(r *Report) []table {
	shown := []table{sideBySideTable(r)} // has no rows for a single linker
	metrics := metricTable(r)
	metrics.title = "95 % intervals over documents"
	metrics.rows = slices.DeleteFunc(metrics.rows, func(row []string) bool {
		linker, metric := row[1], row[2]
		accuracy := len(shown[0].rows) == 0 && (metric == "Acc@1" || metric == "Acc@5")
		return linker != r.Results[0].Linker || !accuracy && !isNIL(metric) && metric != "groups right"
	})
	shown = append(shown, metrics, worstSliceTable(r))
	return slices.DeleteFunc(shown, func(t table) bool { return len(t.rows) == 0 })
}

// isNIL reports whether a metric measures how well NIL is found.
func isNIL(metric string) bool { return strings.HasPrefix(metric, "NIL") }

// worstSliceTable lists the slices of the first result with the lowest Acc@1, among those with mistakes.
func worstSliceTable(r *Report) table {
	result := &r.Results[0]
	t := table{
		title:       fmt.Sprintf("Worst slices, policy %s, %s", result.Policy, result.Linker),
		header:      []string{"slice", "Acc@1", "mentions", "interval"},
		firstNumber: 1,
	}
	var worst []Metric // with the slice as name
	for _, s := range result.Slices {
		m := MetricNamed(s.Metrics, "Acc@1")
		m.Name = s.Name
		if m.Numerator < float64(m.Denominator) && float64(m.Denominator) >= minSliceShare*float64(result.Mentions) {
			worst = append(worst, m)
		}
	}
	slices.SortStableFunc(worst, func(a, b Metric) int { return cmp.Compare(a.Value, b.Value) })
	for _, m := range worst[:min(shownSlices, len(worst))] {
		t.rows = append(t.rows, append([]string{m.Name}, metricCells(m)...))
	}
	return t
}

// missingNIL returns a sentence that names a policy that measures NIL, or "" if the report has one.
func missingNIL(r *Report) string {
	for _, result := range r.Results {
		if slices.ContainsFunc(result.Metrics, func(m Metric) bool { return isNIL(m.Name) }) {
			return ""
		}
	}
	return fmt.Sprintf("NIL is not measured by policy %s: policy strict counts the %d mentions outside the concepts.",
		r.Results[0].Policy, r.Outside)
}
