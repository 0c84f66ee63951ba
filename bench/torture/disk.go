package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// mountTmpfs mounts an empty file system of a size such as "200k" on dir.
func mountTmpfs(dir, options string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		return skipf("no file system can be mounted here: %v", err)
	}
	return nil
}

// withTmpfs calls f with the folder of a file system, which is unmounted afterwards.
func withTmpfs(dir, options string, f func(disk string) error) error {
	disk := filepath.Join(dir, "disk")
	if err := mountTmpfs(disk, options); err != nil {
		return err
	}
	err := f(disk)
	return errors.Join(err, syscall.Unmount(disk, syscall.MNT_DETACH))
}

// remount changes the options of a file system that withTmpfs mounted.
func remount(disk string, flags uintptr, options string) error {
	return syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT|flags, options)
}

// diskFullCases gives each job file systems of several sizes that are too small, and then
// room.
func diskFullCases(l *lab) []hostileCase {
	shares := []float64{0, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1, 1.2, 1.5, 2}
	if l.settings.Short {
		shares = []float64{.5}
	}
	var all []hostileCase
	for _, j := range jobsOf(l) {
		for _, share := range shares {
			all = append(all, hostileCase{class: "disk full", name: fmt.Sprintf("%s, room for %g of what it writes", j.name, share), run: func(l *lab, dir string) error {
				return l.fillDisk(j, dir, share)
			}})
		}
	}
	return all
}

func (l *lab) fillDisk(j *job, dir string, share float64) error {
	ref, err := l.reference(j)
	if err != nil {
		return err
	}
	need, err := diskUsage(ref.path)
	if err != nil {
		return err
	}
	room := int64(share * float64(need))
	for _, fixture := range []string{j.over, j.beside} {
		if fixture == "" {
			continue
		}
		old, err := diskUsage(l.fixture(fixture))
		if err != nil {
			return err
		}
		room += old
	}
	const page = 4096 // tmpfs rounds up to pages; 0 would be without limit
	return withTmpfs(dir, fmt.Sprintf("size=%d", room+page), func(disk string) error {
		if err := l.prepare(j, disk); err != nil {
			return err
		}
		target := filepath.Join(disk, j.writes)
		o, err := l.run(command{args: j.args(l, target), dir: disk})
		if err == nil {
			err = o.fault()
		}
		if err != nil {
			return err
		}
		if o.exit == 0 {
			if err := sameTree(target, ref.path); err != nil {
				return fmt.Errorf("exit status 0 on a full disk, and %w", err)
			}
		} else if !bytes.Contains(o.stderr, []byte("no space left")) {
			return fmt.Errorf("the message does not say that the disk is full: %s", o.message())
		}
		if err := l.checkState(j, disk); err != nil {
			return err
		}
		if err := remount(disk, 0, "size=100m"); err != nil {
			return err
		}
		return l.checkAgain(j, disk)
	})
}

// diskUsage returns the size of a file or of the files in a folder, in bytes and in whole
// pages of 4096.
func diskUsage(path string) (size int64, err error) {
	const page = 4096
	err = filepath.WalkDir(path, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			size += (info.Size() + page - 1) / page * page
		}
		return err
	})
	return size, err
}

// readOnlyCases runs each job where nothing can be written, and commands that only read.
func readOnlyCases(l *lab) []hostileCase {
	var all []hostileCase
	for _, j := range jobsOf(l) {
		all = append(all, hostileCase{class: "read-only folder", name: j.name, run: func(l *lab, dir string) error {
			return withTmpfs(dir, "size=100m", func(disk string) error {
				if err := l.prepare(j, disk); err != nil {
					return err
				}
				before, err := tree(disk)
				if err != nil {
					return err
				}
				if err := remount(disk, syscall.MS_RDONLY, ""); err != nil {
					return err
				}
				o, err := l.run(command{args: j.args(l, filepath.Join(disk, j.writes))})
				if err == nil {
					err = o.allow(2)
				}
				if err != nil {
					return err
				}
				if !bytes.Contains(o.stderr, []byte("read-only")) || !bytes.Contains(o.stderr, []byte(disk)) {
					return fmt.Errorf("the message does not name the folder that is read-only: %s", o.message())
				}
				after, err := tree(disk)
				if err != nil {
					return err
				}
				return differences(after, before)
			})
		}})
	}
	for _, model := range []string{stringModel, trainedModel, graphModel} {
		all = append(all, hostileCase{class: "read-only folder", name: "link and verify of the model " + model, run: func(l *lab, dir string) error {
			if model != stringModel && !l.encoder {
				return l.needEncoder()
			}
			want, err := l.links(l.fixture(model))
			if err != nil {
				return err
			}
			return withTmpfs(dir, "size=100m", func(disk string) error {
				at := filepath.Join(disk, "model")
				if err := errors.Join(l.copyFixture(model, at), remount(disk, syscall.MS_RDONLY, "")); err != nil {
					return err
				}
				got, err := l.links(at)
				if err != nil {
					return err
				}
				if !bytes.Equal(got, want) {
					return errors.New("other answers on a read-only file system")
				}
				return l.checkVerified(at)
			})
		}})
	}
	return all
}

