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
	add := func(table, row, column string, value float64, denominator int) {
		if k := (key{report, table, row, column, set}); denominator > 0 {
			s.figures[k], s.keys = value, append(s.keys, k)
		}
	}
	counted := policy
	if slices.Contains(contextSets, set) {
		counted = nilPolicy
	}
	for _, r := range r.Results {
		isFinal := r.Linker == final
		if r.Policy == nilPolicy && isFinal && r.Confidence != nil {
			for _, t := range r.Confidence.Thresholds {
				at := strconv.FormatFloat(t.MinProbability, 'g', -1, 64)
				add("thresholds", at, "coverage", t.Coverage.Value, t.Coverage.Denominator)
				add("thresholds", at, "risk", t.Risk.Value, t.Risk.Denominator)
				add("thresholds", at, "Acc@1", t.Acc1.Value, t.Acc1.Denominator)
				if t.NIL != nil {
					add("thresholds", at, "NIL precision", t.NIL.Precision.Value, t.NIL.Precision.Denominator)
					add("thresholds", at, "NIL recall", t.NIL.Recall.Value, t.NIL.Recall.Denominator)
					add("thresholds", at, "NIL F1", t.NIL.F1.Value, t.NIL.F1.Denominator)
				}
			}
		}
		if r.Policy != counted {
			continue
		}
		for _, f := range r.Metrics {
			add("linkers", r.Linker, f.Name, f.Value, f.Denominator)
			if f.Name == "Acc@1" {
				add("linkers", r.Linker, "from", f.Low, f.Denominator)
				add("linkers", r.Linker, "to", f.High, f.Denominator)
			}
		}
		for _, f := range r.Slices {
			add("slices", f.Name, r.Linker, f.Metrics[0].Value, f.Metrics[0].Denominator)
		}
		if !isFinal {
			continue
		}
		for _, f := range r.Failures {
			add("mistakes", string(f.Kind), "share", float64(f.Mentions)/float64(max(1, f.Total)), f.Mentions)
		}
		for _, f := range r.Relations {
			add("mistakes", string(f.Relation), "share", float64(f.Mentions)/float64(max(1, f.Total)), f.Mentions)
		}
		if r.Confidence != nil {
			add("probabilities", "ECE", "value", r.Confidence.ECE.Value, 1)
			for _, f := range r.Confidence.Metrics {
				add("probabilities", f.Name, "value", f.Value, f.Denominator)
			}
		}
	}
	for _, c := range r.Comparisons {
		if c.Policy != counted || c.A != final {
			continue
		}
		n := c.Difference.Denominator
		if c.Slice == eval.AllMentions().Name {
			add("lead", c.B, "lead", c.Difference.Value, n)
			add("lead", c.B, "from", c.Difference.Low, n)
			add("lead", c.B, "to", c.Difference.High, n)
			add("lead", c.B, "p bootstrap", c.Bootstrap, n)
			add("lead", c.B, "p McNemar", c.McNemar, n)
		}
		if c.B == without {
			add("contexts", c.Slice, "lead", c.Difference.Value, n)
			add("contexts", c.Slice, "only with", float64(c.OnlyA), n)
			add("contexts", c.Slice, "only without", float64(c.OnlyB), n)
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
