package eval

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

const (
	shownSlices = 5 // slices that a brief report shows

	// minSliceShare is the smallest share of the evaluated mentions that a slice of a brief report
	// has: a single mention among thousands is no weakness of the linker.
	minSliceShare = .01
)

// WriteBrief writes what matters most of a report, in about 20 lines: what was measured, Acc@1 and
// Acc@5 of every linker under every policy, and by the first linker how well NIL is found, the groups
// that are right, and the slices with the lowest Acc@1.
func (r *Report) WriteBrief(w io.Writer) error {
	about := facts(r)
	if c := r.Contamination; c == nil || len(c.SharedDocuments) == 0 && c.SharedSentences == 0 {
		about = slices.DeleteFunc(about, func(f fact) bool { return f.label == contaminationLabel })
	}
	return writeText(w, about, briefTables(r), missingNIL(r))
}

// briefTables returns the tables of a brief report.
func briefTables(r *Report) []table {
	shown := []table{sideBySideTable(r)} // without rows for a single linker
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

// worstSliceTable lists the slices of the first result with the lowest Acc@1, of those with mistakes.
func worstSliceTable(r *Report) table {
	result := &r.Results[0]
	t := table{
		title:       fmt.Sprintf("Worst slices, policy %s, %s", result.Policy, result.Linker),
		header:      []string{"slice", "Acc@1", "mentions", "interval"},
		firstNumber: 1,
	}
	var worst []Metric // named by the slice
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

// missingNIL returns a sentence that says which policy measures NIL, or "" if one of the report does.
func missingNIL(r *Report) string {
	for _, result := range r.Results {
		if slices.ContainsFunc(result.Metrics, func(m Metric) bool { return isNIL(m.Name) }) {
			return ""
		}
	}
	return fmt.Sprintf("NIL is not measured by policy %s: policy strict counts the %d mentions outside the concepts.",
		r.Results[0].Policy, r.Outside)
}
