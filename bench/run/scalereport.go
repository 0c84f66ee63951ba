package main

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/ctxnorm/ctxnorm/bench/harness"
)

// axis is what there can be more of, with the size that fits are projected to.
type axis struct {
	name   string
	target float64 // 0 for no projection
	title  string
}

// The yearly baseline of PubMed, and a dictionary of the size of UMLS.
var axes = []axis{
	{"records", 1200 * 30_000, "all of PubMed"}, // files of records
	{"sentences", 0, ""},
	{"names", 10e6, "UMLS"},
	{"vectors", 10e6, "the names of UMLS"},
}

// figures returns the figures of a job that are shown.
func (j *job) figures() []figure {
	memory := figure{"memory", "peak_mb", "MiB"}
	if j.Inner {
		return append(j.Extra[:len(j.Extra):len(j.Extra)], memory)
	}
	return append([]figure{{"time", "wall_seconds", "s"}, {"processor", "process_cpu_seconds", "s"}, memory}, j.Extra...)
}

// scalingReport formats what was measured.
func scalingReport(title, settings string, jobs []*job) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Scaling, %s\n\n%s.\n\n%s.\n\n", title, harness.Machine(), settings)
	b.WriteString("Medians; the line fixed + each · n of least squared relative error; the exponent of the power law of the growth over fixed, " +
		"between the two largest sizes: 1 for a line, - if less than a tenth of the smaller is growth. Projections are by the line.\n")
	commands := ""
	for _, axis := range axes {
		const per = 1000 // units that the slope is shown for
		header := []string{"figure", axis.name + ": measured", "spread", "fixed", "each 1,000 " + axis.name, "exponent"}
		if axis.target > 0 {
			header = append(header, fmt.Sprintf("at %s (%s)", humanize.Comma(int64(axis.target)), axis.title))
		}
		var rows [][]string
		notes := ""
		for _, j := range jobs {
			if j.By != axis.name {
				continue
			}
			if j.failed != "" {
				notes += fmt.Sprintf("\n- %s failed: %s", j.Name, j.failed)
				continue
			}
			notes += fmt.Sprintf("\n- %s: the same at all sizes is %s", j.Name, j.Same)
			commands += fmt.Sprintf("\n%s, at its largest size\n\n    %s\n", j.Name, &j.process)
			for _, f := range j.figures() {
				points, spread := j.points(f.Field)
				fitted, err := fitLine(points)
				if err != nil { // it is 0 at some size
					continue
				}
				measured := make([]string, len(points))
				for i, p := range points {
					measured[i] = humanize.Comma(int64(p.n)) + ": " + f.format(p.y)
				}
				row := []string{j.Name + ": " + f.Name, strings.Join(measured, ", "), fmt.Sprintf("%.0f %%", 100*spread),
					f.format(fitted.fixed), f.format(per * fitted.perUnit), fitted.growth()}
				switch {
				case axis.target > 0 && f.Unit != "":
					row = append(row, f.format(fitted.fixed+fitted.perUnit*axis.target))
				case axis.target > 0: // a share or a constant count
					row = append(row, "")
				}
				rows = append(rows, row)
			}
		}
		if notes != "" {
			fmt.Fprintf(&b, "\n## By %s\n\n%s%s\n", axis.name, harness.Table(header, 1, rows), notes)
		}
	}
	return b.String() + "\n## Commands\n" + commands
}

// growth formats the exponent, steep ones in bold.
func (f fit) growth() string {
	switch {
	case f.exponent > steep:
		return fmt.Sprintf("**%.2f**", f.exponent)
	case f.exponent != 0:
		return fmt.Sprintf("%.2f", f.exponent)
	}
	return "-"
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
		return humanize.IBytes(uint64(x * (1 << 20)))
	case f.Unit == "s" && x >= 100:
		return time.Duration(x * float64(time.Second)).Round(time.Second).String()
	case f.Unit == "" && x >= 10:
		return humanize.Comma(int64(math.Round(x)))
	}
	return harness.Format(x, f.Unit)
}
