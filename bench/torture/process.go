package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/ctxnorm/ctxnorm/bench/harness"
)

// command is one run of a program under the limits of the settings.
type command struct {
	args   []string // the program first
	dir    string
	stdout string        // file that standard output goes to; "" keeps it in memory
	kill   time.Duration // SIGKILL after this time; 0 for none
}

// outcome is what a command did.
type outcome struct {
	exit           int            // status, -1 if a signal ended the process
	signal         syscall.Signal // that ended it, 0 for none
	exceeded       string         // the limit that the process exceeded, and was killed for
	stdout, stderr []byte
}

// keepOutput is how much of standard output and of standard error is kept, each.
const keepOutput = 64 << 20 // bytes

// run runs a command. An error means that the command could not be started.
func (l *lab) run(c command) (outcome, error) {
	cmd := exec.Command(c.args[0], c.args[1:]...)
	cmd.Dir, cmd.Stdin = c.dir, strings.NewReader("x\n")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdout, stderr := &cappedBuffer{}, &cappedBuffer{}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.WaitDelay = 5 * time.Second // for a pipe that a grandchild keeps open
	if c.stdout != "" {
		file, err := os.OpenFile(c.stdout, os.O_WRONLY, 0)
		if err != nil {
			return outcome{}, err
		}
		defer file.Close()
		cmd.Stdout = file
	}
	if err := cmd.Start(); err != nil {
		return outcome{}, err
	}
	done, exceeded := make(chan struct{}), make(chan string)
	go func() { exceeded <- l.watch(done, cmd.Process.Pid, c.kill) }()
	err := cmd.Wait()
	close(done)
	o := outcome{exceeded: <-exceeded, exit: cmd.ProcessState.ExitCode(), stdout: stdout.kept.Bytes(), stderr: stderr.kept.Bytes()}
	if exitErr := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exitErr) && !errors.Is(err, exec.ErrWaitDelay) {
		return o, err
	}
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		o.signal = status.Signal()
	}
	return o, l.ctx.Err()
}

// watch kills the process group when it exceeds a limit and returns which, or after a time. It ends with done.
func (l *lab) watch(done chan struct{}, pid int, kill time.Duration) (exceeded string) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for start := time.Now(); ; {
		select {
		case <-done:
			return exceeded
		case <-tick.C:
		}
		elapsed := time.Since(start)
		peak, _ := harness.MemoryMB(pid, "VmHWM") // 0 if the process has ended
		switch {
		case elapsed.Seconds() > l.settings.Limit:
			exceeded = fmt.Sprintf("not done after %.0f s, with %.0f MiB", elapsed.Seconds(), peak)
		case peak > float64(l.settings.Memory):
			exceeded = fmt.Sprintf("%.0f MiB of memory after %.1f s, the limit is %d", peak, elapsed.Seconds(), l.settings.Memory)
		case l.ctx.Err() == nil && (kill == 0 || elapsed < kill):
			continue
		}
		_ = syscall.Kill(-pid, syscall.SIGKILL) // the process may have ended
		<-done
		return exceeded
	}
}

// cappedBuffer keeps the first bytes that are written and discards the rest.
type cappedBuffer struct{ kept bytes.Buffer }

func (b *cappedBuffer) Write(p []byte) (int, error) {
	if room := keepOutput - b.kept.Len(); room > 0 {
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
	if o.exit < 0 || o.exit > 2 {
		return fmt.Errorf("exit status %d, want 0, 1 or 2: %s", o.exit, o.message())
	}
	if o.exit != 0 && len(bytes.TrimSpace(o.stderr)) == 0 {
		return fmt.Errorf("exit status %d without a message", o.exit)
	}
	return nil
}

// message returns the last line of standard error that is no hint, cut to a readable length.
func (o outcome) message() string { return fmt.Sprintf("%.300s", harness.LastLine(string(o.stderr))) }

// behaved runs a command, whose outcome must be one that is allowed.
func (l *lab) behaved(c command) (outcome, error) {
	o, err := l.run(c)
	if err == nil {
		err = o.fault()
	}
	return o, err
}

// must runs a command of the program that nothing disturbs, and returns what it prints.
func (l *lab) must(dir, target, line string) ([]byte, error) {
	o, err := l.behaved(command{args: l.args(line, dir, target), dir: dir})
	if err == nil && o.exit != 0 {
		err = fmt.Errorf("exit status %d: %s", o.exit, o.message())
	}
	if err != nil {
		return nil, fmt.Errorf("undisturbed, ctxnorm %s: %w", line, err)
	}
	return o.stdout, nil
}
