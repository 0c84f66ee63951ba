// Command ours does the jobs that the peers in bench/peers do, with the packages
// of this module, and makes what both are given to read. Each subcommand prints
// lines of JSON that have the peers' names for what they hold; bench/run starts
// both and compares them. The number of threads is GOMAXPROCS.
//
//	ours xml FILE…          PubMed XML to titles and abstracts
//	ours tag                dictionary tagging
//	ours knn                nearest neighbours, exact and in a graph
//	ours train              steps of training (tag torch)
//	ours encode             encode, search, vote (tag torch)
//
//	ours dictionary         names for both sides to read, as many as asked for
//	ours sentences          marked sentences out of texts
//	ours batches            batches that both sides train on
package main

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

var jobs = map[string]func(args []string) error{
	"xml":        readXML,
	"tag":        tag,
	"knn":        searchVectors,
	"train":      train,
	"encode":     encode,
	"dictionary": makeDictionary,
	"sentences":  makeSentences,
	"batches":    makeBatches,
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "ours: %v\n", err)
		os.Exit(2)
	}
}

func run(args []string) error {
	names := strings.Join(slices.Sorted(maps.Keys(jobs)), ", ")
	if len(args) == 0 {
		return fmt.Errorf("want one of %s", names)
	}
	job, ok := jobs[args[0]]
	if !ok {
		return fmt.Errorf("there is no %q, want one of %s", args[0], names)
	}
	err := job(args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	return nil
}

// parse reads the flags of a job; those named in required must be given.
func parse(flags *flag.FlagSet, args []string, required ...string) error {
	flags.Init(flags.Name(), flag.ContinueOnError)
	if err := flags.Parse(args); err != nil {
		return err
	}
	for _, name := range required {
		if flags.Lookup(name).Value.String() == "" {
			return fmt.Errorf("--%s is not given", name)
		}
	}
	return nil
}
