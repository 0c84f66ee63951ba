// Command run is the benchmark that make bench starts: ours and its peer on the
// same input, in turns, each in a process of its own with the same number of
// threads. It prints a table of ratios and writes it to bench/results.
//
// To see what is measured read comparisons.go; bench/README.md says how to read
// the table. A comparison goes through
//
//	input       what both sides read, made once and kept in the work folder
//	side        a command; its lines of JSON, its time and peak memory
//	comparison  sides in turns; counts of work that must be equal
//	row         one figure of both sides; ratio, spread, target
//	report      table, JSON, Markdown
//
// Exit codes: 0 all targets met, 1 some were missed or counts differ, 2 a
// comparison could not be run.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"

	"ctxnorm/bench/measure"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code, err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "bench: %v\n", err)
	}
	os.Exit(code)
}

const (
	exitMet    = 0
	exitMissed = 1
	exitFailed = 2
)

func run(ctx context.Context, args []string) (int, error) {
	s, err := parseSettings(args)
	if err != nil {
		return exitFailed, err
	}
	if err := os.MkdirAll(s.work, 0o755); err != nil {
		return exitFailed, err
	}
	installed, err := findModules(ctx, s.python)
	if err != nil {
		return exitFailed, err
	}
	report := &report{Machine: measure.DescribeMachine(), Settings: s.describe()}
	folders := measure.Hide(s.work, "", s.data, "$CTXNORM_DATA/")
	for _, c := range s.comparisons() {
		if !s.only.MatchString(c.name) {
			continue
		}
		if missing := c.missing(s, installed); missing != "" {
			say("%s: skipped, %s", c.name, missing)
			report.Skipped = append(report.Skipped, skipped{c.name, missing})
			continue
		}
		result := c.run(ctx, min(s.repeats, c.atMost()))
		if ctx.Err() != nil {
			break // what was measured before is kept
		}
		result.hide(folders)
		report.Comparisons = append(report.Comparisons, result)
	}
	if len(report.Comparisons) == 0 && ctx.Err() != nil {
		return exitFailed, ctx.Err()
	}
	if len(report.Comparisons)+len(report.Skipped) == 0 {
		return exitFailed, fmt.Errorf("no comparison is called like %s", s.only)
	}
	report.print(os.Stdout)
	path, err := report.save(s.out)
	if err != nil {
		return exitFailed, err
	}
	say("saved as %s.md and .json", path)
	if s.saved != "" {
		if err := os.WriteFile(s.saved, []byte(path), 0o644); err != nil {
			return exitFailed, err
		}
	}
	if err := ctx.Err(); err != nil {
		return exitFailed, err
	}
	return report.exitCode(), nil
}

// say tells the user what goes on; standard output is the table's.
func say(format string, args ...any) { fmt.Fprintf(os.Stderr, "bench: "+format+"\n", args...) }

// settings are what the command line asks for.
type settings struct {
	sizes
	quick   bool
	repeats int
	threads int
	only    *regexp.Regexp
	work    string
	out     string
	saved   string   // file for the path of the results
	pubmed  []string // files of the user's; empty to make some
	dict    string
	data    string // folder of real data, CTXNORM_DATA
	model   string // folder of a base model
	python  string
	peers   string // folder of the peers' scripts
	ours    string // the program of bench/ours
	torch   string // the same with the tag torch, which loads libtorch first
	ctxnorm string // the program itself
}

func parseSettings(args []string) (*settings, error) {
	s := &settings{data: os.Getenv("CTXNORM_DATA")}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.BoolVar(&s.quick, "quick", false, "small sizes and two rounds: does everything work?")
	flags.IntVar(&s.repeats, "repeats", 0, "rounds; the median is reported (default 5, 2 with -quick)")
	flags.IntVar(&s.threads, "threads", 1, "threads of both sides")
	only := flags.String("only", "", "comparisons whose name matches this `pattern`")
	flags.StringVar(&s.work, "work", filepath.Join(os.TempDir(), "ctxnorm-bench"), "`folder` of the input, kept for the next run")
	flags.StringVar(&s.out, "out", "", "`folder` of the results (default bench/results, results in the work folder with -quick)")
	flags.StringVar(&s.saved, "saved", "", "`file` to write the path of the results to, without .json")
	pubmed := flags.String("pubmed", "", "PubMed XML files (`glob`) to read, .xml.gz (default: made of the texts in $CTXNORM_DATA)")
	flags.StringVar(&s.dict, "dict", "", "dictionary `file` (default: dict/medic_union.json.gz in $CTXNORM_DATA)")
	flags.StringVar(&s.model, "model", os.Getenv("CTXNORM_MINILM"), "`folder` of the base model, for training and encoding")
	flags.StringVar(&s.python, "python", os.Getenv("CTXNORM_BENCH_PYTHON"), "`program` that has bench/peers/requirements.txt")
	flags.StringVar(&s.peers, "peers", "bench/peers", "`folder` of the peers' scripts")
	flags.StringVar(&s.ours, "ours", "build/bench/ours", "`program` built of bench/ours")
	flags.StringVar(&s.torch, "ours-torch", "build/bench/ours-torch", "`program` built of bench/ours with -tags torch")
	flags.StringVar(&s.ctxnorm, "ctxnorm", "bin/ctxnorm", "`program` that make build made")
	s.sizes.list().Register(flags)
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("%q is not a flag", flags.Arg(0))
	}
	return s, s.complete(flags, *only, *pubmed)
}

// complete fills in what was left to the default.
func (s *settings) complete(flags *flag.FlagSet, only, pubmed string) (err error) {
	if s.quick {
		s.sizes.list().Shrink(flags)
	}
	if s.repeats == 0 {
		s.repeats = 5
		if s.quick {
			s.repeats = 2
		}
	}
	if s.repeats < 1 || s.threads < 1 {
		return fmt.Errorf("-repeats is %d and -threads %d, want 1 or more of both", s.repeats, s.threads)
	}
	if s.only, err = regexp.Compile(only); err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	if pubmed != "" {
		if s.pubmed, err = filepath.Glob(pubmed); err != nil {
			return fmt.Errorf("-pubmed: %w", err)
		}
		if len(s.pubmed) == 0 {
			return fmt.Errorf("-pubmed: no file is called like %s", pubmed)
		}
	}
	if s.dict == "" && s.data != "" {
		s.dict = filepath.Join(s.data, "dict", "medic_union.json.gz")
	}
	if s.python == "" {
		s.python = "python3"
	}
	if s.out == "" {
		s.out = filepath.Join("bench", "results")
		if s.quick {
			s.out = filepath.Join(s.work, "results")
		}
	}
	return nil
}

// describe says for the report what was asked for.
func (s *settings) describe() string {
	source := "text of CTXNORM_DATA"
	if len(s.pubmed) > 0 {
		source = fmt.Sprintf("%d files of PubMed XML", len(s.pubmed))
	}
	return fmt.Sprintf("%d threads, at most %d rounds, %s, dictionary %s; %s",
		s.threads, s.repeats, source, filepath.Base(s.dict), s.sizes.list())
}
