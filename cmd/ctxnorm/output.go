package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"text/tabwriter"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/pflag"
)

// output is standard output. It stores the first write error, which run reports, so that commands need not check each
// write.
//
// A closed pipe is not such an error: writing to one as standard output quietly ends the program by SIGPIPE, as with
// other programs in a pipeline.
type output struct {
	mu  sync.Mutex // of mcp's goroutines
	w   io.Writer
	err error // of the first write that failed
}

func (o *output) Write(data []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(data)
	if err != nil {
		if path, ok := errors.AsType[*fs.PathError](err); ok {
			err = path.Err // without "write /dev/stdout", which may be the name of another file
		}
		o.err = fmt.Errorf("standard output: %w", err)
	}
	return n, o.err
}

// newTable returns a writer for columns, which are aligned when it is flushed.
func newTable(w io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(w, 0, 0, 2, ' ', 0) }

// checkOutputs rejects an output that is also an input, of a flag or an argument, or another output, because one of the
// two would be lost. It also rejects two inputs from a source that can be read only once. It only considers flags for
// which given returns true.
func checkOutputs(flags *pflag.FlagSet, args []string, given func(name string) bool) error {
	type named struct{ path, name string }
	var outputs, inputs []named
	flags.VisitAll(func(flag *pflag.Flag) {
		if what, _ := pflag.UnquoteUsage(flag); !given(flag.Name) || what != "file" && what != "files" && what != "folder" {
			return
		}
		to := &inputs
		if out := flag.Annotations["out"]; out != nil && out[0] != "folder" {
			to = &outputs
		}
		for _, path := range valuesOf(flag) {
			*to = append(*to, named{path, "--" + flag.Name})
		}
	})
	for _, path := range args {
		inputs = append(inputs, named{path, "an input"})
	}
	if flag := flags.Lookup("input"); flag != nil && !given("input") && len(args) == 0 {
		for _, path := range valuesOf(flag) {
			inputs = append(inputs, named{path, "the input of documents"})
		}
	}
	for i, input := range inputs {
		if !isReadOnce(input.path) {
			continue
		}
		for _, other := range inputs[i+1:] {
			if isSame(input.path, other.path) {
				return fmt.Errorf("%s, which can be read only once, is both %s and %s; want a file for one of them",
					nameOfStream(input.path), input.name, other.name)
			}
		}
	}
	for i, output := range outputs {
		if isStream(output.path) {
			continue
		}
		for _, other := range slices.Concat(inputs, outputs[i+1:]) {
			if isSame(output.path, other.path) {
				what := "file"
				if info, err := os.Stat(output.path); err == nil && info.IsDir() {
					what = "folder"
				}
				return fmt.Errorf("%s is %s, which is also %s; want another %s", output.name, output.path, other.name, what)
			}
		}
	}
	return nil
}

// isReadOnce reports whether an input can be read only once: standard input, or a named pipe.
func isReadOnce(path string) bool {
	info, err := os.Stat(path)
	return path == "-" || err == nil && info.Mode()&os.ModeNamedPipe != 0
}

// nameOfStream returns the display name of an input that can be read only once.
func nameOfStream(path string) string {
	if path == "-" {
		return "standard input"
	}
	return path
}

// wantFiles rejects inputs that can be read only once. why explains the reason.
func wantFiles(paths []string, why string) error {
	for _, path := range paths {
		if isReadOnce(path) {
			return fmt.Errorf("%s can be read only once, and %s; want files", nameOfStream(path), why)
		}
	}
	return nil
}

// isStream reports whether path is standard output, a device or a pipe, which cannot be replaced. Paths in /dev count
// as streams even if they lead to a file.
func isStream(path string) bool {
	if dir := filepath.Dir(path); path == "-" || dir == "/dev" || dir == "/dev/fd" {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// isSame reports whether two paths lead to the same file or folder, which need not exist.
func isSame(a, b string) bool {
	ofA, errA := os.Stat(a)
	ofB, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(ofA, ofB)
	}
	return errA != nil && errB != nil && absolute(a) == absolute(b)
}

// absolute returns the absolute path of a file that need not exist, with the links of its folder resolved.
func absolute(path string) string {
	dir, base := filepath.Split(filepath.Clean(path))
	if real, err := filepath.EvalSymlinks(filepath.Clean(dir)); err == nil {
		dir = real
	}
	path = filepath.Join(dir, base)
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	return path
}

// plural returns a number with a noun: "1 row", "2 rows".
func plural(n int, what string) string { return english.Plural(n, what, "") }
