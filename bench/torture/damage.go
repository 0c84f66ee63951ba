package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// damageCases mutate inputs, and the files of models, corpora, memories and runs that were stopped.
func (l *lab) damageCases() ([]hostileCase, error) {
	n := l.settings.Mutations
	all, err := l.inputCases(n * 40 / 100)
	for _, kind := range []struct {
		kind, fixture string
		n             int
		check         func(dir, at string, fits bool) error
	}{
		{"model", "strings", n * 20 / 100, func(dir, at string, fits bool) error { return l.checkModel("strings", dir, at, fits) }},
		{"model", "graph", n * 15 / 100, func(dir, at string, fits bool) error { return l.checkModel("graph", dir, at, fits) }},
		{"corpus", "corpus", n * 10 / 100, l.checkCorpus},
	} {
		more, kindErr := l.folderCases(kind.kind, kind.fixture, kind.n, kind.check)
		all, err = append(all, more...), errors.Join(err, kindErr)
	}
	for i := range n * 5 / 100 {
		all = append(all, hostileCase{"damaged model", fmt.Sprintf("memory, %d", i+1), l.damageMemory})
	}
	stopped := slices.DeleteFunc(slices.Clone(jobs), func(j *job) bool { return !j.resumes || j.torch && !l.torch })
	for i := range n * 15 / 100 {
		j := stopped[i%len(stopped)]
		all = append(all, hostileCase{"damaged files to resume from", fmt.Sprintf("%s, %d", j.name, i/len(stopped)+1),
			func(dir string, r *rand.Rand) error { return l.resumeDamaged(j, dir, r) }})
	}
	return all, err
}

// inputCases mutates n inputs, each format as often as the others. Any answer to a
// mutated input is right, as long as it is one.
func (l *lab) inputCases(n int) ([]hostileCase, error) {
	inputs, err := l.inputs()
	if err != nil {
		return nil, err
	}
	var all []hostileCase
	for i := range n {
		in := inputs[i%len(inputs)]
		all = append(all, hostileCase{"mutated input", fmt.Sprintf("%s, %d", in.name, i/len(inputs)+1), func(dir string, r *rand.Rand) error {
			path := filepath.Join(dir, "input")
			how, data := mutate(r, in.seed, true)
			if r.IntN(5) == 0 {
				path += ".gz"
				how, data = mutateGzip(r, in.seed)
			}
			if err := errors.Join(os.WriteFile(path, data, 0o644), l.copyFixture("strings", filepath.Join(dir, "model"))); err != nil {
				return err
			}
			o, err := l.behaved(command{args: l.args(in.line, dir, path), dir: dir})
			if err == nil && o.exit == 0 && strings.HasPrefix(in.name, "texts") && !strings.HasSuffix(in.name, "HTML") {
				err = checkJSON(o.stdout)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", how, err)
			}
			return nil
		}})
	}
	return all, nil
}

// input is a well-formed input, and a command that reads it.
type input struct {
	name, line string
	seed       []byte
}

// inputs reads the file of inputs: "=== NAME | COMMAND" before each of them. One that is {NAME} is that fixture.
func (l *lab) inputs() ([]input, error) {
	data, err := caseFiles.ReadFile("cases/inputs.txt")
	var all []input
	for _, section := range strings.Split(string(data), "=== ")[1:] {
		head, seed, _ := strings.Cut(section, "\n")
		name, line, _ := strings.Cut(head, " | ")
		in := input{name, line, []byte(strings.ReplaceAll(seed, "{root}", l.root))}
		if fixture := strings.TrimSuffix(seed, "\n"); placeholder.FindString(fixture) == fixture && fixture != "" {
			var readErr error
			in.seed, readErr = os.ReadFile(l.fixture(strings.Trim(fixture, "{}")))
			err = errors.Join(err, readErr)
		}
		all = append(all, in)
	}
	return all, err
}

// checkJSON checks that each line is JSON.
func checkJSON(out []byte) error {
	for line := range bytes.Lines(out) {
		if !json.Valid(line) {
			return fmt.Errorf("the output is not JSON: %.100q", line)
		}
	}
	return nil
}

