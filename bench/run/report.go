package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/ctxnorm/ctxnorm/bench/harness"
)

// report holds the results of a run.
type report struct {
	Machine     harness.Machine
	Settings    string
	Comparisons []*result
	Skipped     []skipped
}

type skipped struct {
	Name   string
	Reason string
}

// result is a comparison that was run.
type result struct {
	Name        string
	Subject     sideResult
	Peer        sideResult
	Rows        []measured
	Differences []string // work that was not the same
	Failed      string
}

// sideResult is what a side did, with one line per round.
type sideResult struct {
	Name    string
	Command []string
	Threads int
	Lines   []harness.Line
}

// measured is a row of the table.
type measured struct {
	Name    string
	Field   string
	Unit    string
	Subject harness.Spread
	Peer    harness.Spread
	Ratio   *harness.Spread // of the rounds, one by one
	// CPURatio is the median of the rounds' ratios of processor time; 0 if it was not
	// measured. Other programs on the machine disturb it less than wall time.
	CPURatio float64
	Target   string
	Met      *bool
}

func (s *side) describe(redact *strings.Replacer) sideResult {
	command := slices.Clone(s.Args)
	for i, arg := range command {
		command[i] = redact.Replace(arg)
	}
	return sideResult{Name: s.name, Command: command, Threads: s.Threads}
}

func (s *sideResult) String() string {
	return (&harness.Process{Args: s.Command, Threads: s.Threads}).String()
}

// memory formats the median of the peak memory.
func (s *sideResult) memory() string {
	peaks, err := harness.Numbers(s.Lines, "peak_mb")
	if err != nil || len(peaks) == 0 {
		return ""
	}
	return harness.Format(harness.SpreadOf(peaks).Median, "MB")
}

var columns = []string{"measured", "peer", "ours", "peer's", "ratio", "min–max", "by CPU", "memory", "peer's memory", "target", ""}

// table returns the rows as text.
func (r *report) table() [][]string {
	var table [][]string
	for _, c := range r.Comparisons {
		for _, m := range c.Rows {
			cells := []string{m.Name, c.Peer.Name, harness.Format(m.Subject.Median, m.Unit), harness.Format(m.Peer.Median, m.Unit), "", "", "",
				c.Subject.memory(), c.Peer.memory(), m.Target, ""}
			if m.Ratio != nil {
				cells[4] = harness.Format(m.Ratio.Median, "")
				cells[5] = harness.Format(m.Ratio.Min, "") + "–" + harness.Format(m.Ratio.Max, "")
			}
			if m.CPURatio > 0 {
				cells[6] = harness.Format(m.CPURatio, "")
			}
			if m.Met != nil {
				if cells[10] = "missed"; *m.Met {
					cells[10] = "met"
				}
			}
			table = append(table, cells)
		}
	}
	return table
}

// notes lists work that was not the same, what failed and what was skipped.
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

// markdown formats the report of a date.
func (r *report) markdown(date string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Benchmark of %s\n\n%s.\n\n%s. Versions: %s.\n\n", date, r.Machine, r.Settings, strings.Join(r.versions(), ", "))
	b.WriteString(harness.Table(columns, len(columns), r.table()))
	if notes := r.notes(); len(notes) > 0 {
		fmt.Fprintf(&b, "\n- %s\n", strings.Join(notes, "\n- "))
	}
	fmt.Fprintf(&b, "\n## Commands\n\n")
	for _, c := range r.Comparisons {
		fmt.Fprintf(&b, "`%s`, %d rounds\n\n    %s\n    %s\n\n", c.Name, len(c.Subject.Lines), &c.Subject, &c.Peer)
	}
	return b.String()
}

// versions lists the libraries that the lines of both sides name.
func (r *report) versions() []string {
	found := map[string]bool{}
	for _, c := range r.Comparisons {
		for _, l := range slices.Concat(c.Subject.Lines, c.Peer.Lines) {
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

// save writes the report to dir and returns its path without the extension.
func (r *report) save(dir string) (string, error) {
	date := time.Now().Format(time.DateOnly)
	path, err := harness.Save(dir, date, r.markdown(date))
	return strings.TrimSuffix(path, ".md"), err
}

func (r *report) exitCode() int {
	code := exitMet
	for _, c := range r.Comparisons {
		if c.Failed != "" {
			return exitFailed
		}
		missed := func(m measured) bool { return m.Met != nil && !*m.Met }
		if len(c.Differences) > 0 || slices.ContainsFunc(c.Rows, missed) {
			code = exitMissed
		}
	}
	return code
}
