package main

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/ctxnorm/ctxnorm/bench/harness"
)

// report holds the results of a run.
type report struct {
	Date     string          `json:"date"`
	Machine  harness.Machine `json:"machine"`
	Settings string          `json:"settings"`
	Jobs     []*job          `json:"jobs"`
	Series   []series        `json:"series"`
}

// series is a figure of a job by size, with the line fitted to it.
type series struct {
	Job    string  `json:"job"`
	By     string  `json:"by"`
	Figure figure  `json:"figure"`
	Points []point `json:"points"` // medians
	Spread float64 `json:"spread"` // the widest of a size: max less min, over the median
	Fit    fit     `json:"fit"`
}

// Fields of every process.
const (
	wallField   = "wall_seconds"
	memoryField = "peak_mb"
)

// axes are what there can be more of, with the sizes that fits are projected to: the
// yearly baseline of PubMed, and a dictionary of the size of UMLS.
var axes = []struct {
	name   string
	target float64 // 0 for no projection
	title  string
}{
	{"records", 1200 * 30_000, "all of PubMed"}, // files of records
	{"sentences", 0, ""},
	{"names", 10e6, "UMLS"},
	{"vectors", 10e6, "the names of UMLS"},
}

// figures returns the figures of a job that are shown.
func (j *job) figures() []figure {
	// Memory by records levels off: what a corpus keeps is limited.
	memory := figure{Name: "memory", Field: memoryField, Unit: "MiB", Limited: j.By == "records"}
	if j.Inner {
		return append(j.Extra[:len(j.Extra):len(j.Extra)], memory)
	}
	return append([]figure{
		{Name: "time", Field: wallField, Unit: "s"}, {Name: "processor", Field: "process_cpu_seconds", Unit: "s"}, memory,
	}, j.Extra...)
}

// points returns the medians of a field by size, and the widest spread of a size over
// its median. It returns none if lines lack the field.
func (j *job) points(field string) (points []point, spread float64) {
	for _, at := range j.Points {
		values, err := harness.Numbers(at.Lines, field)
		if err != nil || len(values) == 0 {
			return nil, 0
		}
		s := harness.SpreadOf(values)
		points = append(points, point{at.N, s.Median})
		if s.Median > 0 {
			spread = max(spread, (s.Max-s.Min)/s.Median)
		}
	}
	return points, spread
}

// fit fits the figures of all jobs. A figure that is 0 at some size is left out.
func (r *report) fit() {
	r.Series = nil
	for _, j := range r.Jobs {
		if j.Failed != "" {
			continue
		}
		for _, f := range j.figures() {
			points, spread := j.points(f.Field)
			if fitted, err := fitLine(points); err == nil {
				r.Series = append(r.Series, series{j.Name, j.By, f, points, spread, fitted})
			}
		}
	}
}

// save writes dir/scaling-DATE.json and .md and returns the path without the extension.
func (r *report) save(dir string) (string, error) {
	r.Date = time.Now().Format(time.DateOnly)
	r.fit()
	return harness.Save(dir, "scaling-"+r.Date, r, r.markdown)
}

// markdown formats the report.
func (r *report) markdown(string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Scaling, %s\n\n%s.\n\n%s.\n\n", r.Date, r.Machine, r.Settings)
	b.WriteString("Medians; the line fixed + each · n of least squared relative error; the exponent of the power law of the growth over fixed, " +
		"between the two largest sizes: 1 for a line, - if less than a tenth of the smaller is growth. Projections are by the line, and in brackets " +
		"by the power law if it differs by more than a tenth; figures that level off are bounded by the power law through the two largest sizes. \"Full at\" is the size at which memory is that of this machine.\n")
	for _, axis := range axes {
		r.writeAxis(&b, axis.name, axis.target, axis.title)
	}
	b.WriteString("\n## Commands\n")
	for _, j := range r.Jobs {
		if n := len(j.Points); n > 0 && j.Points[n-1].Command != "" {
			fmt.Fprintf(&b, "\n%s, at its largest size, runs: %d\n\n    %s\n", j.Name, len(j.Points[n-1].Lines), j.Points[n-1].Command)
		}
	}
	return b.String()
}

