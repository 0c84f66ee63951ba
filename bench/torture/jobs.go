package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/ctxnorm/ctxnorm/papers/bne/wordvec"
)

// job is a command that writes a file or a folder, and that must leave the old state or a
// state that the same command completes, whatever happens to it.
type job struct {
	name    string
	encoder bool
	writes  string                               // what it writes, in the folder of the case
	over    string                               // fixture that stands there before; "" for none
	folder  bool                                 // an empty folder stands there before
	beside  string                               // fixture that stands beside it; "" for none
	resumes bool                                 // it goes on where it was stopped
	newer   bool                                 // earlier programs, to compare with, lack the command
	args    func(l *lab, target string) []string // the command
}

// isModel reports whether the job replaces or changes a model, which then must be usable
// at every moment.
func (j *job) replacesModel() bool { return j.over == stringModel }

var jobs = []*job{
	{name: "build-corpus", writes: "corpus", resumes: true, args: func(l *lab, target string) []string { return l.buildCorpus(target, 1, 2, 3) }},
	{name: "corpus merge", writes: "corpus", args: func(l *lab, target string) []string {
		return l.ctxnorm("corpus", "merge", "--corpus", target, l.fixture(firstCorpus), l.fixture(secondCorpus))
	}},
	{name: "train without encoder", writes: "model", args: (*lab).trainStrings},
	{name: "train over a model", writes: "model", over: stringModel, args: func(l *lab, target string) []string {
		return append(l.trainStrings(target), "--dict-fraction", "0.7")
	}},
	{name: "calibrate", writes: "model", over: stringModel, args: (*lab).calibrate},
	{name: "link", writes: "linked.jsonl", resumes: true, args: func(l *lab, target string) []string {
		return append(l.link(l.fixture(stringModel)), "--output", target)
	}},
	{name: "link to a folder", newer: true, writes: "linked", resumes: true, args: func(l *lab, target string) []string {
		return l.ctxnorm("link", "--model", l.fixture(stringModel), "--tag", "--workers", "1", "--output", target+"/",
			l.fixture("pubmed/example01.xml"), l.fixture("pubmed/example02.xml"))
	}},
	{name: "link to BRAT", newer: true, writes: "linked", args: func(l *lab, target string) []string {
		return append(l.link(l.fixture(stringModel)), "--format", "brat", "--output", target)
	}},
	{name: "eval", newer: true, writes: "report", folder: true, args: func(l *lab, target string) []string {
		return append(evalOf(l, l.fixture(goldFile)), "--workers", "1", "--answers", filepath.Join(target, "answers.jsonl"), "--errors", filepath.Join(target, "errors.txt"), "--plots", target)
	}},
	{name: "word-vectors", newer: true, writes: "vectors", args: func(l *lab, target string) []string {
		return l.wordVectors(target, "--corpus", l.fixture(corpusFolder))
	}},
	{name: "memory import", newer: true, writes: "model.memory", beside: stringModel, args: func(l *lab, target string) []string {
		return l.ctxnorm("memory", "import", "--model", strings.TrimSuffix(target, ".memory"), l.fixture(entriesFile))
	}},
	{name: "train", encoder: true, writes: "model", resumes: true, args: (*lab).trainEncoder},
	{name: "index export", encoder: true, writes: "exemplars.sql", args: func(l *lab, target string) []string {
		return l.ctxnorm("index", "export", "--model", l.fixture(graphModel), "--output", target)
	}},
	{name: "train --untrained", encoder: true, writes: "model", args: (*lab).indexGraph},
}

// jobsOf returns the jobs that the program can do.
func jobsOf(l *lab) []*job {
	var possible []*job
	for _, j := range jobs {
		if (l.encoder || !j.encoder) && (l.lacking == nil || !j.newer) {
			possible = append(possible, j)
		}
	}
	return possible
}

// reference is what an undisturbed run of a job wrote, and how long that took.
type reference struct {
	path    string
	elapsed time.Duration
	links   []byte // of the model, where the job replaces one
}

