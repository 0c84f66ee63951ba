package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// The system calls by which Go changes folders and makes files durable.
var changingCalls = []string{"renameat", "renameat2", "unlinkat", "mkdirat", "linkat", "fsync"}

// killPointCases kills each job at its system calls that change a folder, by strace.
func killPointCases(l *lab) []hostileCase {
	return callCases(l, "kill at a system call", changingCalls, func(l *lab, j *job, dir, call string, n int) error {
		o, _, err := l.inject(j, dir, call, "signal=KILL", n)
		if err != nil {
			return err
		}
		if o.signal != syscall.SIGKILL {
			return skipf("the program ended before the call")
		}
		return l.checkStopped(j, dir)
	})
}

// failedCallCases makes single system calls fail: a disk that is full for a moment, and
// one that is broken.
func failedCallCases(l *lab) []hostileCase {
	errnos := map[string]string{"write": "ENOSPC", "fsync": "EIO", "renameat": "ENOSPC", "mkdirat": "ENOSPC"}
	return callCases(l, "a system call fails", []string{"write", "fsync", "renameat", "mkdirat"}, func(l *lab, j *job, dir, call string, n int) error {
		o, injected, err := l.inject(j, dir, call, "error="+errnos[call], n)
		if err != nil {
			return err
		}
		if !injected {
			return skipf("the program ended before the call")
		}
		if bytes.Contains(o.stderr, []byte("netpollBreak")) {
			return skipf("the call was one of Go's scheduler")
		}
		if err := o.fault(); err != nil {
			// The message itself may be the write that failed.
			if call != "write" || o.exit != 2 || len(o.stderr) > 0 {
				return err
			}
		}
		if o.exit == 0 && call != "write" {
			return fmt.Errorf("exit status 0, and nobody is told that %s failed", call)
		}
		if o.exit == 0 {
			ref, err := l.reference(j)
			if err != nil {
				return err
			}
			if err := sameTree(filepath.Join(dir, j.writes), ref.path); err != nil {
				return fmt.Errorf("exit status 0 and other bytes: %w", err)
			}
		}
		return l.checkStopped(j, dir)
	})
}

// callCases returns a case for each job, system call, and number of the call. Strace
// counts the calls of each thread on its own.
func callCases(l *lab, class string, calls []string, try func(l *lab, j *job, dir, call string, n int) error) []hostileCase {
	if l.strace == "" {
		return []hostileCase{{class: class, name: "all", run: func(*lab, string) error { return skipf("strace is not installed") }}}
	}
	var all []hostileCase
	for _, j := range jobsOf(l) {
		counts, err := l.countCalls(j)
		if err != nil {
			all = append(all, hostileCase{class: class, name: j.name, run: func(*lab, string) error { return err }})
			continue
		}
		for _, call := range calls {
			for _, n := range selectPoints(l.settings.random(class+j.name+call), counts[call], l.settings.Points) {
				all = append(all, hostileCase{class: class, name: fmt.Sprintf("%s, %s %d", j.name, call, n), run: func(l *lab, dir string) error {
					if err := l.prepare(j, dir); err != nil {
						return err
					}
					return try(l, j, dir, call, n)
				}})
			}
		}
	}
	return all
}

// selectPoints returns up to limit of the numbers 1 to n, in order.
func selectPoints(r *rand.Rand, n, limit int) []int {
	points := r.Perm(n)[:min(n, limit)]
	for i := range points {
		points[i]++
	}
	slices.Sort(points)
	return points
}

// countedCalls memoizes the counts of each job.
var countedCalls sync.Map // of func() (map[string]int, error) by job

// countCalls returns the largest number of times that one thread of a job makes each
// system call.
func (l *lab) countCalls(j *job) (map[string]int, error) {
	counted, _ := countedCalls.LoadOrStore(j, sync.OnceValues(func() (map[string]int, error) {
		dir := filepath.Join(l.settings.Work, "counts", j.name)
		if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755), l.prepare(j, dir)); err != nil {
			return nil, err
		}
		log := filepath.Join(dir, "strace.log")
		calls := strings.Join(append([]string{"write"}, changingCalls...), ",")
		args := append([]string{l.strace, "-f", "-qq", "-o", log, "-e", "trace=" + calls, "-e", "signal=none"}, j.args(l, filepath.Join(dir, j.writes))...)
		if err := l.must(args); err != nil {
			return nil, err
		}
		data, err := os.ReadFile(log)
		if err != nil {
			return nil, err
		}
		return countLog(data), nil
	}))
	return counted.(func() (map[string]int, error))()
}

// countLog returns for each call of strace's log the largest count of one thread.
func countLog(log []byte) map[string]int {
	byThread, most := map[[2]string]int{}, map[string]int{}
	for line := range strings.Lines(string(log)) {
		thread, rest, _ := strings.Cut(line, " ")
		call, _, ok := strings.Cut(strings.TrimSpace(rest), "(")
		if !ok || strings.HasPrefix(call, "<...") {
			continue
		}
		byThread[[2]string{thread, call}]++
		most[call] = max(most[call], byThread[[2]string{thread, call}])
	}
	return most
}

