package eval

import (
	"fmt"
	"strings"
)

// table is a part of a report as a person reads it. The first columns hold
// words, those from number on hold numbers.
type table struct {
	title  string
	header []string
	rows   [][]string
	number int
	long   bool // too long for a terminal
}

// facts are the lines above the tables: what was measured.
func facts(r *Report) [][2]string {
	rows := [][2]string{{"gold", strings.Join(r.Gold, ", ")}}
	add := func(name, format string, args ...any) {
		rows = append(rows, [2]string{name, fmt.Sprintf(format, args...)})
	}
	if len(r.Types) > 0 {
		add("types", "%s", strings.Join(r.Types, ", "))
	}
	add("mentions", "%d in %d documents, %d outside the concepts, %d composite", r.Mentions, r.Documents, r.Outside, r.Composite)
	if r.Unreadable > 0 {
		add("unreadable", "%d records", r.Unreadable)
	}
	if r.Model != "" {
		add("model", "%s", r.Model)
	}
	add("dictionary", "%s", r.Dictionary)
	if r.HeldOut > 0 {
		add("held out", "%d concepts, which the model has not", r.HeldOut)
	}
	add("seed", "%d", r.Seed)
	if l := r.Leak; l != nil {
		add("seen wording", "%d of %d mentions, %d of %d wordings are names of the dictionary", l.SeenMentions, l.Mentions, l.SeenWordings, l.Wordings)
		add("leak", "%d of %d documents, %d of %d sentences are in the text the model was made from",
			len(l.SharedDocuments), l.Documents, l.SharedSentences, l.Sentences)
	}
	return rows
}

// tables lay out a report. Slices without a mention that counts are left out.
func tables(r *Report) []table {
	many := len(r.linkers()) > manyLinkers
	var all []table
	add := func(t table, long bool) {
		if t.long = long; len(t.rows) > 0 {
			all = append(all, t)
		}
	}
	add(sideBySide(r), false)
	add(figureTable(r), many)
	add(sliceTable(r), many)
	add(failureTable(r), many)
	add(relationTable(r), many)
	add(confidenceTable(r), many)
	add(thresholdTable(r), false)
	add(reliabilityTable(r), true)
	add(comparisonTable(r), many)
	return all
}

func figureTable(r *Report) table {
	t := table{
		title:  "Figures, 95 % intervals over documents",
		header: []string{"policy", "linker", "figure", "value", "mentions", "interval"},
		number: 3,
	}
	for _, result := range r.Results {
		for _, f := range result.Figures {
			t.rows = append(t.rows, append([]string{result.Policy, result.Linker, f.Name}, cells(f)...))
		}
	}
	return t
}

func sliceTable(r *Report) table {
	t := table{
		title:  "Slices",
		header: []string{"policy", "linker", "slice", "Acc@1", "mentions", "interval", "Acc@5", "mentions", "interval"},
		number: 3,
	}
	for _, result := range r.Results {
		for _, s := range result.Slices {
			if s.Figures[0].Denominator == 0 {
				continue
			}
			row := []string{result.Policy, result.Linker, s.Name}
			for _, f := range s.Figures {
				row = append(row, cells(f)...)
			}
			t.rows = append(t.rows, row)
		}
	}
	return t
}

// cells shows a figure in three columns, and dashes where no mention counts.
func cells(f Figure) []string {
	if f.Denominator == 0 {
		return []string{"-", "0", "-"}
	}
	return []string{Decimals(f.Value), f.Fraction(), f.Interval()}
}

func failureTable(r *Report) table {
	t := table{title: "Failures at 1", header: []string{"policy", "linker"}, number: 2}
	for _, kind := range failureKinds {
		t.header = append(t.header, string(kind), "mentions")
	}
	for _, result := range r.Results {
		row := []string{result.Policy, result.Linker}
		for _, f := range result.Failures {
			share := newRatio(float64(f.Mentions), f.Of)
			row = append(row, share.text(), share.Fraction())
		}
		t.rows = append(t.rows, row)
	}
	return t
}

// relationTable leaves out relations without a mistake.
func relationTable(r *Report) table {
	t := table{
		title:  "Mistakes at 1 by the dictionary's tree",
		header: []string{"policy", "linker", "first candidate to gold", "value", "mentions", "gold nameless"},
		number: 3,
	}
	for _, result := range r.Results {
		for _, row := range result.Relations {
			if row.Mentions == 0 {
				continue
			}
			share := newRatio(float64(row.Mentions), row.Of)
			t.rows = append(t.rows, []string{result.Policy, result.Linker, string(row.Relation), share.text(), share.Fraction(), fmt.Sprint(row.Nameless)})
		}
	}
	return t
}

func comparisonTable(r *Report) table {
	t := table{
		title:  "Acc@1 of A less that of B",
		header: []string{"policy", "A", "B", "slice", "difference", "interval", "only A right", "only B right", "mentions", "p bootstrap", "p McNemar"},
		number: 4,
	}
	for _, c := range r.Comparisons {
		if c.Difference.Denominator > 0 {
			t.rows = append(t.rows, comparisonRow(c))
		}
	}
	return t
}

func comparisonRow(c Comparison) []string {
	d := c.Difference
	return []string{c.Policy, c.A, c.B, c.Slice, signed(d.Value), d.Interval(),
		fmt.Sprint(c.OnlyA), fmt.Sprint(c.OnlyB), fmt.Sprint(d.Denominator), probability(c.Bootstrap), probability(c.McNemar)}
}

// probability writes a p value.
func probability(p float64) string {
	if p < .001 {
		return "<.001"
	}
	return Decimals(p)
}
