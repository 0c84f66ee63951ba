// Command ctxnorm-beam runs build-corpus and link on the workers of an Apache Beam runner: Prism, which is part of it
// and uses the cores of this machine, or a cluster of Flink, Dataflow and others.
//
//	ctxnorm-beam [flags of Beam] build-corpus --dict FILE --corpus FOLDER FILE...
//	ctxnorm-beam [flags of Beam] link --program CTXNORM --shards N -- ARGUMENTS OF ctxnorm link
//
// Input, output and the program are at the same path on every worker. The results are those of ctxnorm to the byte.
// A run that was stopped goes on when it is started again.
//
// For a runner that starts workers as processes (--environment_type=PROCESS) the program itself is the command:
// see boot.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/distributed/pipeline"
)

const usage = `usage: ctxnorm-beam [flags of Beam] build-corpus --dict FILE [--corpus FOLDER] FILE...
       ctxnorm-beam [flags of Beam] link [--program CTXNORM] [--shards N] -- ARGUMENTS OF ctxnorm link

Flags of Beam are --runner prism (the default), flink, dataflow, ..., --endpoint, --parallelism and others.`

// usageError returns an error in the arguments.
func usageError(message string) error { return fmt.Errorf("%s\n%s", message, usage) }

func main() {
	isProvision := func(arg string) bool { return strings.HasPrefix(strings.TrimLeft(arg, "-"), provisionFlag+"=") }
	if slices.ContainsFunc(os.Args[1:], isProvision) {
		exit(boot(os.Args[1:]))
	}
	flag.Usage = func() { fmt.Fprintln(os.Stderr, usage) }
	flag.Parse()
	beam.Init() // a worker stays in here
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	exit(run(ctx, flag.Args()))
}

// exit ends the program: with status 0, 1 after malformed records, and 2 after an error, as ctxnorm does.
func exit(err error) {
	var broken *ctxnorm.InputErrors
	if err == nil {
		os.Exit(0)
	}
	fmt.Fprintln(os.Stderr, "ctxnorm-beam:", err)
	if errors.As(err, &broken) {
		os.Exit(1)
	}
	os.Exit(2)
}

// run runs a command of the program.
func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return usageError("want a command: build-corpus or link")
	}
	switch args[0] {
	case "build-corpus":
		return buildCorpus(ctx, args[1:])
	case "link":
		return link(ctx, args[1:])
	}
	return usageError(fmt.Sprintf("%q is no command, want build-corpus or link", args[0]))
}

func buildCorpus(ctx context.Context, args []string) error {
	c := pipeline.Corpus{}
	flags := flag.NewFlagSet("build-corpus", flag.ContinueOnError)
	flags.Func("dict", "dictionary `file`; may be given several times", func(path string) error {
		c.Dictionaries = append(c.Dictionaries, path)
		return nil
	})
	flags.StringVar(&c.IDs, "ids", "", "JSON `file` of concepts with all their ids")
	flags.StringVar(&c.Parents, "parents", "", "`file` of child and parent")
	flags.StringVar(&c.Dir, "corpus", "corpus", "corpus `folder` to write")
	flags.IntVar(&c.SentencesPerName, "sentences-per-name", 0,
		"largest number of sentences to keep for a name (default 50)")
	flags.Uint64Var(&c.Seed, "seed", 1, "seed of the sample of sentences")
	flags.IntVar(&c.Workers, "workers", 1, "batches that a worker processes at once")
	if err := flags.Parse(args); err != nil {
		return usageError(err.Error())
	}
	if len(c.Dictionaries) == 0 {
		return usageError("build-corpus needs --dict FILE")
	}
	if flags.NArg() == 0 {
		return usageError("build-corpus needs files to read")
	}
	c.Inputs = flags.Args()
	paths := slices.Concat(pointers(c.Inputs), pointers(c.Dictionaries), []*string{&c.IDs, &c.Parents, &c.Dir})
	if err := makeAbsolute(paths...); err != nil {
		return err
	}
	options, err := c.Options()
	if err != nil {
		return err
	}
	builder, err := ctxnorm.NewShardBuilder(options) // checks the target and expands folders before anything runs
	if err != nil {
		return err
	}
	c.Inputs = builder.Inputs()
	p, s := beam.NewPipelineWithRoot()
	pipeline.BuildShards(s, c, beam.CreateList(s, c.Inputs))
	if err := beamx.Run(ctx, p); err != nil {
		return err
	}
	options.Inputs, options.Workers = c.Inputs, 0
	manifest, err := ctxnorm.BuildCorpus(ctx, options)
	if manifest != nil {
		t := &manifest.Totals
		fmt.Fprintf(os.Stderr, "ctxnorm-beam: %s: %d sentences with %d mentions, from %d records\n",
			c.Dir, t.Sampled, t.SampledMentions, t.Records)
	}
	return err
}

func link(ctx context.Context, args []string) error {
	l := pipeline.Linking{}
	flags := flag.NewFlagSet("link", flag.ContinueOnError)
	flags.StringVar(&l.Program, "program", "ctxnorm", "`path` of ctxnorm on every worker")
	flags.IntVar(&l.Shards, "shards", 16, "`number` of shards of the input files")
	if err := flags.Parse(args); err != nil {
		return usageError(err.Error())
	}
	l.Args = flags.Args()
	if len(l.Args) == 0 {
		return usageError("link needs the arguments of ctxnorm link after --")
	}
	if err := l.Check(); err != nil {
		return usageError(err.Error())
	}
	shards := make([]int, l.Shards)
	for i := range shards {
		shards[i] = i + 1
	}
	p, s := beam.NewPipelineWithRoot()
	pipeline.Link(s, l, beam.CreateList(s, shards))
	return beamx.Run(ctx, p)
}

// pointers returns pointers to the strings of a list.
func pointers(list []string) []*string {
	p := make([]*string, len(list))
	for i := range list {
		p[i] = &list[i]
	}
	return p
}

// makeAbsolute makes paths absolute; empty ones stay.
func makeAbsolute(paths ...*string) error {
	for _, path := range paths {
		if *path == "" {
			continue
		}
		absolute, err := filepath.Abs(*path)
		if err != nil {
			return err
		}
		*path = absolute
	}
	return nil
}