// folderCases damages n files of a fixture, half of them as a disk does ("damaged"), and half with a manifest that is made
// to fit, as whoever gives away a model can ("hostile"): the manifest cannot be made to fit damage of its own.
func (l *lab) folderCases(kind, fixture string, n int, check func(dir, at string, fits bool) error) ([]hostileCase, error) {
	files, err := filesOf(l.fixture(fixture))
	all := []hostileCase{{"hostile " + kind, fixture + ", nothing is damaged", func(dir string, _ *rand.Rand) error {
		// A program that refuses what it leaves unchanged would refuse every hostile file unread, too.
		at := filepath.Join(dir, fixture)
		err := l.copyFixture(fixture, at)
		for _, file := range files {
			if file != manifestFile {
				err = errors.Join(err, sealFile(at, file))
			}
		}
		return errors.Join(err, check(dir, at, false))
	}}}
	for i := range n {
		file, fits, class := files[i/2%len(files)], i%2 == 1, "damaged "+kind
		if fits {
			class = "hostile " + kind
		}
		if fits && file == manifestFile {
			continue
		}
		all = append(all, hostileCase{class, fmt.Sprintf("%s, %s, %d", fixture, file, i/2/len(files)+1), func(dir string, r *rand.Rand) error {
			at := filepath.Join(dir, fixture)
			if err := l.copyFixture(fixture, at); err != nil {
				return err
			}
			how, err := mutateFile(r, filepath.Join(at, file))
			if err == nil && fits {
				err = sealFile(at, file)
			}
			if err != nil {
				return err
			}
			if err := check(dir, at, fits); err != nil {
				return fmt.Errorf("%s: %w", how, err)
			}
			return nil
		}})
	}
	return all, err
}

// filesOf returns the files below a folder, sorted.
func filesOf(folder string) ([]string, error) {
	found, err := tree(folder)
	return slices.DeleteFunc(slices.Sorted(maps.Keys(found)), func(name string) bool { return strings.HasSuffix(name, "/") }), err
}

// checkModel links by a damaged copy of a model, and verifies it. If its manifest does not fit, the
// answers are the same or there are none.
func (l *lab) checkModel(model, dir, at string, fits bool) error {
	for _, more := range []string{"", "--tag --method lexical"} {
		o, err := l.behaved(command{args: l.args(linkLine+" --model {to} "+more, dir, at), dir: dir})
		if err == nil && o.exit == 0 {
			err = checkJSON(o.stdout)
		}
		if err == nil && o.exit == 0 && !fits {
			var want []byte
			if want, err = l.links(l.fixture(model), more); err == nil && !bytes.Equal(o.stdout, want) {
				err = errors.New("exit status 0 and other answers")
			}
		}
		if err != nil {
			return fmt.Errorf("link %s: %w", more, err)
		}
	}
	_, err := l.behaved(command{args: l.args(verifyModel, dir, at), dir: dir})
	return err
}

