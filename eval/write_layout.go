package eval

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
)

// table is one table of a printed report. Columns before firstNumber hold words, the others hold numbers.
type table struct {
	title       string
	header      []string
	rows        [][]string
	firstNumber int
}

// newTable returns a table of rows of a report's results, each after its policy and linker. columns are the other
// column headers, separated by commas.
func newTable(r *Report, title, columns string, firstNumber int, rows func(*Result) [][]string) table {
	t := table{title: title, header: strings.Split("policy,linker,"+columns, ","), firstNumber: firstNumber}
	for i := range r.Results {
		for _, row := range rows(&r.Results[i]) {
			t.rows = append(t.rows, append([]string{r.Results[i].Policy, r.Results[i].Linker}, row...))
		}
	}
	return t
}

// fact is a line above the tables.
type fact struct{ label, value string }

const contaminationLabel = "contamination"

// facts returns the lines that describe the measured data.
func facts(r *Report) []fact {
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

// tables returns the tables of a report, without empty ones.
func tables(r *Report) []table {
	all := []table{
		sideBySideTable(r), metricTable(r),
		newTable(r, "Slices", "slice,Acc@1,mentions,interval,Acc@5,mentions,interval", 3, sliceRows),
		failureTable(r),
		newTable(r, "Mistakes at 1 by the dictionary's hierarchy", "first candidate to gold,value,mentions,gold nameless", 3,
			relationRows),
		newTable(r, "Probability of the first candidate", "metric,value,of,interval", 3, confidenceRows),
		thresholdTable(r),
		newTable(r, "Reliability", "above,up to,mentions,mean probability,right,mentions", 2, reliabilityRows),
		comparisonTable(r),
	}
	return slices.DeleteFunc(all, func(t table) bool { return len(t.rows) == 0 })
}

// sideBySideTable has one row for each linker, if there are several. The lead is the Acc@1 of the first linker minus
// that of the row's linker.
func sideBySideTable(r *Report) table {
	isFirst := func(result Result) bool { return result.Linker == r.Results[0].Linker }
	several := slices.ContainsFunc(r.Results, func(result Result) bool { return !isFirst(result) })
	return newTable(r, "Side by side",
		"Acc@1,mentions,interval,Acc@5,mentions,interval,lead of the first,interval,p bootstrap,p McNemar", 2,
		func(result *Result) [][]string {
			if !several {
				return nil
			}
			row := append(metricCells(MetricNamed(result.Metrics, "Acc@1")),
				metricCells(MetricNamed(result.Metrics, "Acc@5"))...)
			for _, c := range r.Comparisons {
				if c.A == r.Results[0].Linker && c.B == result.Linker && c.Policy == result.Policy &&
					c.Slice == AllMentions().Name && c.Difference.Denominator > 0 {
					return [][]string{append(row, signed(c.Difference.Value), c.Difference.Interval(), PValue(c.Bootstrap),
						PValue(c.McNemar))}
				}
			}
			return [][]string{append(row, "-", "-", "-", "-")}
		})
}

func metricTable(r *Report) table {
	return newTable(r, "Metrics, 95 % intervals over documents", "metric,value,mentions,interval", 3,
		func(result *Result) [][]string { return metricRows(result.Metrics) })
}

func metricRows(metrics []Metric) (rows [][]string) {
	for _, m := range metrics {
		rows = append(rows, append([]string{m.Name}, metricCells(m)...))
	}
	return rows
}

// sliceRows skips slices without an evaluated mention.
func sliceRows(result *Result) (rows [][]string) {
	for _, s := range result.Slices {
		if s.Metrics[0].Denominator > 0 {
			rows = append(rows, slices.Concat([]string{s.Name}, metricCells(s.Metrics[0]), metricCells(s.Metrics[1])))
		}
	}
	return rows
}

// failureTable has two columns for each kind of failure. All results have the same kinds.
func failureTable(r *Report) table {
	var columns []string
	if len(r.Results) > 0 {
		for _, count := range r.Results[0].Failures {
			columns = append(columns, count.Kind, "mentions")
		}
	}
	return newTable(r, "Failures at 1", strings.Join(columns, ","), 2, func(result *Result) [][]string {
		var row []string
		for _, count := range result.Failures {
			row = append(row, ratioCells(count.Share())...)
		}
		return [][]string{row}
	})
}

// relationRows skips relations without a mention.
func relationRows(result *Result) (rows [][]string) {
	for _, count := range result.Relations {
		if count.Mentions > 0 {
			rows = append(rows, slices.Concat([]string{count.Kind}, ratioCells(count.Share()),
				[]string{fmt.Sprint(count.Nameless)}))
		}
	}
	return rows
}

func confidenceRows(result *Result) [][]string {
	c := result.Confidence
	if c == nil {
		return nil
	}
	ece := slices.Concat([]string{fmt.Sprintf("ECE, %d bins", len(c.Bins))}, ratioCells(c.ECE), []string{"-"})
	return append([][]string{ece}, metricRows(c.Metrics)...)
}

// thresholdTable shows only the first linker of the report. It has columns for NIL if a policy scores NIL as correct,
// and skips thresholds that change nothing.
func thresholdTable(r *Report) table {
	columns := "least,coverage,mentions,risk,mentions,Acc@1,mentions"
	hasNIL := slices.ContainsFunc(r.Results, func(r Result) bool {
		return r.Confidence != nil && r.Confidence.Thresholds[0].NIL != nil
	})
	if hasNIL {
		columns += ",NIL precision,mentions,NIL recall,mentions,NIL F1"
	}
	return newTable(r, "By lowest probability", columns, 2, func(result *Result) (rows [][]string) {
		if result.Confidence == nil || result.Linker != r.Results[0].Linker {
			return nil
		}
		for i, row := range result.Confidence.Thresholds {
			if i > 0 && row.Coverage == result.Confidence.Thresholds[i-1].Coverage {
				continue
			}
			cells := slices.Concat([]string{Decimals(row.MinProbability)}, ratioCells(row.Coverage),
				ratioCells(row.Risk), ratioCells(row.Acc1))
			switch n := row.NIL; {
			case n != nil:
				cells = slices.Concat(cells, ratioCells(n.Precision), ratioCells(n.Recall), ratioCells(n.F1)[:1])
			case hasNIL:
				cells = append(cells, "-", "-", "-", "-", "-")
			}
			rows = append(rows, cells)
		}
		return rows
	})
}

// reliabilityRows skips empty bins.
func reliabilityRows(result *Result) (rows [][]string) {
	if result.Confidence == nil {
		return nil
	}
	for _, b := range result.Confidence.Bins {
		if b.Mentions > 0 {
			rows = append(rows, append([]string{Decimals(b.Low), Decimals(b.High), fmt.Sprint(b.Mentions),
				ratioCells(b.MeanProbability)[0]}, ratioCells(b.Accuracy)...))
		}
	}
	return rows
}

func comparisonTable(r *Report) table {
	t := table{title: "Acc@1 of A minus that of B", firstNumber: 4, header: strings.Split(
		"policy,A,B,slice,difference,interval,only A right,only B right,mentions,p bootstrap,p McNemar", ",")}
	for _, c := range r.Comparisons {
		if d := c.Difference; d.Denominator > 0 {
			t.rows = append(t.rows, []string{c.Policy, c.A, c.B, c.Slice, signed(d.Value), d.Interval(),
				fmt.Sprint(c.OnlyA), fmt.Sprint(c.OnlyB), fmt.Sprint(d.Denominator), PValue(c.Bootstrap), PValue(c.McNemar)})
		}
	}
	return t
}

// metricCells returns the value, fraction and interval of a metric, or dashes if no mention was evaluated.
func metricCells(m Metric) []string {
	if m.Denominator == 0 {
		return []string{"-", "0", "-"}
	}
	return []string{Decimals(m.Value), m.Fraction(), m.Interval()}
}

// ratioCells returns the value, or a dash if the denominator is 0, and the fraction.
func ratioCells(r Ratio) []string {
	if r.Denominator == 0 {
		return []string{"-", r.Fraction()}
	}
	return []string{Decimals(r.Value), r.Fraction()}
}

// signed returns a difference with its sign.
func signed(v float64) string {
	if v > 0 {
		return "+" + Decimals(v)
	}
	return Decimals(v)
}
