package eval

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// WriteText writes a complete report as aligned tables.
func (r *Report) WriteText(w io.Writer) error { return writeText(w, facts(r), tables(r), "") }

// writeText writes facts, tables, each with its own columns, and a note, which may be empty.
func writeText(w io.Writer, about []fact, tables []table, note string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, fact := range about {
		fmt.Fprintf(t, "%s\t%s\n", fact.label, fact.value)
	}
	for _, table := range tables {
		if err := t.Flush(); err != nil {
			return err
		}
		fmt.Fprintf(t, "\n%s\n\n%s\n", table.title, strings.Join(table.header, "\t"))
		for _, row := range table.rows {
			fmt.Fprintln(t, strings.Join(row, "\t"))
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if note == "" {
		return nil
	}
	_, err := fmt.Fprintf(w, "\n%s\n", note)
	return err
}

// WriteMarkdown writes a report as tables of GitHub Flavored Markdown
// (https://github.github.com/gfm/#tables-extension-).
func (r *Report) WriteMarkdown(w io.Writer) error {
	b := bufio.NewWriter(w)
	for _, fact := range facts(r) {
		fmt.Fprintf(b, "- %s: %s\n", fact.label, escapeMarkdown(fact.value))
	}
	for _, table := range tables(r) {
		fmt.Fprintf(b, "\n## %s\n\n", table.title)
		writeMarkdownRow(b, table.header)
		writeMarkdownRow(b, slices.Concat(slices.Repeat([]string{"---"}, table.firstNumber),
			slices.Repeat([]string{"---:"}, len(table.header)-table.firstNumber)))
		for _, row := range table.rows {
			writeMarkdownRow(b, row)
		}
	}
	return b.Flush()
}

func writeMarkdownRow(w io.Writer, cells []string) {
	for _, cell := range cells {
		fmt.Fprintf(w, "| %s ", escapeMarkdown(cell))
	}
	fmt.Fprintln(w, "|")
}

// escapeMarkdown escapes file names and linkers' names so that they are not interpreted as markup.
func escapeMarkdown(s string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", "\n", " ").Replace(s)
}

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
