package main

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/floats"

	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

//go:embed comparisons.json
var comparisonsFile []byte

// comparison is one job that both sides do, with its rows in the table.
type comparison struct {
	Name       string
	Ours, Peer side
	Needs      []string // Python modules of the peer
	Cores      int      // that the machine must have, for each thread; 0 is 1
	Rounds     int      // 0 for as many as the settings say
	Equal      []string // fields with amounts of work that must be equal on both sides
	Near       []string // "FIELD SHARE, as REASON": amounts that may differ by a share of the peer's
	Recall     float64  // of the lines of a side, each of a wider search, the first that finds so much counts: speed at unequal recall compares nothing
	Rows       []row

	failed      error
	differences []string // between the work of both sides
}

// side is one of the two programs that are compared.
type side struct {
	Name, Run string
	Threads   int // as a multiple of -threads; 0 is 1

	WritesFolder bool // the amounts of work come from the manifest of this corpus or model, not from the output

	process harness.Process
	command *command
	read    func(printed []byte) harness.Line // the amounts of work
	lines   []harness.Line                    // one per round, with its times
}

// row is one figure of both sides.
type row struct {
	Name, Field, Unit string
	Amount            string // field with an amount of work, which makes the figure a rate per second; "" for none
	CPU               string // field of the processor time of the same work, in seconds; "" if it is not measured
	Target            string // "4 times" the peer's, or "at least" or "at most" a bound on our own figure; "" for none

	subject, peer harness.Spread
	ratio         *harness.Spread // over the rounds; nil for a bound on our own figure
	cpuRatio      float64         // median of the rounds' ratios of processor time, which other programs disturb less
	missed        bool
}

// readComparisons reads the inputs and comparisons of a file. It expands a comparison with variants into one for each,
// in which the variant's value replaces $KEY.
func readComparisons(data []byte) (defined []definition, all []*comparison) {
	var file struct {
		Inputs      []definition
		Comparisons []json.RawMessage
	}
	harness.Check(json.Unmarshal(data, &file))
	for _, text := range file.Comparisons {
		var of struct{ Variants []map[string]string }
		harness.Check(json.Unmarshal(text, &of))
		if of.Variants == nil {
			of.Variants = []map[string]string{nil}
		}
		for _, variant := range of.Variants {
			written := string(text)
			for _, key := range slices.Backward(slices.Sorted(maps.Keys(variant))) { // $names before $name
				written = strings.ReplaceAll(written, "$"+key, variant[key])
			}
			c := &comparison{Ours: side{Name: "ours"}}
			harness.Check(json.Unmarshal([]byte(written), c))
			isEmpty := func(s string) bool { return s == "" }
			c.Needs, c.Near = slices.DeleteFunc(c.Needs, isEmpty), slices.DeleteFunc(c.Near, isEmpty)
			c.Rows = slices.DeleteFunc(c.Rows, func(r row) bool { return r.Name == "" })
			all = append(all, c)
		}
	}
	return file.Inputs, all
}

// prepare makes the commands of both sides. It fails if something that the comparison needs is missing.
func (c *comparison) prepare(s *settings, in *inputs, installed map[string]bool) {
	for _, module := range c.Needs {
		harness.Require(installed[module], "%s has no %s: bench/peers/README.md says how to install it", s.Python, module)
	}
	harness.Require(c.Cores*s.Threads <= runtime.NumCPU(), "it needs %d cores", c.Cores*s.Threads)
	out := s.runs() + "-out.jsonl.gz"
	for _, side := range []*side{&c.Ours, &c.Peer} {
		side.command = in.command(side.Run, out)
		side.process = harness.Process{Args: side.command.args, Threads: s.Threads * max(1, side.Threads), Fresh: out}
		side.read = func(printed []byte) harness.Line { return firstReaching(printed, c.Recall) }
		if side.WritesFolder {
			side.read = func([]byte) harness.Line { return readFolder(out) }
		}
	}
}

// run lets both sides do the job in turns.
func (c *comparison) run(ctx context.Context, rounds int) {
	if c.Rounds > 0 {
		rounds = min(rounds, c.Rounds)
	}
	for round := range rounds {
		harness.Log("%s: round %d of %d", c.Name, round+1, rounds)
		for _, side := range []*side{&c.Ours, &c.Peer} {
			harness.Explain(func() { side.command.ensure(ctx) }, "input")
			harness.Explain(func() {
				printed, usage := side.process.Run(ctx)
				line := side.read(printed)
				maps.Copy(line, usage)
				side.lines = append(side.lines, line)
			}, "%s", side.Name)
		}
		c.compareWork(c.Ours.lines[round], c.Peer.lines[round])
	}
	for i := range c.Rows {
		harness.Explain(func() { c.Rows[i].measure(&c.Ours, &c.Peer) }, "%s", c.Rows[i].Name)
	}
}

