package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/ctxnorm/ctxnorm/eval"
)

// table is one table of a printed report. Columns before firstNumber hold words, the
// others hold numbers.
type table struct {
	title       string
	header      []string
	rows        [][]string
	firstNumber int
}

// fact is a line above the tables.
type fact struct{ label, value string }

const contaminationLabel = "contamination"

// facts returns the lines that say what was measured.
func facts(r *eval.Report) []fact {
	lines := []fact{{"gold", strings.Join(r.Gold, ", ")}}
	add := func(label, format string, args ...any) {
		lines = append(lines, fact{label, fmt.Sprintf(format, args...)})
	}
	if len(r.Types) > 0 {
		add("types", "%s", strings.Join(r.Types, ", "))
	}
	add("mentions", "%d in %s, %d outside the concepts, %d composite", r.Mentions,
		english.Plural(r.Documents, "document", ""), r.Outside, r.Composite)
	if r.Malformed > 0 {
		add("unreadable", "%s", english.Plural(r.Malformed, "record", ""))
	}
	if r.Model != "" {
		add("model", "%s", r.Model)
	}
	add("dictionary", "%s", r.Dictionary)
	if r.HeldOut > 0 {
		add("held out", "%d concepts, which the model lacks", r.HeldOut)
	}
	add("seed", "%d", r.Seed)
	if c := r.Contamination; c != nil {
		add("seen surface forms", "%d of %d mentions, %d of %d surface forms are names of the dictionary",
			c.SeenMentions, c.Mentions, c.SeenSurfaceForms, c.SurfaceForms)
		add(contaminationLabel, "%d of %d documents, %d of %d sentences are in the text the model was made from",
			len(c.SharedDocuments), c.Documents, c.SharedSentences, c.Sentences)
	}
	return lines
}

// tables returns the tables of a report that have rows.
func tables(r *eval.Report) []table {
	all := []table{
		sideBySideTable(r), metricTable(r), sliceTable(r), failureTable(r), relationTable(r),
		confidenceTable(r), thresholdTable(r), outOfDictionaryTable(r), reliabilityTable(r), comparisonTable(r),
	}
	return slices.DeleteFunc(all, func(t table) bool { return len(t.rows) == 0 })
}

// linkersOf returns the names of the linkers of a report, in order.
func linkersOf(r *eval.Report) []string {
	var names []string
	for _, result := range r.Results {
		if !slices.Contains(names, result.Linker) {
			names = append(names, result.Linker)
		}
	}
	return names
}

// sideBySideTable has one row for each linker, if there are several. The lead is the
// Acc@1 of the first linker minus that of the row's linker.
func sideBySideTable(r *eval.Report) table {
	t := table{
		title: "Side by side",
		header: []string{"policy", "linker", "Acc@1", "mentions", "interval", "Acc@5", "mentions", "interval",
			"lead of the first", "interval", "p bootstrap", "p McNemar"},
		firstNumber: 2,
	}
	if len(linkersOf(r)) < 2 {
		return t
	}
	for _, result := range r.Results {
		row := []string{result.Policy, result.Linker}
		for _, name := range []string{"Acc@1", "Acc@5"} {
			row = append(row, metricCells(eval.MetricNamed(result.Metrics, name))...)
		}
		lead := []string{"-", "-", "-", "-"}
		if c := leadOver(r, &result); c != nil && c.Difference.Denominator > 0 {
			lead = []string{formatSigned(c.Difference.Value), c.Difference.Interval(), formatPValue(c.Bootstrap),
				formatPValue(c.McNemar)}
		}
		t.rows = append(t.rows, append(row, lead...))
	}
	return t
}

// leadOver returns the comparison of the first linker with the linker of result over
// all mentions, or nil if there is none.
func leadOver(r *eval.Report, result *eval.Result) *eval.Comparison {
	first := r.Results[0].Linker
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		if c.A == first && c.B == result.Linker && c.Policy == result.Policy && c.Slice == eval.AllMentions().Name {
			return c
		}
	}
	return nil
}

