package eval

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// WriteText writes precision, recall and F1 of finding and linking in raw texts, and lists of mistakes. Each list shows
// at most shown texts, or all if shown is -1. about describes the gold and the model.
func (r *RawReport) WriteText(w io.Writer, about *Report, shown int) error {
	var all []table
	marked := RawResult{Finder: "the annotators' spans", Scores: []FoundScore{r.Marked}}
	for _, result := range append(slices.Clip(r.Results), marked) {
		all = append(all, scoreTable(&result), spanTable(&result), textTable(&result, shown))
	}
	if len(r.Differences) > 0 {
		t := table{title: r.Results[0].Finder + " minus " + r.Results[1].Finder, header: []string{"", "F1"}}
		for _, d := range r.Differences {
			t.rows = append(t.rows, []string{d.Name, d.F1.String()})
		}
		all = append(all, t)
	}
	all = slices.DeleteFunc(all, func(t table) bool { return len(t.rows) == 0 })
	return writeText(w, facts(about), all, "")
}

// scoreTable has the scores of one finder.
func scoreTable(result *RawResult) table {
	t := table{title: result.Finder + ", 95 % intervals over documents",
		header: []string{"", "precision", "mentions", "recall", "mentions", "F1"}}
	for _, s := range result.Scores {
		t.rows = append(t.rows, slices.Concat([]string{s.Name}, metricCells(s.Precision)[:2], metricCells(s.Recall)[:2],
			[]string{s.F1.String()}))
	}
	return t
}

// spanTable has the recall of exact spans by kind, and their precision by source.
func spanTable(result *RawResult) table {
	t := table{title: result.Finder + ": exact spans", header: []string{"", "value", "mentions", "interval"}}
	for i, row := range metricRows(slices.Concat(result.RecallBy, result.PrecisionBy)) {
		what := "recall: "
		if i >= len(result.RecallBy) {
			what = "precision: "
		}
		row[0] = what + row[0]
		t.rows = append(t.rows, row)
	}
	return t
}

// textTable lists the missed, wrongly found and wrongly linked texts with their counts.
func textTable(result *RawResult, shown int) table {
	t := table{title: result.Finder + ": mistakes", header: []string{"", "texts"}}
	for _, list := range []struct {
		name  string
		texts []TextCount
	}{{"missed", result.Missed}, {"found, but not annotated", result.Wrong},
		{"found, but linked to another concept or to none", result.WrongConcept}} {
		var cells []string
		for i, text := range list.texts {
			if i == shown {
				cells = append(cells, fmt.Sprintf("and %d others", len(list.texts)-shown))
				break
			}
			cells = append(cells, fmt.Sprintf("%s %d", text.Text, text.Count))
		}
		if cells != nil {
			t.rows = append(t.rows, []string{list.name, strings.Join(cells, "; ")})
		}
	}
	return t
}
