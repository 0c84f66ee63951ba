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
	// Shards is the number of parts into which the input files are split.
	Shards int
}

// Check returns an error for arguments that a worker could not take.
func (l *Linking) Check() error {
	if l.Shards < 1 {
		return fmt.Errorf("shards: %d, want at least 1", l.Shards)
	}
	for _, arg := range l.Args {
		if name, _, _ := strings.Cut(arg, "="); name == "--shard" || name == "--wait" {
			return fmt.Errorf("%s: is not for workers, which get a part each", arg)
		}
	}
	return nil
}

// Link links the parts of the input files with these numbers, from 1 to l.Shards, each by the program ctxnorm in a
// process of its own, which opens the model once for all files of its part. It returns the numbers. The counters parts
// and malformed of the namespace ctxnorm count the parts, and those that have malformed records.
func Link(s beam.Scope, l Linking, parts beam.PCollection) beam.PCollection {
	s = s.Scope("ctxnorm.Link")
	return beam.ParDo(s, &linkFn{l}, beam.Reshuffle(s, parts))
}

// linkFn links a part of the input files.
type linkFn struct{ Linking Linking }

var partsCounter = beam.NewCounter("ctxnorm", "parts")

// Exit statuses of ctxnorm.
const exitMalformed = 1 // complete but for malformed records

// ProcessElement links part number part. Where a worker was killed and its program is still linking, the
// program of the next attempt waits for it.
func (f *linkFn) ProcessElement(ctx context.Context, part int, emit func(int)) error {
	args := append([]string{"link", "--wait", fmt.Sprintf("--shard=%d/%d", part, f.Linking.Shards)}, f.Linking.Args...)
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
		return fmt.Errorf("%s link, part %d of %d: %w: %s", f.Linking.Program, part, f.Linking.Shards, err, strings.TrimSpace(messages.String()))
	}
	partsCounter.Inc(ctx, 1)
	emit(part)
	return nil
}