// references memoizes the reference of each job.
var references sync.Map // of func() (reference, error) by job

func (l *lab) reference(j *job) (reference, error) {
	made, _ := references.LoadOrStore(j, sync.OnceValues(func() (reference, error) {
		dir := filepath.Join(l.settings.Work, "references", j.name)
		if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
			return reference{}, err
		}
		r := reference{path: filepath.Join(dir, j.writes)}
		if err := l.prepare(j, dir); err != nil {
			return r, err
		}
		start := time.Now()
		if err := l.must(j.args(l, r.path)); err != nil {
			return r, err
		}
		r.elapsed = time.Since(start)
		var err error
		if j.replacesModel() {
			r.links, err = l.links(r.path)
		}
		return r, err
	}))
	return made.(func() (reference, error))()
}

// prepare puts into the folder of a case what stands there before the job.
func (l *lab) prepare(j *job, dir string) error {
	if j.folder {
		return os.Mkdir(filepath.Join(dir, j.writes), 0o755)
	}
	if j.beside != "" {
		return l.copyFixture(j.beside, filepath.Join(dir, "model"))
	}
	if j.over == "" {
		return nil
	}
	return l.copyFixture(j.over, filepath.Join(dir, j.writes))
}

// checkStopped checks what a job that was stopped left in dir: a model that stood there
// can be used, a corpus or model that is there opens, and the same command makes the same
// bytes as an undisturbed run.
func (l *lab) checkStopped(j *job, dir string) error {
	if err := l.checkState(j, dir); err != nil {
		return err
	}
	return l.checkAgain(j, dir)
}

// checkState checks that what is in the job's place is the old state, the new state, or
// nothing that opens.
func (l *lab) checkState(j *job, dir string) error {
	ref, err := l.reference(j)
	if err != nil {
		return err
	}
	target := filepath.Join(dir, j.writes)
	_, err = os.Stat(filepath.Join(target, manifestFile))
	whole := !errors.Is(err, fs.ErrNotExist)
	switch {
	case j.replacesModel():
		old, err := l.links(l.fixture(j.over))
		if err != nil {
			return err
		}
		got, err := l.links(target)
		if err != nil {
			return fmt.Errorf("link of the model left: %w", err)
		}
		if !bytes.Equal(got, old) && !bytes.Equal(got, ref.links) {
			return errors.New("link of the model left gives answers of neither the old nor the new model")
		}
		return l.checkVerified(target)
	case whole && j.writes == "model":
		return l.checkVerified(target)
	case whole && j.writes == "vectors":
		if _, err := wordvec.Open(target); err != nil {
			return fmt.Errorf("word vectors with a manifest do not open: %w", err)
		}
	case j.beside == stringModel:
		return l.checkVerified(filepath.Join(dir, "model")) // and its memory
	case whole && j.writes == "corpus":
		o, err := l.run(command{args: l.ctxnorm("corpus", "stats", "--corpus", target)})
		if err == nil {
			err = o.allow(0)
		}
		if err != nil {
			return fmt.Errorf("a corpus with a manifest does not open: %w", err)
		}
	}
	return nil
}

func (l *lab) checkVerified(model string) error {
	o, err := l.run(command{args: l.verify(model)})
	if err == nil {
		err = o.allow(0)
	}
	if err != nil {
		return fmt.Errorf("verify of the model left: %w", err)
	}
	return nil
}

// checkAgain runs the job again, without disturbance, and compares what it wrote.
func (l *lab) checkAgain(j *job, dir string) error {
	ref, err := l.reference(j)
	if err != nil {
		return err
	}
	target := filepath.Join(dir, j.writes)
	o, err := l.run(command{args: j.args(l, target), dir: dir})
	if err == nil {
		err = o.allow(0)
	}
	if err != nil {
		return fmt.Errorf("the same command again: %w", err)
	}
	if err := sameTree(target, ref.path); err != nil {
		return fmt.Errorf("the same command again makes other bytes: %w", err)
	}
	return nil
}
