package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ctxnorm/bench/measure"
)

// report is what a run came to.
type report struct {
	Date     string          `json:"date"`
	Machine  measure.Machine `json:"machine"`
	Settings string          `json:"settings"`
	Threads  int             `json:"threads"`
	Jobs     []*jobResult    `json:"jobs"`
	Series   []series        `json:"series"` // of the jobs, with their fits
}

// axes are what there can be more of.
var axes = []string{"records", "sentences", "names", "vectors"}

// job is the result of that name that did not fail; nil for none.
func (r *report) job(name string) *jobResult {
	for _, j := range r.Jobs {
		if j.Name == name && j.Failed == "" {
			return j
		}
	}
	return nil
}

// fit fits all figures.
func (r *report) fit() {
	r.Series = nil
	for _, j := range r.Jobs {
		if j.Failed == "" {
			r.Series = append(r.Series, j.series()...)
		}
	}
}

// save writes dir/growth-DATE.json and .md, and the plots beside them, and gives the
// path without its end.
func (r *report) save(dir string) (string, error) {
	r.Date = time.Now().Format(time.DateOnly)
	r.fit()
	path, err := measure.Save(dir, "growth-"+r.Date, r, r.markdown)
	if err != nil {
		return "", err
	}
	times := slices.DeleteFunc(slices.Clone(r.Series), func(s series) bool { return !s.isTime() })
	sizes := slices.DeleteFunc(slices.Clone(r.Series), func(s series) bool { return s.Figure != memory })
	return path, errors.Join(
		writePlot(path+"-time.png", "seconds", times),
		writePlot(path+"-memory.png", "resident memory, MB", sizes))
}

// failure says that a job failed; nil where none did.
func (r *report) failure() error {
	failed := 0
	for _, j := range r.Jobs {
		if j.Failed != "" {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d jobs failed", failed, len(r.Jobs))
	}
	return nil
}

// markdown is the report for a reader; name is what its files are called.
func (r *report) markdown(name string) string {
	var b strings.Builder
	m := r.Machine
	fmt.Fprintf(&b, "# Growth of %s\n\n", r.Date)
	fmt.Fprintf(&b, "%s, %d cores (%s), %g GB, %s, %s; load before %s.\n\n%s.\n\n", m.CPU, m.Cores,
		strings.Join(m.Features, " "), m.MemoryGB, m.System, m.Go, m.Load, r.Settings)
	fmt.Fprintf(&b, "![time](%s-time.png)\n\n![memory](%[1]s-memory.png)\n\n", name)
	b.WriteString("Medians, and the line fixed + each · n of least squared relative errors; the exponent is that of the power law of what is over the fixed part, " +
		"between the two largest sizes: 1 for a line, - where under a tenth of the smaller is over it.\n")
	for _, axis := range axes {
		r.writeAxis(&b, axis)
	}
	r.writeSteep(&b)
	r.writeThroughput(&b)
	o := r.outlook()
	for _, plan := range []string{o.pubmed(), o.umls()} {
		if plan != "" {
			b.WriteString("\n" + plan)
		}
	}
	r.writeCommands(&b)
	return b.String()
}

// outlook is what the results say about more than was measured.
func (r *report) outlook() *outlook {
	o := &outlook{jobs: map[string]*jobResult{}, memoryMB: r.Machine.MemoryGB * 1024, threads: r.Threads}
	for _, j := range r.Jobs {
		if j.Failed == "" {
			o.jobs[j.Name] = j
		}
	}
	return o
}

// per is how many units the slope of a line is shown for.
const per = 1000

// writeAxis writes the table of the jobs by one size.
func (r *report) writeAxis(b *strings.Builder, axis string) {
	var rows [][]string
	for _, s := range r.Series {
		if s.By != axis {
			continue
		}
		unit := s.Figure.Unit
		rows = append(rows, []string{s.Job + ": " + s.Figure.Name, s.measured(), fmt.Sprintf("%.0f %%", 100*s.Spread),
			figureAmount(s.Fit.Fixed, unit), figureAmount(per*s.Fit.PerUnit, unit), power(s.Fit.Exponent)})
	}
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## By %s\n\n%s", axis, table([]string{"figure", axis + ": measured", "spread", "fixed",
		fmt.Sprintf("each %s %s", count(per), axis), "exponent"}, rows))
	for _, j := range r.Jobs {
		if j.By == axis && j.Same != "" && j.Failed == "" {
			fmt.Fprintf(b, "\n- %s: the same at all sizes is %s", j.Name, j.Same)
		}
		if j.By == axis && j.Failed != "" {
			fmt.Fprintf(b, "\n- %s failed: %s", j.Name, j.Failed)
		}
	}
	b.WriteString("\n")
}

// power writes an exponent, in bold where it is steep.
func power(exponent float64) string {
	text := fmt.Sprintf("%.2f", exponent)
	switch {
	case exponent == 0:
		return "-"
	case exponent > steep:
		return "**" + text + "**"
	}
	return text
}

// writeSteep names what grows faster than a line.
func (r *report) writeSteep(b *strings.Builder) {
	var names []string
	for _, s := range r.Series {
		if s.Fit.Exponent > steep {
			names = append(names, fmt.Sprintf("%s, %s (%.2f)", s.Job, s.Figure.Name, s.Fit.Exponent))
		}
	}
	if len(names) == 0 {
		fmt.Fprintf(b, "\nNothing grows faster than its size: no exponent is above %g.\n", steep)
		return
	}
	fmt.Fprintf(b, "\nFaster than their size (exponent above %g) grow %s.\n", steep, strings.Join(names, "; "))
}

// writeThroughput writes what is done in a second when the start is left out: of jobs
// by what they read the slope, of jobs by names size by size.
func (r *report) writeThroughput(b *strings.Builder) {
	var rows [][]string
	for _, s := range r.Series {
		if s.By == "sentences" && s.Figure == wall && s.Fit.PerUnit > 0 {
			rows = append(rows, []string{s.Job, duration(s.Points[0].Y), count(1/s.Fit.PerUnit) + " sentences"})
		}
	}
	for _, j := range r.Jobs {
		start := r.job(j.Start)
		if j.Failed != "" || start == nil {
			continue
		}
		began, _ := start.points(wall.Field)
		for i, rate := range j.throughput(start) {
			rows = append(rows, []string{fmt.Sprintf("%s, %s names", j.Name, count(rate.N)), duration(began[i].Y), count(rate.Y) + " " + j.Unit})
		}
	}
	if len(rows) > 0 {
		fmt.Fprintf(b, "\n## Start and throughput\n\n%s", table([]string{"job", "start", "a second, the start left out"}, rows))
	}
}

func (r *report) writeCommands(b *strings.Builder) {
	b.WriteString("\n## Commands\n")
	for _, j := range r.Jobs {
		if len(j.Points) == 0 || j.Points[len(j.Points)-1].Command == "" {
			continue
		}
		last := j.Points[len(j.Points)-1]
		fmt.Fprintf(b, "\n%s, at its largest size, %s:\n\n    %s\n", j.Name, rounds(len(last.Lines)), last.Command)
	}
}

func rounds(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}
