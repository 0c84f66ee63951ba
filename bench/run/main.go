// Command run measures ctxnorm beside a peer, or beside itself with less to do or fewer cores. Both sides process their
// input in turns, each in a process of its own. It prints a table and writes it to bench/results. make bench starts it.
//
// comparisons.json lists the measurements; bench/README.md explains how to read the table.
//
// Exit codes: 0 all targets met, 1 some were missed or counts differ, 2 something could not be run.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/ctxnorm/ctxnorm/bench/harness"
)

const (
	missed harness.ExitCode = 1
	failed harness.ExitCode = 2
)

func main() {
	s := &settings{}
	harness.Main("bench", s, func(ctx context.Context) {
		s.complete()
		harness.Check(errors.Join(os.RemoveAll(s.runs()), os.MkdirAll(s.Work, 0o755)))
		compareAll(ctx, s)
	})
}

// settings are the flags. In commands {-NAME} stands for the value of a flag. Whole numbers are sizes, of 1 or more.
type settings struct {
	Quick  bool           `flag:"quick" usage:"small sizes and few repeats, to see that everything works"`
	Only   *regexp.Regexp `flag:"only" usage:"run the comparisons whose name matches this pattern"`
	Work   string         `flag:"work" usage:"folder of the input, kept for the next run (default: ctxnorm-bench in the temporary folder)"`
	Out    string         `flag:"out" usage:"folder of the results (default: bench/results; with -quick, results in the work folder)"`
	Data   string         `flag:"data" env:"CTXNORM_DATA" usage:"folder of real data (default: $CTXNORM_DATA)"`
	PubMed string         `flag:"pubmed" usage:"PubMed XML files to read, .xml.gz (default: made of the texts in -data)"`
	Dict   string         `flag:"dict" usage:"dictionary file (default: dict/medic_union.json.gz of -data)"`
	Model  string         `flag:"model" env:"CTXNORM_MINILM" usage:"folder of the base model (default: $CTXNORM_MINILM)"`
	Python string         `flag:"python" env:"CTXNORM_BENCH_PYTHON" usage:"program with bench/peers/requirements.txt (default: $CTXNORM_BENCH_PYTHON or python3)"`
	Saved  string         `flag:"saved" usage:"file to write the path of the results to, without its extension"`

	Threads   int `flag:"threads" default:"1" usage:"threads of every process"`
	Repeats   int `flag:"repeats" default:"5" quick:"2" usage:"rounds; the median is reported"`
	Docs      int `flag:"docs" default:"40000" quick:"1500" usage:"records of PubMed XML to make, unless -pubmed is given"`
	Files     int `flag:"files" default:"8" quick:"4" usage:"files to make of them"`
	Rounds    int `flag:"build-rounds" default:"3" quick:"1" usage:"how often every record occurs in the files for build-corpus, each time with an id of its own"`
	Names     int `flag:"names" default:"400000" quick:"200000" usage:"names of the dictionary that tags text"`
	Millions  int `flag:"millions" default:"1000000" quick:"150000" usage:"names of the dictionary whose names are looked up by strings"`
	Wordings  int `flag:"wordings" default:"300" quick:"30" usage:"wordings to look up"`
	Vectors   int `flag:"vectors" default:"326575" quick:"5000" usage:"vectors to search"`
	Dim       int `flag:"dim" default:"384" usage:"dimensions of a vector; for encoding, those of the model"`
	Queries   int `flag:"queries" default:"1000" quick:"200" usage:"vectors to search for"`
	Sentences int `flag:"sentences" default:"1000" quick:"64" usage:"sentences to encode"`
	Steps     int `flag:"steps" default:"20" quick:"2" usage:"measured training steps"`
	Warmup    int `flag:"warmup" default:"3" quick:"1" usage:"training steps before them"`

	files  []string          // of PubMed; empty to make some
	values map[string]string // of all flags, by name
	sizes  string            // as described in reports
}

// complete checks the settings, and sets those that depend on others.
func (s *settings) complete() {
	if s.PubMed != "" {
		s.files = harness.Get(filepath.Glob(s.PubMed))
		harness.Require(len(s.files) > 0, "-pubmed: no file matches %s", s.PubMed)
	}
	if s.Data != "" {
		s.Dict = cmp.Or(s.Dict, filepath.Join(s.Data, "dict", "medic_union.json.gz"))
	}
	s.Python = cmp.Or(s.Python, "python3")
	s.Work = cmp.Or(s.Work, filepath.Join(os.TempDir(), "ctxnorm-bench"))
	if s.Quick {
		s.Out = cmp.Or(s.Out, filepath.Join(s.Work, "results"))
	}
	s.Out = cmp.Or(s.Out, filepath.Join("bench", "results"))
	s.values, s.sizes = harness.Values(s)
	s.values["tenth-millions"], s.values["tenth-vectors"] = strconv.Itoa(s.Millions/10), strconv.Itoa(s.Vectors/10)
	for name, value := range s.values {
		n, err := strconv.Atoi(value)
		harness.Require(err != nil || n > 0, "-%s is %d, want 1 or more", name, n)
	}
}

// runs returns the folder for the output of the measured programs. It is removed before a run.
func (s *settings) runs() string { return filepath.Join(s.Work, "runs") }

// String describes the settings for a report.
func (s *settings) String() string {
	return fmt.Sprintf("Input: %s, dictionary %s; %s", cmp.Or(s.PubMed, "text of CTXNORM_DATA"), filepath.Base(s.Dict), s.sizes)
}

// redact replaces this machine's folders in a report.
func (s *settings) redact(text string) string {
	home, _ := os.UserHomeDir()
	return harness.Redact(text, [2]string{s.Work, "$WORK"}, [2]string{s.Data, "$CTXNORM_DATA"}, [2]string{home, "~"})
}
