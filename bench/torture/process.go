package main

import (
	"bytes"
	"context"
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

// outcome is the result of a command.
type outcome struct {
	exit           int    // status, -1 if a signal ended the process
	end            string // the status or the signal, in words
	exceeded       string // the limit that the process exceeded, and was killed for
	stdout, stderr []byte
}

// keepOutput is the number of bytes kept of standard output, and of standard error.
const keepOutput = 64 << 20 // bytes

// run runs a command. It fails if the command cannot be started.
func (l *lab) run(c command) outcome {
	ctx, stop := context.WithCancelCause(l.ctx)
	defer stop(nil)
	cmd := exec.CommandContext(ctx, c.args[0], c.args[1:]...)
	cmd.Dir, cmd.Stdin = c.dir, strings.NewReader("x\n")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	stdout, stderr := &cappedBuffer{}, &cappedBuffer{}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.WaitDelay = 5 * time.Second // for a pipe that a grandchild keeps open
	if c.stdout != "" {
		file := harness.Get(os.OpenFile(c.stdout, os.O_WRONLY, 0))
		defer file.Close()
		cmd.Stdout = file
	}
	harness.Check(cmd.Start())
	if c.kill > 0 {
		time.AfterFunc(c.kill, func() { stop(nil) })
	}
	go l.watch(ctx, stop, cmd.Process.Pid)
	if err := cmd.Wait(); cmd.ProcessState == nil {
		harness.Check(err)
	}
	stop(nil)
	o := outcome{exit: cmd.ProcessState.ExitCode(), end: cmd.ProcessState.String(), stdout: stdout.kept.Bytes(), stderr: stderr.kept.Bytes()}
	if cause := context.Cause(ctx); cause != context.Canceled {
		o.exceeded = cause.Error()
	}
	harness.Check(l.ctx.Err())
	return o
}

// watch stops a process that exceeds a limit. It ends with ctx.
func (l *lab) watch(ctx context.Context, stop context.CancelCauseFunc, pid int) {
	start := time.Now()
	for ctx.Err() == nil {
		seconds := time.Since(start).Seconds()
		peak := harness.PeakMB(pid)
		if seconds > l.settings.Limit {
			stop(fmt.Errorf("not done after %.0f s, with %.0f MiB", seconds, peak))
		}
		if peak > float64(l.settings.Memory) {
			stop(fmt.Errorf("%.0f MiB of memory after %.1f s, the limit is %d", peak, seconds, l.settings.Memory))
		}
		time.Sleep(5 * time.Millisecond)
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

// crashed matches the messages that Go, Rust and C++ programs print when they crash.
var crashed = regexp.MustCompile(`(?m)^(panic: .*|fatal error: .*|unexpected fault address.*|thread '.*' panicked.*|terminate called.*|SIG[A-Z]+: .*|runtime: .*)$`)

// fault returns an error if an outcome is never allowed, whatever the input. Exit status 0 is allowed, and so are 1 and
// 2 with a message.
func (o outcome) fault() error {
	switch crash := crashed.Find(o.stderr); {
	case o.exceeded != "":
		return errors.New(o.exceeded)
	case crash != nil:
		return fmt.Errorf("crashed: %s", crash)
	case o.exit < 0 || o.exit > 2:
		return fmt.Errorf("%s, want exit status 0, 1 or 2: %s", o.end, o.message())
	case o.exit != 0 && len(bytes.TrimSpace(o.stderr)) == 0:
		return fmt.Errorf("exit status %d without a message", o.exit)
	}
	return nil
}

// message returns the last line of standard error that is not a hint, cut to a readable length.
func (o outcome) message() string { return fmt.Sprintf("%.300s", harness.LastLine(string(o.stderr))) }

// mustSay checks that an error names its reason.
func (o outcome) mustSay(reason string) {
	says := bytes.Contains(o.stderr, []byte(reason))
	harness.Require(says, "exit status %d, and the message does not say %q: %s", o.exit, reason, o.message())
}

// behaved runs a command and checks that its outcome is allowed.
func (l *lab) behaved(c command) outcome {
	o := l.run(c)
	harness.Check(o.fault())
	return o
}

// must runs a command of the program undisturbed and returns its output.
func (l *lab) must(dir, target, line string) (printed []byte) {
	harness.Explain(func() {
		o := l.behaved(l.command(line, dir, target))
		harness.Require(o.exit == 0, "exit status %d: %s", o.exit, o.message())
		printed = o.stdout
	}, "undisturbed, ctxnorm %s", line)
	return printed
}
