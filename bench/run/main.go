// Command run is the benchmark that make bench starts: ctxnorm and a peer on the same
// input, in turns, each in a process of its own with the same number of threads. It
// prints a table of ratios and writes it to bench/results.
//
// To see what is measured read comparisons.go; bench/README.md says how to read the
// table.
//
// Exit codes: 0 all targets met, 1 some were missed or counts differ, 2 a comparison
// could not be run.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"ctxnorm/bench/harness"
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
	if err := os.MkdirAll(s.Work, 0o755); err != nil {
		return exitFailed, err
	}
	installed, err := findModules(ctx, s.Python)
	if err != nil {
		return exitFailed, err
	}
	r := &report{Machine: harness.DescribeMachine(), Settings: s.String()}
	for _, c := range s.comparisons() {
		if !s.Only.MatchString(c.name) {
			continue
		}
		if missing := c.missing(s, installed); missing != "" {
			logf("%s: skipped, %s", c.name, missing)
			r.Skipped = append(r.Skipped, skipped{c.name, missing})
			continue
		}
		result := c.run(ctx, s.Repeats)
		if ctx.Err() != nil {
			break // what was measured before is kept
		}
		result.redact(s.Redact())
		r.Comparisons = append(r.Comparisons, result)
	}
	if len(r.Comparisons) == 0 && ctx.Err() != nil {
		return exitFailed, ctx.Err()
	}
	if len(r.Comparisons)+len(r.Skipped) == 0 {
		return exitFailed, fmt.Errorf("-only: no comparison matches %s", s.Only)
	}
	r.print(os.Stdout)
	path, err := r.save(s.Out)
	if err != nil {
		return exitFailed, err
	}
	logf("saved as %s.md and .json", path)
	if s.saved != "" {
		if err := os.WriteFile(s.saved, []byte(path), 0o644); err != nil {
			return exitFailed, err
		}
	}
	if err := ctx.Err(); err != nil {
		return exitFailed, err
	}
	return r.exitCode(), nil
}

// logf reports progress. Standard output belongs to the table.
func logf(format string, args ...any) { fmt.Fprintf(os.Stderr, "bench: "+format+"\n", args...) }

// settings are what the command line asks for.
type settings struct {
	harness.Settings
	saved string // file for the path of the results
	torch string // the program of bench/subject with libtorch

	docs, files, rounds           int
	names, vectors, dim, queries  int
	sentences, pairs, steps, warm int
}

func parseSettings(args []string) (*settings, error) {
	s := &settings{}
	flags := s.Flags("bench", "medic_union.json.gz", 1,
		harness.Size{Full: 5, Quick: 2, Usage: "rounds; the median is reported"},
		harness.Size{Name: "docs", Value: &s.docs, Full: 40_000, Quick: 1500, Usage: "records of PubMed XML to make, unless -pubmed is given"},
		harness.Size{Name: "files", Value: &s.files, Full: 8, Quick: 4, Usage: "files to make of them"},
		harness.Size{Name: "build-rounds", Value: &s.rounds, Full: 3, Quick: 1, Usage: "how often every record occurs in the files for build-corpus, each time with an id of its own"},
		harness.Size{Name: "names", Value: &s.names, Full: 400_000, Quick: 200_000, Usage: "names of the inflated dictionary"},
		harness.Size{Name: "vectors", Value: &s.vectors, Full: 326_575, Quick: 5000, Usage: "vectors to search"},
		harness.Size{Name: "dim", Value: &s.dim, Full: 384, Quick: 384, Usage: "dimensions of a vector; for encoding, those of the model"},
		harness.Size{Name: "queries", Value: &s.queries, Full: 1000, Quick: 200, Usage: "vectors to search for"},
		harness.Size{Name: "sentences", Value: &s.sentences, Full: 1000, Quick: 64, Usage: "sentences to encode"},
		harness.Size{Name: "pairs", Value: &s.pairs, Full: 16, Quick: 16, Usage: "pairs in a training batch"},
		harness.Size{Name: "steps", Value: &s.steps, Full: 20, Quick: 2, Usage: "measured training steps"},
		harness.Size{Name: "warmup", Value: &s.warm, Full: 3, Quick: 1, Usage: "training steps before them"})
	flags.StringVar(&s.saved, "saved", "", "`file` to write the path of the results to, without its extension")
	flags.StringVar(&s.torch, "subject-torch", "build/bench/subject-torch", "`program` built of bench/subject with -tags torch")
	return s, s.Parse(args)
}

// peerModules are the Python modules that the peers import.
var peerModules = []string{"ahocorasick", "faiss", "flashtext", "hnswlib", "lxml", "numpy", "pubmed_parser",
	"pytorch_metric_learning", "spacy", "torch", "transformers"}

// findModules reports which of the peers' modules a Python has, without loading them.
// Without a Python there are none.
func findModules(ctx context.Context, python string) (map[string]bool, error) {
	const script = `import importlib.util, json, sys
print(json.dumps({name: importlib.util.find_spec(name) is not None for name in sys.argv[1:]}))`
	installed := map[string]bool{}
	if _, err := exec.LookPath(python); err != nil {
		logf("there is no %s: bench/peers/README.md says how to install the peers", python)
		return installed, nil
	}
	out, err := exec.CommandContext(ctx, python, append([]string{"-c", script}, peerModules...)...).Output()
	if err == nil {
		err = json.Unmarshal(out, &installed)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", python, err)
	}
	return installed, nil
}
