package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"ctxnorm/bench/measure"
)

// report is what a run came to.
type report struct {
	Date        string          `json:"date"`
	Machine     measure.Machine `json:"machine"`
	Settings    string          `json:"settings"`
	Comparisons []*result       `json:"comparisons"`
	Skipped     []skipped       `json:"skipped,omitempty"`
}

type skipped struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// result is a comparison that was run.
type result struct {
	Name        string     `json:"name"`
	Ours        sideResult `json:"ours"`
	Peer        sideResult `json:"peer"`
	Rows        []measured `json:"rows"`
	Differences []string   `json:"differences,omitempty"` // work that was not the same
	Failed      string     `json:"failed,omitempty"`
}

// sideResult is what a side did, with a line for each round.
type sideResult struct {
	Name    string         `json:"name"`
	Command []string       `json:"command"`
	Threads int            `json:"threads"`
	Lines   []measure.Line `json:"lines"`
}

// hide replaces folders of this machine in the commands.
func (r *result) hide(folders *strings.Replacer) {
	for _, side := range []*sideResult{&r.Ours, &r.Peer} {
		side.Command = slices.Clone(side.Command)
		for i, arg := range side.Command {
			side.Command[i] = folders.Replace(arg)
		}
	}
}

func (s *sideResult) shown() string {
	return measure.Command{Args: s.Command, Threads: s.Threads}.Shown()
}

// peak is the median of the peak memory, in MB.
func (s *sideResult) peak() float64 {
	found, err := numbers(s.Lines, "peak_mb")
	if err != nil || len(found) == 0 {
		return 0
	}
	return measure.SpreadOf(found).Median
}

// measured is a row of the table. Ratio is of the rounds, one by one.
type measured struct {
	Name  string          `json:"name"`
	Field string          `json:"field"`
	Unit  string          `json:"unit,omitempty"`
	Ours  measure.Spread  `json:"ours"`
	Peer  measure.Spread  `json:"peer"`
	Ratio *measure.Spread `json:"ratio,omitempty"`
	// CPURatio is the ratio of processor times; 0 where they are not apart.
	CPURatio float64 `json:"cpu_ratio,omitempty"`
	Target   string  `json:"target,omitempty"`
	Met      *bool   `json:"met,omitempty"`
}

var columns = []string{"measured", "peer", "ours", "peer's", "ratio", "min–max", "by CPU", "memory", "peer's memory", "target", ""}

// table is the rows as text.
func (r *report) table() [][]string {
	var table [][]string
	for _, c := range r.Comparisons {
		for _, m := range c.Rows {
			cells := []string{m.Name, c.Peer.Name, measure.Amount(m.Ours.Median, m.Unit), measure.Amount(m.Peer.Median, m.Unit), "", "", "",
				measure.Amount(c.Ours.peak(), "MB"), measure.Amount(c.Peer.peak(), "MB"), m.Target, verdict(m.Met)}
			if m.Ratio != nil {
				cells[4], cells[5] = measure.Amount(m.Ratio.Median, ""), measure.Amount(m.Ratio.Min, "")+"–"+measure.Amount(m.Ratio.Max, "")
			}
			if m.CPURatio > 0 {
				cells[6] = measure.Amount(m.CPURatio, "")
			}
			table = append(table, cells)
		}
	}
	return table
}

func verdict(met *bool) string {
	switch {
	case met == nil:
		return ""
	case *met:
		return "met"
	}
	return "missed"
}

// notes are what a reader of the table has to know: work that was not the same,
// what failed and what was left out.
func (r *report) notes() []string {
	var notes []string
	for _, c := range r.Comparisons {
		if c.Failed != "" {
			notes = append(notes, fmt.Sprintf("%s: failed: %s", c.Name, c.Failed))
		}
		for _, difference := range c.Differences {
			notes = append(notes, fmt.Sprintf("%s: not the same work: %s", c.Name, difference))
		}
	}
	for _, s := range r.Skipped {
		notes = append(notes, fmt.Sprintf("%s: skipped: %s", s.Name, s.Reason))
	}
	return notes
}

// print writes the table for a terminal.
func (r *report) print(w io.Writer) {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, cells := range append([][]string{columns}, r.table()...) {
		fmt.Fprintln(out, strings.TrimRight(strings.Join(cells, "\t"), "\t"))
	}
	out.Flush()
	for _, note := range r.notes() {
		fmt.Fprintln(w, note)
	}
}

// markdown is the report for a reader.
func (r *report) markdown() string {
	var b strings.Builder
	m := r.Machine
	fmt.Fprintf(&b, "# Benchmark of %s\n\n", r.Date)
	fmt.Fprintf(&b, "%s, %d cores (%s), %g GB, %s, %s; load before %s.\n\n", m.CPU, m.Cores,
		strings.Join(m.Features, " "), m.MemoryGB, m.System, m.Go, m.Load)
	fmt.Fprintf(&b, "%s. Versions: %s.\n\n", r.Settings, strings.Join(r.versions(), ", "))
	b.WriteString(measure.Table(columns, len(columns), r.table()))
	if notes := r.notes(); len(notes) > 0 {
		fmt.Fprintf(&b, "\n- %s\n", strings.Join(notes, "\n- "))
	}
	fmt.Fprintf(&b, "\n## Commands\n\n")
	for _, c := range r.Comparisons {
		fmt.Fprintf(&b, "`%s`, %d rounds\n\n    %s\n    %s\n\n", c.Name, len(c.Ours.Lines), c.Ours.shown(), c.Peer.shown())
	}
	return b.String()
}

// versions lists the libraries that the lines of both sides name.
func (r *report) versions() []string {
	found := map[string]bool{}
	for _, c := range r.Comparisons {
		for _, l := range slices.Concat(c.Ours.Lines, c.Peer.Lines) {
			libraries, _ := l["versions"].(map[string]any)
			for name, version := range libraries {
				found[fmt.Sprintf("%s %v", name, version)] = true
			}
			if python, ok := l["python"].(string); ok {
				found["Python "+python] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// save writes dir/DATE.json and .md, or DATE-2 and on where there was a run that
// day, and gives the path without its end.
func (r *report) save(dir string) (string, error) {
	r.Date = time.Now().Format(time.DateOnly)
	return measure.Save(dir, r.Date, r, func(string) string { return r.markdown() })
}

func (r *report) exitCode() int {
	code := exitMet
	for _, c := range r.Comparisons {
		if c.Failed != "" {
			return exitFailed
		}
		if len(c.Differences) > 0 {
			code = exitMissed
		}
		for _, m := range c.Rows {
			if m.Met != nil && !*m.Met {
				code = exitMissed
			}
		}
	}
	return code
}
