package main

import (
	"context"
	"fmt"
	"strings"

	"ctxnorm/bench/measure"
)

// oneRun is a process at one size.
type oneRun struct {
	n       float64 // the size; 0 where it is a field of the line,
	size    string  // this one
	command measure.Command
	needs   []*oneRun                              // what has to be there, measured or not
	inputs  []*measure.Input                       // the same, kept for later runs
	read    func(out []byte) (measure.Line, error) // counts of what it did; nil for none
	done    bool                                   // since the harness started
}

// start runs the process and gives its line: counts of what it did, wall_seconds,
// cpu_seconds and peak_mb.
func (r *oneRun) start(ctx context.Context) (measure.Line, error) {
	for _, in := range r.inputs {
		if missing := in.Missing(); missing != "" {
			return nil, fmt.Errorf("%s", missing)
		}
		if err := in.Ensure(ctx, say); err != nil {
			return nil, err
		}
	}
	for _, need := range r.needs {
		if need.done {
			continue
		}
		if _, err := need.start(ctx); err != nil {
			return nil, err
		}
	}
	r.command.Mute = r.read == nil // or the harness would hold a text to be tagged
	out, usage, err := r.command.Run(ctx)
	if err != nil {
		return nil, err
	}
	r.done = true
	line := measure.Line{}
	if r.read != nil {
		if line, err = r.read(out); err != nil {
			return nil, fmt.Errorf("%s: %w", r.command, err)
		}
	}
	line["wall_seconds"], line["cpu_seconds"], line["peak_mb"] = usage.Wall, usage.CPU, usage.PeakMB
	if r.n > 0 {
		line["n"] = r.n
	} else if line["n"], err = line.Number(r.size); err != nil && r.size != "" {
		return nil, fmt.Errorf("%s: %w", r.command, err)
	}
	return line, nil
}

// figure is a number of a line.
type figure struct {
	Name  string `json:"name"`
	Field string `json:"field"`
	Unit  string `json:"unit"`
	// Scale makes seconds of it, to be drawn with the times; 0 leaves it out.
	Scale float64 `json:"scale,omitempty"`
}

// job is a command at several sizes.
type job struct {
	name  string
	by    string // what there is more of: records, sentences, names, vectors
	same  string // what is not
	runs  []*oneRun
	extra []figure // beside time and memory
	inner bool     // its times are the extra figures: those of the process are of no use
	start string   // name of a job by the same sizes whose time is the start of this one
	count string   // field that says how much was done after the start,
	unit  string   // of these
}

// jobResult is a job that was measured.
type jobResult struct {
	Name   string      `json:"name"`
	By     string      `json:"by"`
	Same   string      `json:"same,omitempty"`
	Inner  bool        `json:"inner,omitempty"`
	Start  string      `json:"start,omitempty"`
	Count  string      `json:"count,omitempty"`
	Unit   string      `json:"unit,omitempty"`
	Extra  []figure    `json:"extra,omitempty"`
	Points []runResult `json:"points"`
	Failed string      `json:"failed,omitempty"`
}

// runResult is a size at which a job was measured, with a line for each run.
type runResult struct {
	N       float64        `json:"n"`
	Command string         `json:"command"`
	Lines   []measure.Line `json:"lines"`
}

// measure runs the job, one size after another and then all of them again, so that
// a machine that is busy for a while disturbs no size more than others. What hide replaces is shown to no reader.
func (j *job) measure(ctx context.Context, repeats int, hide *strings.Replacer) *jobResult {
	r := &jobResult{Name: j.name, By: j.by, Same: j.same, Inner: j.inner, Start: j.start, Count: j.count, Unit: j.unit, Extra: j.extra,
		Points: make([]runResult, len(j.runs))}
	for repeat := range repeats {
		for i, one := range j.runs {
			say("%s: %d of %d, size %d of %d", j.name, repeat+1, repeats, i+1, len(j.runs))
			line, err := one.start(ctx)
			if err != nil {
				r.Failed = hide.Replace(err.Error())
				return r
			}
			n, err := line.Number("n")
			if err != nil {
				r.Failed = hide.Replace(fmt.Sprintf("%s: %v", one.command, err))
				return r
			}
			r.Points[i].N, r.Points[i].Command = n, hide.Replace(one.command.Shown())
			r.Points[i].Lines = append(r.Points[i].Lines, line)
		}
	}
	return r
}
