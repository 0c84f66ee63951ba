package measure

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Input is a file or folder that programs read, made by a command and kept in the
// work folder: it has the hash of that command in its name.
type Input struct {
	Path  string
	Lacks string // what is needed to make it and is not there; empty for nothing

	from    []*Input
	command func(out string) []string // that writes out
}

// NewInput is an input called prefix-HASHsuffix. What is in from is made first.
func NewInput(work, prefix, suffix string, command func(out string) []string, from ...*Input) *Input {
	sum := sha256.Sum256([]byte(strings.Join(command(""), "\x00")))
	return &Input{
		Path: filepath.Join(work, prefix+"-"+hex.EncodeToString(sum[:4])+suffix),
		from: from, command: command,
	}
}

// Missing says what is needed to make it and is not there.
func (in *Input) Missing() string {
	for _, from := range in.from {
		if missing := from.Missing(); missing != "" {
			return missing
		}
	}
	return in.Lacks
}

// Ensure makes the input unless it is there, and says so before it does.
func (in *Input) Ensure(ctx context.Context, say func(format string, args ...any)) error {
	if _, err := os.Stat(in.Path); err == nil {
		return nil
	}
	for _, from := range in.from {
		if err := from.Ensure(ctx, say); err != nil {
			return err
		}
	}
	part := filepath.Join(filepath.Dir(in.Path), "part-"+filepath.Base(in.Path))
	if err := os.RemoveAll(part); err != nil {
		return err
	}
	say("making %s", in.Path)
	command := in.command(part)
	if output, err := exec.CommandContext(ctx, command[0], command[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(command, " "), err, lastLine(string(output)))
	}
	return os.Rename(part, in.Path)
}
