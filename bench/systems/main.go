// Command systems trains and measures the systems of the papers beside ctxnorm, and writes a table
// of them in Markdown. For basic usage run make results.
//
// The list of what is measured is in systems.go. Each row has a folder OUT/EXPERIMENT/SYSTEM with the
// model, the answers on the gold, and row.json, which says what was run and what it took. A row
// that is there with the same commands is not run again, and a training that was stopped goes on
// from its checkpoint.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"

	"github.com/ctxnorm/ctxnorm/bench/harness"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "systems:", err)
		os.Exit(2)
	}
}

// settings say what is run.
type settings struct {
	Data      string `flag:"data" usage:"folder with dict/ and gold/ (default: $CTXNORM_DATA)"`
	Corpus    string `flag:"corpus" usage:"corpus folder of the half dictionary, for the rows that learn from text"`
	Vectors   string `flag:"word-vectors" usage:"folder of word vectors, for the rows that train on them"`
	Model     string `flag:"model" usage:"folder of a model of the half dictionary with an encoder, for the analyses of BioCoM's vote"`
	Base      string `flag:"base-model" usage:"base model of all encoders"`
	Program   string `flag:"program" default:"bin/ctxnorm" usage:"the ctxnorm to run"`
	Out       string `flag:"out" default:"build/results" usage:"folder of everything that is made"`
	Only      string `flag:"only" usage:"run the rows whose EXPERIMENT/SYSTEM matches this regular expression"`
	Quick     bool   `flag:"quick" usage:"run the quick experiment alone"`
	TableOnly bool   `flag:"table" usage:"run nothing and write the table"`
	Seed      int    `flag:"seed" default:"1" usage:"seed of everything"`
	Train     string `flag:"train" usage:"flags of all training of encoders, in place of each system's number of steps"`
	Both      string `flag:"flags" usage:"further flags of every train and eval"`
}

func run(ctx context.Context, args []string) error {
	var s settings
	flags := flag.NewFlagSet("systems", flag.ContinueOnError)
	harness.AddFlags(flags, &s)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if s.Data = cmp.Or(s.Data, os.Getenv("CTXNORM_DATA")); s.Data == "" || flags.NArg() > 0 {
		return fmt.Errorf("want the folder with dict/ and gold/ as -data, and no arguments: %q", flags.Args())
	}
	err := os.MkdirAll(s.Out, 0o777)
	if err == nil && !s.TableOnly {
		err = s.runAll(ctx)
	}
	if ctx.Err() != nil {
		return err
	}
	return errors.Join(err, s.writeTable()) // of what was run
}

// lacks returns what a system needs and the settings do not have, or "".
func (s *settings) lacks(y *system) string {
	switch {
	case y.corpus && s.Corpus == "":
		return "it learns from text and -corpus is empty"
	case y.given && s.Model == "":
		return "it is of a trained model and -model is empty"
	case y.vectors && s.Vectors == "":
		return "it trains on word vectors and -word-vectors is empty"
	}
	return ""
}

// runAll runs the rows that were chosen and are not there.
func (s *settings) runAll(ctx context.Context) error {
	only, err := regexp.Compile(s.Only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	var failed []error
	for _, e := range experiments {
		for _, y := range e.systems() {
			name := e.name + "/" + y.name
			if e.quick != s.Quick || !only.MatchString(name) {
				continue
			}
			if lacks := s.lacks(&y); lacks != "" {
				logf("%s: not run, as %s", name, lacks)
				continue
			}
			ran, err := s.runRow(ctx, e, y)
			if ctx.Err() != nil {
				return err
			}
			if err != nil { // the other rows are run all the same
				failed = append(failed, fmt.Errorf("%s: %w", name, err))
				logf("%v", failed[len(failed)-1])
			} else if !ran {
				logf("%s: done before", name)
			}
		}
	}
	return errors.Join(failed...)
}

func logf(format string, args ...any) { fmt.Fprintf(os.Stderr, "systems: "+format+"\n", args...) }

// folder returns the folder of a row.
func (s *settings) folder(e *experiment, name string) string {
	return filepath.Join(s.Out, e.name, name)
}
