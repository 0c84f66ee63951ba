// Command subject does the jobs of the peers in bench/peers with the packages of ctxnorm, and makes the inputs of both
// sides. The first six subcommands print lines of JSON with the same field names as the peers; bench/run starts both
// sides and compares the lines. The number of threads is GOMAXPROCS.
//
//	subject xml FILE…     PubMed XML to titles and abstracts
//	subject tag           dictionary tagging
//	subject knn           nearest neighbors, exact and in a graph
//	subject train         training steps (build tag torch)
//	subject encode        sentences to vectors
//	subject lookup        phrases to concepts by strings
//
//	subject dictionary    names for both sides to read
//	subject queries       changed names to look up
//	subject sentences     marked sentences of texts
//	subject batches       batches that both sides train on
package main

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/ctxnorm/ctxnorm/bench/harness"
)

// jobs are the subcommands. Only a build with libtorch has train.
var jobs = map[string]func(o *options){
	"xml": readXML, "tag": tag, "knn": searchVectors, "encode": encode, "lookup": lookUp,
	"dictionary": makeDictionary, "queries": makeQueries, "sentences": makeSentences, "batches": makeBatches,
}

// options are the flags of all jobs. A job ignores those that are not its own.
type options struct {
	Dict      string `flag:"dict" required:"tag sentences" usage:"dictionary file"`
	Text      string `flag:"text" required:"tag sentences" usage:"file of citations"`
	Out       string `flag:"out" required:"dictionary queries sentences batches" usage:"file to write, .jsonl"`
	From      string `flag:"from" required:"dictionary queries" usage:"dictionary files of any format, joined by commas"`
	Whole     string `flag:"whole" required:"queries" usage:"dictionary files with more names of the same concepts"`
	Data      string `flag:"data" required:"train encode batches lookup" usage:"file of marked sentences, or of queries"`
	Model     string `flag:"model" required:"train encode lookup" usage:"folder of the model"`
	Dir       string `flag:"dir" required:"knn" usage:"folder of vectors"`
	Engine    string `flag:"engine" required:"knn lookup" usage:"flat, hnsw or coder-hnsw; of lookup, the method"`
	Ef        string `flag:"ef" default:"100" usage:"widths of the search; one line of JSON for each"`
	AnyCase   bool   `flag:"any-case" usage:"only names that build-corpus looks for in any case"`
	Precision string `flag:"precision" default:"float32" usage:"float32, bfloat16 or, of encode, int8"`
	Freeze    bool   `flag:"freeze-embeddings" usage:"leave the embedding tables unchanged, the default of ctxnorm"`
	Names     int    `flag:"names" usage:"number of names, including those of made concepts"`
	Sentences int    `flag:"sentences" default:"1000" usage:"sentences to encode; 0 for all"`
	Steps     int    `flag:"steps" default:"10" usage:"batches; of training, measured steps"`
	Warmup    int    `flag:"warmup" default:"2" usage:"training steps before them"`
	Queries   int    `flag:"queries" default:"1000" usage:"wordings to look up"`

	Files []string `args:"files of PubMed XML"`
}

func main() {
	harness.Main("subject", nil, func(context.Context) {
		isJob := len(os.Args) > 1 && jobs[os.Args[1]] != nil
		harness.Require(isJob, "the job is %q, want one of %s", os.Args[1:], slices.Sorted(maps.Keys(jobs)))
		var o options
		harness.ParseFlags(&o, os.Args[1], os.Args[2:])
		jobs[os.Args[1]](&o)
	})
}

// line is the report of a job. Its fields have the same names as the peers'.
type line map[string]any

func (l line) print() { harness.Check(json.NewEncoder(os.Stdout).Encode(l)) }

// measure does work and adds its wall and processor time as fields that begin with a prefix. It returns the seconds.
func (l line) measure(prefix string, work func()) (seconds float64) {
	watch := start()
	work()
	seconds = watch.seconds()
	l[prefix+"seconds"], l[prefix+"cpu_seconds"] = seconds, watch.cpuSeconds()
	return seconds
}

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
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used) // it fails for wrong arguments alone
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