// outputCases writes the standard output of each command to a disk that is full.
func outputCases(l *lab) []hostileCase {
	model, corpus := l.fixture(stringModel), l.fixture(corpusFolder)
	dict := []string{"--dict", l.fixture(dictionaryFile)}
	commands := [][]string{
		{"help"}, {"--version"}, {"help", "link"}, {"completion", "bash"},
		append([]string{"tag", "--input", l.fixture(sentencesFile)}, dict...),
		{"corpus", "show", "--corpus", corpus}, {"corpus", "show", "--json", "--limit", "0", "--corpus", corpus},
		{"corpus", "stats", "--corpus", corpus}, {"corpus", "stats", "--json", "--corpus", corpus},
		{"inspect", "--model", model}, {"inspect", "--json", "--model", model},
		{"inspect", "--list", "synonyms", "--model", model}, {"inspect", "--list", "abbreviations", "--model", model},
		{"verify", "--model", model}, {"link", "--model", model, "--input", l.fixture(sentencesFile)},
		{"link", "--batch", "1", "--model", model, "--input", l.fixture(sentencesFile)},
		{"eval", "--model", model, "--gold", l.fixture(goldFile)}, {"eval", "--json", "--model", model, "--gold", l.fixture(goldFile)},
		{"eval", "--markdown", "--model", model, "--gold", l.fixture(goldFile)},
		{"calibrate", "--model", "model"},
		append([]string{"build-corpus", "--corpus", "corpus", l.fixture("pubmed/example01.xml")}, dict...),
		append([]string{"train", "--encoder", "none", "--corpus", corpus, "--model", "other"}, dict...),
		{"dict", "check", "--limit", "0", l.fixture(dictionaryFile)}, {"dict", "check", "--json", "--corpus", corpus, l.fixture(dictionaryFile)},
		{"memory", "list", "--model", l.fixture(rememberingModel)}, {"memory", "export", "--model", l.fixture(rememberingModel)},
		{"memory", "add", "--model", "model", "--concept", "EX:013", "--name", "raised pressure"},
		{"eval", "--full", "--model", model, "--gold", l.fixture(goldFile)}, {"eval", "--compare", l.fixture(answersFile), "--model", model, "--gold", l.fixture(goldFile)},
		{"link", "--method", "exact", "--input", l.fixture(sentencesFile), "--dict", l.fixture(dictionaryFile)},
		{"doctor"}, {"version"}, {"index", "export", "--output", "-", "--model", l.fixture(graphModel)},
	}
	for _, format := range []string{"pubtator", "bioc-xml", "bioc-json", "conll", "csv", "tsv", "html", "xlsx", "parquet"} {
		commands = append(commands, []string{"link", "--format", format, "--model", model, "--input", l.fixture(sentencesFile)})
	}
	var all []hostileCase
	for _, args := range commands {
		name := args[0]
		for _, arg := range args[1:] {
			if len(arg) > 1 && !filepath.IsAbs(arg) {
				name += " " + arg
			}
		}
		all = append(all, hostileCase{class: "standard output full", name: name, run: func(l *lab, dir string) error {
			if err := errors.Join(l.copyFixture(stringModel, filepath.Join(dir, "model")), os.WriteFile(filepath.Join(dir, "pairs.tsv"), []byte(pairsSeed), 0o644)); err != nil {
				return err
			}
			usual, err := l.run(command{args: l.ctxnorm(args...), dir: dir})
			if err != nil {
				return err
			}
			o, err := l.run(command{args: l.ctxnorm(args...), dir: dir, stdout: "/dev/full"})
			if err == nil {
				err = o.fault()
			}
			if err != nil {
				return err
			}
			if len(usual.stdout) == 0 {
				return skipf("the command prints nothing")
			}
			if o.exit == 0 || !bytes.Contains(o.stderr, []byte("no space left")) {
				return fmt.Errorf("exit status %d, and the lost output is not mentioned: %s", o.exit, o.message())
			}
			return nil
		}})
	}
	return all
}
