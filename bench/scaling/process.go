package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"ctxnorm/bench/harness"
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
	// Seconds is the unit in seconds if the figure is drawn with the times.
	Seconds float64 `json:"seconds,omitempty"`
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

// readManifest decodes the manifest of a folder.
func readManifest(dir string, to any) error {
	path := filepath.Join(dir, "manifest.json")
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, to); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// corpusLine returns the totals of a corpus's manifest, the distinct names of its
// dictionary, and the sizes of its input and files in bytes.
func corpusLine(dir string) (harness.Line, error) {
	var manifest struct {
		Settings struct{ Dictionary struct{ Names float64 } }
		Inputs   []struct{ Bytes float64 }
		Totals   harness.Line
	}
	if err := readManifest(dir, &manifest); err != nil {
		return nil, err
	}
	l := harness.Line{"names_of_dictionary": manifest.Settings.Dictionary.Names}
	maps.Copy(l, manifest.Totals)
	input := 0.0
	for _, in := range manifest.Inputs {
		input += in.Bytes
	}
	l["input_bytes"] = input
	for _, name := range []string{"sentences", "records", "pairs"} {
		info, err := os.Stat(filepath.Join(dir, name+".parquet"))
		if err != nil {
			return nil, err
		}
		l[name+"_bytes"] = float64(info.Size())
	}
	return l, nil
}

// modelLine returns how many rows a model's indexes have, the size of its files in
// bytes, the records of its corpus, and, if it was trained, the mean time of a step
// after the first, which leaves out start-up.
func modelLine(dir, corpus string) (harness.Line, error) {
	var manifest struct {
		Dictionary struct{ Names, Concepts float64 }
		Index      struct{ Names, Contexts float64 }
		Files      map[string]struct{ Size float64 }
	}
	if err := readManifest(dir, &manifest); err != nil {
		return nil, err
	}
	from, err := corpusLine(corpus)
	if err != nil {
		return nil, err
	}
	size := 0.0
	for _, file := range manifest.Files {
		size += file.Size
	}
	l := harness.Line{
		"names_of_dictionary": manifest.Dictionary.Names, "concepts": manifest.Dictionary.Concepts,
		"names": manifest.Index.Names, "contexts": manifest.Index.Contexts, "model_bytes": size, "records": from["records"],
	}
	data, err := os.ReadFile(filepath.Join(dir, "training", "curve.jsonl"))
	if errors.Is(err, os.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return nil, err
	}
	steps, err := harness.ParseLines(data)
	if err != nil {
		return nil, err
	}
	seconds, err := harness.Numbers(steps, "seconds")
	if err != nil {
		return nil, err
	}
	if n := len(seconds) - 1; n > 0 {
		l["step_ms"] = 1000 * (seconds[n] - seconds[0]) / float64(n)
	}
	return l, nil
}
