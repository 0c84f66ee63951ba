// Package pipeline spreads commands of ctxnorm over the workers of an Apache Beam runner: Prism on one
// machine, Flink, Dataflow and others.
//
// The unit of work is a shard of the input files. A worker writes its output to a folder that all workers see under the
// same path, and renames it into place when it is complete. So a runner may retry a shard any number of times, and the
// result is byte for byte that of one process.
package pipeline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

// Job is a command of ctxnorm that takes --shard. Workers get it as JSON.
type Job struct {
	// Program is the path of ctxnorm on every worker: the build with the encoder or that without.
	Program string
	// Command is build-corpus or link.
	Command string
	// Args are its arguments, with absolute paths, but not --shard and --wait.
	Args []string
	// Shards is the number of shards into which the input files are split.
	Shards int
}

// Check returns an error for arguments that a worker could not take.
func (j *Job) Check() error {
	if j.Shards < 1 {
		return fmt.Errorf("shards: %d, want at least 1", j.Shards)
	}
	for _, arg := range j.Args {
		if name, _, _ := strings.Cut(arg, "="); name == "--shard" || name == "--wait" {
			return fmt.Errorf("%s: is not for workers, which get a shard each", arg)
		}
	}
	return nil
}

// Spread runs the command for the shards of the input files with these numbers, from 1 to j.Shards, each by the program
// ctxnorm in a process of its own, which opens dictionary or model once for all files of its shard. It returns the
// numbers. The counters parts and malformed of the namespace ctxnorm count the shards, and those that have malformed
// records. When the pipeline has ended, build-corpus without --shard joins the shards of a corpus.
func Spread(s beam.Scope, j Job, shards beam.PCollection) beam.PCollection {
	s = s.Scope("ctxnorm.Spread")
	return beam.ParDo(s, &shardFn{j}, beam.Reshuffle(s, shards))
}

// shardFn runs a command for a shard of the input files.
type shardFn struct{ Job Job }

var (
	partsCounter     = beam.NewCounter("ctxnorm", "parts")
	malformedCounter = beam.NewCounter("ctxnorm", "malformed")
)

func init() {
	register.DoFn3x1[context.Context, int, func(int), error](&shardFn{})
	register.Emitter1[int]()
}

// ProcessElement runs the command for the shard with a number. Where a worker was killed and its program is still
// running, the program of the next attempt waits for it.
func (f *shardFn) ProcessElement(ctx context.Context, shard int, emit func(int)) error {
	args := append([]string{"--wait", fmt.Sprintf("--shard=%d/%d", shard, f.Job.Shards)}, f.Job.Args...)
	malformed, err := f.Job.Run(ctx, args)
	if err != nil {
		return fmt.Errorf("shard %d of %d: %w", shard, f.Job.Shards, err)
	}
	if malformed != "" {
		log.Warn(ctx, malformed)
		malformedCounter.Inc(ctx, 1)
	}
	partsCounter.Inc(ctx, 1)
	emit(shard)
	return nil
}

// exitMalformed is the exit status of ctxnorm when the results are complete except for malformed records.
const exitMalformed = 1

// Run runs the command with arguments. It returns the program's messages about malformed records, which it skips.
func (j *Job) Run(ctx context.Context, args []string) (malformed string, err error) {
	cmd := exec.CommandContext(ctx, j.Program, append([]string{j.Command}, args...)...)
	var messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &messages, &messages
	err = cmd.Run()
	said := strings.TrimSpace(messages.String())
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == exitMalformed {
		return said, nil
	}
	if err != nil {
		err = fmt.Errorf("%s %s: %w: %s", j.Program, j.Command, err, said)
	}
	return "", err
}
