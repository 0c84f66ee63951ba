// Package harness holds what the benchmark programs share: flags and input files,
// running a program as a process of its own, and reports of what that took.
//
// For basic usage, make a [Command] and Run it. An [Input] is a file or folder that
// commands read, made once and kept. [Settings] parses the common flags, and [Save]
// writes results under their date.
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
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Command is a program with its arguments, run as a process of its own.
type Command struct {
	Args    []string // the program first
	Threads int      // of Go and of the numerical libraries
	Fresh   string   // file or folder that is removed first; empty for none
	Mute    bool     // discards standard output
}

// Usage is what a process took.
type Usage struct {
	Wall, CPU float64 // seconds; CPU is summed over all cores
	// PeakMB is the largest resident set of the process or of one of its children, in
	// units of 2^20 bytes. NB: Linux includes the state before exec, a copy of the
	// parent, so a harness holds no data.
	PeakMB float64
}

// Run starts the command, waits for its end and returns its standard output, empty if
// it is mute. An error includes the last line of standard error.
func (c Command) Run(ctx context.Context) ([]byte, Usage, error) {
	if c.Fresh != "" {
		if err := os.RemoveAll(c.Fresh); err != nil {
			return nil, Usage{}, err
		}
	}
	cmd := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...)
	cmd.Env = os.Environ()
	for _, name := range []string{"GOMAXPROCS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"} {
		cmd.Env = append(cmd.Env, name+"="+strconv.Itoa(c.Threads))
	}
	var out, messages bytes.Buffer
	cmd.Stderr = &messages
	if !c.Mute {
		cmd.Stdout = &out
	}
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start).Seconds()
	if err != nil {
		return nil, Usage{}, fmt.Errorf("%s: %w: %s", c, err, lastLine(messages.String()))
	}
	usage := Usage{Wall: wall, CPU: (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()}
	if r, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		usage.PeakMB = float64(r.Maxrss) / 1024 // Linux reports kB
	}
	return out.Bytes(), usage, nil
}

func (c Command) String() string { return strings.Join(c.Args, " ") }

// Shell returns the command as a user would type it, with a long list of files cut
// short.
func (c Command) Shell() string {
	const limit = 24 // arguments
	args := c.Args
	if len(args) > limit {
		args = append(slices.Clone(args[:limit]), fmt.Sprintf("… (%d more)", len(c.Args)-limit))
	}
	return fmt.Sprintf("GOMAXPROCS=%d OMP_NUM_THREADS=%[1]d %s", c.Threads, strings.Join(args, " "))
}

// lastLine returns the last line that is neither blank nor a hint. In a Python
// traceback it names the error.
func lastLine(text string) string {
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

// ParseLines decodes a program's output, one or more JSON objects.
func ParseLines(output []byte) ([]Line, error) {
	var lines []Line
	decoder := json.NewDecoder(bytes.NewReader(output))
	for {
		var l Line
		err := decoder.Decode(&l)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("the output is not lines of JSON: %w", err)
		}
		lines = append(lines, l)
	}
	if len(lines) == 0 {
		return nil, errors.New("the output is empty")
	}
	return lines, nil
}

// Number returns a field that must be a number.
func (l Line) Number(field string) (float64, error) {
	number, ok := l[field].(float64)
	if !ok {
		return 0, fmt.Errorf("field %s is %v, want a number", field, l[field])
	}
	return number, nil
}

// AddUsage records a process's usage, with the processor time under the given field.
func (l Line) AddUsage(u Usage, cpuField string) {
	l["wall_seconds"], l[cpuField], l["peak_mb"] = u.Wall, u.CPU, u.PeakMB
}

// Numbers returns a field of every line.
func Numbers(lines []Line, field string) ([]float64, error) {
	numbers := make([]float64, len(lines))
	for i, l := range lines {
		var err error
		if numbers[i], err = l.Number(field); err != nil {
			return nil, err
		}
	}
	return numbers, nil
}

// Spread summarizes measurements.
type Spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

// SpreadOf summarizes one or more values. The median of an even number of values is
// the mean of the middle two.
func SpreadOf(values []float64) Spread {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return Spread{Median: (sorted[(n-1)/2] + sorted[n/2]) / 2, Min: sorted[0], Max: sorted[n-1]}
}
