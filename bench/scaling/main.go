// Command scaling is what make scaling starts: every command of ctxnorm at one, three
// and ten times the data, each run in a process of its own. It fits lines to time and
// memory and projects them to all of PubMed and to a dictionary of the size of UMLS.
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
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/ctxnorm/ctxnorm/bench/harness"
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
	var jobs []*job
	for _, j := range s.jobs() {
		if !s.Only.MatchString(j.name) {
			continue
		}
		j.measure(ctx, s.Repeats, s.Redact())
		if ctx.Err() != nil {
			break // what was measured before is kept
		}
		if j.failed != "" {
			logf("%s failed: %s", j.name, j.failed)
		}
		jobs = append(jobs, j)
	}
	if len(jobs) == 0 {
		return errors.Join(ctx.Err(), fmt.Errorf("-only: no job was measured that matches %s", s.Only))
	}
	date := time.Now().Format(time.DateOnly)
	text := markdown(date, s.String(), jobs)
	fmt.Print(text)
	path, err := harness.Save(s.Out, "scaling-"+date, s.Redact().Replace(text))
	if err != nil {
		return err
	}
	logf("saved as %s", path)
	if failed := slices.DeleteFunc(jobs, func(j *job) bool { return j.failed == "" }); len(failed) > 0 {
		return fmt.Errorf("%d jobs failed", len(failed))
	}
	return ctx.Err()
}

// logf reports progress. Standard output belongs to the report.
func logf(format string, args ...any) { fmt.Fprintf(os.Stderr, "scaling: "+format+"\n", args...) }

// settings are what the command line asks for.
type settings struct {
	harness.Settings
	Repeats   int     `flag:"repeats" default:"3" quick:"1" usage:"runs at each size; the median is reported"`
	Records   int     `flag:"records" default:"10000" quick:"500" usage:"records of PubMed XML at 1x, unless -pubmed is given"`
	Files     int     `flag:"files" default:"4" quick:"2" usage:"files that they are in"`
	Texts     int     `flag:"texts" default:"20000" quick:"2000" usage:"sentences to tag at 1x"`
	Sentences int     `flag:"sentences" default:"200" quick:"30" usage:"sentences to link and to evaluate at 1x"`
	Steps     int     `flag:"steps" default:"8" quick:"2" usage:"training steps at any size"`
	Vectors   int     `flag:"vectors" default:"40000" quick:"3000" usage:"vectors to search exactly at 1x"`
	Graph     int     `flag:"graph" default:"10000" quick:"1000" usage:"vectors to build a graph of at 1x"`
	Dim       int     `flag:"dim" default:"384" quick:"384" usage:"dimensions of a vector"`
	Queries   int     `flag:"queries" default:"200" quick:"100" usage:"vectors to search for"`
	Fraction  float64 `flag:"fraction" default:".1" quick:".02" usage:"share of the dictionary to encode with contexts"`
	Times     string  `flag:"times" default:"1,3,10" quick:"1,3,10" usage:"sizes, as multiples of the smallest"`
	Names     string  `flag:"names" default:"1,3,10" quick:"1,3" usage:"sizes of the dictionary, as multiples of its own, up to 25"`

	times, widths []int // the multiples of Times and Names
}

func parseSettings(args []string) (*settings, error) {
	s := &settings{}
	args = append([]string{"-threads", strconv.Itoa(runtime.NumCPU())}, args...)
	if err := s.Parse(s, "scaling", "biocom_half.jsonl.gz", args); err != nil {
		return nil, err
	}
	var errTimes, errNames error
	s.times, errTimes = multiples("-times", s.Times)
	s.widths, errNames = multiples("-names", s.Names)
	if err := errors.Join(errTimes, errNames); err != nil {
		return nil, err
	}
	if s.Dict == "" {
		return nil, errors.New("there is no dictionary: give -dict, or set CTXNORM_DATA")
	}
	if s.Model == "" {
		return nil, errors.New("there is no base model: -model, or CTXNORM_MINILM, names its folder")
	}
	if len(s.PubMed) > 0 {
		if s.Files = len(s.PubMed) / s.largest(); s.Files == 0 {
			return nil, fmt.Errorf("-pubmed: %d files, want %d or more: one for each shard", len(s.PubMed), s.largest())
		}
	}
	return s, nil
}

// largest returns the largest size as a multiple of the smallest.
func (s *settings) largest() int { return s.times[len(s.times)-1] }

// multiples parses two or more whole numbers, each larger than the one before.
func multiples(flag, list string) (numbers []int, err error) {
	for field := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(field)
		if err != nil || n < 1 || len(numbers) > 0 && n <= numbers[len(numbers)-1] {
			return nil, fmt.Errorf("%s is %s, want numbers of 1 or more, each larger than the one before", flag, list)
		}
		numbers = append(numbers, n)
	}
	if len(numbers) < 2 {
		return nil, fmt.Errorf("%s is %s, want two sizes or more", flag, list)
	}
	return numbers, nil
}