// compareWork records each difference between the amounts of work once.
func (c *comparison) compareWork(ours, peer harness.Line) {
	for i, text := range slices.Concat(c.Equal, c.Near) {
		field, share := text, 0.
		if i >= len(c.Equal) {
			harness.Get(fmt.Sscanf(text, "%s %g", &field, &share))
		}
		difference := ""
		a, okOurs := ours[field].(float64)
		b, okPeer := peer[field].(float64)
		switch {
		case !okOurs || !okPeer:
			difference = field + ": not counted by both sides"
		case math.Abs(a-b) > share*b:
			difference = fmt.Sprintf("%s: %g and the peer's %g, want them within %g %%", field, a, b, 100*share)
		default:
			continue
		}
		if !slices.Contains(c.differences, difference) {
			c.differences = append(c.differences, difference)
		}
	}
}

// measure takes the row's figure from the lines of all rounds.
func (r *row) measure(ours, peer *side) {
	a, b := r.numbers(ours, r.Field), r.numbers(peer, r.Field)
	r.subject, r.peer = harness.SpreadOf(a), harness.SpreadOf(b)
	var least, most, times float64
	switch {
	case scan(r.Target, "at least %g", &least):
		r.missed = r.subject.Median < least
		return
	case scan(r.Target, "at most %g", &most):
		r.missed = r.subject.Median > most
		return
	}
	isEnough := r.subject.Min > 0 && r.peer.Min > 0
	harness.Require(isEnough, "%s is %g and the peer's %g: too little work to measure", r.Field, r.subject.Min, r.peer.Min)
	lowerIsBetter := slices.Contains([]string{"s", "ms", "MB", "bytes"}, r.Unit)
	r.ratio = new(ratios(a, b, lowerIsBetter))
	r.missed = scan(r.Target, "%g times", &times) && r.ratio.Median < times
	if r.CPU != "" {
		a, b = r.numbers(ours, r.CPU), r.numbers(peer, r.CPU)
		harness.Require(slices.Min(a) > 0, "%s is 0: too little work to measure", r.CPU)
		r.cpuRatio = ratios(a, b, true).Median
	}
}

// scan reports whether a text matches a format, and stores the number in it.
func scan(text, form string, number *float64) bool {
	n, err := fmt.Sscanf(text, form, number)
	return n == 1 && err == nil
}

// numbers returns the figures of a side by a field of its lines.
func (r *row) numbers(s *side, field string) (numbers []float64) {
	harness.Explain(func() {
		numbers = harness.Numbers(s.lines, field)
		if r.Amount != "" {
			floats.DivTo(numbers, harness.Numbers(s.lines, r.Amount), numbers)
		}
	}, "%s", s.Name)
	return numbers
}

// ratios summarizes by how many times we beat the peer in each round. Higher rates and lower times are better. All
// values are above 0.
func ratios(ours, peer []float64, lowerIsBetter bool) harness.Spread {
	if lowerIsBetter {
		ours, peer = peer, ours
	}
	return harness.SpreadOf(floats.DivTo(make([]float64, len(ours)), ours, peer))
}

// firstReaching decodes a program's output and returns the first line with a recall of at least bound, or else the last
// line.
func firstReaching(out []byte, bound float64) harness.Line {
	lines := harness.ParseJSON[harness.Line](out)
	harness.Require(len(lines) > 0, "the program prints nothing")
	for _, l := range lines {
		if recall, _ := l["recall"].(float64); recall >= bound {
			return l
		}
	}
	return lines[len(lines)-1]
}

// findModules reports which Python modules of the comparisons are installed, without loading them; none without Python.
func findModules(ctx context.Context, python string, all []*comparison) map[string]bool {
	const script = `import importlib.util, json, sys
print(json.dumps({name: importlib.util.find_spec(name) is not None for name in sys.argv[1:]}))`
	if _, err := exec.LookPath(python); err != nil {
		harness.Log("there is no %s: bench/peers/README.md says how to install the peers", python)
		return nil
	}
	args := []string{python, "-c", script}
	for _, c := range all {
		args = append(args, c.Needs...)
	}
	printed, _ := (&harness.Process{Args: args}).Run(ctx)
	return harness.ParseJSON[map[string]bool](printed)[0]
}

// compareAll runs the selected comparisons, and prints and saves the table. It returns missed or failed if the table
// gives the reason.
func compareAll(ctx context.Context, s *settings) {
	defined, all := readComparisons(comparisonsFile)
	installed := findModules(ctx, s.Python, all)
	in := &inputs{settings: s, defined: defined}
	var ran []*comparison
	var skipped []string
	machine := harness.Machine()
	for _, c := range all {
		if !s.Only.MatchString(c.Name) || ctx.Err() != nil {
			continue
		}
		if err := harness.Try(func() { c.prepare(s, in, installed) }); err != nil {
			skipped = append(skipped, fmt.Sprintf("%s: skipped: %v", c.Name, err))
			harness.Log("%s", skipped[len(skipped)-1])
			continue
		}
		c.failed = harness.Try(func() { c.run(ctx, s.Repeats) })
		if ctx.Err() == nil { // keep the measurements so far
			ran = append(ran, c)
		}
	}
	harness.Require(len(ran)+len(skipped) > 0, "-only: no comparison was run that matches %s", s.Only)
	date := time.Now().Format(time.DateOnly)
	text := s.redact(fmt.Sprintf("# Benchmark of %s\n\n%s.\n\n%s.%s\n\n", date, machine, s, versions(ran)) + comparisonTable(ran, skipped))
	fmt.Print(text)
	path := harness.Save(s.Out, date, text)
	harness.Log("saved as %s", path)
	if s.Saved != "" {
		harness.Check(os.WriteFile(s.Saved, []byte(strings.TrimSuffix(path, ".md")), 0o644))
	}
	harness.Check(cmp.Or(ctx.Err(), verdict(ran)))
}

