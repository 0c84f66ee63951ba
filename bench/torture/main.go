// Command torture is what make torture starts: it runs ctxnorm against hostile cases and
// checks that nothing of the user's is lost and that no answer is wrong without a word.
// Programs are killed at system calls and at random moments, disks fill up, several
// processes write one folder, files are damaged, and inputs never end.
//
// To see what is tried read seeds.go and the files of the classes: crash.go, longrun.go, disk.go,
// folders.go, damage.go, basemodel.go, flood.go and load.go. docs/reliability.md has the results.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/ctxnorm/ctxnorm/bench/harness"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	failed, err := run(ctx, os.Args[1:])
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintf(os.Stderr, "torture: %v\n", err)
		os.Exit(2)
	case failed:
		os.Exit(1)
	}
}

// settings are what the command line asks for.
type settings struct {
	Ctxnorm   string  `flag:"ctxnorm" default:"bin/ctxnorm" usage:"program to try"`
	Examples  string  `flag:"examples" default:"examples" usage:"folder of the example corpus and dictionary"`
	BaseModel string  `flag:"base-model" default:"internal/bert/testdata/tiny" usage:"folder of a small base model"`
	Work      string  `flag:"work" usage:"folder for the cases; those that fail stay in it (default: ctxnorm-torture in the temporary folder)"`
	Results   string  `flag:"results" usage:"file of one line of JSON a case; cases in it are not run again (default: results.jsonl in the work folder)"`
	Compare   string  `flag:"compare" usage:"results of another program, to print beside these as before and after"`
	Only      string  `flag:"only" usage:"run the cases whose class or class/name matches this pattern"`
	Short     bool    `flag:"short" usage:"run a few cases of each class, in under two minutes, and no load"`
	Seed      int     `flag:"seed" default:"1" usage:"seed of every random choice"`
	Jobs      int     `flag:"jobs" usage:"number of cases to run at once (default: one per core)"`
	Limit     float64 `flag:"limit" default:"60" usage:"seconds that a command may take; load has limits of its own"`
	Memory    int     `flag:"memory" default:"2048" usage:"MiB that a command may use"`
	Mutations int     `flag:"mutations" default:"10000" usage:"number of mutated inputs and files to try; 200 with -short"`
	Kills     int     `flag:"kills" default:"100" usage:"number of random kills of each command; 2 with -short"`
	Points    int     `flag:"points" default:"200" usage:"largest number of kill points to try of each system call and command; 2 with -short"`
}

func parseSettings(args []string) (*settings, error) {
	s := &settings{}
	flags := flag.NewFlagSet("torture", flag.ContinueOnError)
	harness.AddFlags(flags, s)
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("%q is not a flag", flags.Arg(0))
	}
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	if s.Short {
		for name, n := range map[string]*int{"mutations": &s.Mutations, "kills": &s.Kills, "points": &s.Points} {
			if !given[name] {
				*n = map[string]int{"mutations": 200, "kills": 2, "points": 2}[name]
			}
		}
	}
	if s.Work == "" {
		s.Work = filepath.Join(os.TempDir(), "ctxnorm-torture")
	}
	if s.Results == "" {
		s.Results = filepath.Join(s.Work, "results.jsonl")
	}
	if s.Jobs == 0 {
		s.Jobs = runtime.NumCPU()
	}
	for name, n := range map[string]int{"jobs": s.Jobs, "memory": s.Memory, "mutations": s.Mutations, "kills": s.Kills, "points": s.Points} {
		if n < 1 {
			return nil, fmt.Errorf("-%s is %d, want 1 or more", name, n)
		}
	}
	if !(s.Limit > 0) {
		return nil, fmt.Errorf("-limit is %g, want more than 0", s.Limit)
	}
	for _, path := range []*string{&s.Ctxnorm, &s.Examples, &s.BaseModel, &s.Work, &s.Results} {
		absolute, err := filepath.Abs(*path)
		if err != nil {
			return nil, err
		}
		*path = absolute // commands run in folders of their own
	}
	return s, nil
}

// hostileCase is one thing that is done to the program. Run works in a folder of its own
// and returns nil if the program behaved, an error made by skipf if the case cannot be
// tried on this machine, and else what went wrong.
type hostileCase struct {
	class, name string
	alone       bool // no other case runs beside it
	run         func(l *lab, dir string) error
}

