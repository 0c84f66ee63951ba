package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// floodSize is the size of an input that does not end, unpacked: more than the limit of memory.
const floodSize = 3 << 30 // bytes

// reading are the commands that read a model or a corpus at {to}. What those with = print is known.
var reading = map[string][]string{
	"model": {"=" + linkModel, "=" + linkModel + " --tag --method lexical", verifyModel},
	"corpus": {"=corpus show --limit 0 --json --corpus {to}", "=corpus stats --json --corpus {to}", "corpus merge --corpus {dir}/merged {to} {corpus2}",
		"train --encoder none --dict {dictionary.tsv} --corpus {to} --model {dir}/model"},
}

// runLines runs commands on what is at a path. Each has an outcome that is allowed; those with = print JSON then and, if
// original is a fixture, what they print for that.
func (l *lab) runLines(dir, at, original string, lines []string) error {
	for _, line := range lines {
		line, isKnown := strings.CutPrefix(line, "=")
		o, err := l.behaved(command{args: l.args(line, dir, at), dir: dir})
		if err == nil && o.exit == 0 && isKnown {
			_, err = harness.ParseJSON[json.RawMessage](o.stdout)
			if err == nil && original != "" {
				var want []byte
				want, err = l.prints(l.fixture(original), line)
				if err == nil && !bytes.Equal(o.stdout, want) {
					err = errors.New("exit status 0 and other answers")
				}
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
	}
	return nil
}

// prints returns what a line prints for what is at {to}, which stays as it is, undisturbed.
func (l *lab) prints(at, line string) ([]byte, error) {
	return memoized(l, at+" "+line, func() ([]byte, error) { return l.must(l.root, at, line) })
}

// cases returns all cases, in the order in which they run.
func (l *lab) cases() (all []hostileCase, err error) {
	add := func(class, name string, run func(dir string, r *rand.Rand) error) {
		all = append(all, hostileCase{class, name, run})
	}
	for _, row := range rows("files.txt") {
		add("files of the user's", row[0], func(dir string, _ *rand.Rand) error { return l.keepFiles(row, dir) })
	}
	for _, model := range []string{"strings", "graph"} {
		add("read-only folder", "link and verify of the model "+model, func(dir string, _ *rand.Rand) error { return l.readReadOnly(model, dir) })
	}
	for _, row := range rows("commands.txt") {
		add("standard output full", row[0], func(dir string, _ *rand.Rand) error { return l.fillOutput(row[0], dir) })
	}
	all = append(all, l.jobCases()...)
	n := l.settings.Mutations
	indexed := []string{strings.Replace(trainGraph, "{base}", "{to}", 1) + " --model {dir}/model"} // base models come from the internet
	for i, row := range rows("base.txt") {
		add("hostile base model", fmt.Sprintf("%d, %.60s", i+1, strings.Join(row, " ")), l.damaged("base", "", indexed,
			func(base string, _ *rand.Rand) (string, error) { return "as the row says", makeHostile(base, row) }))
	}
	for i := range n / 50 {
		file := []string{"config.json", "model.safetensors", "vocab.txt", "tokenizer_config.json"}[i%4]
		add("mutated base model", fmt.Sprintf("%s, %d", file, i/4+1), l.damaged("base", "", indexed,
			func(base string, r *rand.Rand) (string, error) { return mutateFile(r, filepath.Join(base, file)) }))
	}
	inputs, err := l.inputs()
	for i := range n * 40 / 100 * min(1, len(inputs)) { // each format as often as the others
		in := inputs[i%len(inputs)]
		add("mutated input", fmt.Sprintf("%s, %d", in.name, i/len(inputs)+1), func(dir string, r *rand.Rand) error { return l.mutateInput(in, dir, r) })
	}
	for _, kind := range []struct {
		kind, fixture string
		percent       int
	}{{"model", "strings", 20}, {"model", "graph", 15}, {"corpus", "corpus", 10}} {
		more, kindErr := l.folderCases(kind.kind, kind.fixture, n*kind.percent/100)
		all, err = append(all, more...), errors.Join(err, kindErr)
	}
	for i := range n * 5 / 100 {
		add("damaged model", fmt.Sprintf("memory, %d", i+1), l.damaged("remember", "remember", reading["model"][:1],
			func(model string, r *rand.Rand) (string, error) {
				err := l.copyFixture("remember.memory", model+".memory")
				if err != nil {
					return "", err
				}
				// A log that ends early is one that is being written, so nothing is cut.
				return changeFile(filepath.Join(model+".memory", "log.jsonl"), func(data []byte) (string, []byte) { return flipBits(r, data, 1) })
			}))
	}
	stopped := slices.DeleteFunc(slices.Clone(l.jobs), func(j *job) bool { return !j.resumes })
	for i := range n * 15 / 100 {
		j := stopped[i%len(stopped)]
		add("damaged files to resume from", fmt.Sprintf("%s, %d", j.name, i/len(stopped)+1), func(dir string, r *rand.Rand) error { return l.resumeDamaged(j, dir, r) })
	}
	for _, row := range rows("floods.txt") {
		if name, short := strings.CutPrefix(row[0], "*"); short || !l.settings.Short {
			add("flood", name, func(dir string, _ *rand.Rand) error { return l.flood(row, dir) })
		}
	}
	return all, err
}

// keepFiles puts files of the user's where a command writes. The command may refuse or work beside them, but every file
// is there afterwards as it was.
func (l *lab) keepFiles(row []string, dir string) error {
	const text = "the user's own\n"
	target, files := filepath.Join(dir, "x"), strings.Fields(row[3])
	err := l.copyFixture(row[2], target)
	for _, name := range files {
		path := filepath.Join(dir, name)
		err = errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644))
	}
	for range 2 { // the command again, too
		o, runErr := l.behaved(command{args: l.args(row[1], dir, target), dir: dir})
		err = errors.Join(err, runErr)
		for _, name := range files {
			if data, readErr := os.ReadFile(filepath.Join(dir, name)); readErr != nil || string(data) != text {
				err = errors.Join(err, fmt.Errorf("exit status %d, and the user's %s is gone or changed", o.exit, name))
			}
		}
	}
	return err
}

