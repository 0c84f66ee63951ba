// Command accuracy prints the tables of scripts/accuracy.sh, those of all seeds in a folder, as Markdown.
//
//	accuracy FOLDER SET…
package main

import (
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
)

func main() {
	harness.Main("accuracy", func(_ context.Context, args []string) (int, error) { return 0, run(os.Stdout, args) })
}

func run(w io.Writer, args []string) error {
	if len(args) < 2 {
		return errors.New("usage: accuracy FOLDER SET…")
	}
	m, err := read(args[0], args[1:])
	if err == nil {
		_, err = io.WriteString(w, m.markdown())
	}
	return err
}

// measurements are the figures of the reports on the sets.
type measurements struct {
	sets  []string
	seeds []*seed
}

// seed is what was measured with one seed.
type seed struct {
	number  int
	figures map[key]float64
	keys    []key      // of figures, in the reports' order
	steps   [][]string // commands that were run: name, minutes, version, command
}

// key names a figure: its report, such as model or context, and the table in which it has a row, and a column for each set.
type key struct{ report, table, row, column, set string }

const (
	policy    = "paper"         // under which linkers are compared
	nilPolicy = "strict"        // counts mentions of held-out concepts, for which NIL is right
	final     = "model: ranked" // the whole program, as its report calls it
	without   = "ranked without contexts"
)

// contextSets are those on whether the context decides, in reports called context. They are scored under nilPolicy.
var contextSets = []string{"short_forms", "short_forms_as_frequent", "sentence_pairs"}

// notes say what the tables show.
var notes = map[string]string{
	"linkers":       "Acc@1 with its interval of 95 % over documents, and further metrics. A ranking without a part has weights learned for what it has.",
	"lead":          "Acc@1 of `ranked` less the linker's, with its interval, and the p values of the paired bootstrap and of McNemar's test.",
	"contexts":      "By slice, Acc@1 of `ranked` less that without contexts, and the mentions that only the one or only the other has right.",
	"slices":        "Acc@1 of the mentions of a slice.",
	"mistakes":      "Shares of all mentions: how `ranked` fails and, if there is a candidate, how the first one relates to the gold.",
	"probabilities": "Of `ranked`; eval --help explains them.",
	"thresholds":    "`ranked` by its minimal probability, all mentions, with all sub-mentions of composite ones.",
}

// read reads the folders seed1, seed2, ... that have reports on the sets.
func read(dir string, sets []string) (*measurements, error) {
	folders, err := filepath.Glob(filepath.Join(dir, "seed*"))
	if err != nil {
		return nil, err
	}
	m := &measurements{sets: slices.Concat(sets, contextSets)}
	for _, folder := range folders {
		number, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(folder), "seed"))
		if err != nil {
			continue
		}
		s := &seed{number: number, figures: map[key]float64{}}
		if err := errors.Join(s.readReports(filepath.Join(folder, "eval"), m.sets), s.readSteps(filepath.Join(folder, "minutes.tsv"))); err != nil {
			return nil, err
		}
		if len(s.keys) > 0 {
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
			s.addFigures(strings.TrimSuffix(filepath.Base(file), "."+set+".json"), set, r)
		}
	}
	return nil
}

// addFigures takes the figures of a report.
func (s *seed) addFigures(report, set string, r *eval.Report) {
	counted := policy
	if slices.Contains(contextSets, set) {
		counted = nilPolicy
	}
	row := func(table, row string, n int, figures ...figure) {
		for _, f := range figures {
			if k := (key{report, table, row, f.column, set}); n > 0 {
				s.figures[k], s.keys = f.value, append(s.keys, k)
			}
		}
	}
	ratio := func(table, name, column string, r eval.Ratio) {
		row(table, name, r.Denominator, figure{column, r.Value})
	}
	for _, r := range r.Results {
		isFinal := r.Linker == final
		if r.Policy == nilPolicy && isFinal && r.Confidence != nil {
			for _, t := range r.Confidence.Thresholds {
				at := strconv.FormatFloat(t.MinProbability, 'g', -1, 64)
				ratio("thresholds", at, "coverage", t.Coverage)
				ratio("thresholds", at, "risk", t.Risk)
				ratio("thresholds", at, "Acc@1", t.Acc1)
				if t.NIL != nil {
					ratio("thresholds", at, "NIL precision", t.NIL.Precision)
					ratio("thresholds", at, "NIL recall", t.NIL.Recall)
					ratio("thresholds", at, "NIL F1", t.NIL.F1)
				}
			}
		}
		if r.Policy != counted {
			continue
		}
		for _, f := range r.Metrics {
			figures := []figure{{f.Name, f.Value}}
			if f.Name == "Acc@1" {
				figures = append(figures, figure{"from", f.Low}, figure{"to", f.High})
			}
			row("linkers", r.Linker, f.Denominator, figures...)
		}
		for _, f := range r.Slices {
			row("slices", f.Name, f.Metrics[0].Denominator, figure{r.Linker, f.Metrics[0].Value})
		}
		if !isFinal {
			continue
		}
		for _, f := range r.Failures {
			row("mistakes", string(f.Kind), f.Mentions, figure{"share", float64(f.Mentions) / float64(max(1, f.Total))})
		}
		for _, f := range r.Relations {
			row("mistakes", string(f.Relation), f.Mentions, figure{"share", float64(f.Mentions) / float64(max(1, f.Total))})
		}
		if r.Confidence != nil {
			row("probabilities", "ECE", 1, figure{"value", r.Confidence.ECE.Value})
			for _, f := range r.Confidence.Metrics {
				row("probabilities", f.Name, f.Denominator, figure{"value", f.Value})
			}
		}
	}
	for _, c := range r.Comparisons {
		if c.Policy != counted || c.A != final {
			continue
		}
		n, lead := c.Difference.Denominator, figure{"lead", c.Difference.Value}
		if c.Slice == eval.AllMentions().Name {
			row("lead", c.B, n, lead, figure{"from", c.Difference.Low}, figure{"to", c.Difference.High},
				figure{"p bootstrap", c.Bootstrap}, figure{"p McNemar", c.McNemar})
		}
		if c.B == without {
			row("contexts", c.Slice, n, lead, figure{"only with", float64(c.OnlyA)}, figure{"only without", float64(c.OnlyB)})
		}
	}
}

// figure is a value of a row, by its column.
type figure struct {
	column string
	value  float64
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
