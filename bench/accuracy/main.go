// Command accuracy makes the tables of scripts/accuracy.sh.
//
//	accuracy ids FILE…          document ids of annotated files, one per line
//	accuracy table FOLDER SET…  tables of all seeds in a folder, as Markdown
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ctxnorm/corpus/annotated"
	"ctxnorm/eval"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	err := run(out, os.Args[1:])
	if err = errors.Join(err, out.Flush()); err != nil {
		fmt.Fprintln(os.Stderr, "accuracy:", err)
		os.Exit(2)
	}
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
	in, err := annotated.Open(file, annotated.Options{})
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
	seeds []seed
}

// seed is what was measured with one seed.
type seed struct {
	number  int
	reports map[string]*eval.Report // by name, with the set: "model.MedMentions"
	steps   []step
}

// step is a command that was run.
type step struct {
	name, minutes, version, command string
}

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
		s := seed{number: number, reports: map[string]*eval.Report{}}
		if err := errors.Join(s.readReports(filepath.Join(folder, "eval"), sets), s.readSteps(filepath.Join(folder, "minutes.tsv"))); err != nil {
			return nil, err
		}
		if len(s.reports) > 0 {
			m.seeds = append(m.seeds, s)
		}
	}
	if len(m.seeds) == 0 {
		return nil, fmt.Errorf("%s: no folder seed1, seed2, ... has reports on %s", dir, strings.Join(sets, ", "))
	}
	slices.SortFunc(m.seeds, func(a, b seed) int { return a.number - b.number })
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
			s.reports[strings.TrimSuffix(filepath.Base(file), ".json")] = r
		}
	}
	return nil
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
		s.steps = slices.DeleteFunc(s.steps, func(s step) bool { return s.name == fields[0] })
		s.steps = append(s.steps, step{fields[0], fields[1], fields[2], fields[3]})
	}
	return nil
}

// step returns the step of that name, and nil if it was not run.
func (s *seed) step(name string) *step {
	if i := slices.IndexFunc(s.steps, func(s step) bool { return s.name == name }); i >= 0 {
		return &s.steps[i]
	}
	return nil
}

// result returns what a linker reached on a set, and nil if that was not measured.
func (s *seed) result(report, set, policy, linker string) *eval.Result {
	if r := s.reports[report+"."+set]; r != nil {
		for i := range r.Results {
			if found := &r.Results[i]; found.Policy == policy && found.Linker == linker {
				return found
			}
		}
	}
	return nil
}

// lead compares the final system with another linker in a slice. It returns nil if
// that was not measured.
func (s *seed) lead(set, linker, slice string) *eval.Comparison {
	if r := s.reports["model."+set]; r != nil {
		for i := range r.Comparisons {
			if c := &r.Comparisons[i]; c.Policy == policy && c.A == final && c.B == linker && c.Slice == slice {
				return c
			}
		}
	}
	return nil
}
