package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// side is one of the two that are compared: a program and what it prints.
type side struct {
	name    string   // "lxml 6.1.3"'s first word; "ours"
	command []string // with its arguments
	threads int
	fresh   string                           // file or folder that is removed before it starts
	read    func(out []byte) ([]line, error) // nil: lines of JSON on standard output
	pick    func(lines []line) line          // which of several lines; nil: the first
}

// run starts the side and waits for its end.
func (s *side) run(ctx context.Context) (line, error) {
	if s.fresh != "" {
		if err := os.RemoveAll(s.fresh); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(ctx, s.command[0], s.command[1:]...)
	cmd.Env = append(os.Environ(), environment(s.threads)...)
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	began := time.Now()
	err := cmd.Run()
	wall := time.Since(began)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", strings.Join(s.command, " "), err, lastLine(messages.String()))
	}
	read := s.read
	if read == nil {
		read = parseLines
	}
	lines, err := read(out.Bytes())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(s.command, " "), err)
	}
	l := lines[0]
	if s.pick != nil {
		l = s.pick(lines)
	}
	l["wall_seconds"] = wall.Seconds()
	l["process_cpu_seconds"] = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	l["peak_mb"] = peakMB(cmd.ProcessState)
	return l, nil
}

// peakMB is the largest resident set of a process, or of one of its children, in
// units of 2^20 bytes. Linux counts what the process was before exec, a copy of
// the harness, which is why the harness holds no data.
func peakMB(state *os.ProcessState) float64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return float64(usage.Maxrss) / 1024 // Linux gives kB
}

// environment gives so many threads to Go and to the libraries that either side
// loads.
func environment(threads int) []string {
	n := strconv.Itoa(threads)
	return []string{"GOMAXPROCS=" + n, "OMP_NUM_THREADS=" + n, "MKL_NUM_THREADS=" + n, "OPENBLAS_NUM_THREADS=" + n}
}

// lastLine is the last line of a text that is not blank: of a Python traceback the
// one that says what is wrong.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
