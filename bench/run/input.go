package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/bench/harness"
)

// definition describes how to make an input: a file or folder that programs read.
type definition struct {
	Name, Suffix string
	Make         string // the command, which writes {out}
	PubMed       bool   // it is a folder of PubMed XML, for whose files it stands
	Kept         bool   // for the next run, since no version of ctxnorm matters
}

// inputs makes the inputs of commands, each of them once. In a command {NAME} stands for an input, {-FLAG} for the
// value of a flag, and {out} for the output of the command.
type inputs struct {
	settings *settings
	defined  []definition
}

// command is a command without placeholders.
type command struct {
	args  []string
	makes string     // path of the input that it makes, if it makes one
	needs []*command // that make its inputs
}

// command expands the text of a definition or of a comparison to a command that writes out. It fails if a flag is
// missing.
func (in *inputs) command(line, out string) *command {
	c := &command{}
	c.args = harness.Expand(line, func(name string) []string {
		flag, isFlag := strings.CutPrefix(name, "-")
		v, ok := in.settings.values[flag]
		switch {
		case name == "out":
			return []string{out}
		case !isFlag:
			return []string{in.value(c, name)}
		}
		harness.Require(ok, "%s: there is no flag -%s", line, flag)
		harness.Require(v != "", "-%s is not given: -help says what it is", flag)
		return []string{v}
	})
	return c
}

// value returns the replacement of the placeholder of an input in a command, and makes the command depend on the input.
func (in *inputs) value(c *command, name string) string {
	i := slices.IndexFunc(in.defined, func(d definition) bool { return d.Name == name })
	harness.Require(i >= 0, "there is no input %s", name)
	d := &in.defined[i]
	if files := in.settings.files; d.PubMed && name == "single" && len(files) > 0 {
		return files[0]
	} else if d.PubMed && len(files) > 0 {
		return in.settings.PubMed
	}
	sum := sha256.Sum256([]byte(strings.Join(in.command(d.Make, "").args, "\x00")))
	folder := in.settings.Work
	if !d.Kept {
		folder = in.settings.runs()
	}
	path := filepath.Join(folder, fmt.Sprintf("%s-%x%s", d.Name, sum[:4], d.Suffix))
	made := in.command(d.Make, partOf(path))
	made.makes = path
	c.needs = append(c.needs, made)
	if d.PubMed {
		return filepath.Join(path, "*.xml.gz")
	}
	return path
}

// partOf returns the path of an input while it is being made.
func partOf(path string) string {
	return filepath.Join(filepath.Dir(path), "part-"+filepath.Base(path))
}

// ensure makes the inputs that the command needs, unless they are there.
func (c *command) ensure(ctx context.Context) {
	for _, need := range c.needs {
		if _, err := os.Stat(need.makes); err == nil {
			continue
		}
		need.ensure(ctx)
		part := partOf(need.makes)
		harness.Check(os.MkdirAll(filepath.Dir(part), 0o755))
		harness.Log("making %s", need.makes)
		(&harness.Process{Args: need.args, Fresh: part}).Run(ctx)
		harness.Check(os.Rename(part, need.makes))
	}
}