// writeAxis writes the table of the jobs by one size.
func (r *report) writeAxis(b *strings.Builder, by string, target float64, title string) {
	const per = 1000 // units that the slope is shown for
	header := []string{"figure", by + ": measured", "spread", "fixed", fmt.Sprintf("each %s %s", count(per), by), "exponent"}
	if target > 0 {
		header = append(header, fmt.Sprintf("at %s (%s)", count(target), title))
	}
	var rows [][]string
	for _, s := range r.Series {
		if s.By != by {
			continue
		}
		measured := make([]string, len(s.Points))
		for i, p := range s.Points {
			measured[i] = count(p.N) + ": " + s.Figure.format(p.Y)
		}
		exponent := "-"
		if s.Fit.Exponent > steep {
			exponent = fmt.Sprintf("**%.2f**", s.Fit.Exponent)
		} else if s.Fit.Exponent != 0 {
			exponent = fmt.Sprintf("%.2f", s.Fit.Exponent)
		}
		row := []string{s.Job + ": " + s.Figure.Name, strings.Join(measured, ", "), fmt.Sprintf("%.0f %%", 100*s.Spread),
			s.Figure.format(s.Fit.Fixed), s.Figure.format(per * s.Fit.PerUnit), exponent}
		if target > 0 {
			row = append(row, s.project(target, r.Machine.MemoryGB*1024))
		}
		rows = append(rows, row)
	}
	if len(rows) > 0 {
		fmt.Fprintf(b, "\n## By %s\n\n%s", by, harness.Table(header, 1, rows))
	}
	for _, j := range r.Jobs {
		if j.By == by && j.Failed != "" {
			fmt.Fprintf(b, "\n- %s failed: %s", j.Name, j.Failed)
		} else if j.By == by {
			fmt.Fprintf(b, "\n- %s: the same at all sizes is %s", j.Name, j.Same)
		}
	}
	if len(rows) > 0 {
		b.WriteString("\n")
	}
}

// project formats what a series comes to at n, and for memory the size at which it fills
// the machine's, if that is less.
func (s *series) project(n, machineMB float64) string {
	if s.Figure.Limited {
		return "at most " + s.Figure.format(s.Fit.atMost(n, s.Points))
	}
	if s.Figure.Unit == "" { // a share or a constant count
		return ""
	}
	line, power := s.Fit.line(n), s.Fit.power(n)
	text := s.Figure.format(line)
	if math.Abs(line-power) > .1*line {
		text += " (" + s.Figure.format(power) + ")"
	}
	if full := s.Fit.sizeAt(machineMB); s.Figure.Unit == "MiB" && full < n {
		text += "; full at " + humanize.SIWithDigits(full, 1, "")
	}
	return text
}

// format formats a value of the figure.
func (f figure) format(x float64) string {
	const invisible = 5e-5 // in four decimals
	switch {
	case math.Abs(x) < invisible:
		return strings.TrimSpace("0 " + f.Unit)
	case f.Unit == "bytes":
		return humanize.Bytes(uint64(x))
	case f.Unit == "MiB" && x >= 10:
		return memory(x)
	case f.Unit == "ms" && x >= 10_000:
		return duration(x / 1000)
	case f.Unit == "s" && x >= 100:
		return duration(x)
	case f.Unit == "" && x >= 10:
		return count(x)
	}
	return harness.Format(x, f.Unit)
}

// count formats a whole number with commas.
func count(n float64) string { return humanize.Comma(int64(math.Round(n))) }

// memory formats a resident set, given in units of 2^20 bytes.
func memory(mb float64) string { return humanize.IBytes(uint64(mb * (1 << 20))) }

// duration formats seconds with two digits or more.
func duration(seconds float64) string {
	for _, u := range []struct {
		from, seconds float64
		name          string
	}{{72 * 3600, 86400, "days"}, {100 * 60, 3600, "h"}, {100, 60, "min"}, {1, 1, "s"}} {
		if x := seconds / u.seconds; seconds >= u.from {
			if x < 10 {
				return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0") + " " + u.name
			}
			return count(x) + " " + u.name
		}
	}
	return count(1000*seconds) + " ms"
}
