package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
)

// jobCases returns a case for each job and each way to disturb it.
func (l *lab) jobCases() []hostileCase {
	shares, rounds := []float64{0, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1, 1.2, 1.5, 2}, 5
	if l.settings.Short {
		shares, rounds = []float64{.5}, 1
	}
	var all []hostileCase
	for _, j := range l.jobs {
		add := func(class, name string, run func(t *trial)) {
			all = append(all, hostileCase{class, j.name + name, run})
		}
		addPrepared := func(class, name string, run func(t *trial)) {
			add(class, name, func(t *trial) {
				t.prepare(j)
				run(t)
			})
		}
		add("read-only folder", "", func(t *trial) { t.writeReadOnly(j) })
		for _, share := range shares {
			add("disk full", fmt.Sprintf(", room for %g of what it writes", share), func(t *trial) { t.fillDisk(j, share) })
		}
		for i := range 2 * rounds {
			n := []int{2, 8}[i%2]
			addPrepared("several processes", fmt.Sprintf(", %d of them, %d", n, i/2+1), func(t *trial) { t.runTogether(j, n) })
		}
		if j.over != "" {
			addPrepared("several processes", ", during link", func(t *trial) { t.linkDuring(j) })
		}
		for _, year := range []int{1970, 2050} {
			moment := time.Date(year, 1, 2, 0, 0, 0, 0, time.UTC)
			addPrepared("clock", fmt.Sprintf(", files of %d", year), func(t *trial) {
				t.killRandomly(j)
				harness.Check(filepath.WalkDir(t.dir, func(path string, _ fs.DirEntry, err error) error {
					return errors.Join(err, os.Chtimes(path, moment, moment))
				}))
				t.checkStopped(j)
			})
		}
		for i := range l.settings.Kills {
			addPrepared("kill at a random moment", fmt.Sprintf(", %d", i+1), func(t *trial) {
				t.killRandomly(j)
				t.checkStopped(j)
			})
		}
	}
	return all
}

// killRandomly starts a job one to three times and kills it.
func (t *trial) killRandomly(j *job) {
	for range 1 + t.r.IntN(3) {
		c := t.job(j)
		c.kill = 1 + time.Duration(t.r.Float64()*1.1*float64(t.reference(j).elapsed))
		t.run(c)
		harness.Explain(func() { t.checkState(j) }, "killed after %v", c.kill)
	}
}

// runTogether starts several processes of a job at once. Each may succeed or report why it cannot; at least one must
// succeed.
func (t *trial) runTogether(j *job, n int) {
	outcomes := make([]outcome, n)
	harness.Check(parallel.ForErr(t.ctx, n, n, func(i int) error {
		return harness.Try(func() { outcomes[i] = t.behaved(t.job(j)) })
	}))
	succeeded := slices.ContainsFunc(outcomes, func(o outcome) bool { return o.exit == 0 })
	harness.Require(succeeded, "none of %d processes succeeded: %s", n, outcomes[0].message())
	t.checkSame(j)
	t.checkStopped(j)
}

// linkDuring links repeatedly while a job replaces the model.
func (t *trial) linkDuring(j *job) {
	var done atomic.Bool
	harness.Check(parallel.Do(func() error {
		defer done.Store(true)
		return harness.Try(func() {
			for range 5 {
				t.must(t.dir, filepath.Join(t.dir, j.writes), j.line)
			}
		})
	}, func() error {
		return harness.Try(func() {
			for !done.Load() {
				t.checkState(j)
			}
		})
	}))
}

// onDisk runs a case on a file system of its own and unmounts it afterwards.
func (t *trial) onDisk(size int64, do func(t *trial)) {
	disk := &trial{t.lab, filepath.Join(t.dir, "disk"), t.r}
	harness.Check(os.MkdirAll(disk.dir, 0o755))
	if err := syscall.Mount("tmpfs", disk.dir, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
		harness.Check(skipError{fmt.Errorf("no file system can be mounted here: %w", err)})
	}
	defer func() { harness.Check(syscall.Unmount(disk.dir, syscall.MNT_DETACH)) }()
	do(disk)
}

// roomy is the size of a file system that never fills up.
const roomy = 100 << 20 // bytes

// remount changes the options of the file system of [trial.onDisk]. It retries while a starting process holds files
// open.
func (t *trial) remount(flags uintptr, size int64) {
	var err error
	for range 100 {
		if err = syscall.Mount("tmpfs", t.dir, "tmpfs", syscall.MS_REMOUNT|flags, fmt.Sprintf("size=%d", size)); !errors.Is(err, syscall.EBUSY) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	harness.Check(err)
}

// fillDisk runs a job on a file system with room for only a share of its output, and then again with more room.
func (t *trial) fillDisk(j *job, share float64) {
	room := int64(share * float64(harness.Size(t.reference(j).path, page)))
	if j.over != "" || j.model {
		room += harness.Size(t.fixture("strings"), page)
	}
	t.onDisk(room+page, func(t *trial) { // a size of 0 means no limit
		t.prepare(j)
		if o := t.behaved(t.job(j)); o.exit == 0 {
			harness.Explain(func() { t.checkSame(j) }, "exit status 0 on a full disk")
		} else {
			o.mustSay("no space left")
		}
		t.checkState(j)
		t.remount(0, roomy)
		t.checkAgain(j)
	})
}

const page = 4096 // bytes, to which tmpfs rounds up

// writeReadOnly runs a job on a read-only file system.
func (t *trial) writeReadOnly(j *job) {
	t.onDisk(roomy, func(t *trial) {
		t.prepare(j)
		t.remount(syscall.MS_RDONLY, roomy)
		o := t.behaved(t.job(j))
		harness.Require(o.exit == 2, "exit status %d, want 2: %s", o.exit, o.message())
		o.mustSay("read-only")
		o.mustSay(t.dir)
	})
}

// readReadOnly links with a model and verifies it on a read-only file system.
func (t *trial) readReadOnly(model string) {
	t.onDisk(roomy, func(t *trial) {
		at := filepath.Join(t.dir, "model")
		t.copyFixture(model, at)
		t.remount(syscall.MS_RDONLY, roomy)
		answers := t.must(t.dir, at, linkModel)
		harness.Require(bytes.Equal(answers, t.prints(t.fixture(model), linkModel)), "other answers on a read-only file system")
		t.must(t.dir, at, verifyModel)
	})
}
