package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/bench/harness"
)

// definition says how an input is made: a file or folder that programs read.
type definition struct {
	Name, Suffix string
	Make         string // the command, which writes {out}
	Files        string // how many files of PubMed XML it has, for which the input stands then
	Kept         bool   // for the next run, since no version of ctxnorm matters
}

// inputs makes what commands read, each input once. In a command {NAME} stands for an input, {-FLAG} for the value of a
// flag, and {out} for what the command writes.
type inputs struct {
	settings *settings
	defined  []definition
}

// command is a command without placeholders.
type command struct {
	args  []string
	makes string     // path of the input that it makes, if it makes one
	needs []*command // which make what it reads
}

// lacking holds the error for a value that is not given, by the name of its flag.
var lacking = map[string]string{
	"dict":  "there is no dictionary: give -dict, or set CTXNORM_DATA",
	"model": "there is no base model: -model, or CTXNORM_MINILM, names its folder",
	"data":  "there is no text to read: give -pubmed, or set CTXNORM_DATA",
}

// command returns a command that writes out, by the text of a definition or of a comparison. It returns an error if it
// lacks a flag.
func (in *inputs) command(line, out string) (*command, error) {
	c := &command{}
	var err error
	c.args, err = harness.Expand(line, func(name string) ([]string, error) {
		flag, isFlag := strings.CutPrefix(name, "-")
		switch v, ok := in.settings.values[flag]; {
		case name == "out":
			return []string{out}, nil
		case !isFlag:
			return in.value(c, name)
		case !ok:
			return nil, fmt.Errorf("%s: there is no flag -%s", line, flag)
		case v == "":
			return nil, errors.New(cmp.Or(lacking[flag], "-"+flag+" is not given"))
		default:
			return []string{v}, nil
		}
	})
	return c, err
}

// value returns what stands for the placeholder of an input in a command, which needs the input then.
func (in *inputs) value(c *command, name string) ([]string, error) {
	i := slices.IndexFunc(in.defined, func(d definition) bool { return d.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no input %s", name)
	}
	d := &in.defined[i]
	if files := in.settings.files; d.Files == "1" && len(files) > 0 {
		return files[:1], nil
	} else if d.Files != "" && len(files) > 0 {
		return files, nil
	}
	made, err := in.command(d.Make, "")
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(strings.Join(made.args, "\x00")))
	folder := in.settings.Work
	if !d.Kept {
		folder = in.settings.runs()
	}
	path := filepath.Join(folder, d.Name+"-"+hex.EncodeToString(sum[:4])+d.Suffix)
	if made, err = in.command(d.Make, partOf(path)); err != nil {
		return nil, err
	}
	made.makes = path
	c.needs = append(c.needs, made)
	if d.Files == "" {
		return []string{path}, nil
	}
	number, err := in.command(d.Files, "")
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(number.args[0])
	var files []string
	for i := range n {
		files = append(files, filepath.Join(path, fmt.Sprintf("pubmed00n%04d.xml.gz", i+1)))
	}
	return files, err
}

// partOf returns the path of an input while it is made.
func partOf(path string) string {
	return filepath.Join(filepath.Dir(path), "part-"+filepath.Base(path))
}

// ensure makes the inputs that the command needs, unless they are there.
func (c *command) ensure(ctx context.Context) error {
	for _, need := range c.needs {
		if _, err := os.Stat(need.makes); err == nil {
			continue
		}
		if err := need.ensure(ctx); err != nil {
			return err
		}
		part := partOf(need.makes)
		if err := os.MkdirAll(filepath.Dir(part), 0o755); err != nil {
			return err
		}
		harness.Log("making %s", need.makes)
		if _, err := (&harness.Process{Args: need.args, Fresh: part}).Run(ctx); err != nil {
			return err
		}
		if err := os.Rename(part, need.makes); err != nil {
			return err
		}
	}
	return nil
}
