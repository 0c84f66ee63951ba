// Command accuracy makes the tables of scripts/accuracy.sh.
//
//	accuracy ids FILE…          document ids of annotated files, one per line
//	accuracy table FOLDER SET…  tables of all seeds in a folder, as Markdown
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

func main() {
	harness.Main("accuracy", func(_ context.Context, args []string) (int, error) {
		out := bufio.NewWriter(os.Stdout)
		err := run(out, args)
		return 0, errors.Join(err, out.Flush())
	})
}

func run(w io.Writer, args []string) error {
	switch {
	case len(args) > 1 && args[0] == "ids":
		for _, file := range args[1:] {
			if err := printIDs(w, file); err != nil {
				return err
			}
		}
		return nil
	case len(args) > 2 && args[0] == "table":
		m, err := read(args[1], args[2:])
		if err != nil {
			return err
		}
		_, err = io.WriteString(w, m.markdown())
		return err
	}
	return errors.New("usage: accuracy ids FILE… | accuracy table FOLDER SET…")
}

// printIDs prints the ids of the documents in an annotated file.
func printIDs(w io.Writer, file string) error {
	in, err := formats.Open(file, formats.Options{})
	if err != nil {
		return err
	}
	defer in.Close()
	for {
		doc, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(w, doc.ID); err != nil {
			return err
		}
	}
}

// measurements are the reports on the sets, seed by seed.
type measurements struct {
	sets  []string
	seeds []*seed
}

// seed is what was measured with one seed.
type seed struct {
	number  int
	reports map[string]*eval.Report // by name, with the set: "model.MedMentions"
	figures map[key]float64         // of all reports
	keys    []key                   // of figures, in the reports' order
	steps   [][]string              // commands that were run: name, minutes, version, command
}

// key names a figure of a linker in a report. In the report "model" a comparison with
// the final system has the other linker's name.
type key struct{ report, set, linker, figure string }

// Prefixes of figures that come from tables of a report.
const (
	mistake     = "mistake: "  // share of mentions with a kind of mistake
	leadIn      = "lead: "     // Acc@1 of the final system less the linker's, by slice
	inSlice     = "in slice: " // Acc@1 of the mentions of a slice
	onlyWith    = "only with: "
	onlyWithout = "only without: "
)

// contextReport is the name of the reports on whether the context decides, on sets of their
// own. They are scored under nilPolicy.
const contextReport = "context"

var contextSets = []string{"short_forms", "short_forms_as_frequent", "sentence_pairs"}

// thresholdColumns are figures of a threshold, keyed as "risk at .95".
var thresholdColumns = []string{"coverage", "risk", "Acc@1", "NIL precision", "NIL recall", "NIL F1"}

// read reads the folders seed1, seed2, ... that have reports on the sets.
func read(dir string, sets []string) (*measurements, error) {
	folders, err := filepath.Glob(filepath.Join(dir, "seed*"))
	if err != nil {
		return nil, err
	}
	m := &measurements{sets: sets}
	for _, folder := range folders {
		number, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(folder), "seed"))
		if err != nil {
			continue
		}
		s := &seed{number: number, reports: map[string]*eval.Report{}, figures: map[key]float64{}}
		if err := errors.Join(s.readReports(filepath.Join(folder, "eval"), slices.Concat(sets, contextSets)), s.readSteps(filepath.Join(folder, "minutes.tsv"))); err != nil {
			return nil, err
		}
		if len(s.reports) > 0 {
			m.seeds = append(m.seeds, s)
		}
	}
	if len(m.seeds) == 0 {
		return nil, fmt.Errorf("%s: no folder seed1, seed2, ... has reports on %s", dir, strings.Join(sets, ", "))
	}
	slices.SortFunc(m.seeds, func(a, b *seed) int { return a.number - b.number })
	return m, nil
}

func (s *seed) readReports(dir string, sets []string) error {
	for _, set := range sets {
		files, err := filepath.Glob(filepath.Join(dir, "*."+set+".json"))
		if err != nil {
			return err
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			r := &eval.Report{}
			if err := json.Unmarshal(data, r); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			name := strings.TrimSuffix(filepath.Base(file), "."+set+".json")
			s.reports[name+"."+set] = r
			s.addFigures(name, set, r)
		}
	}
	return nil
}

// addFigures takes the figures of a report under policy.
func (s *seed) addFigures(report, set string, r *eval.Report) {
	add := func(linker, figure string, value float64, denominator int) {
		if k := (key{report, set, linker, figure}); denominator > 0 {
			s.figures[k], s.keys = value, append(s.keys, k)
		}
	}
	policy := policy
	if report == contextReport {
		policy = nilPolicy
	}
	for _, r := range r.Results {
		if r.Policy == nilPolicy && r.Linker == final && r.Confidence != nil {
			for _, t := range r.Confidence.Thresholds {
				at := strconv.FormatFloat(t.MinProbability, 'g', -1, 64)
				for i, ratio := range []eval.Ratio{t.Coverage, t.Risk, t.Acc1} {
					add(final, thresholdColumns[i]+" at "+at, ratio.Value, ratio.Denominator)
				}
				if t.NIL != nil {
					for i, ratio := range []eval.Ratio{t.NIL.Precision, t.NIL.Recall, t.NIL.F1} {
						add(final, thresholdColumns[3+i]+" at "+at, ratio.Value, ratio.Denominator)
					}
				}
			}
		}
		if r.Policy != policy {
			continue
		}
		figures := r.Metrics
		if r.Confidence != nil {
			add(r.Linker, "ECE", r.Confidence.ECE.Value, 1)
			figures = slices.Concat(figures, r.Confidence.Metrics)
		}
		for _, f := range figures {
			add(r.Linker, f.Name, f.Value, f.Denominator)
		}
		for _, f := range r.Slices {
			add(r.Linker, inSlice+f.Name, f.Metrics[0].Value, f.Metrics[0].Denominator)
		}
		for _, f := range r.Failures {
			add(r.Linker, mistake+string(f.Kind), float64(f.Mentions)/float64(max(1, f.Total)), 1)
		}
		for _, f := range r.Relations {
			add(r.Linker, mistake+string(f.Relation), float64(f.Mentions)/float64(max(1, f.Total)), 1)
		}
	}
	for _, c := range r.Comparisons {
		if c.Policy == policy && c.A == final {
			add(c.B, leadIn+c.Slice, c.Difference.Value, c.Difference.Denominator)
			add(c.B, onlyWith+c.Slice, float64(c.OnlyA), c.Difference.Denominator)
			add(c.B, onlyWithout+c.Slice, float64(c.OnlyB), c.Difference.Denominator)
		}
	}
}

// readSteps reads the steps' names, minutes, versions and commands, separated by tabs.
// Of a step that was run again the last line counts.
func (s *seed) readSteps(path string) error {
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		fields := strings.Split(line, "\t")
		if len(fields) != 4 {
			return fmt.Errorf("%s:%d: %d fields, want 4: step, minutes, version, command", path, i+1, len(fields))
		}
		s.steps = slices.DeleteFunc(s.steps, func(step []string) bool { return step[0] == fields[0] })
		s.steps = append(s.steps, fields)
	}
	return nil
}
