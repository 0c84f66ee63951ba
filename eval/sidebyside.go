package eval

import "slices"

// manyLinkers is how many linkers there may be for a terminal to show every table of
// them: each has a dozen rows.
const manyLinkers = 8

// linkers are the linkers of a report, in order.
func (r *Report) linkers() []string {
	var names []string
	for _, result := range r.Results {
		if !slices.Contains(names, result.Linker) {
			names = append(names, result.Linker)
		}
	}
	return names
}

// sideBySide has one row for each of several linkers. The lead is the first linker's
// over that of the row.
func sideBySide(r *Report) table {
	t := table{
		title:  "Side by side",
		header: []string{"policy", "linker", "Acc@1", "mentions", "interval", "Acc@5", "mentions", "interval", "lead of the first", "interval", "p bootstrap", "p McNemar"},
		number: 2,
	}
	if len(r.linkers()) < 2 {
		return t
	}
	for _, result := range r.Results {
		row := []string{result.Policy, result.Linker}
		for _, name := range []string{"Acc@1", "Acc@5"} {
			row = append(row, cells(result.figure(name))...)
		}
		lead := []string{"-", "-", "-", "-"}
		if c := r.lead(&result); c != nil && c.Difference.Denominator > 0 {
			lead = []string{signed(c.Difference.Value), c.Difference.Interval(), probability(c.Bootstrap), probability(c.McNemar)}
		}
		t.rows = append(t.rows, append(row, lead...))
	}
	return t
}

// figure is the figure of that name; one without mentions where there is none.
func (r *Result) figure(name string) Figure {
	i := slices.IndexFunc(r.Figures, func(f Figure) bool { return f.Name == name })
	if i < 0 {
		return Figure{}
	}
	return r.Figures[i]
}

// lead is the comparison of the first linker with that of a result, over all mentions;
// nil where there is none.
func (r *Report) lead(of *Result) *Comparison {
	first := r.Results[0].Linker
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		if c.A == first && c.B == of.Linker && c.Policy == of.Policy && c.Slice == AllMentions().Name {
			return c
		}
	}
	return nil
}

// signed writes a difference with its sign.
func signed(v float64) string {
	if v > 0 {
		return "+" + Decimals(v)
	}
	return Decimals(v)
}
