// Command systems trains and measures the systems of the papers beside ctxnorm, and writes a table
// of them in Markdown. For basic usage run make results.
//
// The list of what is measured is in systems.go. Each row has a folder OUT/EXPERIMENT/SYSTEM with the
// model, the answers on the gold, and row.json, which says what was run and what it took. A row
// that is there with the same commands is not run again, and a training that was stopped goes on
// from its checkpoint.
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
	"strings"
	"syscall"
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
	data, corpus, vectors, model, base, program, out string
	only                                             *regexp.Regexp // of EXPERIMENT/SYSTEM
	quick                                            bool           // only the quick experiment; without it all others
	tableOnly                                        bool
	seed                                             uint64
	train, both                                      []string // flags of training encoders, in place of each budget, and further flags of every command
}

func run(ctx context.Context, args []string) error {
	var s settings
	var only, train, both string
	flags := flag.NewFlagSet("systems", flag.ContinueOnError)
	flags.StringVar(&s.data, "data", os.Getenv("CTXNORM_DATA"), "folder with dict/ and gold/")
	flags.StringVar(&s.corpus, "corpus", "", "corpus folder of the half dictionary, for the rows that learn from text")
	flags.StringVar(&s.vectors, "word-vectors", "", "folder of word vectors, for the rows that train on them")
	flags.StringVar(&s.model, "model", "", "folder of a model of the half dictionary with an encoder, for the analyses of BioCoM's vote")
	flags.StringVar(&s.base, "base-model", "", "base model of all encoders")
	flags.StringVar(&s.program, "program", "bin/ctxnorm", "the ctxnorm to run")
	flags.StringVar(&s.out, "out", "build/results", "folder of everything that is made")
	flags.StringVar(&only, "only", "", "run the rows whose EXPERIMENT/SYSTEM matches this regular expression")
	flags.BoolVar(&s.quick, "quick", false, "run the quick experiment alone")
	flags.BoolVar(&s.tableOnly, "table", false, "run nothing and write the table")
	flags.Uint64Var(&s.seed, "seed", 1, "seed of everything")
	flags.StringVar(&train, "train", "", "flags of all training of encoders, in place of each system's number of steps")
	flags.StringVar(&both, "flags", "", "further flags of every train and eval")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	s.train, s.both = strings.Fields(train), strings.Fields(both)
	if s.data == "" {
		return errors.New("-data is empty, want the folder with dict/ and gold/")
	}
	var err error
	if s.only, err = regexp.Compile(only); err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	if err := os.MkdirAll(s.out, 0o777); err != nil {
		return err
	}
	if !s.tableOnly {
		err = s.runAll(ctx)
	}
	if ctx.Err() != nil {
		return err
	}
	return errors.Join(err, s.writeTable()) // of what was run
}

// runAll runs the rows that were chosen and are not there.
func (s *settings) runAll(ctx context.Context) error {
	var failed []error
	for _, e := range experiments {
		if e.quick != s.quick {
			continue
		}
		for _, y := range e.systems() {
			if !s.only.MatchString(e.name + "/" + y.name) {
				continue
			}
			if y.corpus && s.corpus == "" {
				logf("%s/%s: not run, as it learns from text and -corpus is empty", e.name, y.name)
				continue
			}
			if y.given && s.model == "" {
				logf("%s/%s: not run, as it is of a trained model and -model is empty", e.name, y.name)
				continue
			}
			if y.vectors && s.vectors == "" {
				logf("%s/%s: not run, as it trains on word vectors and -word-vectors is empty", e.name, y.name)
				continue
			}
			ran, err := s.runRow(ctx, e, y)
			if ctx.Err() != nil {
				return err
			}
			if err != nil { // the other rows are run all the same
				logf("%s/%s: %v", e.name, y.name, err)
				failed = append(failed, fmt.Errorf("%s/%s: %w", e.name, y.name, err))
				continue
			}
			if !ran {
				logf("%s/%s: done before", e.name, y.name)
			}
		}
	}
	return errors.Join(failed...)
}

func logf(format string, args ...any) { fmt.Fprintf(os.Stderr, "systems: "+format+"\n", args...) }

// folder returns the folder of a row.
func (s *settings) folder(e *experiment, name string) string {
	return filepath.Join(s.out, e.name, name)
}
