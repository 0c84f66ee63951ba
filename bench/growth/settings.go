package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
)

// settings are what the command line asks for.
type settings struct {
	quick    bool
	repeats  int
	threads  int
	only     *regexp.Regexp
	work     string
	out      string
	pubmed   []string // files of the user's; empty to make some
	dict     string
	data     string // folder of real data, CTXNORM_DATA
	base     string // folder of a base model
	python   string
	peers    string // folder of make_pubmed_xml.py
	ours     string // the program of bench/ours, without libtorch
	self     string // this program
	ctxnorm  string // the program itself
	fraction float64

	records, files int   // of a shard that is made
	times          []int // sizes: how many times the smallest
	widths         []int // the same of the dictionary
	sentences      int   // to link and to evaluate at 1x
	texts          int   // to tag at 1x
	steps          int   // of training
	vectors        int   // to search exactly at 1x
	graph          int   // the same in a graph
	dim            int
	queries        int
}

func parseSettings(args []string) (*settings, error) {
	s := &settings{data: os.Getenv("CTXNORM_DATA")}
	flags := flag.NewFlagSet("growth", flag.ContinueOnError)
	flags.BoolVar(&s.quick, "quick", false, "small sizes, each once: does everything work?")
	only := flags.String("only", "", "jobs whose name matches this `pattern`")
	times := flags.String("times", "1,3,10", "sizes, as `multiples` of the smallest; with -pubmed also 30, where there are so many files")
	widths := flags.String("names", "", "sizes of the dictionary, as `multiples` of its own, up to 25 (default 1,3,10; 1,3 with -quick)")
	pubmed := flags.String("pubmed", "", "PubMed XML files (`glob`) to read, one or more for 1x (default: made of the texts in $CTXNORM_DATA)")
	flags.IntVar(&s.threads, "threads", runtime.NumCPU(), "threads of every process")
	flags.Float64Var(&s.fraction, "fraction", 0, "share of the dictionary to encode by records (default .1, .02 with -quick)")
	flags.StringVar(&s.work, "work", filepath.Join(os.TempDir(), "ctxnorm-growth"), "`folder` of the input, kept for the next run")
	flags.StringVar(&s.out, "out", "", "`folder` of the results (default bench/results, results in the work folder with -quick)")
	flags.StringVar(&s.dict, "dict", "", "dictionary `file` (default: dict/biocom_half.jsonl.gz in $CTXNORM_DATA)")
	flags.StringVar(&s.base, "model", os.Getenv("CTXNORM_MINILM"), "`folder` of the base model")
	flags.StringVar(&s.python, "python", "python3", "`program` that makes XML; needs nothing installed")
	flags.StringVar(&s.peers, "peers", "bench/peers", "`folder` of the peers' scripts")
	flags.StringVar(&s.ours, "ours", "build/bench/ours", "`program` built of bench/ours")
	flags.StringVar(&s.ctxnorm, "ctxnorm", "bin/ctxnorm", "`program` that make build made")
	s.sizes().Register(flags)
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("%q is not a flag", flags.Arg(0))
	}
	return s, s.complete(flags, *only, *pubmed, *times, *widths)
}

// complete fills in what was left to the default.
func (s *settings) complete(flags *flag.FlagSet, only, pubmed, times, widths string) (err error) {
	if s.quick {
		s.sizes().Shrink(flags)
	}
	for _, size := range s.sizes() {
		if *size.Value < 1 {
			return fmt.Errorf("-%s is %d, want 1 or more", size.Name, *size.Value)
		}
	}
	if s.threads < 1 {
		return fmt.Errorf("-threads is %d, want 1 or more", s.threads)
	}
	if s.only, err = regexp.Compile(only); err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	if s.times, err = multiples(times); err != nil {
		return fmt.Errorf("-times: %w", err)
	}
	if widths == "" {
		if widths = "1,3,10"; s.quick {
			widths = "1,3"
		}
	}
	if s.widths, err = multiples(widths); err != nil {
		return fmt.Errorf("-names: %w", err)
	}
	if s.fraction == 0 {
		if s.fraction = fullFraction; s.quick {
			s.fraction = quickFraction
		}
	}
	if pubmed != "" {
		if err := s.takeFiles(pubmed); err != nil {
			return fmt.Errorf("-pubmed: %w", err)
		}
	}
	if s.dict == "" {
		if s.data == "" {
			return fmt.Errorf("there is no dictionary: give -dict, or set CTXNORM_DATA")
		}
		s.dict = filepath.Join(s.data, "dict", "biocom_half.jsonl.gz")
	}
	if s.base == "" {
		return fmt.Errorf("there is no base model: -model, or CTXNORM_MINILM, names its folder")
	}
	if s.out == "" {
		if s.out = filepath.Join("bench", "results"); s.quick {
			s.out = filepath.Join(s.work, "results")
		}
	}
	s.self, err = os.Executable()
	return err
}

// takeFiles takes the user's files: as many for a shard as the largest size leaves.
func (s *settings) takeFiles(pattern string) error {
	const more = 30 // times the smallest, where there is enough
	var err error
	if s.pubmed, err = filepath.Glob(pattern); err != nil {
		return err
	}
	if len(s.pubmed) >= more && s.times[len(s.times)-1] < more {
		s.times = append(s.times, more)
	}
	largest := s.times[len(s.times)-1]
	if len(s.pubmed) < largest {
		return fmt.Errorf("%d files are called like %s, want %d or more: one for each shard", len(s.pubmed), pattern, largest)
	}
	s.files = len(s.pubmed) / largest
	return nil
}

// describe says for the report what was asked for.
func (s *settings) describe() string {
	source := "text of CTXNORM_DATA"
	if len(s.pubmed) > 0 {
		source = fmt.Sprintf("%d files of PubMed XML", len(s.pubmed))
	}
	return fmt.Sprintf("%d threads, %s, dictionary %s, %g of it encoded by records; sizes %v, of the dictionary %v times the smallest: %s",
		s.threads, source, filepath.Base(s.dict), s.fraction, s.times, s.widths, s.sizes())
}
