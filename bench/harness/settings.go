package harness

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Size is an amount of work with one default for a full and one for a quick run.
type Size struct {
	Name        string // of the flag
	Value       *int
	Full, Quick int
	Usage       string
}

// Settings are the flags that the benchmark programs share.
type Settings struct {
	Quick   bool
	Threads int
	Repeats int
	Only    *regexp.Regexp // names to run
	Work    string         // folder of the input
	Out     string         // folder of the results
	PubMed  []string       // PubMed XML files of the user's; empty to make some
	Dict    string
	Model   string // folder of the base model; empty for none
	Python  string
	Subject string // the program built of bench/subject, without libtorch
	Ctxnorm string // the program itself
	Sizes   []Size

	flags        *flag.FlagSet
	only, pubmed string // as given
	data, peers  string // folders: CTXNORM_DATA and bench/peers
	defaultDict  string // file in dict/ of CTXNORM_DATA
}

// Flags registers the common flags and returns their set for more to be added.
// Sizes lacks repeats, whose defaults are given here. Dict is the default file in
// dict/ of CTXNORM_DATA.
func (s *Settings) Flags(name, dict string, threads int, repeats Size, sizes ...Size) *flag.FlagSet {
	repeats.Name, repeats.Value = "repeats", &s.Repeats
	s.data, s.defaultDict, s.Sizes = os.Getenv("CTXNORM_DATA"), dict, append([]Size{repeats}, sizes...)
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.BoolVar(&s.Quick, "quick", false, "small sizes and few repeats, to see that everything works")
	flags.IntVar(&s.Threads, "threads", threads, "threads of every process")
	flags.StringVar(&s.only, "only", "", "run what matches this `pattern` by name")
	flags.StringVar(&s.Work, "work", filepath.Join(os.TempDir(), "ctxnorm-"+name), "`folder` of the input, kept for the next run")
	flags.StringVar(&s.Out, "out", "", "`folder` of the results (default bench/results; with -quick, results in the work folder)")
	flags.StringVar(&s.pubmed, "pubmed", "", "PubMed XML files (`glob`) to read, .xml.gz (default: made of the texts in $CTXNORM_DATA)")
	flags.StringVar(&s.Dict, "dict", "", "dictionary `file` (default: dict/"+dict+" in $CTXNORM_DATA)")
	flags.StringVar(&s.Model, "model", os.Getenv("CTXNORM_MINILM"), "`folder` of the base model")
	flags.StringVar(&s.Python, "python", cmp.Or(os.Getenv("CTXNORM_BENCH_PYTHON"), "python3"), "`program` that has bench/peers/requirements.txt")
	flags.StringVar(&s.peers, "peers", "bench/peers", "`folder` of the peers' scripts")
	flags.StringVar(&s.Subject, "subject", "build/bench/subject", "`program` built of bench/subject")
	flags.StringVar(&s.Ctxnorm, "ctxnorm", "bin/ctxnorm", "`program` that make build made")
	for _, size := range s.Sizes {
		flags.IntVar(size.Value, size.Name, size.Full, size.Usage)
	}
	s.flags = flags
	return flags
}

// Parse parses the arguments and completes the defaults.
func (s *Settings) Parse(args []string) (err error) {
	if err := s.flags.Parse(args); err != nil {
		return err
	}
	if s.flags.NArg() > 0 {
		return fmt.Errorf("%q is not a flag", s.flags.Arg(0))
	}
	if s.Quick {
		given := map[string]bool{}
		s.flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
		for _, size := range s.Sizes {
			if !given[size.Name] {
				*size.Value = size.Quick
			}
		}
	}
	for _, size := range append(s.Sizes, Size{Name: "threads", Value: &s.Threads}) {
		if *size.Value < 1 {
			return fmt.Errorf("-%s is %d, want 1 or more", size.Name, *size.Value)
		}
	}
	if s.Only, err = regexp.Compile(s.only); err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	if s.pubmed != "" {
		if s.PubMed, err = filepath.Glob(s.pubmed); err != nil {
			return fmt.Errorf("-pubmed: %w", err)
		}
		if len(s.PubMed) == 0 {
			return fmt.Errorf("-pubmed: no file matches %s", s.pubmed)
		}
	}
	if s.Dict == "" && s.data != "" {
		s.Dict = filepath.Join(s.data, "dict", s.defaultDict)
	}
	if s.Out == "" {
		if s.Out = filepath.Join("bench", "results"); s.Quick {
			s.Out = filepath.Join(s.Work, "results")
		}
	}
	return nil
}

// String describes for a report what was asked for.
func (s *Settings) String() string {
	source := "text of CTXNORM_DATA"
	if len(s.PubMed) > 0 {
		source = fmt.Sprintf("%d files of PubMed XML", len(s.PubMed))
	}
	sizes := make([]string, len(s.Sizes))
	for i, size := range s.Sizes {
		sizes[i] = fmt.Sprintf("%s %d", size.Name, *size.Value)
	}
	return fmt.Sprintf("%d threads, %s, dictionary %s; %s", s.Threads, source, filepath.Base(s.Dict), strings.Join(sizes, ", "))
}

// Redact returns a replacer of this machine's folders in what is reported.
func (s *Settings) Redact() *strings.Replacer {
	pairs := []string{strings.TrimSuffix(s.Work, "/") + "/", ""}
	if s.data != "" {
		pairs = append(pairs, strings.TrimSuffix(s.data, "/")+"/", "$CTXNORM_DATA/")
	}
	if home, err := os.UserHomeDir(); err == nil && home != "" {
		pairs = append(pairs, strings.TrimSuffix(home, "/")+"/", "~/")
	}
	return strings.NewReplacer(pairs...)
}
