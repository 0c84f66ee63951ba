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
	n      float64 // the size; 0 if it is a field of the line
	size   string  // name of that field
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
	Name  string `json:"name"`
	Field string `json:"field"`
	Unit  string `json:"unit"`
	// Limited says that the figure levels off: what a corpus keeps is limited per name.
	Limited bool `json:"limited,omitempty"`
}

// job is a command at several sizes.
type job struct {
	Name   string       `json:"name"`
	By     string       `json:"by"`              // what there is more of
	Same   string       `json:"same,omitempty"`  // what is the same at all sizes
	Inner  bool         `json:"inner,omitempty"` // only the extra figures are of use, not the process's time
	Extra  []figure     `json:"extra,omitempty"` // beside time and memory
	Points []sizeResult `json:"points"`
	Failed string       `json:"failed,omitempty"`

	runs []*process
}

// sizeResult is what was measured at one size, with one line per run.
type sizeResult struct {
	N       float64        `json:"n"`
	Command string         `json:"command"`
	Lines   []harness.Line `json:"lines"`
}

// measure runs the job at one size after another and then at all of them again, so that
// a busy machine disturbs no size more than others. Redact replaces folders of this
// machine in commands and errors.
func (j *job) measure(ctx context.Context, repeats int, redact *strings.Replacer) {
	j.Points = make([]sizeResult, len(j.runs))
	for repeat := range repeats {
		for i, p := range j.runs {
			logf("%s: %d of %d, size %d of %d", j.Name, repeat+1, repeats, i+1, len(j.runs))
			l, err := p.start(ctx)
			if err != nil {
				j.Failed = redact.Replace(err.Error())
				return
			}
			at := &j.Points[i]
			at.N, at.Command, at.Lines = l["n"].(float64), redact.Replace(p.String()), append(at.Lines, l)
		}
	}
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
		if filepath.Ext(path) == ".parquet" {
			l[entry.Name()] = float64(info.Size())
		}
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
