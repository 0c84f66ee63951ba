package harness

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Definition says how an input is made: a file or folder that programs read.
type Definition struct {
	Name, Suffix string
	Make         string // the command, which writes {out}
	Files        string // how many files of PubMed XML it has, for which the input stands then
	OfUser       bool   // the files of -pubmed stand in its place
	Kept         bool   // for the next run, since no version of ctxnorm matters
}

// Inputs makes what commands read, each input once. In a command {NAME} stands for an input, {-FLAG} for the value of a
// flag, {out} for what the command writes and {n} for its size. {NAME@n}, {NAME@3} and {NAME@max} are inputs of that
// size, and {NAME@1-n} several.
type Inputs struct {
	Settings *Settings
	Defined  []Definition
	Max      int
	Special  func(c *Command, name string, size int) ([]string, error) // values of other names, nil for none
}

// Command is a command without placeholders, and what it needs.
type Command struct {
	Args  []string
	needs []need
}

// need is an input by its path, which a command makes.
type need struct {
	path    string
	command *Command
}

var placeholder = regexp.MustCompile(`\{[-\w@./]+\}`)

// Expand splits a line at white space and replaces each {name} by its value. An argument that is a placeholder alone
// becomes as many arguments as the value has.
func Expand(line string, value func(name string) ([]string, error)) ([]string, error) {
	var args []string
	var failed error
	lookup := func(found string) []string {
		v, err := value(strings.Trim(found, "{}"))
		failed = errors.Join(failed, err)
		return v
	}
	for _, field := range strings.Fields(line) {
		if placeholder.FindString(field) == field {
			args = append(args, lookup(field)...)
			continue
		}
		args = append(args, placeholder.ReplaceAllStringFunc(field, func(found string) string { return strings.Join(lookup(found), " ") }))
	}
	return args, failed
}

// lacking holds the error for a value that is not given, by the name of its flag.
var lacking = map[string]string{
	"dict":  "there is no dictionary: give -dict, or set CTXNORM_DATA",
	"model": "there is no base model: -model, or CTXNORM_MINILM, names its folder",
	"data":  "there is no text to read: give -pubmed, or set CTXNORM_DATA",
}

// Command returns a command that writes out, by the text of a definition or of a job. It returns an error if it lacks
// a flag.
func (in *Inputs) Command(line, out string, size int) (*Command, error) {
	c := &Command{}
	var err error
	c.Args, err = Expand(line, func(name string) ([]string, error) {
		switch flag, isFlag := strings.CutPrefix(name, "-"); {
		case isFlag:
			v, ok := in.Settings.values[flag]
			if !ok {
				return nil, fmt.Errorf("%s: there is no flag -%s", line, flag)
			}
			if v == "" {
				return nil, errors.New(cmp.Or(lacking[flag], "-"+flag+" is not given"))
			}
			return []string{v}, nil
		case name == "out":
			return []string{out}, nil
		case name == "n":
			return []string{strconv.Itoa(size)}, nil
		}
		if in.Special != nil {
			if v, err := in.Special(c, name, size); v != nil || err != nil {
				return v, err
			}
		}
		return in.Value(c, name, size)
	})
	return c, err
}

// Value returns what stands for the placeholder of an input in a command, which needs the input then.
func (in *Inputs) Value(c *Command, name string, size int) (paths []string, err error) {
	name, at, _ := strings.Cut(name, "@")
	from, to := size, size
	switch at {
	case "", "n":
	case "max":
		from, to = in.Max, in.Max
	case "1-n":
		from = 1
	default:
		if from, err = strconv.Atoi(at); err != nil {
			return nil, err
		}
		to = from
	}
	i := slices.IndexFunc(in.Defined, func(d Definition) bool { return d.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no input %s", name)
	}
	d := &in.Defined[i]
	if files := in.Settings.PubMed; d.OfUser && len(files) > 0 {
		if d.Files == "1" {
			files = files[:1]
		}
		return files, nil
	}
	for n := from; n <= to; n++ {
		path, err := in.Path(d, n)
		if err != nil {
			return nil, err
		}
		command, err := in.Command(d.Make, partOf(path), n)
		if err != nil {
			return nil, err
		}
		c.needs = append(c.needs, need{path, command})
		paths = append(paths, path)
	}
	if d.Files == "" {
		return paths, nil
	}
	return in.files(d, paths[0])
}

// files returns the files of PubMed XML in an input.
func (in *Inputs) files(d *Definition, folder string) (files []string, err error) {
	number, err := in.Command(d.Files, "", 0)
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(number.Args[0])
	for i := range n {
		files = append(files, filepath.Join(folder, fmt.Sprintf("pubmed00n%04d.xml.gz", i+1)))
	}
	return files, err
}

// partOf returns the path of an input while it is made.
func partOf(path string) string {
	return filepath.Join(filepath.Dir(path), "part-"+filepath.Base(path))
}

// Path returns the path of an input, with the hash of its command in it.
func (in *Inputs) Path(d *Definition, size int) (string, error) {
	c, err := in.Command(d.Make, "", size)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(strings.Join(c.Args, "\x00")))
	folder := in.Settings.Work
	if !d.Kept {
		folder = in.Settings.Runs()
	}
	return filepath.Join(folder, d.Name+"-"+hex.EncodeToString(sum[:4])+d.Suffix), nil
}

// Ensure makes the inputs that the command needs, unless they are there.
func (c *Command) Ensure(ctx context.Context) error {
	for _, need := range c.needs {
		if _, err := os.Stat(need.path); err == nil {
			continue
		}
		if err := need.command.Ensure(ctx); err != nil {
			return err
		}
		part := partOf(need.path)
		if err := errors.Join(os.RemoveAll(part), os.MkdirAll(filepath.Dir(part), 0o755)); err != nil {
			return err
		}
		Log("making %s", need.path)
		args := need.command.Args
		if output, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, LastLine(string(output)))
		}
		if err := os.Rename(part, need.path); err != nil {
			return err
		}
	}
	return nil
}
