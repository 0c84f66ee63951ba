// Command subject does the jobs of the peers in bench/peers with the packages of
// ctxnorm, and makes what both sides read. Every job prints lines of JSON whose fields
// have the peers' names; bench/run starts both sides and compares the lines. The
// number of threads is GOMAXPROCS.
//
//	subject xml FILE…     PubMed XML to titles and abstracts
//	subject tag           dictionary tagging
//	subject knn           nearest neighbors, exact and in a graph
//	subject train         training steps (build tag torch)
//	subject encode        encode, search, vote (build tag torch)
//
//	subject dictionary    names for both sides to read
//	subject sentences     marked sentences of texts
//	subject batches       batches that both sides train on
//	subject vectors       clustered unit vectors
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// job is a subcommand. It returns the lines to print.
type job struct {
	run      func(o *options) ([]line, error)
	required []string // flags
}

var jobs = map[string]job{
	"xml":        {readXML, nil},
	"tag":        {tag, []string{"dict", "text"}},
	"knn":        {searchVectors, []string{"dir", "engine"}},
	"train":      {train, []string{"model", "data"}},
	"encode":     {encode, []string{"model", "data", "index", "labels"}},
	"dictionary": {makeDictionary, []string{"from", "out"}},
	"sentences":  {makeSentences, []string{"dict", "text", "out"}},
	"batches":    {makeBatches, []string{"data", "out"}},
	"vectors":    {makeVectors, []string{"out"}},
}

// options are the flags of all jobs. A job ignores those that are not its own.
type options struct {
	files                                                          []string // arguments
	dict, text, out, from, data, model, index, labels, dir, engine string
	ef                                                             string
	anyCase, bfloat16, freeze                                      bool
	names, times, docs, rows, sentences, pairs, steps, warmup      int
	vectors, queries, dim, k, single                               int
}

func (o *options) register(flags *flag.FlagSet) {
	for _, f := range []struct {
		value       *string
		name, usage string
	}{
		{&o.dict, "dict", "dictionary `file`"}, {&o.text, "text", "`file` of citations"},
		{&o.out, "out", "`file` to write, .jsonl or .jsonl.gz; of vectors a folder"},
		{&o.from, "from", "dictionary `file` of any format"}, {&o.data, "data", "`file` of marked sentences"},
		{&o.model, "model", "`folder` of the model"}, {&o.index, "index", "`file` of vectors to search, raw .f32"},
		{&o.labels, "labels", "`file` of their labels, raw .i32"},
		{&o.dir, "dir", "`folder` of vectors"}, {&o.engine, "engine", "flat, hnsw or coder-hnsw"},
	} {
		flags.StringVar(f.value, f.name, "", f.usage)
	}
	flags.StringVar(&o.ef, "ef", "100", "widths of the search; one line of JSON for each")
	flags.BoolVar(&o.anyCase, "any-case", false, "only names that build-corpus looks for in any case")
	flags.BoolVar(&o.bfloat16, "bf16", false, "multiply in bfloat16 instead of float32")
	flags.BoolVar(&o.freeze, "freeze-embeddings", false, "leave the embedding tables unchanged, the default of ctxnorm")
	for _, f := range []struct {
		value   *int
		name    string
		initial int
		usage   string
	}{
		{&o.names, "names", 0, "inflate the dictionary to this many names"},
		{&o.times, "times", 0, "inflate the dictionary to this many times its names, with new concepts"},
		{&o.docs, "docs", 0, "texts to read (default all)"}, {&o.rows, "rows", 20_000, "sentences to write at most"},
		{&o.sentences, "sentences", 1000, "sentences to encode; 0 for all"},
		{&o.pairs, "pairs", 16, "concepts in a batch, with two sentences each"},
		{&o.steps, "steps", 10, "batches; of training, measured steps"}, {&o.warmup, "warmup", 2, "training steps before them"},
		{&o.vectors, "vectors", 0, "vectors to write"}, {&o.queries, "queries", 0, "vectors to search for, from the same clusters"},
		{&o.dim, "dim", 384, "dimensions of a vector"}, {&o.k, "k", 15, "neighbors"},
		{&o.single, "single", 200, "queries asked one at a time"},
	} {
		flags.IntVar(f.value, f.name, f.initial, f.usage)
	}
}

func main() {
	if err := run(os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(os.Stderr, "subject: %v\n", err)
		os.Exit(2)
	}
}

func run(args []string) error {
	names := strings.Join(slices.Sorted(maps.Keys(jobs)), ", ")
	if len(args) == 0 {
		return fmt.Errorf("no job is given, want one of %s", names)
	}
	j, ok := jobs[args[0]]
	if !ok {
		return fmt.Errorf("there is no job %q, want one of %s", args[0], names)
	}
	var o options
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	o.register(flags)
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	for _, name := range j.required {
		if flags.Lookup(name).Value.String() == "" {
			return fmt.Errorf("%s: --%s is not given", args[0], name)
		}
	}
	o.files = flags.Args()
	lines, err := j.run(&o)
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	for _, l := range lines {
		l["job"], l["threads"], l["go"] = args[0], runtime.GOMAXPROCS(0), runtime.Version()
		if err := json.NewEncoder(os.Stdout).Encode(l); err != nil {
			return err
		}
	}
	return nil
}

// line is what a job reports: fields with the peers' names.
type line map[string]any

// clock measures wall and processor time.
type clock struct {
	began time.Time
	cpu   time.Duration
}

func start() clock { return clock{time.Now(), processorTime()} }

func (c clock) seconds() float64    { return time.Since(c.began).Seconds() }
func (c clock) cpuSeconds() float64 { return (processorTime() - c.cpu).Seconds() }

// processorTime returns the time that this process has used, on all cores together.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// residentMB returns the resident set in units of 2^20 bytes, after unused memory was
// given back to the system.
func residentMB() (float64, error) {
	debug.FreeOSMemory()
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for status := range strings.Lines(string(data)) {
		if size, ok := strings.CutPrefix(status, "VmRSS:"); ok {
			kb, err := strconv.ParseFloat(strings.Fields(size)[0], 64)
			return kb / 1024, err
		}
	}
	return 0, errors.New("/proc/self/status has no VmRSS")
}

// versions returns the versions of modules that this program is built with.
func versions(modules ...string) map[string]string {
	found := map[string]string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dependency := range info.Deps {
			if slices.Contains(modules, dependency.Path) {
				found[dependency.Path] = dependency.Version
			}
		}
	}
	return found
}

// rounded rounds to a number of decimals.
func rounded(x float64, decimals int) float64 {
	scale := math.Pow10(decimals)
	return math.Round(x*scale) / scale
}