// cases returns all of them, in the order in which they run.
func cases(l *lab) []hostileCase {
	return slices.Concat(
		foreignCases(l), readOnlyCases(l), outputCases(l), togetherCases(l), clockCases(l),
		killPointCases(l), randomKillCases(l), longRunCases(l), diskFullCases(l), failedCallCases(l),
		baseModelCases(l), damageCases(l), floodCases(l), loadCases(l),
	)
}

// run tries the cases and reports whether one failed.
func run(ctx context.Context, args []string) (failed bool, err error) {
	s, err := parseSettings(args)
	if err != nil {
		return false, err
	}
	only, err := regexp.Compile(s.Only)
	if err != nil {
		return false, fmt.Errorf("-only: %w", err)
	}
	l, err := newLab(ctx, s)
	if err != nil {
		return false, err
	}
	done, err := readResults(s.Results, l.program, s.Seed)
	if err != nil {
		return false, err
	}
	file, err := os.OpenFile(s.Results, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return false, err
	}
	defer file.Close()

	var mu sync.Mutex
	var results []result // of this selection, those of earlier runs included
	record := func(r result, fresh bool) error {
		mu.Lock()
		defer mu.Unlock()
		results = append(results, r)
		if !fresh {
			return nil
		}
		fmt.Println(r)
		return writeResult(file, r)
	}
	var together errgroup.Group
	together.SetLimit(s.Jobs)
	for _, c := range cases(l) {
		if !only.MatchString(c.class) && !only.MatchString(c.class+"/"+c.name) {
			continue
		}
		if r, ok := done[c.class+"/"+c.name]; ok {
			if err := record(r, false); err != nil {
				return false, err
			}
			continue
		}
		if ctx.Err() != nil {
			break
		}
		try := func() error {
			r := l.try(c)
			if ctx.Err() != nil {
				return nil // an interrupt is no result
			}
			return record(r, true)
		}
		if c.alone {
			if err := errors.Join(together.Wait(), try()); err != nil {
				return false, err
			}
			continue
		}
		together.Go(try)
	}
	if err := together.Wait(); err != nil {
		return false, err
	}
	if len(results) == 0 {
		return false, errors.Join(ctx.Err(), fmt.Errorf("-only: no case matches %s", s.Only))
	}
	if s.Compare != "" {
		before, err := readResults(s.Compare, "", s.Seed)
		if err != nil {
			return false, err
		}
		fmt.Print("\n", compareTable(before, results))
	} else {
		fmt.Print("\n", table(results))
	}
	for _, r := range results {
		failed = failed || r.Outcome == outcomeFailed
	}
	return failed, ctx.Err()
}

// try runs one case in a fresh folder, which stays if the case fails.
func (l *lab) try(c hostileCase) result {
	r := result{Program: l.program, Seed: l.settings.Seed, Class: c.class, Case: c.name, Outcome: outcomePassed}
	dir, err := l.caseFolder(c)
	start := time.Now()
	if err == nil {
		err = c.run(l, dir)
	}
	r.Seconds = float64(time.Since(start).Milliseconds()) / 1000
	var skipped skipError
	var note noteError
	switch {
	case errors.As(err, &skipped):
		r.Outcome, r.Why = outcomeSkipped, skipped.Error()
	case errors.As(err, &note):
		r.Why = note.Error()
	case err != nil:
		r.Outcome, r.Why = outcomeFailed, err.Error()
		return r
	}
	if err := os.RemoveAll(dir); err != nil {
		r.Outcome, r.Why = outcomeFailed, err.Error()
	}
	return r
}

// A skipError says why a case cannot be tried on this machine.
type skipError string

func (e skipError) Error() string { return string(e) }

// skipf returns an error that skips a case.
func skipf(format string, args ...any) error { return skipError(fmt.Sprintf(format, args...)) }

// A noteError is what a case that passed has to say, such as its time and memory.
type noteError string

func (e noteError) Error() string { return string(e) }

// sortCases sorts cases by name, so that their order is the same each time.
func sortCases(all []hostileCase) {
	slices.SortFunc(all, func(a, b hostileCase) int { return strings.Compare(a.name, b.name) })
}