// checkCorpus runs what reads a damaged copy of a corpus. If its manifest does not fit, what is printed is the same.
func (l *lab) checkCorpus(dir, at string, fits bool) error {
	for _, line := range []string{
		"corpus show --limit 0 --json --corpus {to}", "corpus stats --json --corpus {to}",
		"corpus merge --corpus {dir}/merged {to} {corpus2}", "train --encoder none --dict {dictionary.tsv} --corpus {to} --model {dir}/model",
	} {
		o, err := l.behaved(command{args: l.args(line, dir, at), dir: dir})
		if err == nil && !fits && o.exit == 0 && !strings.Contains(line, "{dir}") {
			var want []byte
			want, err = memoized(l, line, func() ([]byte, error) { return l.must(l.root, l.fixture("corpus"), line) })
			if err == nil && !bytes.Equal(o.stdout, want) {
				err = errors.New("exit status 0 and another output than of the undamaged corpus")
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
	}
	return nil
}

// sealFile makes the manifest in a folder fit a file that it lists: the manifest of a model
// has an object of digests by name, that of a corpus a list. Its own checksum is made to fit, too.
func sealFile(folder, file string) error {
	manifest, name := filepath.Join(folder, manifestFile), filepath.ToSlash(file)
	data, err := os.ReadFile(manifest)
	if err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var fields map[string]any
	if err := decoder.Decode(&fields); err != nil {
		return err
	}
	digest, err := artifact.DigestFile(filepath.Join(folder, file))
	if err != nil {
		return err
	}
	entry := listedFile(fields["files"], name)
	if entry == nil {
		return skipf("the manifest does not list %s", name)
	}
	for field := range entry {
		switch field {
		case "size", "bytes":
			entry[field] = digest.Size
		case "sha256":
			entry[field] = digest.SHA256
		case "crc32c": // of blocks, which need not be there
			delete(entry, field)
		case "name":
		default:
			return skipf("the manifest of %s has the field %s, which cannot be made to fit", name, field)
		}
	}
	delete(fields, "crc32c")
	return artifact.WriteCheckedJSON(manifest, fields)
}

// listedFile returns what a manifest's files say of the one called name, or nil.
func listedFile(files any, name string) map[string]any {
	switch files := files.(type) {
	case map[string]any:
		entry, _ := files[name].(map[string]any)
		return entry
	case []any:
		for _, f := range files {
			if f, ok := f.(map[string]any); ok && f["name"] == name {
				return f
			}
		}
	}
	return nil
}

// damageMemory flips a bit in the log of a memory. A log that ends early is one that is being written, so nothing is cut.
func (l *lab) damageMemory(dir string, r *rand.Rand) error {
	model, log := filepath.Join(dir, "remember"), filepath.Join(dir, "remember.memory", "log.jsonl")
	err := errors.Join(l.copyFixture("remember", model), l.copyFixture("remember.memory", filepath.Dir(log)))
	data, readErr := os.ReadFile(log)
	if err = errors.Join(err, readErr); err != nil {
		return err
	}
	at := r.IntN(len(data))
	data[at] ^= 1 << r.IntN(8)
	if err := os.WriteFile(log, data, 0o644); err != nil {
		return err
	}
	want, err := l.links(l.fixture("remember"))
	if err != nil {
		return err
	}
	got, err := l.behaved(command{args: l.args(linkLine+" --model {to}", dir, model), dir: dir})
	if err == nil && got.exit == 0 && !bytes.Equal(got.stdout, want) {
		err = errors.New("exit status 0 and other answers")
	}
	if err != nil {
		return fmt.Errorf("a bit of byte %d: %w", at, err)
	}
	return nil
}

// resumeDamaged damages what a job resumes from. The same command makes the same bytes then, or says what is damaged.
func (l *lab) resumeDamaged(j *job, dir string, r *rand.Rand) error {
	state, err := l.stoppedState(j)
	if err != nil {
		return err
	}
	if err := os.CopyFS(dir, os.DirFS(state)); err != nil {
		return err
	}
	files, err := filesOf(dir)
	if err != nil || len(files) == 0 {
		return errors.Join(err, skipf("the run that was killed left no file"))
	}
	file := files[r.IntN(len(files))]
	how, err := mutateFile(r, filepath.Join(dir, file))
	if err != nil {
		return err
	}
	o, err := l.behaved(l.command(j, dir))
	if err == nil && o.exit == 0 {
		err = l.checkSame(j, dir)
	}
	if err != nil {
		return fmt.Errorf("%s: %s: %w", file, how, err)
	}
	return nil
}

// stoppedState returns the folder that holds what was left of a run that was killed when
// it had written more files than at any other call that was tried.
func (l *lab) stoppedState(j *job) (string, error) {
	return memoized(l, "stopped "+j.name, func() (string, error) {
		counts, err := l.countCalls(j)
		most, mostDir := 0, ""
		for _, call := range []string{"unlinkat", "renameat"} {
			for n := 1; err == nil && n <= counts[call]; n += max(1, counts[call]/8) {
				dir := filepath.Join(l.settings.Work, "stopped", fmt.Sprintf("%s-%s-%d", j.name, call, n))
				if err := errors.Join(os.MkdirAll(dir, 0o755), l.prepare(j, dir)); err != nil {
					return "", err
				}
				o, _, err := l.inject(j, dir, disturbance{"", call, "signal=KILL"}, n)
				if err != nil {
					return "", err
				}
				files, err := filesOf(dir)
				if err != nil {
					return "", err
				}
				if o.signal == syscall.SIGKILL && len(files) > most {
					most, mostDir = len(files), dir
				}
			}
		}
		if err == nil && most == 0 {
			err = skipf("no run could be killed while it had intermediate files")
		}
		return mostDir, err
	})
}

// mutateFile changes a file: every second time it keeps the size.
func mutateFile(r *rand.Rand, path string) (how string, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	for range 10 { // until the bytes are others
		mutated := []byte{}
		switch {
		case r.IntN(2) == 0 && len(data) > 0:
			mutated, how = slices.Clone(data), "flipped bits"
			for range []int{1, 1, 4, 100}[r.IntN(4)] {
				mutated[r.IntN(len(data))] ^= 1 << r.IntN(8)
			}
		case r.IntN(10) == 0:
			how = "empty"
		default:
			how, mutated = mutate(r, data, slices.Contains([]string{".json", ".jsonl", ".txt"}, filepath.Ext(path)))
		}
		if !bytes.Equal(mutated, data) {
			return how, errors.Join(os.Remove(path), os.WriteFile(path, mutated, fs.FileMode(0o644)))
		}
	}
	return "", skipf("the mutations change nothing")
}
