// Command growth is what make growth starts: every command of ctxnorm at one, three
// and ten times the data, each run a process of its own. It fits lines to time and
// memory, draws them, and computes what they come to for all of PubMed and for a
// dictionary of the size of UMLS.
//
// To see what is measured read jobs.go; bench/README.md says how to read the
// results. A job goes through
//
//	run      a process at one size; what it took and counts of what it did
//	job      runs at all sizes, several times over
//	series   one figure of a job by size, and the line fitted to it
//	report   tables, plots, projection
//
// The subcommands that make input, growth lines, growth widen and growth vectors, are
// programs of their own so that the harness holds no data (see [measure.Usage]).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"ctxnorm/bench/measure"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(os.Stderr, "growth: %v\n", err)
		os.Exit(2)
	}
}

// makers are the subcommands that make input.
var makers = map[string]func(args []string) error{
	"lines":   makeLines,
	"widen":   makeWide,
	"vectors": makeVectors,
}

func run(ctx context.Context, args []string) error {
	if len(args) > 0 && makers[args[0]] != nil {
		if err := makers[args[0]](args[1:]); err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
		return nil
	}
	s, err := parseSettings(args)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.path(""), 0o755); err != nil {
		return err
	}
	r := &report{Machine: measure.DescribeMachine(), Settings: s.describe(), Threads: s.threads}
	for _, j := range s.jobs() {
		if !s.only.MatchString(j.name) {
			continue
		}
		result := j.measure(ctx, s.repeats, measure.Hide(s.work, "", s.data, "$CTXNORM_DATA/"))
		if ctx.Err() != nil {
			break // what was measured before is kept
		}
		if result.Failed != "" {
			say("%s failed: %s", j.name, result.Failed)
		}
		r.Jobs = append(r.Jobs, result)
	}
	if len(r.Jobs) == 0 && ctx.Err() != nil {
		return ctx.Err()
	}
	if len(r.Jobs) == 0 {
		return fmt.Errorf("no job is called like %s", s.only)
	}
	path, err := r.save(s.out)
	if err != nil {
		return err
	}
	fmt.Print(r.markdown(filepath.Base(path)))
	say("saved as %s.md, .json, -time.png and -memory.png", path)
	return errors.Join(ctx.Err(), r.failure())
}

// say tells the user what goes on; standard output is the report's.
func say(format string, args ...any) { fmt.Fprintf(os.Stderr, "growth: "+format+"\n", args...) }
