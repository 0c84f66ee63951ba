package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctxnorm/ctxnorm/bench/harness"
)

// process is one run of a program at one size.
type process struct {
	harness.Process
	n      float64 // the size; 0 if it is the field size of the line
	size   string
	needs  []*process
	inputs []*harness.Input
	done   bool // since this program started
}

// start runs the process, after what it needs, and returns its line with the size n.
func (p *process) start(ctx context.Context) (harness.Line, error) {
	for _, in := range p.inputs {
		if err := in.Ensure(ctx, logf); err != nil {
			return nil, err
		}
	}
	for _, need := range p.needs {
		if !need.done {
			if _, err := need.start(ctx); err != nil {
				return nil, err
			}
		}
	}
	l, err := p.Run(ctx)
	if err != nil {
		return nil, err
	}
	p.done = true
	if p.size == "" {
		l["n"] = p.n
	} else if l["n"] = l[p.size]; l["n"] == nil {
		return nil, fmt.Errorf("%s: there is no field %s", p, p.size)
	}
	return l, nil
}

// figure is a number of a line.
type figure struct {
	name, field, unit string
	limited           bool // it levels off: what a corpus keeps is limited per name
}

// job is a command at several sizes.
type job struct {
	name, by, same string   // what there is more of, and what is the same at all sizes
	inner          bool     // only the extra figures are of use, not the process's time
	extra          []figure // beside time and memory
	runs           []*process

	lines  [][]harness.Line // of each size
	failed string
}

// measure runs the job at one size after another and then at all of them again, so that
// a busy machine disturbs no size more than others. Redact replaces folders of this machine.
func (j *job) measure(ctx context.Context, repeats int, redact *strings.Replacer) {
	j.lines = make([][]harness.Line, len(j.runs))
	for repeat := range repeats {
		for i, p := range j.runs {
			logf("%s: %d of %d, size %d of %d", j.name, repeat+1, repeats, i+1, len(j.runs))
			l, err := p.start(ctx)
			if err != nil {
				j.failed = redact.Replace(err.Error())
				return
			}
			j.lines[i] = append(j.lines[i], l)
		}
	}
}

// points returns the medians of a field by size, and the widest spread of a size over
// its median. It returns none if lines lack the field.
func (j *job) points(field string) (points []point, spread float64) {
	for _, lines := range j.lines {
		values, err := harness.Numbers(lines, field)
		n, ok := lines[0]["n"].(float64)
		if err != nil || !ok {
			return nil, 0
		}
		s := harness.SpreadOf(values)
		points = append(points, point{n, s.Median})
		if s.Median > 0 {
			spread = max(spread, (s.Max-s.Min)/s.Median)
		}
	}
	return points, spread
}

// readFolder returns the numbers in the manifest of a corpus or model, such as
// "totals.records", the size of its files in bytes as "bytes", and of a trained model
// the mean time of a step after the first, which leaves out start-up, as "step_ms". It
// adds the totals of the corpora that it was made from.
func readFolder(dir string, corpora ...string) (harness.Line, error) {
	data, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		return nil, err
	}
	var manifest map[string]any
	if err := json.Unmarshal(data, &manifest); err != nil {
		return nil, fmt.Errorf("%s: manifest.json: %w", dir, err)
	}
	l, size := harness.Line{}, 0.0
	for _, corpus := range corpora {
		if l, err = readFolder(corpus); err != nil {
			return nil, err
		}
	}
	addNumbers(l, "", manifest)
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		size += float64(info.Size())
		l[entry.Name()] = float64(info.Size())
		return nil
	})
	l["bytes"] = size
	if curve, readErr := os.ReadFile(filepath.Join(dir, "training", "curve.jsonl")); readErr == nil && err == nil {
		var steps []harness.Line
		var seconds []float64
		if steps, err = harness.ParseLines(curve); err == nil {
			seconds, err = harness.Numbers(steps, "seconds")
		}
		if n := len(seconds) - 1; n > 0 {
			l["step_ms"] = 1000 * (seconds[n] - seconds[0]) / float64(n)
		}
	}
	return l, err
}

// addNumbers adds the numbers in objects to a line, with the names that lead to them
// joined by periods.
func addNumbers(l harness.Line, prefix string, object map[string]any) {
	for name, value := range object {
		switch value := value.(type) {
		case float64:
			l[prefix+name] = value
		case map[string]any:
			addNumbers(l, prefix+name+".", value)
		}
	}
}