// inject runs a job under strace, which disturbs the n-th call of a thread, and reports
// whether it came to that.
func (l *lab) inject(j *job, dir, call, how string, n int) (o outcome, injected bool, err error) {
	log := filepath.Join(dir, ".strace.log")
	o, err = l.run(command{dir: dir, args: append([]string{l.strace, "-f", "-qq", "-o", log, "-e", "trace=" + call, "-e", "signal=none",
		"-e", fmt.Sprintf("inject=%s:%s:when=%d", call, how, n)}, j.args(l, filepath.Join(dir, j.writes))...)})
	if err != nil {
		return o, false, err
	}
	data, err := os.ReadFile(log)
	return o, bytes.Contains(data, []byte("(INJECTED)")), errors.Join(err, os.Remove(log))
}

// randomKillCases kills each job up to three times at random moments.
func randomKillCases(l *lab) []hostileCase {
	var all []hostileCase
	for _, j := range jobsOf(l) {
		for i := range l.settings.Kills {
			name := fmt.Sprintf("%s, %d", j.name, i+1)
			all = append(all, hostileCase{class: "kill at a random moment", name: name, run: func(l *lab, dir string) error {
				if err := l.prepare(j, dir); err != nil {
					return err
				}
				if err := l.killRandomly(j, dir, l.settings.random(name)); err != nil {
					return err
				}
				return l.checkStopped(j, dir)
			}})
		}
	}
	return all
}

// killRandomly starts a job one to three times and kills it.
func (l *lab) killRandomly(j *job, dir string, r *rand.Rand) error {
	ref, err := l.reference(j)
	if err != nil {
		return err
	}
	for range 1 + r.IntN(3) {
		moment := time.Duration(r.Float64() * 1.1 * float64(ref.elapsed))
		if _, err := l.run(command{args: j.args(l, filepath.Join(dir, j.writes)), dir: dir, kill: moment + 1}); err != nil {
			return err
		}
		if err := l.checkState(j, dir); err != nil {
			return fmt.Errorf("killed after %v: %w", moment, err)
		}
	}
	return nil
}

// clockCases sets the times of all files to long ago and to years ahead, as when a clock
// is set, between the parts of a job.
func clockCases(l *lab) []hostileCase {
	var all []hostileCase
	for _, j := range jobsOf(l) {
		for what, moment := range map[string]time.Time{
			"files of 2050": time.Date(2050, 1, 1, 0, 0, 0, 0, time.UTC), "files of 1970": time.Unix(0, 0),
		} {
			name := j.name + ", " + what
			all = append(all, hostileCase{class: "clock", name: name, run: func(l *lab, dir string) error {
				if err := l.prepare(j, dir); err != nil {
					return err
				}
				if err := l.killRandomly(j, dir, l.settings.random(name)); err != nil {
					return err
				}
				if err := setTimes(dir, moment); err != nil {
					return err
				}
				return l.checkStopped(j, dir)
			}})
		}
	}
	sortCases(all)
	return all
}

func setTimes(dir string, moment time.Time) error {
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, moment, moment)
	})
}

// togetherCases starts two and eight processes of a job at once. Each may succeed or say
// why it does not; one has to succeed, and what is there then is whole.
func togetherCases(l *lab) []hostileCase {
	var all []hostileCase
	rounds := 5
	if l.settings.Short {
		rounds = 1
	}
	for _, j := range jobsOf(l) {
		for _, n := range []int{2, 8} {
			for round := range rounds {
				all = append(all, hostileCase{class: "several processes", name: fmt.Sprintf("%d of %s, %d", n, j.name, round+1), alone: true, run: func(l *lab, dir string) error {
					if err := l.prepare(j, dir); err != nil {
						return err
					}
					return l.runTogether(j, dir, n)
				}})
			}
		}
		if j.replacesModel() {
			all = append(all, hostileCase{class: "several processes", name: "link during " + j.name, alone: true, run: func(l *lab, dir string) error {
				if err := l.prepare(j, dir); err != nil {
					return err
				}
				return l.linkDuring(j, dir)
			}})
		}
	}
	return all
}

func (l *lab) runTogether(j *job, dir string, n int) error {
	outcomes, errs := make([]outcome, n), make([]error, n)
	var processes sync.WaitGroup
	for i := range n {
		processes.Go(func() {
			outcomes[i], errs[i] = l.run(command{args: j.args(l, filepath.Join(dir, j.writes)), dir: dir})
		})
	}
	processes.Wait()
	succeeded := 0
	var messages []string
	for i, o := range outcomes {
		if err := errors.Join(errs[i], o.fault()); err != nil {
			return err
		}
		if o.exit == 0 {
			succeeded++
		} else {
			messages = append(messages, o.message())
		}
	}
	if succeeded == 0 {
		return fmt.Errorf("none of %d processes succeeded: %s", n, strings.Join(messages, "; "))
	}
	ref, err := l.reference(j)
	if err != nil {
		return err
	}
	if err := sameTree(filepath.Join(dir, j.writes), ref.path); err != nil {
		return fmt.Errorf("%d of %d processes succeeded, and %w", succeeded, n, err)
	}
	return l.checkStopped(j, dir)
}

// linkDuring links again and again while a job replaces the model.
func (l *lab) linkDuring(j *job, dir string) error {
	target := filepath.Join(dir, j.writes)
	done := make(chan error, 1)
	go func() {
		var err error
		for range 5 {
			var o outcome
			if o, err = l.run(command{args: j.args(l, target), dir: dir}); err == nil {
				err = o.allow(0)
			}
			if err != nil {
				break
			}
		}
		done <- err
	}()
	var failure error
	for {
		select {
		case err := <-done:
			return errors.Join(err, failure)
		default:
		}
		if failure == nil {
			failure = l.checkState(j, dir)
		}
	}
}
