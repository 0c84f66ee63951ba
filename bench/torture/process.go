package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/ctxnorm/ctxnorm/bench/harness"
)

// command is one run of a program under limits.
type command struct {
	args    []string // the program first
	dir     string
	stdin   string        // text of standard input
	stdout  string        // file that standard output goes to; "" keeps it in memory
	wait    time.Duration // limit of time; 0 is that of the settings
	memory  int           // limit in MiB; 0 is that of the settings
	kill    time.Duration // SIGKILL after this time; 0 for none
	stopped func(pid int) // called every few milliseconds while the command runs; nil for none
}

// outcome is what a command did.
type outcome struct {
	exit           int            // status, -1 if a signal ended the process
	signal         syscall.Signal // that ended it, 0 for none
	exceeded       string         // the limit that the process exceeded, and was killed for
	stdout, stderr []byte
	seconds        float64
	cpu            time.Duration // time of all cores, the kernel's included
	peakMB         float64
}

// keepOutput is how much of standard output and of standard error is kept, each.
const keepOutput = 64 << 20 // bytes

// run runs a command. An error means that the command could not be started.
func (l *lab) run(c command) (outcome, error) {
	ctx, cancel := context.WithCancel(l.ctx)
	defer cancel()
	cmd := exec.Command(c.args[0], c.args[1:]...)
	cmd.Dir = c.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if c.stdin != "" {
		cmd.Stdin = strings.NewReader(c.stdin)
	}
	stdout, stderr := &cappedBuffer{limit: keepOutput}, &cappedBuffer{limit: keepOutput}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.WaitDelay = 5 * time.Second // for a pipe that a grandchild keeps open
	if c.stdout != "" {
		file, err := os.OpenFile(c.stdout, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
		if err != nil {
			return outcome{}, err
		}
		defer file.Close()
		cmd.Stdout = file
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return outcome{}, err
	}
	wait := c.wait
	if wait == 0 {
		wait = time.Duration(l.settings.Limit * float64(time.Second))
	}
	var o outcome
	var watch sync.WaitGroup
	watch.Go(func() { o.exceeded, o.peakMB = l.watch(ctx, cmd.Process.Pid, c, start, wait) })
	err := cmd.Wait()
	cancel()
	watch.Wait()
	if exitErr := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exitErr) && !errors.Is(err, exec.ErrWaitDelay) {
		return outcome{}, err
	}
	o.seconds = time.Since(start).Seconds()
	o.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	o.exit, o.stdout, o.stderr = cmd.ProcessState.ExitCode(), stdout.kept.Bytes(), stderr.kept.Bytes()
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		o.signal = status.Signal()
	}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		// Linux includes in it the peak of this program, from which the process began.
		if peak := float64(usage.Maxrss) / 1024; peak > memoryMB(os.Getpid(), "VmHWM") {
			o.peakMB = peak
		}
	}
	if l.ctx.Err() != nil {
		return o, l.ctx.Err()
	}
	return o, nil
}

// watch kills the process group when it exceeds a limit and returns which, or after
// c.kill. It also returns the peak of the process's memory in MiB. It ends with ctx.
func (l *lab) watch(ctx context.Context, pid int, c command, start time.Time, wait time.Duration) (exceeded string, peak float64) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	kill := func() { _ = syscall.Kill(-pid, syscall.SIGKILL) } // the process may have ended
	for {
		select {
		case <-l.ctx.Done():
			kill()
			return "", peak
		case <-ctx.Done():
			return "", peak
		case <-tick.C:
		}
		elapsed := time.Since(start)
		peak = max(peak, memoryMB(pid, "VmHWM"))
		switch {
		case c.kill > 0 && elapsed > c.kill:
			kill()
			return "", peak
		case elapsed > wait:
			kill()
			return fmt.Sprintf("not done after %.0f s, with %.0f MiB", elapsed.Seconds(), peak), peak
		case peak > float64(cmp.Or(c.memory, l.settings.Memory)):
			kill()
			return fmt.Sprintf("%.0f MiB of memory after %.1f s, the limit is %d", peak, elapsed.Seconds(), cmp.Or(c.memory, l.settings.Memory)), peak
		}
		if c.stopped != nil {
			c.stopped(pid)
		}
	}
}

// memoryMB returns [harness.MemoryMB], 0 if the process has ended.
func memoryMB(pid int, field string) float64 {
	mb, _ := harness.MemoryMB(pid, field)
	return mb
}

// cappedBuffer keeps the first bytes that are written and discards the rest. It does not embed the
// buffer, whose ReadFrom would keep all.
type cappedBuffer struct {
	kept  bytes.Buffer
	limit int
}

func (b *cappedBuffer) Write(p []byte) (int, error) {
	if room := b.limit - b.kept.Len(); room > 0 {
		b.kept.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// crashed matches what Go, Rust and C++ print when a program ends by a fault of its own.
var crashed = regexp.MustCompile(`(?m)^(panic: .*|fatal error: .*|unexpected fault address.*|thread '.*' panicked.*|terminate called.*|SIG[A-Z]+: .*|runtime: .*)$`)

// fault returns why an outcome is not allowed whatever the input is, and nil if it is.
// Allowed are the exit status 0, and 1 or 2 with a message.
func (o outcome) fault() error {
	if o.exceeded != "" {
		return errors.New(o.exceeded)
	}
	if m := crashed.Find(o.stderr); m != nil {
		return fmt.Errorf("crashed: %s", m)
	}
	if o.signal != 0 {
		return fmt.Errorf("ended by the signal %v", o.signal)
	}
	if o.exit != 0 && o.exit != 1 && o.exit != 2 {
		return fmt.Errorf("exit status %d, want 0, 1 or 2: %s", o.exit, o.message())
	}
	if o.exit != 0 && len(bytes.TrimSpace(o.stderr)) == 0 {
		return fmt.Errorf("exit status %d without a message", o.exit)
	}
	return nil
}

// message returns the last line of standard error that is no hint, cut to a readable
// length.
func (o outcome) message() string {
	last := ""
	for line := range strings.Lines(string(o.stderr)) {
		if line = strings.TrimSpace(line); line != "" && !strings.Contains(line, ": hint: ") {
			last = line
		}
	}
	const longest = 300 // bytes
	if len(last) > longest {
		last = last[:longest] + "…"
	}
	return last
}

// allow returns a fault, or an error if the exit status is not one of those wanted.
func (o outcome) allow(want ...int) error {
	if err := o.fault(); err != nil {
		return err
	}
	for _, w := range want {
		if o.exit == w {
			return nil
		}
	}
	return fmt.Errorf("exit status %d, want %v: %s", o.exit, want, o.message())
}