// fillOutput writes the standard output of a command to a disk that is full.
func (l *lab) fillOutput(line, dir string) error {
	args := l.args(line, dir, "")
	usual, err := l.run(command{args: args, dir: dir})
	if err == nil && len(usual.stdout) == 0 {
		err = fmt.Errorf("the command prints nothing: %s", usual.message())
	}
	if err != nil {
		return err
	}
	o, err := l.behaved(command{args: args, dir: dir, stdout: "/dev/full"})
	if err == nil && (o.exit == 0 || !bytes.Contains(o.stderr, []byte("no space left"))) {
		err = fmt.Errorf("exit status %d, and the lost output is not mentioned: %s", o.exit, o.message())
	}
	return err
}

// damaged runs commands that read a copy of a fixture which change has changed, and says how. original is
// the fixture whose answers alone are right, "" if others are, too.
func (l *lab) damaged(fixture, original string, lines []string, change func(at string, r *rand.Rand) (how string, err error)) func(string, *rand.Rand) error {
	return func(dir string, r *rand.Rand) error {
		at := filepath.Join(dir, fixture)
		if err := l.copyFixture(fixture, at); err != nil {
			return err
		}
		how, err := change(at, r)
		if err != nil {
			return err
		}
		if err := l.runLines(dir, at, original, lines); err != nil {
			return fmt.Errorf("%s: %w", how, err)
		}
		return nil
	}
}

// makeHostile changes a base model as a row of base.txt says.
func makeHostile(base string, row []string) error {
	path := filepath.Join(base, row[0])
	if len(row) == 3 {
		fields := map[string]json.RawMessage{}
		err := artifact.ReadJSON(path, &fields)
		fields[row[1]] = json.RawMessage(row[2])
		return errors.Join(err, artifact.WriteJSON(path, fields))
	}
	if row[0] == "pytorch_model.bin" { // is read where there is no model.safetensors
		if err := os.Remove(filepath.Join(base, "model.safetensors")); err != nil {
			return err
		}
	}
	text, err := strconv.Unquote(row[1])
	return errors.Join(err, os.WriteFile(path, []byte(text), 0o644))
}

// input is a well-formed input, and a command that reads it.
type input struct {
	name, line string
	seed       []byte
}

// inputs reads the file of inputs: "=== NAME | COMMAND" before each of them, with = before a command that prints
// JSON. One that is {NAME} is that fixture.
func (l *lab) inputs() (all []input, err error) {
	data, err := caseFiles.ReadFile("cases/inputs.txt")
	for _, section := range strings.Split(string(data), "=== ")[1:] {
		head, seed, _ := strings.Cut(section, "\n")
		name, line, _ := strings.Cut(head, " | ")
		in := input{name, line, []byte(strings.ReplaceAll(seed, "{root}", l.root))}
		if fixture := strings.TrimSuffix(seed, "\n"); placeholder.FindString(fixture) == fixture && fixture != "" {
			if in.seed, err = os.ReadFile(l.fixture(strings.Trim(fixture, "{}"))); err != nil {
				return nil, err
			}
		}
		all = append(all, in)
	}
	return all, err
}

