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
	"syscall"
	"time"

	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
)

// jobCases disturbs each job in each way.
func (l *lab) jobCases() []hostileCase {
	shares, rounds := []float64{0, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1, 1.2, 1.5, 2}, 5
	if l.settings.Short {
		shares, rounds = []float64{.5}, 1
	}
	var all []hostileCase
	for _, j := range l.jobs {
		add := func(class, name string, run func(dir string, r *rand.Rand) error) {
			all = append(all, hostileCase{class, j.name + name, func(dir string, r *rand.Rand) error {
				if class != "read-only folder" && class != "disk full" { // which have a disk of their own
					if err := l.prepare(j, dir); err != nil {
						return err
					}
				}
				return run(dir, r)
			}})
		}
		add("read-only folder", "", func(dir string, _ *rand.Rand) error { return l.writeReadOnly(j, dir) })
		for _, share := range shares {
			add("disk full", fmt.Sprintf(", room for %g of what it writes", share), func(dir string, _ *rand.Rand) error { return l.fillDisk(j, dir, share) })
		}
		for i := range 2 * rounds {
			n := []int{2, 8}[i%2]
			add("several processes", fmt.Sprintf(", %d of them, %d", n, i/2+1), func(dir string, _ *rand.Rand) error { return l.runTogether(j, dir, n) })
		}
		if j.over != "" {
			add("several processes", ", during link", func(dir string, _ *rand.Rand) error { return l.linkDuring(j, dir) })
		}
		for _, year := range []int{1970, 2050} {
			moment := time.Date(year, 1, 2, 0, 0, 0, 0, time.UTC)
			add("clock", fmt.Sprintf(", files of %d", year), func(dir string, r *rand.Rand) error {
				return errors.Join(l.killRandomly(j, dir, r), filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
					return errors.Join(err, os.Chtimes(path, moment, moment))
				}), l.checkStopped(j, dir))
			})
		}
		for i := range l.settings.Kills {
			add("kill at a random moment", fmt.Sprintf(", %d", i+1), func(dir string, r *rand.Rand) error {
				return errors.Join(l.killRandomly(j, dir, r), l.checkStopped(j, dir))
			})
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
		c := l.command(j, dir)
		c.kill = 1 + time.Duration(r.Float64()*1.1*float64(ref.elapsed))
		if _, err := l.run(c); err != nil {
			return err
		}
		if err := l.checkState(j, dir); err != nil {
			return fmt.Errorf("killed after %v: %w", c.kill, err)
		}
	}
	return nil
}

// runTogether starts processes of a job at once. Each may succeed or say why it does not; one has to succeed.
func (l *lab) runTogether(j *job, dir string, n int) error {
	outcomes, errs := make([]outcome, n), make([]error, n)
	err := parallel.For(l.ctx, n, n, func(i int) { outcomes[i], errs[i] = l.behaved(l.command(j, dir)) })
	if err := errors.Join(append(errs, err)...); err != nil {
		return err
	}
	if !slices.ContainsFunc(outcomes, func(o outcome) bool { return o.exit == 0 }) {
		return fmt.Errorf("none of %d processes succeeded: %s", n, outcomes[0].message())
	}
	return errors.Join(l.checkSame(j, dir), l.checkStopped(j, dir))
}

// linkDuring links again and again while a job replaces the model.
func (l *lab) linkDuring(j *job, dir string) error {
	done := make(chan error, 1)
	go func() {
		var err error
		for i := 0; i < 5 && err == nil; i++ {
			_, err = l.must(dir, filepath.Join(dir, j.writes), j.line)
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

// withTmpfs calls f with the folder of a file system, which is unmounted afterwards.
func withTmpfs(dir, options string, f func(disk string) error) error {
	disk := filepath.Join(dir, "disk")
	if err := os.MkdirAll(disk, 0o755); err != nil {
		return err
	}
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, options); err != nil {
		return skipf("no file system can be mounted here: %v", err)
	}
	return errors.Join(f(disk), syscall.Unmount(disk, syscall.MNT_DETACH))
}

// remount changes the options of a file system that withTmpfs mounted. A process that is being started has its files open.
func remount(disk string, flags uintptr, options string) (err error) {
	for range 100 {
		if err = syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT|flags, options); !errors.Is(err, syscall.EBUSY) {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
	return err
}

// fillDisk gives a job a file system that has room for a share of what it writes, and then more.
func (l *lab) fillDisk(j *job, dir string, share float64) error {
	ref, err := l.reference(j)
	if err != nil {
		return err
	}
	written, err := harness.Size(ref.path, page)
	room := int64(share * float64(written))
	if err == nil && (j.over != "" || j.model) {
		var before int64
		before, err = harness.Size(l.fixture("strings"), page)
		room += before
	}
	if err != nil {
		return err
	}
	return withTmpfs(dir, fmt.Sprintf("size=%d", room+page), func(disk string) error { // a size of 0 is without limit
		if err := l.prepare(j, disk); err != nil {
			return err
		}
		o, err := l.behaved(l.command(j, disk))
		switch {
		case err != nil:
			return err
		case o.exit == 0:
			if err := l.checkSame(j, disk); err != nil {
				return fmt.Errorf("exit status 0 on a full disk, and %w", err)
			}
		case !bytes.Contains(o.stderr, []byte("no space left")):
			return fmt.Errorf("the message does not say that the disk is full: %s", o.message())
		}
		return errors.Join(l.checkState(j, disk), remount(disk, 0, "size=100m"), l.checkAgain(j, disk))
	})
}

const page = 4096 // bytes, to which tmpfs rounds up

// writeReadOnly runs a job where nothing can be written.
func (l *lab) writeReadOnly(j *job, dir string) error {
	return withTmpfs(dir, "size=100m", func(disk string) error {
		if err := errors.Join(l.prepare(j, disk), remount(disk, syscall.MS_RDONLY, "")); err != nil {
			return err
		}
		o, err := l.behaved(l.command(j, disk))
		if err == nil && (o.exit != 2 || !bytes.Contains(o.stderr, []byte("read-only")) || !bytes.Contains(o.stderr, []byte(disk))) {
			err = fmt.Errorf("exit status %d, and the message does not name the folder that is read-only: %s", o.exit, o.message())
		}
		return err
	})
}

// readReadOnly links by a model, and verifies it, where nothing can be written.
func (l *lab) readReadOnly(model, dir string) error {
	return withTmpfs(dir, "size=100m", func(disk string) error {
		at := filepath.Join(disk, "model")
		if err := errors.Join(l.copyFixture(model, at), remount(disk, syscall.MS_RDONLY, "")); err != nil {
			return err
		}
		want, err := l.prints(l.fixture(model), linkModel)
		got, gotErr := l.must(dir, at, linkModel)
		_, verifyErr := l.must(dir, at, verifyModel)
		if err = errors.Join(err, gotErr, verifyErr); err == nil && !bytes.Equal(got, want) {
			err = errors.New("other answers on a read-only file system")
		}
		return err
	})
}
