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
	"slices"
	"syscall"

	"github.com/ctxnorm/ctxnorm/bench/harness"
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
	comparisons := s.comparisons()
	installed, err := findModules(ctx, s.Python, modulesOf(comparisons))
	if err != nil {
		return exitFailed, err
	}
	r := &report{Machine: harness.DescribeMachine(), Settings: s.String()}
	for _, c := range comparisons {
		if !s.Only.MatchString(c.name) {
			continue
		}
		if missing := c.missing(s, installed); missing != "" {
			logf("%s: skipped, %s", c.name, missing)
			r.Skipped = append(r.Skipped, skipped{c.name, missing})
			continue
		}
		result := c.run(ctx, s.Repeats, s.Redact())
		if ctx.Err() != nil {
			break // what was measured before is kept
		}
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
	logf("saved as %s.md", path)
	if s.Saved != "" {
		if err := os.WriteFile(s.Saved, []byte(path), 0o644); err != nil {
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
	Repeats   int    `flag:"repeats" default:"5" quick:"2" usage:"rounds; the median is reported"`
	Docs      int    `flag:"docs" default:"40000" quick:"1500" usage:"records of PubMed XML to make, unless -pubmed is given"`
	Files     int    `flag:"files" default:"8" quick:"4" usage:"files to make of them"`
	Rounds    int    `flag:"build-rounds" default:"3" quick:"1" usage:"how often every record occurs in the files for build-corpus, each time with an id of its own"`
	Names     int    `flag:"names" default:"400000" quick:"200000" usage:"names of the inflated dictionary"`
	Vectors   int    `flag:"vectors" default:"326575" quick:"5000" usage:"vectors to search"`
	Dim       int    `flag:"dim" default:"384" quick:"384" usage:"dimensions of a vector; for encoding, those of the model"`
	Queries   int    `flag:"queries" default:"1000" quick:"200" usage:"vectors to search for"`
	Sentences int    `flag:"sentences" default:"1000" quick:"64" usage:"sentences to encode"`
	Pairs     int    `flag:"pairs" default:"16" quick:"16" usage:"pairs in a training batch"`
	Steps     int    `flag:"steps" default:"20" quick:"2" usage:"measured training steps"`
	Warmup    int    `flag:"warmup" default:"3" quick:"1" usage:"training steps before them"`
	Saved     string `flag:"saved" usage:"file to write the path of the results to, without its extension"`
	Torch     string `flag:"subject-torch" default:"build/bench/subject-torch" usage:"program built of bench/subject with -tags torch"`
}

func parseSettings(args []string) (*settings, error) {
	s := &settings{}
	return s, s.Parse(s, "bench", "medic_union.json.gz", args)
}

// modulesOf returns the Python modules that comparisons need, each once.
func modulesOf(comparisons []*comparison) []string {
	var modules []string
	for _, c := range comparisons {
		modules = append(modules, c.needs...)
	}
	slices.Sort(modules)
	return slices.Compact(modules)
}

// findModules reports which modules a Python has, without loading them. Without a Python there are none.
func findModules(ctx context.Context, python string, modules []string) (map[string]bool, error) {
	const script = `import importlib.util, json, sys
print(json.dumps({name: importlib.util.find_spec(name) is not None for name in sys.argv[1:]}))`
	installed := map[string]bool{}
	if _, err := exec.LookPath(python); err != nil {
		logf("there is no %s: bench/peers/README.md says how to install the peers", python)
		return installed, nil
	}
	out, err := exec.CommandContext(ctx, python, append([]string{"-c", script}, modules...)...).Output()
	if err == nil {
		err = json.Unmarshal(out, &installed)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", python, err)
	}
	return installed, nil
}
