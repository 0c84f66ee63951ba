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
)

// Linking says how documents are linked into a folder. Workers get it as JSON.
type Linking struct {
	// Program is the path of ctxnorm on every worker: the build with the encoder or that without.
	Program string
	// Args are the arguments of "ctxnorm link": --model, --input, --output and others, with absolute paths, but not
	// --shard and --wait.
	Args []string
	// Shards is the number of shards into which the input files are split.
	Shards int
}

// Check returns an error for arguments that a worker could not take.
func (l *Linking) Check() error {
	if l.Shards < 1 {
		return fmt.Errorf("shards: %d, want at least 1", l.Shards)
	}
	for _, arg := range l.Args {
		if name, _, _ := strings.Cut(arg, "="); name == "--shard" || name == "--wait" {
			return fmt.Errorf("%s: is not for workers, which get a shard each", arg)
		}
	}
	return nil
}

// Link links the shards of the input files with these numbers, from 1 to l.Shards, each by the program ctxnorm in a
// process of its own, which opens the model once for all files of its shard. It returns the numbers. The counters parts
// and malformed of the namespace ctxnorm count the shards, and those that have malformed records.
func Link(s beam.Scope, l Linking, shards beam.PCollection) beam.PCollection {
	s = s.Scope("ctxnorm.Link")
	return beam.ParDo(s, &linkFn{l}, beam.Reshuffle(s, shards))
}

// linkFn links a shard of the input files.
type linkFn struct{ Linking Linking }

var partsCounter = beam.NewCounter("ctxnorm", "parts")

// exitMalformed is the exit status of ctxnorm where the results are complete but for malformed records.
const exitMalformed = 1

// ProcessElement links the shard with a number. Where a worker was killed and its program is still linking, the
// program of the next attempt waits for it.
func (f *linkFn) ProcessElement(ctx context.Context, shard int, emit func(int)) error {
	args := append([]string{"link", "--wait", fmt.Sprintf("--shard=%d/%d", shard, f.Linking.Shards)}, f.Linking.Args...)
	cmd := exec.CommandContext(ctx, f.Linking.Program, args...)
	var messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &messages, &messages
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == exitMalformed:
		log.Warn(ctx, strings.TrimSpace(messages.String()))
		malformedCounter.Inc(ctx, 1)
	case err != nil:
		return fmt.Errorf("%s link, shard %d of %d: %w: %s",
			f.Linking.Program, shard, f.Linking.Shards, err, strings.TrimSpace(messages.String()))
	}
	partsCounter.Inc(ctx, 1)
	emit(shard)
	return nil
}
