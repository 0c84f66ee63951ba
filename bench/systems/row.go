package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/input"
)

// row records the commands that were run for a system, as row.json.
type row struct {
	Train   *step `json:"train,omitempty"` // nil for a system that uses the model of another
	Eval    *step `json:"eval,omitempty"`
	Refined *step `json:"refined,omitempty"` // on the dev set without the mentions of the training set
}

// step is a command that has ended.
type step struct {
	Args    []string `json:"args"`
	Shown   string   `json:"shown"`   // Args without the folders of this machine
	Version string   `json:"version"` // of the program, its commit
	Minutes float64  `json:"minutes"` // of wall time, runs that were stopped left out
	CPU     float64  `json:"cpu_minutes"`
	PeakMB  float64  `json:"peak_mb"` // largest resident set
}

// readRow returns the row of a system, an empty one if none was run.
func (s *settings) readRow(e *experiment, y *system) (r row) {
	if err := artifact.ReadJSON(filepath.Join(s.folder(e, y), "row.json"), &r); !errors.Is(err, fs.ErrNotExist) {
		harness.Check(err)
	}
	return r
}

// answers returns the file of a system's answers on the gold, or on the refined gold.
func (s *settings) answers(e *experiment, y *system, refined bool) string {
	if refined {
		return s.folder(e, y) + ".refined.jsonl"
	}
	return s.folder(e, y) + ".jsonl"
}

// refinedFlags are the flags for the gold without the mentions of the training set.
func (s *settings) refinedFlags(e *experiment) []string {
	return []string{"--refined", filepath.Join(s.Data, "gold", e.Train+".pubtator.gz")}
}

// runRow trains and measures a system, except for steps already done with the same commands. It reports whether there
// was anything to do.
func (s *settings) runRow(ctx context.Context, e *experiment, y *system) (ran bool) {
	of, trained := s.owner(e, y)
	own := of == e && trained == y
	if !own && trained.Model != given {
		harness.Explain(func() { ran = s.runRow(ctx, of, trained) }, "model of %s/%s", of.Name, trained.Name)
	}
	r := s.readRow(e, y)
	do := func(step **step, args []string) {
		if !ran && *step != nil && slices.Equal((*step).Args, args) {
			return
		}
		ran = true
		*step = s.execute(ctx, args)
		harness.Check(errors.Join(os.MkdirAll(s.folder(e, y), 0o777), artifact.WriteJSON(filepath.Join(s.folder(e, y), "row.json"), r)))
	}
	if own {
		do(&r.Train, s.trainArgs(e, y))
	}
	do(&r.Eval, s.evalArgs(e, y, "--answers", s.answers(e, y, false)))
	if e.Train != "" {
		do(&r.Refined, s.evalArgs(e, y, append(s.refinedFlags(e), "--answers", s.answers(e, y, true))...))
	}
	return ran
}

// execute runs ctxnorm. When ctx is canceled it is interrupted, so that training writes a checkpoint.
func (s *settings) execute(ctx context.Context, args []string) *step {
	version, _ := (&harness.Process{Args: []string{s.Program, "--version"}}).Run(ctx)
	harness.Log("ctxnorm %s", strings.Join(args, " "))
	_, used := (&harness.Process{Args: append([]string{s.Program}, args...), Shown: true}).Run(ctx)
	fields := append([]string{"unknown"}, strings.Fields(string(version))...)
	shown := harness.Redact("ctxnorm "+strings.Join(args, " "), [2]string{s.Out, "$CTXNORM_RESULTS"}, [2]string{s.Data, "$CTXNORM_DATA"},
		[2]string{s.Base, "$CTXNORM_BASE_MODEL"}, [2]string{s.Corpus, "$CORPUS"}, [2]string{s.Vectors, "$WORD_VECTORS"}, [2]string{s.Model, "$MODEL"})
	return &step{Args: args, Shown: shown, Version: fields[len(fields)-1], Minutes: used["wall_seconds"].(float64) / 60,
		CPU: used["process_cpu_seconds"].(float64) / 60, PeakMB: used["peak_mb"].(float64)}
}

// labels returns the file of labeled mentions of the first documents, which it makes; 0 stands for all.
func (s *settings) labels(e *experiment, documents int) string {
	path := filepath.Join(s.Data, "gold", e.Train+".pubtator.gz")
	if documents == 0 {
		return path
	}
	few := filepath.Join(s.Out, "gold", fmt.Sprintf("%s-%d.pubtator", e.Train, documents))
	if _, err := os.Stat(few); err == nil {
		return few
	}
	in := harness.Get(input.Open(path))
	defer in.Close()
	text := strings.TrimLeft(string(harness.Get(io.ReadAll(in))), "\n")
	all := strings.SplitAfterN(text, "\n\n", documents+1) // by blank lines
	first := strings.Join(all[:min(documents, len(all))], "")
	harness.Check(errors.Join(os.MkdirAll(filepath.Dir(few), 0o777), artifact.WriteFile(few, []byte(first))))
	return few
}
