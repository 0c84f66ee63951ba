// Command scaling is what make scaling starts: every command of ctxnorm at one, three
// and ten times the data, each run in a process of its own. It fits lines to time and
// memory, draws them, and projects them to all of PubMed and to a dictionary of the
// size of UMLS.
//
// To see what is measured read jobs.go; bench/README.md says how to read the results.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"ctxnorm/bench/harness"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(os.Stderr, "scaling: %v\n", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, args []string) error {
	s, err := parseSettings(args)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.path(""), 0o755); err != nil {
		return err
	}
	r := &report{Machine: harness.DescribeMachine(), Settings: s.String(), Threads: s.Threads}
	for _, j := range s.jobs() {
		if !s.Only.MatchString(j.Name) {
			continue
		}
		j.measure(ctx, s.Repeats, s.Redact())
		if ctx.Err() != nil {
			break // what was measured before is kept
		}
		if j.Failed != "" {
			logf("%s failed: %s", j.Name, j.Failed)
		}
		r.Jobs = append(r.Jobs, j)
	}
	if len(r.Jobs) == 0 {
		return errors.Join(ctx.Err(), fmt.Errorf("-only: no job was measured that matches %s", s.Only))
	}
	path, err := r.save(s.Out)
	if err != nil {
		return err
	}
	fmt.Print(r.markdown(filepath.Base(path)))
	logf("saved as %s.md, .json and .png", path)
	return errors.Join(ctx.Err(), r.failure())
}

// logf reports progress. Standard output belongs to the report.
func logf(format string, args ...any) { fmt.Fprintf(os.Stderr, "scaling: "+format+"\n", args...) }

// settings are what the command line asks for.
type settings struct {
	harness.Settings
	fraction float64 // of the dictionary's names to encode with contexts
	times    []int   // sizes, as multiples of the smallest
	widths   []int   // the same of the dictionary

	records, files                          int // of a shard
	texts, sentences, steps, vectors, graph int
	dim, queries                            int
}

func parseSettings(args []string) (*settings, error) {
	s := &settings{}
	flags := s.Flags("scaling", "biocom_half.jsonl.gz", runtime.NumCPU(),
		harness.Size{Full: 3, Quick: 1, Usage: "runs at each size; the median is reported"},
		harness.Size{Name: "records", Value: &s.records, Full: 10_000, Quick: 500, Usage: "records of PubMed XML at 1x, unless -pubmed is given"},
		harness.Size{Name: "files", Value: &s.files, Full: 4, Quick: 2, Usage: "files that they are in"},
		harness.Size{Name: "texts", Value: &s.texts, Full: 20_000, Quick: 2000, Usage: "sentences to tag at 1x"},
		harness.Size{Name: "sentences", Value: &s.sentences, Full: 200, Quick: 30, Usage: "sentences to link and to evaluate at 1x"},
		harness.Size{Name: "steps", Value: &s.steps, Full: 8, Quick: 2, Usage: "training steps at any size"},
		harness.Size{Name: "vectors", Value: &s.vectors, Full: 40_000, Quick: 3000, Usage: "vectors to search exactly at 1x"},
		harness.Size{Name: "graph", Value: &s.graph, Full: 10_000, Quick: 1000, Usage: "vectors to build a graph of at 1x"},
		harness.Size{Name: "dim", Value: &s.dim, Full: 384, Quick: 384, Usage: "dimensions of a vector"},
		harness.Size{Name: "queries", Value: &s.queries, Full: 200, Quick: 100, Usage: "vectors to search for"})
	times := flags.String("times", "1,3,10", "sizes, as `multiples` of the smallest; with -pubmed also 30, if there are as many files")
	widths := flags.String("names", "", "sizes of the dictionary, as `multiples` of its own, up to 25 (default 1,3,10; 1,3 with -quick)")
	flags.Float64Var(&s.fraction, "fraction", 0, "share of the dictionary to encode with contexts (default .1, .02 with -quick)")
	if err := s.Parse(args); err != nil {
		return nil, err
	}
	if *widths == "" {
		if *widths = "1,3,10"; s.Quick {
			*widths = "1,3"
		}
	}
	if s.fraction == 0 {
		if s.fraction = .1; s.Quick {
			s.fraction = .02
		}
	}
	var err error
	if s.times, err = multiples(*times); err != nil {
		return nil, fmt.Errorf("-times: %w", err)
	}
	if s.widths, err = multiples(*widths); err != nil {
		return nil, fmt.Errorf("-names: %w", err)
	}
	if s.Dict == "" {
		return nil, errors.New("there is no dictionary: give -dict, or set CTXNORM_DATA")
	}
	if s.Model == "" {
		return nil, errors.New("there is no base model: -model, or CTXNORM_MINILM, names its folder")
	}
	return s, s.shareFiles()
}

// shareFiles gives every shard as many of the user's files as the largest size allows.
func (s *settings) shareFiles() error {
	const more = 30 // times the smallest, if there are as many files
	if len(s.PubMed) == 0 {
		return nil
	}
	if len(s.PubMed) >= more && s.largest() < more {
		s.times = append(s.times, more)
	}
	if len(s.PubMed) < s.largest() {
		return fmt.Errorf("-pubmed: %d files, want %d or more: one for each shard", len(s.PubMed), s.largest())
	}
	s.files = len(s.PubMed) / s.largest()
	return nil
}

// largest returns the largest size as a multiple of the smallest.
func (s *settings) largest() int { return s.times[len(s.times)-1] }

func (s *settings) String() string {
	return fmt.Sprintf("%s; sizes %v, of the dictionary %v times the smallest; %g of the dictionary encoded with contexts",
		&s.Settings, s.times, s.widths, s.fraction)
}

// multiples parses two or more whole numbers, each larger than the one before.
func multiples(list string) ([]int, error) {
	var numbers []int
	for field := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(field)
		if err != nil {
			return nil, err
		}
		if n < 1 || len(numbers) > 0 && n <= numbers[len(numbers)-1] {
			return nil, fmt.Errorf("%s: want numbers of 1 or more, each larger than the one before", list)
		}
		numbers = append(numbers, n)
	}
	if len(numbers) < 2 {
		return nil, fmt.Errorf("%s: want two sizes or more", list)
	}
	return numbers, nil
}