func metricTable(r *eval.Report) table {
	t := table{
		title:       "Metrics, 95 % intervals over documents",
		header:      []string{"policy", "linker", "metric", "value", "mentions", "interval"},
		firstNumber: 3,
	}
	for _, result := range r.Results {
		for _, m := range result.Metrics {
			t.rows = append(t.rows, append([]string{result.Policy, result.Linker, m.Name}, metricCells(m)...))
		}
	}
	return t
}

// sliceTable leaves out slices without an evaluated mention.
func sliceTable(r *eval.Report) table {
	t := table{
		title: "Slices",
		header: []string{"policy", "linker", "slice", "Acc@1", "mentions", "interval", "Acc@5", "mentions",
			"interval"},
		firstNumber: 3,
	}
	for _, result := range r.Results {
		for _, s := range result.Slices {
			if s.Metrics[0].Denominator == 0 {
				continue
			}
			row := []string{result.Policy, result.Linker, s.Name}
			for _, m := range s.Metrics {
				row = append(row, metricCells(m)...)
			}
			t.rows = append(t.rows, row)
		}
	}
	return t
}

func failureTable(r *eval.Report) table {
	t := table{title: "Failures at 1", header: []string{"policy", "linker"}, firstNumber: 2}
	for i, result := range r.Results {
		row := []string{result.Policy, result.Linker}
		for _, count := range result.Failures {
			if i == 0 { // every result has the same kinds
				t.header = append(t.header, string(count.Kind), "mentions")
			}
			row = append(row, formatRatio(count.Share()), count.Share().Fraction())
		}
		t.rows = append(t.rows, row)
	}
	return t
}

// relationTable leaves out relations without a mention.
func relationTable(r *eval.Report) table {
	t := table{
		title:       "Mistakes at 1 by the dictionary's hierarchy",
		header:      []string{"policy", "linker", "first candidate to gold", "value", "mentions", "gold nameless"},
		firstNumber: 3,
	}
	for _, result := range r.Results {
		for _, count := range result.Relations {
			if count.Mentions == 0 {
				continue
			}
			share := count.Share()
			t.rows = append(t.rows, []string{result.Policy, result.Linker, string(count.Relation), formatRatio(share),
				share.Fraction(), fmt.Sprint(count.Nameless)})
		}
	}
	return t
}

func comparisonTable(r *eval.Report) table {
	t := table{
		title: "Acc@1 of A minus that of B",
		header: []string{"policy", "A", "B", "slice", "difference", "interval", "only A right", "only B right",
			"mentions", "p bootstrap", "p McNemar"},
		firstNumber: 4,
	}
	for _, c := range r.Comparisons {
		if d := c.Difference; d.Denominator > 0 {
			t.rows = append(t.rows, []string{c.Policy, c.A, c.B, c.Slice, formatSigned(d.Value), d.Interval(),
				fmt.Sprint(c.OnlyA), fmt.Sprint(c.OnlyB), fmt.Sprint(d.Denominator), formatPValue(c.Bootstrap),
				formatPValue(c.McNemar)})
		}
	}
	return t
}

// metricCells returns the value, fraction and interval of a metric, or dashes if no
// mention was evaluated.
func metricCells(m eval.Metric) []string {
	if m.Denominator == 0 {
		return []string{"-", "0", "-"}
	}
	return []string{eval.Decimals(m.Value), m.Fraction(), m.Interval()}
}

// formatRatio returns the value, or a dash if the denominator is 0.
func formatRatio(r eval.Ratio) string {
	if r.Denominator == 0 {
		return "-"
	}
	return eval.Decimals(r.Value)
}

// formatSigned returns a difference with its sign.
func formatSigned(v float64) string {
	if v > 0 {
		return "+" + eval.Decimals(v)
	}
	return eval.Decimals(v)
}

func formatPValue(p float64) string {
	if p < .001 {
		return "<.001"
	}
	return eval.Decimals(p)
}
