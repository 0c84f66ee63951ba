// Command ctxnorm-beam runs build-corpus and link on the workers of an Apache Beam runner: Prism, which is part of it
// and uses the cores of this machine, or a cluster of Flink, Dataflow and others.
//
//	ctxnorm-beam [flags of Beam] build-corpus|link --program CTXNORM --shards N -- ARGUMENTS OF ctxnorm build-corpus or link
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
	"slices"
	"strings"
	"syscall"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/ctxnorm/ctxnorm/distributed/pipeline"
)

const usage = `usage: ctxnorm-beam [flags of Beam] build-corpus|link [--program CTXNORM] [--shards N] -- ARGUMENTS OF THE COMMAND

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
	if err == nil {
		os.Exit(0)
	}
	fmt.Fprintln(os.Stderr, "ctxnorm-beam:", err)
	if errors.Is(err, errMalformed) {
		os.Exit(1)
	}
	os.Exit(2)
}

var errMalformed = errors.New("malformed records were left out")

// run runs a command of the program.
func run(ctx context.Context, args []string) error {
	if len(args) == 0 || args[0] != "build-corpus" && args[0] != "link" {
		return usageError("want a command: build-corpus or link")
	}
	j := pipeline.Job{Command: args[0]}
	flags := flag.NewFlagSet(j.Command, flag.ContinueOnError)
	flags.StringVar(&j.Program, "program", "ctxnorm", "`path` of ctxnorm on every worker")
	flags.IntVar(&j.Shards, "shards", 16, "`number` of shards of the input files")
	if err := flags.Parse(args[1:]); err != nil {
		return usageError(err.Error())
	}
	j.Args = flags.Args()
	if len(j.Args) == 0 {
		return usageError(j.Command + " needs its arguments after --")
	}
	if err := j.Check(); err != nil {
		return usageError(err.Error())
	}
	shards := make([]int, j.Shards)
	for i := range shards {
		shards[i] = i + 1
	}
	p, s := beam.NewPipelineWithRoot()
	pipeline.Spread(s, j, beam.CreateList(s, shards))
	if err := beamx.Run(ctx, p); err != nil || j.Command == "link" {
		return err
	}
	malformed, err := j.Run(ctx, j.Args) // joins the shards
	if malformed != "" {
		err = fmt.Errorf("%w: %s", errMalformed, malformed)
	}
	return err
}
