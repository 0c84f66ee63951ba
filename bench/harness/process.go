// Package harness is shared by the benchmark programs: flags, processes with their times and memory, and reports.
//
// For basic usage, make a [Process] and Run it. [ParseFlags] parses flags, and [Save] writes results under their date.
package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"gonum.org/v1/gonum/stat"

	"github.com/ctxnorm/ctxnorm/pubmed"
)

// Process is a program with its arguments, run as a process of its own.
type Process struct {
	Args    []string // the program first; a glob pattern stands for the files that it matches
	Threads int      // of Go and of the numerical libraries; 0 for all cores
	Shown   bool     // its messages are shown, and an interrupt lets it write a checkpoint
	Fresh   string   // file or folder that is removed first, and after a failure; "" for none
}

// Run starts the process and waits for its end. It returns the standard output of the process and its usage:
// wall_seconds, process_cpu_seconds, summed over all cores, and peak_mb, the largest resident set of the process or of
// one of its children in units of 2^20 bytes. An error includes the last line of standard error.
//
// NB: Linux includes in the peak the state before exec, a copy of the caller, so a harness holds no data.
func (p *Process) Run(ctx context.Context) (printed []byte, usage Line) {
	Check(os.RemoveAll(p.Fresh)) // nothing if it is ""
	var args []string
	for _, arg := range p.Args {
		files, _ := filepath.Glob(arg) // no matches if arg is not a pattern
		if len(files) == 0 {
			files = []string{arg}
		}
		args = append(args, files...)
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = os.Environ()
	if p.Threads > 0 {
		for _, name := range []string{"GOMAXPROCS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"} {
			cmd.Env = append(cmd.Env, name+"="+strconv.Itoa(p.Threads))
		}
	}
	var out, messages bytes.Buffer
	if cmd.Stderr = &messages; p.Shown {
		cmd.Stderr = io.MultiWriter(os.Stderr, &messages)
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	}
	cmd.Stdout = &out
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start).Seconds()
	if err != nil { // a partial file is not an input
		err = fmt.Errorf("%s: %w: %s", strings.Join(p.Args, " "), err, LastLine(messages.String()))
		Check(errors.Join(err, os.RemoveAll(p.Fresh)))
	}
	ended := cmd.ProcessState
	return out.Bytes(), Line{
		"wall_seconds": wall, "process_cpu_seconds": (ended.UserTime() + ended.SystemTime()).Seconds(),
		"peak_mb": float64(ended.SysUsage().(*syscall.Rusage).Maxrss) / 1024, // Linux reports kB
	}
}

// String returns the command as a user would type it.
func (p *Process) String() string {
	return fmt.Sprintf("GOMAXPROCS=%d OMP_NUM_THREADS=%[1]d %s", p.Threads, strings.Join(p.Args, " "))
}

var placeholder = regexp.MustCompile(`\{[-\w./]+\}`)

// Expand splits a line at white space and replaces each {name} by its value. An argument that is a placeholder alone
// becomes as many arguments as the value has.
func Expand(line string, value func(name string) []string) (args []string) {
	for _, field := range strings.Fields(line) {
		if placeholder.FindString(field) == field {
			args = append(args, value(strings.Trim(field, "{}"))...)
			continue
		}
		args = append(args, placeholder.ReplaceAllStringFunc(field, func(found string) string {
			return strings.Join(value(strings.Trim(found, "{}")), " ")
		}))
	}
	return args
}

// LastLine returns the last line that is neither blank nor a hint. In a Python traceback it names the error.
func LastLine(text string) string {
	last := ""
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.Contains(line, ": hint: ") {
			last = line
		}
	}
	return last
}

// EachRecord calls do for every record of a file of PubMed XML. It returns the closed reader, which knows what the file
// deletes and how long it is.
func EachRecord(path string, do func(record *pubmed.Record)) *pubmed.Reader {
	reader := Get(pubmed.Open(path))
	defer reader.Close()
	for {
		record, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return reader
		}
		Check(err)
		do(record)
	}
}

// Line is one JSON object that a program prints: how much it did and how long it took.
type Line map[string]any

// ParseJSON decodes a program's output, values of JSON one after another.
func ParseJSON[T any](output []byte) (values []T) {
	for decoder := json.NewDecoder(bytes.NewReader(output)); ; {
		var value T
		err := decoder.Decode(&value)
		if errors.Is(err, io.EOF) {
			return values
		}
		Require(err == nil, "the output is not JSON: %w: %.100q", err, output)
		values = append(values, value)
	}
}

// Numbers returns a field of every line.
func Numbers(lines []Line, field string) (numbers []float64) {
	for _, l := range lines {
		number, ok := l[field].(float64)
		Require(ok, "field %s is %v, want a number", field, l[field])
		numbers = append(numbers, number)
	}
	return numbers
}

// Spread summarizes measurements.
type Spread struct{ Median, Min, Max float64 }

// SpreadOf summarizes one or more values. The median of an even number of values is the mean of the middle two.
func SpreadOf(values []float64) Spread {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return Spread{Median: stat.Mean(sorted[(n-1)/2:n/2+1], nil), Min: sorted[0], Max: sorted[n-1]}
}
