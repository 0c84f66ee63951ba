package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// floodSize is the unpacked size of an endless input. It exceeds the limit of memory.
const floodSize = 3 << 30 // bytes

// reading lists commands that read a model or a corpus at {to}. The output of those with = is known.
var reading = map[string][]string{
	"model": {"=" + linkModel, "=" + linkModel + " --tag --method lexical", verifyModel},
	"corpus": {"=corpus show --limit 0 --json --corpus {to}", "=corpus stats --json --corpus {to}", "corpus merge --corpus {dir}/merged {to} {corpus2}",
		"train --encoder none --dict {dictionary.tsv} --corpus {to} --model {dir}/model"},
}

// runLines runs commands on the file or folder at a path and checks that their outcomes are allowed. Commands with =
// must print JSON, and the same as for the fixture original if there is one.
func (t *trial) runLines(at, original string, lines []string) {
	for _, line := range lines {
		line, isKnown := strings.CutPrefix(line, "=")
		harness.Explain(func() {
			o := t.behaved(t.command(line, t.dir, at))
			if o.exit != 0 || !isKnown {
				return
			}
			harness.ParseJSON[json.RawMessage](o.stdout)
			harness.Require(original == "" || bytes.Equal(o.stdout, t.prints(t.fixture(original), line)), "exit status 0 and other answers")
		}, "%s", line)
	}
}

// prints returns the undisturbed output of a line for the unchanged file or folder at {to}.
func (l *lab) prints(at, line string) []byte {
	return memoized(l, at+" "+line, func() []byte { return l.must(l.root, at, line) })
}

// cases returns all cases, in the order in which they run.
func (l *lab) cases() (all []hostileCase) {
	add := func(class, name string, run func(t *trial)) { all = append(all, hostileCase{class, name, run}) }
	for _, row := range rows("files.txt") {
		add("files of the user's", row[0], func(t *trial) { t.keepFiles(row) })
	}
	for _, model := range []string{"strings", "graph"} {
		add("read-only folder", "link and verify of the model "+model, func(t *trial) { t.readReadOnly(model) })
	}
	for _, row := range rows("commands.txt") {
		add("standard output full", row[0], func(t *trial) { t.fillOutput(row[0]) })
	}
	all = append(all, l.jobCases()...)
	n := l.settings.Mutations
	indexed := []string{strings.Replace(trainGraph, "{base}", "{to}", 1) + " --model {dir}/model"} // base models come from the internet
	for i, row := range rows("base.txt") {
		add("hostile base model", fmt.Sprintf("%d, %.60s", i+1, strings.Join(row, " ")), damaged("base", "", indexed,
			func(_ *trial, base string) string { return makeHostile(base, row) }))
	}
	for i := range n / 50 {
		file := []string{"config.json", "model.safetensors", "vocab.txt", "tokenizer_config.json"}[i%4]
		add("mutated base model", fmt.Sprintf("%s, %d", file, i/4+1), damaged("base", "", indexed,
			func(t *trial, base string) string { return mutateFile(t.r, filepath.Join(base, file)) }))
	}
	inputs := l.inputs()
	for i := range n * 40 / 100 { // the same number for each format
		in := inputs[i%len(inputs)]
		add("mutated input", fmt.Sprintf("%s, %d", in.name, i/len(inputs)+1), func(t *trial) { t.mutateInput(in) })
	}
	all = slices.Concat(all, l.folderCases("model", "strings", n*20/100), l.folderCases("model", "graph", n*15/100), l.folderCases("corpus", "corpus", n*10/100))
	for i := range n * 5 / 100 {
		add("damaged model", fmt.Sprintf("memory, %d", i+1), damaged("remember", "remember", reading["model"][:1],
			func(t *trial, model string) string {
				t.copyFixture("remember.memory", model+".memory")
				// A log that ends early is one that is being written, so nothing is cut.
				return changeFile(filepath.Join(model+".memory", "log.jsonl"), func(data []byte) (string, []byte) { return flipBits(t.r, data, 1) })
			}))
	}
	stopped := slices.DeleteFunc(slices.Clone(l.jobs), func(j *job) bool { return !j.resumes })
	for i := range n * 15 / 100 {
		j := stopped[i%len(stopped)]
		add("damaged files to resume from", fmt.Sprintf("%s, %d", j.name, i/len(stopped)+1), func(t *trial) { t.resumeDamaged(j) })
	}
	for _, row := range rows("floods.txt") {
		if name, short := strings.CutPrefix(row[0], "*"); short || !l.settings.Short {
			add("flood", name, func(t *trial) { t.flood(row) })
		}
	}
	return all
}

// keepFiles puts the user's own files where a command writes. The command may refuse to run or work beside them, but
// must leave every file unchanged.
func (t *trial) keepFiles(row []string) {
	const text = "the user's own\n"
	target, files := filepath.Join(t.dir, "x"), strings.Fields(row[3])
	t.copyFixture(row[2], target)
	for _, name := range files {
		path := filepath.Join(t.dir, name)
		harness.Check(errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)))
	}
	for range 2 { // the second time over the command's own output
		o := t.behaved(t.command(row[1], t.dir, target))
		for _, name := range files {
			data, err := os.ReadFile(filepath.Join(t.dir, name))
			harness.Require(err == nil && string(data) == text, "exit status %d, and the user's %s is gone or changed", o.exit, name)
		}
	}
}

// fillOutput writes the standard output of a command to a full disk.
func (t *trial) fillOutput(line string) {
	c := t.command(line, t.dir, "")
	usual := t.run(c)
	harness.Require(len(usual.stdout) > 0, "the command prints nothing: %s", usual.message())
	c.stdout = "/dev/full"
	o := t.behaved(c)
	harness.Require(o.exit != 0, "exit status 0, and the output is lost")
	o.mustSay("no space left")
}

