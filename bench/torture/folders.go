package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// foreignCases put files of the user's where commands write. The command may refuse or
// work beside them, but every file is there afterwards as it was.
func foreignCases(l *lab) []hostileCase {
	build := func(to string) []string { return l.buildCorpus(to, 1) }
	merge := func(to string) []string {
		return l.ctxnorm("corpus", "merge", "--corpus", to, l.fixture(firstCorpus), l.fixture(secondCorpus))
	}
	const text = "the user's own\n"
	var all []hostileCase
	add := func(name string, args func(to string) []string, over string, files ...string) {
		all = append(all, hostileCase{class: "files of the user's", name: name, run: func(l *lab, dir string) error {
			return l.tryForeign(dir, args, over, files, text)
		}})
	}
	for command, args := range map[string]func(string) []string{"build-corpus": build, "corpus merge": merge} {
		add(command+", a folder parts", args, "", "x/parts/engine.txt", "x/notes.txt")
		add(command+", a folder shards", args, "", "x/shards/1.json", "x/shards/more/2.parquet")
		add(command+", a table and a manifest", args, "", "x/sentences.parquet", "x/manifest.json")
		add(command+", pairs and records", args, "", "x/pairs.parquet", "x/records.parquet")
		add(command+", hidden files", args, "", "x/.tmp-1", "x/.git/config", "x/.lock")
		add(command+" over a corpus with notes", args, corpusFolder, "x/notes.txt", "x/parts/engine.txt", "x/shards/1.json")
	}
	for command, args := range map[string]func(string) []string{"train without encoder": l.trainStrings, "train --untrained": l.indexGraph, "train": l.trainEncoder} {
		add(command+" over a model with notes", args, stringModel, "x/notes.txt", "x/runs/eval.txt", "x/index/mine.npy")
		add(command+", a folder .training", args, "", "x.training/mine.txt", "x.training/encoder/mine.txt", "x.training/checkpoints/step-00000002/mine.txt")
		add(command+", temporary names", args, "", "x.tmp/mine.txt", "x.tmp-1/mine.txt", "x.old/mine.txt", "x.old-1/mine.txt", ".x.tmp/mine.txt", "x.lock", ".x.lock")
		add(command+", a folder that is no model", args, "", "x/a.txt", "x/b/c.txt")
		add(command+", a manifest of another program", args, "", "x/manifest.json", "x/index/vectors.bin")
		add(command+" onto a corpus", args, corpusFolder, "x/notes.txt")
		add(command+" onto a file", args, "", "x")
	}
	add("calibrate of a model with notes", l.calibrate, stringModel, "x/notes.txt", "x/calibration.json.bak", "x/.calibration.json.tmp")
	add("build-corpus onto a model", build, stringModel, "x/notes.txt")
	add("link --output onto a folder", func(to string) []string { return append(l.link(l.fixture(stringModel)), "--output", to) }, "", "x/a.txt")
	link := func(more ...string) func(to string) []string {
		return func(to string) []string {
			args := append(l.link(l.fixture(stringModel)), more...)
			if len(more) == 0 {
				to += "/"
			}
			return append(args, "--output", to)
		}
	}
	add("link --output, journals and temporary names", link("--format", "jsonl"), "", "x.partial", "x.lock", "x.tmp-1", "x.json")
	add("link to a folder with notes", link(), "", "x/notes.txt", "x/"+sentencesFile+".parquet", "x/"+sentencesFile+".partial")
	add("link to a folder, hidden files", link(), "", "x/.ctxnorm/notes.txt", "x/.git/config")
	add("link to BRAT", link("--format", "brat"), "", "x/pressure.txt", "x/pressure.ann", "x/notes.txt")
	add("link to BRAT, a journal", link("--format", "brat"), "", "x.partial")
	add("word-vectors onto notes", func(to string) []string { return l.wordVectors(to, "--corpus", l.fixture(corpusFolder)) }, "", "x/notes.txt", "x/vectors.npy")
	add("word-vectors over word vectors with notes", func(to string) []string { return l.wordVectors(to, "--corpus", l.fixture(corpusFolder)) }, vectorsFolder, "x/notes.txt")
	add("word-vectors onto a manifest of another program", func(to string) []string { return l.wordVectors(to, "--corpus", l.fixture(corpusFolder)) }, "", "x/manifest.json")
	add("memory import with notes", func(to string) []string { return l.ctxnorm("memory", "import", "--model", to, l.fixture(entriesFile)) }, stringModel,
		"x.memory/notes.txt", "x.memory/log.jsonl.bak", "x.memory.lock")
	add("memory import onto a log of another program", func(to string) []string { return l.ctxnorm("memory", "import", "--model", to, l.fixture(entriesFile)) }, stringModel, "x.memory/log.jsonl")
	add("train without encoder beside a memory with notes", l.trainStrings, stringModel, "x.memory/notes.txt")
	sortCases(all)
	return all
}

// tryForeign puts files beside what a fixture has, runs a command that writes to x, and
// checks that the files are there.
func (l *lab) tryForeign(dir string, args func(to string) []string, over string, files []string, text string) error {
	target := filepath.Join(dir, "x")
	if strings.Contains(strings.Join(args(target), " "), "--base-model") && !l.encoder {
		return l.needEncoder()
	}
	if over != "" {
		if err := l.copyFixture(over, target); err != nil {
			return err
		}
	}
	for _, name := range files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			return err
		}
	}
	for _, round := range []string{"the command", "the command again"} {
		o, err := l.run(command{args: args(target), dir: dir})
		if err == nil {
			err = o.fault()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", round, err)
		}
		for _, name := range files {
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				return fmt.Errorf("%s (exit status %d) removed the user's %s", round, o.exit, name)
			}
			if string(data) != text {
				return fmt.Errorf("%s (exit status %d) changed the user's %s", round, o.exit, name)
			}
		}
	}
	return nil
}
