// Command run measures speed. Without a subcommand it is what make bench starts: ctxnorm and a peer on the same input,
// in turns, each in a process of its own with the same number of threads. As run scaling it is what make scaling starts:
// every command of ctxnorm at one, three and ten times the data, with lines fitted to time and memory, and projections
// to all of PubMed and to a dictionary of the size of UMLS. Both print tables and write them to bench/results.
//
// What is measured is in comparisons.json and scaling.json; bench/README.md says how to read the tables.
//
// Exit codes: 0 all targets met, 1 some were missed or counts differ, 2 something could not be run.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/bench/harness"
)

const (
	exitMet    = 0
	exitMissed = 1
	exitFailed = 2
)

func main() {
	harness.Main("bench", func(ctx context.Context, args []string) (int, error) {
		if len(args) > 0 && args[0] == "scaling" {
			s, err := parseScaleSettings(args[1:])
			if err == nil {
				err = errors.Join(os.RemoveAll(s.Runs()), os.MkdirAll(s.Work, 0o755))
			}
			if err == nil {
				err = scaleAll(ctx, s)
			}
			return exitMet, err
		}
		s, err := parseSettings(args)
		if err == nil {
			err = os.MkdirAll(s.Work, 0o755)
		}
		if err != nil {
			return exitFailed, err
		}
		return compareAll(ctx, s)
	})
}

// settings are the flags of comparisons.
type settings struct {
	harness.Settings
	Repeats   int    `flag:"repeats" default:"5" quick:"2" usage:"rounds; the median is reported"`
	Docs      int    `flag:"docs" default:"40000" quick:"1500" usage:"records of PubMed XML to make, unless -pubmed is given"`
	Files     int    `flag:"files" default:"8" quick:"4" usage:"files to make of them"`
	Rounds    int    `flag:"build-rounds" default:"3" quick:"1" usage:"how often every record occurs in the files for build-corpus, each time with an id of its own"`
	Names     int    `flag:"names" default:"400000" quick:"200000" usage:"names of the dictionary that tags text"`
	Millions  int    `flag:"millions" default:"1000000" quick:"150000" usage:"names of the dictionary whose names are looked up by strings"`
	Wordings  int    `flag:"wordings" default:"300" quick:"30" usage:"wordings to look up"`
	Vectors   int    `flag:"vectors" default:"326575" quick:"5000" usage:"vectors to search"`
	Dim       int    `flag:"dim" default:"384" quick:"384" usage:"dimensions of a vector; for encoding, those of the model"`
	Queries   int    `flag:"queries" default:"1000" quick:"200" usage:"vectors to search for"`
	Sentences int    `flag:"sentences" default:"1000" quick:"64" usage:"sentences to encode"`
	Steps     int    `flag:"steps" default:"20" quick:"2" usage:"measured training steps"`
	Warmup    int    `flag:"warmup" default:"3" quick:"1" usage:"training steps before them"`
	Saved     string `flag:"saved" usage:"file to write the path of the results to, without its extension"`
}

func parseSettings(args []string) (*settings, error) {
	s := &settings{}
	return s, s.Parse(s, "bench", "medic_union.json.gz", args)
}

// scaleSettings are the flags of run scaling.
type scaleSettings struct {
	harness.Settings
	Repeats   int     `flag:"repeats" default:"3" quick:"1" usage:"runs at each size; the median is reported"`
	Records   int     `flag:"records" default:"10000" quick:"500" usage:"records of PubMed XML at 1x, unless -pubmed is given"`
	Files     int     `flag:"files" default:"4" quick:"2" usage:"files that they are in"`
	Texts     int     `flag:"texts" default:"20000" quick:"2000" usage:"sentences to tag at 1x"`
	Sentences int     `flag:"sentences" default:"200" quick:"30" usage:"sentences to link and to evaluate at 1x"`
	Steps     int     `flag:"steps" default:"8" quick:"2" usage:"training steps at any size"`
	Vectors   int     `flag:"vectors" default:"40000" quick:"3000" usage:"vectors to search exactly at 1x"`
	Graph     int     `flag:"graph" default:"10000" quick:"1000" usage:"vectors to build a graph of at 1x"`
	Queries   int     `flag:"queries" default:"200" quick:"100" usage:"vectors to search for"`
	Fraction  float64 `flag:"fraction" default:".1" quick:".02" usage:"share of the dictionary to encode with contexts"`
	Times     string  `flag:"times" default:"1,3,10" quick:"1,3,10" usage:"sizes, as multiples of the smallest"`
	Names     string  `flag:"names" default:"1,3,10" quick:"1,3" usage:"sizes of the dictionary, as multiples of its own"`

	times, widths []int // the multiples of Times and Names
}

func parseScaleSettings(args []string) (*scaleSettings, error) {
	s := &scaleSettings{}
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
	if n := len(s.PubMed); n > 0 {
		if n < s.largest() {
			return nil, fmt.Errorf("-pubmed: %d files, want %d or more: one for each shard", n, s.largest())
		}
		s.PubMed = s.PubMed[:n-n%s.largest()]
	}
	s.Set("all-files", s.Files*s.largest())
	s.Set("all-records", s.Records*s.largest())
	return s, nil
}

// largest returns the largest size as a multiple of the smallest.
func (s *scaleSettings) largest() int { return s.times[len(s.times)-1] }

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
