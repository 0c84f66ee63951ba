package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// job is a command that writes a file or a folder, and that must leave the old state or a
// state that the same command completes, whatever happens to it.
type job struct {
	name, writes string // what it writes, in the folder of the case: {to} of its line
	line         string
	over         string // fixture that stands there before; "" for none
	model        bool   // the model {strings} stands beside it, in the folder of the case
	folder       bool   // an empty folder stands there before
	resumes      bool   // it goes on where it was stopped
	torch        bool   // it trains an encoder
	check        string // command on what is there once it has a manifest; "" for none
}

const (
	verifyModel = "verify --model {to}"
	checkCorpus = "corpus stats --corpus {to}"
)

var jobs = []*job{
	{name: "build-corpus", writes: "corpus", resumes: true, check: checkCorpus,
		line: "build-corpus --dict {dictionary.tsv} --corpus {to} {pubmed/example01.xml} {pubmed/example02.xml} {pubmed/example03.xml}"},
	{name: "corpus merge", writes: "corpus", check: checkCorpus, line: "corpus merge --corpus {to} {corpus1} {corpus2}"},
	{name: "train without encoder", writes: "model", check: verifyModel, line: trainStrings + " --model {to}"},
	{name: "train over a model", writes: "model", over: "strings", check: verifyModel, line: trainStrings + " --dict-fraction .7 --model {to}"},
	{name: "calibrate", writes: "model", over: "strings", check: verifyModel, line: "calibrate --model {to} --gold {gold.jsonl} --workers 1"},
	{name: "link", writes: "linked.jsonl", resumes: true, line: linkLine + " --model {strings} --output {to}"},
	{name: "link to a folder", writes: "linked", resumes: true,
		line: "link --model {strings} --tag --workers 1 --output {to}/ {pubmed/example01.xml} {pubmed/example02.xml}"},
	{name: "link to BRAT", writes: "linked", line: linkLine + " --model {strings} --format brat --output {to}"},
	{name: "eval", writes: "report", folder: true,
		line: "eval --model {strings} --gold {gold.jsonl} --json --workers 1 --answers {to}/answers.jsonl --errors {to}/errors.txt"},
	{name: "word-vectors", writes: "vectors", line: "word-vectors train --word-vectors {to} --dim 8 --min-count 1 --corpus {corpus}"},
	{name: "memory import", writes: "model.memory", model: true, line: "memory import --model {dir}/model {entries.jsonl}"},
	{name: "train", writes: "model", torch: true, resumes: true, check: verifyModel, line: trainEncoder + " --model {to}"},
	{name: "train --untrained", writes: "model", check: verifyModel, line: trainGraph + " --model {to}"},
}

// prepare puts into the folder of a case what stands there before the job.
func (l *lab) prepare(j *job, dir string) error {
	switch target := filepath.Join(dir, j.writes); {
	case j.folder:
		return os.MkdirAll(target, 0o755)
	case j.model:
		return l.copyFixture("strings", filepath.Join(dir, "model"))
	default:
		return l.copyFixture(j.over, target)
	}
}

// command returns the job in a folder.
func (l *lab) command(j *job, dir string) command {
	return command{args: l.args(j.line, dir, filepath.Join(dir, j.writes)), dir: dir}
}

// reference is what an undisturbed run of a job wrote, and how long that took.
type reference struct {
	path    string
	elapsed time.Duration
}

func (l *lab) reference(j *job) (reference, error) {
	return memoized(l, "reference "+j.name, func() (reference, error) {
		dir := filepath.Join(l.settings.Work, "references", j.name)
		r := reference{path: filepath.Join(dir, j.writes)}
		if err := errors.Join(os.MkdirAll(dir, 0o755), l.prepare(j, dir)); err != nil {
			return r, err
		}
		start := time.Now()
		_, err := l.must(dir, r.path, j.line)
		r.elapsed = time.Since(start)
		return r, err
	})
}

// checkStopped checks what a job that was stopped left in dir: it is the old state, the new one, or nothing that
// opens, and the same command makes the same bytes as an undisturbed run.
func (l *lab) checkStopped(j *job, dir string) error {
	return errors.Join(l.checkState(j, dir), l.checkAgain(j, dir))
}

// checkState checks that a model that stood there can be used, and that a corpus or model that is there opens.
func (l *lab) checkState(j *job, dir string) error {
	target := filepath.Join(dir, j.writes)
	if j.model {
		_, err := l.must(dir, target, "verify --model {dir}/model") // and its memory
		return err
	}
	if j.over != "" {
		ref, err := l.reference(j)
		if err != nil {
			return err
		}
		old, err := l.prints(l.fixture(j.over), linkModel)
		renewed, renewedErr := l.prints(ref.path, linkModel)
		got, gotErr := l.must(dir, target, linkModel)
		if err = errors.Join(err, renewedErr, gotErr); err == nil && !bytes.Equal(got, old) && !bytes.Equal(got, renewed) {
			err = errors.New("answers of neither the old nor the new model")
		}
		if err != nil {
			return fmt.Errorf("link of the model left: %w", err)
		}
	}
	if _, err := os.Stat(filepath.Join(target, manifestFile)); err == nil && j.check != "" {
		if _, err := l.must(dir, target, j.check); err != nil {
			return fmt.Errorf("what is left with a manifest: %w", err)
		}
	}
	return nil
}

// checkAgain runs the job again, without disturbance, and compares what it wrote.
func (l *lab) checkAgain(j *job, dir string) error {
	if _, err := l.must(dir, filepath.Join(dir, j.writes), j.line); err != nil {
		return fmt.Errorf("the same command again: %w", err)
	}
	if err := l.checkSame(j, dir); err != nil {
		return fmt.Errorf("the same command again makes other bytes: %w", err)
	}
	return nil
}

// checkSame compares what a job wrote with what an undisturbed run does.
func (l *lab) checkSame(j *job, dir string) error {
	ref, err := l.reference(j)
	if err != nil {
		return err
	}
	return sameTree(filepath.Join(dir, j.writes), ref.path)
}
