package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/bench/harness"
)

// cases holds the data of the cases: commands for standard output, the user's own files, floods, inputs.
//
//go:embed cases
var caseFiles embed.FS

// lab holds everything that the cases share: the program, its limits, and fixtures written by undisturbed runs.
type lab struct {
	ctx      context.Context
	settings *settings
	jobs     []*job // only jobs that this build of the program supports
	root     string // folder of the fixtures, which are copied and never modified
	once     sync.Map
}

// fixtures lists the commands that make the fixtures. {name} stands for the path of a fixture.
var fixtures = []string{
	"build-corpus --dict {dictionary.tsv} --corpus {corpus} {pubmed/example01.xml} {pubmed/example02.xml} {pubmed/example03.xml}",
	"build-corpus --dict {dictionary.tsv} --corpus {corpus1} {pubmed/example01.xml}",
	"build-corpus --dict {dictionary.tsv} --corpus {corpus2} {pubmed/example02.xml}",
	trainStrings + " --model {strings}", trainGraph + " --recognizer none --model {graph}",
	trainStrings + " --recognizer none --model {remember}",
	"memory import --model {remember} {entries.jsonl}",
	"word-vectors train --word-vectors {vectors} --dim 8 --min-count 1 --corpus {corpus}",
	"eval --model {strings} --gold {gold.jsonl} --json --answers {answers.jsonl}",
	"link --model {strings} --input {sentences.jsonl} --explain --workers 1 --output {dictionary.xlsx}",
}

// Commands that write the same bytes each time.
const (
	trainStrings = "train --encoder none --dict {dictionary.tsv} --corpus {corpus} --workers 1"
	trainGraph   = "train --untrained --base-model {base} --precision float32 --set max-tokens=32 --index hnsw --dict {dictionary.tsv} --corpus {corpus} --workers 1"
	trainEncoder = "train --base-model {base} --set steps=6,concepts-per-batch=8,checkpoint-every=2,validate-every=3,max-tokens=32 --precision float32" +
		" --dict {dictionary.tsv} --corpus {corpus} --workers 1"
	linkLine  = "link --input {sentences.jsonl} --explain --workers 1"
	linkModel = linkLine + " --model {to}"
)

const entries = `{"kind":"name","at":"2026-01-02T03:04:05Z","by":"ann","concept":"EX:013","name":"raised pressure"}` + "\n" +
	`{"kind":"concept","at":"2026-01-02T03:04:05Z","by":"ann","id":"MY:1","name":"new disease","synonyms":["other new disease"],"parents":["EX:013"]}` + "\n"

// newLab makes the fixtures with the program under test.
func newLab(ctx context.Context, s *settings) *lab {
	l := &lab{ctx: ctx, settings: s, root: filepath.Join(s.Work, "fixtures")}
	harness.Check(errors.Join(os.RemoveAll(s.Work), os.CopyFS(l.root, os.DirFS(s.Examples)), os.CopyFS(l.fixture("base"), os.DirFS(s.BaseModel)),
		os.WriteFile(l.fixture("entries.jsonl"), []byte(entries), 0o644)))
	for _, line := range fixtures {
		l.must(l.root, "", line)
	}
	err := harness.Try(func() { l.must(l.root, filepath.Join(s.Work, "trained"), trainEncoder+" --model {to}") })
	if err != nil {
		harness.Log("no case that trains an encoder: %v", err)
	}
	if s.Short { // learning to recognize mentions takes nine tenths of training, and {strings} has what it writes
		harness.Check(os.Setenv("CTXNORM_RECOGNIZER", "none"))
	}
	l.jobs = slices.DeleteFunc(slices.Clone(jobs), func(j *job) bool { return j.torch && err != nil })
	return l
}

func (l *lab) fixture(name string) string { return filepath.Join(l.root, name) }

// copyFixture copies a fixture to a path, unless its name is "".
func (l *lab) copyFixture(name, to string) {
	if name != "" {
		harness.Check(os.CopyFS(to, os.DirFS(l.fixture(name))))
	}
}

var placeholder = regexp.MustCompile(`\{[\w./]+\}`)

// command returns the program with the arguments of a line. In the line {to} stands for the target, {dir} for the
// folder of the case, which is also the working directory, and {name} for a fixture.
func (l *lab) command(line, dir, target string) command {
	args := harness.Expand(line, func(name string) []string {
		switch name {
		case "to":
			return []string{target}
		case "dir":
			return []string{dir}
		}
		return []string{l.fixture(name)}
	})
	return command{args: append([]string{l.settings.Ctxnorm}, args...), dir: dir}
}

// memoized calls f once for a key.
func memoized[T any](l *lab, key string, f func() T) T {
	made, _ := l.once.LoadOrStore(key, sync.OnceValue(f))
	return made.(func() T)()
}

// volatile lists files and fields of a model that hold times, or depend on how often a training was stopped.
var volatile = []string{"training/curve.jsonl",
	"seconds", "resumed", "resumed_at", "created", "sentences_per_s", "crc32c"}

// tree returns the digest of every file and of each empty folder below a path. In the manifest of a model it ignores
// volatile files and fields.
func tree(dir string) map[string]string {
	found := map[string]string{}
	harness.Check(filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		harness.Check(err)
		name := harness.Get(filepath.Rel(dir, path))
		switch {
		case entry.IsDir():
			if len(harness.Get(os.ReadDir(path))) == 0 {
				found[name+"/"] = "an empty folder"
			}
		case !slices.Contains(volatile, filepath.ToSlash(name)) && entry.Name() != "ctxnorm-work-folder.txt":
			data := harness.Get(os.ReadFile(path))
			if entry.Name() == manifestFile {
				data = withoutVolatile(data)
			}
			found[name] = fmt.Sprintf("%x", sha256.Sum256(data))
		}
		return nil
	}))
	return found
}

// manifestFile lists the files of a corpus or model, in its folder.
const manifestFile = "manifest.json"

// withoutVolatile removes volatile fields and files from JSON, unless it is damaged.
func withoutVolatile(data []byte) []byte {
	var value any
	if json.Unmarshal(data, &value) != nil {
		return data
	}
	eachObject(value, func(object map[string]any) {
		for _, name := range volatile {
			delete(object, name)
		}
	})
	return harness.Get(json.Marshal(value))
}

// eachObject calls do for every object in a value of JSON, outer ones first.
func eachObject(value any, do func(object map[string]any)) {
	switch value := value.(type) {
	case map[string]any:
		do(value)
		for _, v := range value {
			eachObject(v, do)
		}
	case []any:
		for _, v := range value {
			eachObject(v, do)
		}
	}
}

// sameTree checks that two files or folders are equal.
func sameTree(got, want string) {
	diff := cmp.Diff(tree(want), tree(got))
	harness.Require(diff == "", "other files (-want +got):\n%.2000s", diff)
}

// rows returns the lines of a file of cases, split at tabs, without blank ones and comments.
func rows(name string) [][]string {
	var all [][]string
	for line := range bytes.Lines(harness.Get(caseFiles.ReadFile("cases/" + name))) {
		if line := strings.TrimRight(string(line), "\n"); line != "" && line[0] != '#' {
			all = append(all, strings.Split(line, "\t"))
		}
	}
	return all
}
