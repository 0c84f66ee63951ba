package main

import (
	"bytes"
	"os"
	"path/filepath"
	"time"

	"github.com/ctxnorm/ctxnorm/bench/harness"
)

// job is a command that writes a file or a folder. Whatever happens to it, it must leave the old state, or a state that
// the same command completes.
type job struct {
	name, writes string // its output in the folder of the case: {to} of its line
	line         string
	over         string // fixture that the job replaces; "" for none
	model        bool   // the model {strings} stands beside it, in the folder of the case
	folder       bool   // an empty folder stands there before
	resumes      bool   // it goes on where it was stopped
	torch        bool   // it trains an encoder
	check        string // command to run on the output once it has a manifest; "" for none
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

// prepare fills the folder of a case before the job runs.
func (t *trial) prepare(j *job) {
	switch target := filepath.Join(t.dir, j.writes); {
	case j.folder:
		harness.Check(os.MkdirAll(target, 0o755))
	case j.model:
		t.copyFixture("strings", filepath.Join(t.dir, "model"))
	default:
		t.copyFixture(j.over, target)
	}
}

// job returns a job in the folder of the case.
func (t *trial) job(j *job) command { return t.command(j.line, t.dir, filepath.Join(t.dir, j.writes)) }

// reference is the output of an undisturbed run of a job, and the time it took.
type reference struct {
	path    string
	elapsed time.Duration
}

func (l *lab) reference(j *job) reference {
	return memoized(l, "reference "+j.name, func() reference {
		undisturbed := &trial{lab: l, dir: filepath.Join(l.settings.Work, "references", j.name)}
		r := reference{path: filepath.Join(undisturbed.dir, j.writes)}
		harness.Check(os.MkdirAll(undisturbed.dir, 0o755))
		undisturbed.prepare(j)
		start := time.Now()
		l.must(undisturbed.dir, r.path, j.line)
		r.elapsed = time.Since(start)
		return r
	})
}

// checkStopped checks the state after a job was stopped: the old state, the new one, or one that does not open. The
// same command must then write the same bytes as an undisturbed run.
func (t *trial) checkStopped(j *job) {
	t.checkState(j)
	t.checkAgain(j)
}

// checkState checks that a model that the job replaces can still be used, and that a corpus or model with a manifest
// opens.
func (t *trial) checkState(j *job) {
	target := filepath.Join(t.dir, j.writes)
	if j.model {
		t.must(t.dir, target, "verify --model {dir}/model") // and its memory
		return
	}
	if j.over != "" {
		old, renewed := t.prints(t.fixture(j.over), linkModel), t.prints(t.reference(j).path, linkModel)
		got := t.must(t.dir, target, linkModel)
		harness.Require(bytes.Equal(got, old) || bytes.Equal(got, renewed), "the model left has answers of neither the old nor the new one")
	}
	if _, err := os.Stat(filepath.Join(target, manifestFile)); err == nil && j.check != "" {
		harness.Explain(func() { t.must(t.dir, target, j.check) }, "what is left with a manifest")
	}
}

// checkAgain runs the job again, undisturbed, and compares its output.
func (t *trial) checkAgain(j *job) {
	harness.Explain(func() {
		t.must(t.dir, filepath.Join(t.dir, j.writes), j.line)
		t.checkSame(j)
	}, "the same command again")
}

// checkSame compares the output of a job with that of an undisturbed run.
func (t *trial) checkSame(j *job) { sameTree(filepath.Join(t.dir, j.writes), t.reference(j).path) }