// damaged runs commands on a copy of a fixture that change has damaged. change returns a description of the damage.
// Only the answers of the fixture original are right; if it is "", any answer is.
func damaged(fixture, original string, lines []string, change func(t *trial, at string) (how string)) func(t *trial) {
	return func(t *trial) {
		at := filepath.Join(t.dir, fixture)
		t.copyFixture(fixture, at)
		how := change(t, at)
		harness.Explain(func() { t.runLines(at, original, lines) }, "%s", how)
	}
}

// makeHostile changes a base model by a row of base.txt.
func makeHostile(base string, row []string) (how string) {
	path := filepath.Join(base, row[0])
	if row[0] == "pytorch_model.bin" { // is only read if there is no model.safetensors
		harness.Check(os.Remove(filepath.Join(base, "model.safetensors")))
	}
	if len(row) == 3 {
		fields := map[string]json.RawMessage{}
		harness.Check(artifact.ReadJSON(path, &fields))
		fields[row[1]] = json.RawMessage(row[2])
		harness.Check(artifact.WriteJSON(path, fields))
	} else {
		harness.Check(os.WriteFile(path, []byte(harness.Get(strconv.Unquote(row[1]))), 0o644))
	}
	return "as the row says"
}

// input is a well-formed input, and a command that reads it.
type input struct {
	name, line string
	seed       []byte
}

// inputs reads the file of inputs. The line "=== NAME | COMMAND" stands before each input, with = before a command that
// prints JSON. The input {NAME} is the fixture of that name.
func (l *lab) inputs() (all []input) {
	data := harness.Get(caseFiles.ReadFile("cases/inputs.txt"))
	for _, section := range strings.Split(string(data), "=== ")[1:] {
		head, seed, _ := strings.Cut(section, "\n")
		name, line, _ := strings.Cut(head, " | ")
		in := input{name, line, []byte(strings.ReplaceAll(seed, "{root}", l.root))}
		if fixture := strings.TrimSuffix(seed, "\n"); placeholder.FindString(fixture) == fixture && fixture != "" {
			in.seed = harness.Get(os.ReadFile(l.fixture(strings.Trim(fixture, "{}"))))
		}
		all = append(all, in)
	}
	return all
}

// mutateInput gives a command a mutated input. Any well-formed answer is right.
func (t *trial) mutateInput(in input) {
	path := filepath.Join(t.dir, "input")
	how, data := mutate(t.r, in.seed, true)
	if t.r.IntN(5) == 0 {
		path += ".gz"
		how, data = mutateGzip(t.r, in.seed)
	}
	harness.Check(os.WriteFile(path, data, 0o644))
	t.copyFixture("strings", filepath.Join(t.dir, "model"))
	harness.Explain(func() { t.runLines(path, "", []string{in.line}) }, "%s", how)
}

// folderCases damages n files of a fixture. Half of the cases ("damaged") damage files as a disk does: answers must
// stay the same or fail. The other half ("hostile") also update the manifest, as somebody who distributes a model
// could. That is impossible for damage to the manifest itself.
func (l *lab) folderCases(kind, fixture string, n int) []hostileCase {
	files := filesOf(l.fixture(fixture))
	// A program that rejects an unchanged fixture would reject every hostile file without reading it.
	all := []hostileCase{{"hostile " + kind, fixture + ", nothing is damaged", damaged(fixture, fixture, reading[kind],
		func(t *trial, at string) string {
			for _, file := range files {
				if file != manifestFile {
					sealFile(at, t.fixture(fixture), file)
				}
			}
			return "nothing is damaged"
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
		all = append(all, hostileCase{class, fmt.Sprintf("%s, %s, %d", fixture, file, i/2/len(files)+1), damaged(fixture, original, reading[kind],
			func(t *trial, at string) string {
				how := mutateFile(t.r, filepath.Join(at, file))
				if isHostile {
					sealFile(at, t.fixture(fixture), file)
				}
				return how
			})})
	}
	return all
}

// filesOf returns the files below a folder, sorted.
func filesOf(folder string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(tree(folder))), func(name string) bool { return strings.HasSuffix(name, "/") })
}

// flood gives a command an input that is endless, nested a million levels deep, or expands when unpacked. A program
// that is still reading in bounded memory when the time is up passes.
func (t *trial) flood(row []string) {
	path := filepath.Join(t.dir, "flood.gz")
	harness.Check(os.WriteFile(path, floodData(row[2:]), 0o644))
	o := t.run(t.command(row[1], t.dir, path))
	if strings.HasPrefix(o.exceeded, "not done after") {
		return
	}
	harness.Require(!bytes.Contains(o.stdout, []byte("root:")), "the output has the text of another file")
	harness.Check(o.fault())
}

// floodData returns the input of a row of floods.txt as a gzip file of a few megabytes. It uses several gzip members,
// whose contents are concatenated.
func floodData(fields []string) []byte {
	var parts [3]string // head, unit, tail
	times := -1
	for i, field := range fields {
		if n, _ := fmt.Sscanf(field, "%d*%q", &times, &parts[i]); n == 2 || field == "" {
			continue
		}
		harness.Get(fmt.Sscanf(field, "%q", &parts[i]))
	}
	members := 1
	if times < 0 {
		times = max(1, (1<<24)/len(parts[1]))
		members = floodSize / (times * len(parts[1]))
	}
	units := bytes.Repeat(pack([]byte(strings.Repeat(parts[1], times))), members)
	return slices.Concat(pack([]byte(parts[0])), units, pack([]byte(parts[2])))
}
