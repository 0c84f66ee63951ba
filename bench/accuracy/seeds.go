package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ctxnorm/eval"
)

// seed is what was measured with one seed.
type seed struct {
	number  int
	reports map[string]*eval.Report // by what was measured and the gold: "model.MedMentions"
	steps   []step
}

// step is a command that was run.
type step struct {
	name, minutes, version, command string
}

// readSeeds reads the folders seed1, seed2, ... that have anything measured.
func readSeeds(dir string, sets []string) ([]seed, error) {
	folders, err := filepath.Glob(filepath.Join(dir, "seed*"))
	if err != nil {
		return nil, err
	}
	var seeds []seed
	for _, folder := range folders {
		number, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(folder), "seed"))
		if err != nil {
			continue
		}
		s := seed{number: number}
		if s.reports, err = readReports(filepath.Join(folder, "eval"), sets); err != nil {
			return nil, err
		}
		if s.steps, err = readSteps(filepath.Join(folder, "minutes.tsv")); err != nil {
			return nil, err
		}
		if len(s.reports) > 0 {
			seeds = append(seeds, s)
		}
	}
	if len(seeds) == 0 {
		return nil, fmt.Errorf("%s: no folder seed1, seed2, ... with reports of %s", dir, strings.Join(sets, ", "))
	}
	slices.SortFunc(seeds, func(a, b seed) int { return cmp.Compare(a.number, b.number) })
	return seeds, nil
}

// readReports reads the reports on the sets, in JSON.
func readReports(dir string, sets []string) (map[string]*eval.Report, error) {
	reports := make(map[string]*eval.Report)
	for _, set := range sets {
		files, err := filepath.Glob(filepath.Join(dir, "*."+set+".json"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			var r eval.Report
			if err := json.Unmarshal(data, &r); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			reports[strings.TrimSuffix(filepath.Base(file), ".json")] = &r
		}
	}
	return reports, nil
}

// readSteps reads lines of a step's name, minutes, version and command, with tabs
// between them. A step that was run again is there once, as it was last.
func readSteps(path string) ([]step, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var steps []step
	scanner := bufio.NewScanner(f)
	for line := 1; scanner.Scan(); line++ {
		fields := strings.Split(scanner.Text(), "\t")
		if len(fields) != 4 {
			return nil, fmt.Errorf("%s:%d: %d fields, want 4: step, minutes, version, command", path, line, len(fields))
		}
		one := step{fields[0], fields[1], fields[2], fields[3]}
		steps = slices.DeleteFunc(steps, func(s step) bool { return s.name == one.name })
		steps = append(steps, one)
	}
	return steps, scanner.Err()
}

// measured are the amounts that reports have in their names after a prefix: ".25" of
// "fraction.25.MedMentions".
func measured(seeds []seed, prefix string) map[string]bool {
	amounts := make(map[string]bool)
	for i := range seeds {
		for key := range seeds[i].reports {
			if amount, ok := strings.CutPrefix(key[:strings.LastIndex(key, ".")], prefix); ok {
				amounts[amount] = true
			}
		}
	}
	return amounts
}

// result is what a linker reached on a set; nil where that was not measured.
func (s *seed) result(what, set, policy, linker string) *eval.Result {
	report := s.reports[what+"."+set]
	if report == nil {
		return nil
	}
	for i := range report.Results {
		if r := &report.Results[i]; r.Policy == policy && r.Linker == linker {
			return r
		}
	}
	return nil
}

// lead is how far the model is ahead of another linker in a slice; nil where that was
// not measured.
func (s *seed) lead(set, over, slice string) *eval.Comparison {
	report := s.reports["model."+set]
	if report == nil {
		return nil
	}
	for i := range report.Comparisons {
		if c := &report.Comparisons[i]; c.Policy == policy && c.A == final && c.B == over && c.Slice == slice {
			return c
		}
	}
	return nil
}

// modelReports are the reports of the trained model that there are, seed by seed.
func modelReports(seeds []seed, sets []string) iter.Seq[*eval.Report] {
	return func(yield func(*eval.Report) bool) {
		for i := range seeds {
			for _, set := range sets {
				if report := seeds[i].reports["model."+set]; report != nil && !yield(report) {
					return
				}
			}
		}
	}
}