// verdict returns failed, missed, or nil if all targets are met.
func verdict(ran []*comparison) (err error) {
	for _, c := range ran {
		if c.failed != nil {
			return failed
		}
		if len(c.differences) > 0 || slices.ContainsFunc(c.Rows, func(r row) bool { return r.missed }) {
			err = missed
		}
	}
	return err
}

// comparisonTable returns the table, the differences, the failed and skipped comparisons, and the commands.
func comparisonTable(ran []*comparison, notes []string) string {
	var table [][]string
	commands := ""
	for _, c := range ran {
		if c.failed != nil {
			notes = append(notes, fmt.Sprintf("%s: failed: %v", c.Name, c.failed))
		} else {
			for i := range c.Rows {
				table = append(table, c.cells(&c.Rows[i]))
			}
		}
		for _, difference := range c.differences {
			notes = append(notes, c.Name+": not the same work: "+difference)
		}
		commands += fmt.Sprintf("`%s`, %d rounds\n\n    %s\n    %s\n\n", c.Name, len(c.Peer.lines), &c.Ours.process, &c.Peer.process)
	}
	columns := []string{"measured", "peer", "ours", "peer's", "ratio", "min–max", "by CPU", "memory", "peer's memory", "target", ""}
	text := harness.Table(columns, len(columns), table)
	if len(notes) > 0 {
		text += fmt.Sprintf("\n- %s\n", strings.Join(notes, "\n- "))
	}
	return text + "\n## Commands\n\n" + commands
}

// cells returns a row of the table.
func (c *comparison) cells(r *row) []string {
	cells := []string{r.Name, c.Peer.Name, harness.Format(r.subject.Median, r.Unit), harness.Format(r.peer.Median, r.Unit), "", "", "",
		c.Ours.memory(), c.Peer.memory(), r.Target, ""}
	if r.ratio != nil {
		cells[4] = harness.Format(r.ratio.Median, "")
		cells[5] = harness.Format(r.ratio.Min, "") + "–" + harness.Format(r.ratio.Max, "")
	}
	if r.cpuRatio > 0 {
		cells[6] = harness.Format(r.cpuRatio, "")
	}
	if r.Target != "" {
		if cells[10] = "met"; r.missed {
			cells[10] = "missed"
		}
	}
	return cells
}

// memory formats the median of the peak memory.
func (s *side) memory() string {
	return harness.Format(harness.SpreadOf(harness.Numbers(s.lines, "peak_mb")).Median, "MB")
}

// versions lists the libraries that the lines of both sides name.
func versions(ran []*comparison) string {
	found := map[string]bool{}
	for _, c := range ran {
		for _, l := range slices.Concat(c.Ours.lines, c.Peer.lines) {
			libraries, _ := l["versions"].(map[string]any)
			for name, version := range libraries {
				found[fmt.Sprintf("%s %v", name, version)] = true
			}
			if python, ok := l["python"].(string); ok {
				found["Python "+python] = true
			}
		}
	}
	return " Versions: " + strings.Join(slices.Sorted(maps.Keys(found)), ", ") + "."
}

// readFolder returns the numbers in the manifest of a corpus or model, such as "dictionary.names" and, of the totals,
// "records", and the size of its files as "bytes". The mentions of a corpus without the short forms that a record
// defines, which no peer looks for, are "names_found".
func readFolder(dir string) harness.Line {
	var manifest map[string]any
	harness.Check(artifact.ReadJSON(filepath.Join(dir, "manifest.json"), &manifest))
	l := harness.Line{}
	addNumbers(l, "", manifest)
	if all, ok := l["mentions"].(float64); ok {
		defined, _ := l["defined"].(float64)
		l["names_found"] = all - defined
	}
	l["bytes"] = float64(harness.Size(dir, 1))
	return l
}

// addNumbers adds the numbers in objects to a line, with the names that lead to them joined by periods.
func addNumbers(l harness.Line, prefix string, object map[string]any) {
	for name, value := range object {
		switch value := value.(type) {
		case float64:
			l[strings.TrimPrefix(prefix+name, "totals.")] = value
		case map[string]any:
			addNumbers(l, prefix+name+".", value)
		}
	}
}
