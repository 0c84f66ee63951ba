package measure

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

// Command is a program with its arguments, to be run as a process of its own.
type Command struct {
	Args    []string // the program first
	Threads int
	Fresh   string // file or folder that is removed before it starts; empty for none
	Mute    bool   // what it writes to standard output is dropped, however much it is
}

// Usage is what a process took from its start to its end.
type Usage struct {
	Wall, CPU float64 // seconds; CPU of all cores together
	PeakMB    float64 // largest resident set, of it or one of its children, in units of 2^20 bytes
}

// Run starts the command, waits for its end and gives what it wrote to standard
// output, unless it is mute. An error has the last line of standard error.
func (c Command) Run(ctx context.Context) ([]byte, Usage, error) {
	if c.Fresh != "" {
		if err := os.RemoveAll(c.Fresh); err != nil {
			return nil, Usage{}, err
		}
	}
	cmd := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...)
	cmd.Env = append(os.Environ(), environment(c.Threads)...)
	var out, messages bytes.Buffer
	cmd.Stderr = &messages
	if !c.Mute {
		cmd.Stdout = &out
	}
	began := time.Now()
	err := cmd.Run()
	wall := time.Since(began)
	if err != nil {
		return nil, Usage{}, fmt.Errorf("%s: %w: %s", c, err, lastLine(messages.String()))
	}
	return out.Bytes(), Usage{
		Wall:   wall.Seconds(),
		CPU:    (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(),
		PeakMB: peakMB(cmd.ProcessState),
	}, nil
}

func (c Command) String() string { return strings.Join(c.Args, " ") }

// Shown is the command as a user would type it, a long list of files cut short.
func (c Command) Shown() string {
	const most = 24
	args := c.Args
	if len(args) > most {
		args = append(append([]string(nil), args[:most]...), fmt.Sprintf("… (%d more)", len(c.Args)-most))
	}
	return fmt.Sprintf("GOMAXPROCS=%d OMP_NUM_THREADS=%d %s", c.Threads, c.Threads, strings.Join(args, " "))
}

// peakMB is the largest resident set of a process. Linux counts what the process
// was before exec, a copy of the harness, which is why a harness holds no data.
func peakMB(state *os.ProcessState) float64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return float64(usage.Maxrss) / 1024 // Linux gives kB
}

// environment gives so many threads to Go and to the libraries that a benchmark
// loads.
func environment(threads int) []string {
	n := strconv.Itoa(threads)
	return []string{"GOMAXPROCS=" + n, "OMP_NUM_THREADS=" + n, "MKL_NUM_THREADS=" + n, "OPENBLAS_NUM_THREADS=" + n}
}

// lastLine is the last line of a text that is not blank and no hint: of a Python
// traceback the one that says what is wrong.
func lastLine(text string) string {
	last := ""
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.Contains(line, ": hint: ") {
			last = line
		}
	}
	return last
}