// mutateInput gives a command a mutated input: any answer is right, as long as it is one.
func (l *lab) mutateInput(in input, dir string, r *rand.Rand) error {
	path := filepath.Join(dir, "input")
	how, data := mutate(r, in.seed, true)
	if r.IntN(5) == 0 {
		path += ".gz"
		how, data = mutateGzip(r, in.seed)
	}
	err := errors.Join(os.WriteFile(path, data, 0o644), l.copyFixture("strings", filepath.Join(dir, "model")))
	if err == nil {
		err = l.runLines(dir, path, "", []string{in.line})
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", how, err)
	}
	return err
}

// folderCases damages n files of a fixture, half of them as a disk does ("damaged"), when the answers are the same or there
// are none, and half with a manifest that is made to fit, as whoever gives away a model can ("hostile"): the manifest
// cannot be made to fit damage of its own.
func (l *lab) folderCases(kind, fixture string, n int) ([]hostileCase, error) {
	files, err := filesOf(l.fixture(fixture))
	// A program that refuses what it leaves unchanged would refuse every hostile file unread, too.
	all := []hostileCase{{"hostile " + kind, fixture + ", nothing is damaged", l.damaged(fixture, fixture, reading[kind],
		func(at string, _ *rand.Rand) (_ string, err error) {
			for _, file := range files {
				if file != manifestFile {
					err = errors.Join(err, sealFile(at, l.fixture(fixture), file))
				}
			}
			return "nothing is damaged", err
		})}}
	for i := range n {
		file, isHostile := files[i/2%len(files)], i%2 == 1
		class, original := "damaged "+kind, fixture
		if isHostile {
			class, original = "hostile "+kind, ""
		}
		if isHostile && file == manifestFile {
			continue
		}
		all = append(all, hostileCase{class, fmt.Sprintf("%s, %s, %d", fixture, file, i/2/len(files)+1), l.damaged(fixture, original, reading[kind],
			func(at string, r *rand.Rand) (string, error) {
				how, err := mutateFile(r, filepath.Join(at, file))
				if err == nil && isHostile {
					err = sealFile(at, l.fixture(fixture), file)
				}
				return how, err
			})})
	}
	return all, err
}

// filesOf returns the files below a folder, sorted.
func filesOf(folder string) ([]string, error) {
	found, err := tree(folder)
	return slices.DeleteFunc(slices.Sorted(maps.Keys(found)), func(name string) bool { return strings.HasSuffix(name, "/") }), err
}

// flood gives a command an input that does not end, or is nested a million levels deep, or expands. A program that is
// still reading at the limit of time, in bounded memory, passes.
func (l *lab) flood(row []string, dir string) error {
	path := filepath.Join(dir, "flood.gz")
	data, err := floodData(row[2:])
	if err == nil {
		err = os.WriteFile(path, data, 0o644)
	}
	if err != nil {
		return err
	}
	o, err := l.run(command{args: l.args(row[1], dir, path), dir: dir})
	if err != nil || strings.HasPrefix(o.exceeded, "not done after") {
		return err
	}
	if bytes.Contains(o.stdout, []byte("root:")) {
		return errors.New("the output has the text of another file")
	}
	return o.fault()
}

// floodData returns the input of a row of floods.txt as a gzip file of a few megabytes: a file of several gzip
// members is the file of their contents.
func floodData(fields []string) ([]byte, error) {
	var parts [3]string // head, unit, tail
	times := -1
	for i, field := range fields {
		if n, _ := fmt.Sscanf(field, "%d*%q", &times, &parts[i]); n == 2 || field == "" {
			continue
		}
		if _, err := fmt.Sscanf(field, "%q", &parts[i]); err != nil {
			return nil, fmt.Errorf("%s is no quoted text: %w", field, err)
		}
	}
	members := 1
	if times < 0 {
		times = max(1, (1<<24)/len(parts[1]))
		members = floodSize / (times * len(parts[1]))
	}
	units := bytes.Repeat(pack([]byte(strings.Repeat(parts[1], times))), members)
	return slices.Concat(pack([]byte(parts[0])), units, pack([]byte(parts[2]))), nil
}
