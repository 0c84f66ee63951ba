// Package harness holds what the benchmark programs share: flags, running a program as a process of its own, and reports of what that took.
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
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"gonum.org/v1/gonum/stat"
)

// Process is a program with its arguments, run as a process of its own.
type Process struct {
	Args    []string                       // the program first
	Threads int                            // of Go and of the numerical libraries; 0 for all cores
	Shown   bool                           // its messages are shown, and an interrupt lets it write a checkpoint
	Fresh   string                         // file or folder that is removed first; "" for none
	Read    func(out []byte) (Line, error) // what it did; nil discards its output, and the line has usage only
}

// Run starts the process and waits for its end. To the line that Read returns it adds
// the usage: wall_seconds, process_cpu_seconds, summed over all cores, and peak_mb, the
// largest resident set of the process or of one of its children in units of 2^20 bytes.
// An error includes the last line of standard error.
//
// NB: Linux includes in the peak the state before exec, a copy of the caller, so a
// harness holds no data.
func (p *Process) Run(ctx context.Context) (Line, error) {
	if p.Fresh != "" {
		if err := os.RemoveAll(p.Fresh); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(ctx, p.Args[0], p.Args[1:]...)
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
	if p.Read != nil {
		cmd.Stdout = &out
	}
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start).Seconds()
	if err != nil {
		err = fmt.Errorf("%s: %w: %s", strings.Join(p.Args, " "), err, LastLine(messages.String()))
		if p.Fresh != "" { // a part is no input
			err = errors.Join(err, os.RemoveAll(p.Fresh))
		}
		return nil, err
	}
	l := Line{}
	if p.Read != nil {
		if l, err = p.Read(out.Bytes()); err != nil {
			return nil, fmt.Errorf("%s: %w", strings.Join(p.Args, " "), err)
		}
	}
	l["wall_seconds"] = wall
	l["process_cpu_seconds"] = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	if r, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		l["peak_mb"] = float64(r.Maxrss) / 1024 // Linux reports kB
	}
	return l, nil
}

// String returns the command as a user would type it, with a long list of files cut
// short.
func (p *Process) String() string {
	const limit = 24 // arguments
	args := p.Args
	if len(args) > limit {
		args = append(slices.Clone(args[:limit]), fmt.Sprintf("… (%d more)", len(args)-limit))
	}
	return fmt.Sprintf("GOMAXPROCS=%d OMP_NUM_THREADS=%[1]d %s", p.Threads, strings.Join(args, " "))
}

var placeholder = regexp.MustCompile(`\{[-\w./]+\}`)

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

// LastLine returns the last line that is neither blank nor a hint. In a Python
// traceback it names the error.
func LastLine(text string) string {
	last := ""
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.Contains(line, ": hint: ") {
			last = line
		}
	}
	return last
}

// Line is one JSON object that a program prints: how much it did and how long it took.
type Line map[string]any

// ParseJSON decodes a program's output, values of JSON one after another.
func ParseJSON[T any](output []byte) (values []T, err error) {
	for decoder := json.NewDecoder(bytes.NewReader(output)); ; {
		var value T
		if err := decoder.Decode(&value); errors.Is(err, io.EOF) {
			return values, nil
		} else if err != nil {
			return nil, fmt.Errorf("the output is not JSON: %w: %.100q", err, output)
		}
		values = append(values, value)
	}
}

// Numbers returns a field of every line.
func Numbers(lines []Line, field string) ([]float64, error) {
	numbers := make([]float64, len(lines))
	for i, l := range lines {
		number, ok := l[field].(float64)
		if !ok {
			return nil, fmt.Errorf("field %s is %v, want a number", field, l[field])
		}
		numbers[i] = number
	}
	return numbers, nil
}

// Spread summarizes measurements.
type Spread struct{ Median, Min, Max float64 }

// SpreadOf summarizes one or more values. The median of an even number of values is
// the mean of the middle two.
func SpreadOf(values []float64) Spread {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return Spread{Median: stat.Mean(sorted[(n-1)/2:n/2+1], nil), Min: sorted[0], Max: sorted[n-1]}
}
