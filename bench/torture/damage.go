package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// damageCases mutate inputs, and the files of models, corpora and runs that were stopped.
func damageCases(l *lab) []hostileCase {
	// Shares of the mutations, in percent.
	return slices.Concat(
		inputCases(l, l.settings.Mutations*40/100),
		modelCases(l, stringModel, l.settings.Mutations*20/100),
		modelCases(l, graphModel, l.settings.Mutations*15/100),
		corpusCases(l, l.settings.Mutations*10/100),
		stoppedCases(l, l.settings.Mutations*15/100),
		besideCases(l, l.settings.Mutations*5/100),
	)
}

// inputCases mutates n inputs, each format as often as the others. Any answer to a
// mutated input is right, as long as it is one.
func inputCases(l *lab, n int) []hostileCase {
	all, err := readers(l)
	if err != nil {
		return []hostileCase{{class: "mutated input", name: "all", run: func(*lab, string) error { return err }}}
	}
	var cases []hostileCase
	for i := range n {
		reader := all[i%len(all)]
		name := fmt.Sprintf("%s, %d", reader.name, i/len(all)+1)
		cases = append(cases, hostileCase{class: "mutated input", name: name, run: func(l *lab, dir string) error {
			r := l.settings.random("input" + name)
			path := filepath.Join(dir, "input")
			var how string
			var data []byte
			if r.IntN(5) == 0 {
				path += ".gz"
				how, data = mutateGzip(r, []byte(reader.seed))
			} else {
				how, data = mutate(r, []byte(reader.seed), true)
			}
			if err := os.WriteFile(path, data, 0o644); err != nil {
				return err
			}
			if strings.HasPrefix(reader.name, "calibrate") || strings.HasPrefix(reader.name, "entries") {
				if err := l.copyFixture(stringModel, filepath.Join(dir, "model")); err != nil {
					return err
				}
			}
			o, err := l.run(command{args: reader.args(l, path), dir: dir})
			if err == nil {
				err = o.fault()
			}
			if err == nil && o.exit == 0 && strings.HasPrefix(reader.name, "texts") && !strings.HasSuffix(reader.name, "HTML") {
				err = checkJSON(o.stdout)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", how, err)
			}
			return nil
		}})
	}
	return cases
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

// filesOf returns the files of a fixture, sorted.
func (l *lab) filesOf(name string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(l.fixture(name), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		file, err := filepath.Rel(l.fixture(name), path)
		files = append(files, file)
		return err
	})
	return files, err
}

// mutateFile changes a file: every second time it keeps the size.
func mutateFile(r *rand.Rand, path string) (how string, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	for range 10 { // until the bytes are others
		var mutated []byte
		if r.IntN(2) == 0 && len(data) > 0 {
			mutated = slices.Clone(data)
			for range []int{1, 1, 4, 100}[r.IntN(4)] {
				mutated[r.IntN(len(data))] ^= 1 << r.IntN(8)
			}
			how = "flipped bits"
		} else if r.IntN(10) == 0 {
			how = "empty"
		} else {
			extension := filepath.Ext(path)
			how, mutated = mutate(r, data, extension == ".json" || extension == ".jsonl" || extension == ".txt")
		}
		if !bytes.Equal(mutated, data) {
			return how, errors.Join(os.Remove(path), os.WriteFile(path, mutated, 0o644))
		}
	}
	return "", skipf("the mutations change nothing")
}

// modelCases damages n files of a model: half of them as a disk does, and half with a
// manifest that fits, as whoever gives away a model can.
func modelCases(l *lab, model string, n int) []hostileCase {
	if model != stringModel && !l.encoder {
		return nil
	}
	files, err := l.filesOf(model)
	if err != nil {
		return []hostileCase{{class: "damaged model", name: model, run: func(*lab, string) error { return err }}}
	}
	sealed := hostileCase{class: "hostile model", name: model + ", nothing is damaged", run: func(l *lab, dir string) error {
		at := filepath.Join(dir, "model")
		if err := errors.Join(l.copyFixture(model, at), sealAll(at, files)); err != nil {
			return err
		}
		return l.must(l.verify(at))
	}}
	return append([]hostileCase{sealed}, damagedFileCases("model", model+", ", files, n, func(l *lab, dir string, d damagedFile) error {
		r := l.settings.random(d.id)
		at := filepath.Join(dir, "model")
		if err := l.copyFixture(model, at); err != nil {
			return err
		}
		var how string
		var err error
		if d.fits && d.file == filepath.Join("dictionary", "tagger.fst") && r.IntN(2) == 0 {
			how, err = mutateTagger(r, filepath.Join(at, d.file))
		} else {
			how, err = mutateFile(r, filepath.Join(at, d.file))
		}
		if err == nil && d.fits {
			err = sealFile(at, d.file)
		}
		if err == nil {
			err = l.checkDamagedModel(model, at, d.fits)
		}
		if err != nil && !errors.As(err, new(skipError)) {
			return fmt.Errorf("%s: %w", how, err)
		}
		return err
	})...)
}

// damagedFile is a file that a case damages.
type damagedFile struct {
	id   string // of the case, for its random choices
	file string
	fits bool // the manifest is made to fit the damage
}

// damagedFileCases returns up to n cases, in turn of the classes "damaged KIND" and "hostile KIND", that
// damage files one after another. The manifest cannot be made to fit damage of its own.
func damagedFileCases(kind, prefix string, files []string, n int, run func(l *lab, dir string, d damagedFile) error) []hostileCase {
	var all []hostileCase
	for i := range n {
		d := damagedFile{file: files[i/2%len(files)], fits: i%2 == 1}
		class := "damaged " + kind
		if d.fits {
			class = "hostile " + kind
			if d.file == manifestFile {
				continue
			}
		}
		name := fmt.Sprintf("%s%s, %d", prefix, d.file, i/2/len(files)+1)
		d.id = class + name
		all = append(all, hostileCase{class: class, name: name, run: func(l *lab, dir string) error { return run(l, dir, d) }})
	}
	return all
}

// checkDamagedModel links by a damaged copy of a model. If its manifest does not fit, the
// answers are the same or there are none, and verify refuses the model.
func (l *lab) checkDamagedModel(model, at string, fits bool) error {
	for _, more := range [][]string{nil, {"--tag", "--method", "lexical"}} {
		o, err := l.run(command{args: l.link(at, more...)})
		if err == nil {
			err = o.fault()
		}
		if err != nil {
			return fmt.Errorf("link %s: %w", strings.Join(more, " "), err)
		}
		if o.exit != 0 {
			continue
		}
		if err := checkJSON(o.stdout); err != nil {
			return err
		}
		if fits {
			continue
		}
		want, err := l.linksBy(l.fixture(model), more...)
		if err != nil {
			return err
		}
		if !bytes.Equal(o.stdout, want) {
			return fmt.Errorf("link %s: exit status 0 and other answers", strings.Join(more, " "))
		}
	}
	o, err := l.run(command{args: l.verify(at)})
	if err == nil {
		err = o.fault()
	}
	if err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	return nil
}

// sealAll makes the manifest in a folder fit all of its files, as if somebody had made them
// so. A program that refuses what it leaves unchanged would refuse every hostile file
// unread, too.
func sealAll(folder string, files []string) error {
	for _, file := range files {
		if file == manifestFile {
			continue
		}
		if err := sealFile(folder, file); err != nil {
			return err
		}
	}
	return nil
}

// sealFile makes the manifest in a folder fit a file that it lists: the manifest of a model
// has an object of digests by name, that of a corpus a list. A manifest that ends with a
// checksum of its own gets the one that fits.
func sealFile(folder, file string) error {
	manifest, name := filepath.Join(folder, manifestFile), filepath.ToSlash(file)
	data, err := os.ReadFile(manifest)
	if err != nil {
		return err
	}
	checked, err := artifact.CheckJSON(data)
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
		case "name", "crc32c":
		default:
			return skipf("the manifest of %s has the field %s, which cannot be made to fit", name, field)
		}
	}
	if !checked {
		return artifact.WriteJSON(manifest, fields)
	}
	if _, isModel := fields["files"].(map[string]any); isModel {
		if entry["crc32c"] = digest.Blocks; digest.Blocks == "" { // an empty file has none
			delete(entry, "crc32c")
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

// mutateTagger changes a section of a tagger file and makes the checksums in its header
// fit. matcher/file.go describes the file: four sections, each with length and CRC-32C in
// a header of 88 bytes.
func mutateTagger(r *rand.Rand, path string) (how string, err error) {
	const header, table, sections = 88, 16, 4
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if len(data) < header {
		return "", skipf("the tagger file is not of the known format")
	}
	head, rest := slices.Clone(data[:header]), data[header:]
	chosen := []int{0, 1, 2, 2, 3, 3, 3}[r.IntN(7)]
	var body []byte
	castagnoli := crc32.MakeTable(crc32.Castagnoli)
	for i := range sections {
		at := table + 16*i
		length := binary.LittleEndian.Uint64(head[at:])
		if length > uint64(len(rest)) {
			return "", skipf("the tagger file is not of the known format")
		}
		section := rest[:length]
		rest = rest[length:]
		if i == chosen {
			how, section = mutate(r, section, i == 0)
			how = fmt.Sprintf("section %d: %s, checksums fit", i, how)
		}
		binary.LittleEndian.PutUint64(head[at:], uint64(len(section)))
		binary.LittleEndian.PutUint64(head[at+8:], uint64(crc32.Checksum(section, castagnoli)))
		body = append(body, section...)
	}
	binary.LittleEndian.PutUint64(head[80:], uint64(crc32.Checksum(head[:80], castagnoli)))
	return how, os.WriteFile(path, append(head, body...), 0o644)
}

// corpusCases damages n files of a corpus, with manifests that do not fit and that fit.
func corpusCases(l *lab, n int) []hostileCase {
	files, err := l.filesOf(corpusFolder)
	if err != nil {
		return []hostileCase{{class: "damaged corpus", name: "all", run: func(*lab, string) error { return err }}}
	}
	sealed := hostileCase{class: "hostile corpus", name: "nothing is damaged", run: func(l *lab, dir string) error {
		at := filepath.Join(dir, "corpus")
		if err := errors.Join(l.copyFixture(corpusFolder, at), sealAll(at, files)); err != nil {
			return err
		}
		return l.must(l.ctxnorm("corpus", "stats", "--corpus", at))
	}}
	return append([]hostileCase{sealed}, damagedFileCases("corpus", "", files, n, func(l *lab, dir string, d damagedFile) error {
		at := filepath.Join(dir, "corpus")
		if err := l.copyFixture(corpusFolder, at); err != nil {
			return err
		}
		how, err := mutateFile(l.settings.random(d.id), filepath.Join(at, d.file))
		if err == nil && d.fits {
			err = sealFile(at, d.file)
		}
		if err != nil {
			return err
		}
		for what, args := range map[string][]string{
			"corpus show":  l.ctxnorm("corpus", "show", "--limit", "0", "--json", "--corpus", at),
			"corpus stats": l.ctxnorm("corpus", "stats", "--json", "--corpus", at),
			"corpus merge": l.ctxnorm("corpus", "merge", "--corpus", filepath.Join(dir, "merged"), at, l.fixture(secondCorpus)),
			"train": l.ctxnorm("train", "--encoder", "none", "--dict", l.fixture(dictionaryFile),
				"--corpus", at, "--model", filepath.Join(dir, "model")),
		} {
			o, err := l.run(command{args: args})
			if err == nil {
				err = o.fault()
			}
			if err == nil && !d.fits && o.exit == 0 && strings.HasPrefix(what, "corpus s") {
				err = l.sameOutput(args, at, o.stdout)
			}
			if err != nil {
				return fmt.Errorf("%s: %s: %w", how, what, err)
			}
		}
		return nil
	})...)
}

// sameOutput checks the output of a command on a damaged corpus against that on the
// undamaged one.
func (l *lab) sameOutput(args []string, at string, got []byte) error {
	args = slices.Clone(args)
	args[slices.Index(args, at)] = l.fixture(corpusFolder)
	want, err := l.run(command{args: args})
	if err == nil {
		err = want.allow(0)
	}
	if err == nil && !bytes.Equal(want.stdout, got) {
		err = errors.New("exit status 0 and another output than of the undamaged corpus")
	}
	return err
}

// stoppedStates memoizes for each job a folder that a killed run left with most of its
// intermediate files.
var stoppedStates sync.Map // of func() (string, error) by job

// stoppedCases damages what commands resume from: a build, a training, a link and a link to a
// folder. The same command makes the same bytes then, or says what is damaged.
func stoppedCases(l *lab, n int) []hostileCase {
	var stopped []*job
	for _, j := range jobsOf(l) {
		if j.resumes {
			stopped = append(stopped, j)
		}
	}
	var all []hostileCase
	for i := range n {
		j := stopped[i%len(stopped)]
		name := fmt.Sprintf("%s, %d", j.name, i/len(stopped)+1)
		all = append(all, hostileCase{class: "damaged files to resume from", name: name, run: func(l *lab, dir string) error {
			r := l.settings.random("stopped" + name)
			state, err := l.stoppedState(j)
			if err != nil {
				return err
			}
			if err := os.CopyFS(dir, os.DirFS(state)); err != nil {
				return err
			}
			file, how, err := mutateOne(r, dir)
			if err != nil {
				return err
			}
			o, err := l.run(command{args: j.args(l, filepath.Join(dir, j.writes)), dir: dir})
			if err == nil {
				err = o.fault()
			}
			if err == nil && o.exit == 0 {
				var ref reference
				if ref, err = l.reference(j); err == nil {
					if err = sameTree(filepath.Join(dir, j.writes), ref.path); err != nil {
						err = fmt.Errorf("exit status 0 and other bytes than of an undisturbed run: %w", err)
					}
				}
			}
			if err != nil {
				return fmt.Errorf("%s: %s: %w", file, how, err)
			}
			return nil
		}})
	}
	return all
}

// stoppedState returns the folder that holds what was left of a run that was killed when
// it had written more files than at any other call that was tried.
func (l *lab) stoppedState(j *job) (string, error) {
	if l.strace == "" {
		return "", skipf("strace is not installed")
	}
	made, _ := stoppedStates.LoadOrStore(j, sync.OnceValues(func() (string, error) {
		counts, err := l.countCalls(j)
		if err != nil {
			return "", err
		}
		most, mostDir := 0, ""
		for _, call := range []string{"unlinkat", "renameat"} {
			for n := 1; n <= counts[call]; n += max(1, counts[call]/8) {
				dir := filepath.Join(l.settings.Work, "stopped", fmt.Sprintf("%s-%s-%d", j.name, call, n))
				if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755), l.prepare(j, dir)); err != nil {
					return "", err
				}
				o, _, err := l.inject(j, dir, call, "signal=KILL", n)
				if err != nil {
					return "", err
				}
				found, err := tree(dir)
				if err != nil {
					return "", err
				}
				if o.signal == syscall.SIGKILL && len(found) > most {
					most, mostDir = len(found), dir
				}
			}
		}
		if most == 0 {
			return "", skipf("no run could be killed while it had intermediate files")
		}
		return mostDir, nil
	}))
	return made.(func() (string, error))()
}

// mutateOne changes one of the files below dir.
func mutateOne(r *rand.Rand, dir string) (file, how string, err error) {
	found, err := tree(dir)
	if err != nil {
		return "", "", err
	}
	var files []string
	for name := range found {
		if !strings.HasSuffix(name, "/") {
			files = append(files, name)
		}
	}
	if len(files) == 0 {
		return "", "", skipf("the run that was killed left no file")
	}
	slices.Sort(files)
	file = files[r.IntN(len(files))]
	how, err = mutateFile(r, filepath.Join(dir, file))
	return file, how, err
}

// besideCases flip bits in n files of the kinds beside models: the log of a memory, and word
// vectors. A log that ends early is one that is being written, so nothing is cut.
func besideCases(l *lab, n int) []hostileCase {
	kinds := []struct {
		name, folder string // of a fixture
		args         func(l *lab, dir string) []string
	}{
		{"memory", memoryFolder, func(l *lab, dir string) []string { return l.link(filepath.Join(dir, rememberingModel)) }},
	}
	if l.lacking != nil {
		return nil
	}
	var all []hostileCase
	for _, kind := range kinds {
		files, err := l.filesOf(kind.folder)
		if err != nil {
			return []hostileCase{{class: "damaged model", name: kind.name, run: func(*lab, string) error { return err }}}
		}
		for i := range n / len(kinds) {
			file := files[i%len(files)]
			name := fmt.Sprintf("%s, %s, %d", kind.name, file, i/len(files)+1)
			all = append(all, hostileCase{class: "damaged model", name: name, run: func(l *lab, dir string) error {
				for _, fixture := range []string{kind.folder, rememberingModel} {
					if err := l.copyFixture(fixture, filepath.Join(dir, fixture)); err != nil {
						return err
					}
				}
				want, err := l.run(command{args: kind.args(l, dir)})
				if err == nil {
					err = want.allow(0)
				}
				if err != nil {
					return fmt.Errorf("undamaged: %w", err)
				}
				path := filepath.Join(dir, kind.folder, file)
				data, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				r := l.settings.random(name)
				at, bit := r.IntN(len(data)), r.IntN(8)
				data[at] ^= 1 << bit
				if err := os.WriteFile(path, data, 0o644); err != nil {
					return err
				}
				got, err := l.run(command{args: kind.args(l, dir)})
				if err == nil {
					err = got.fault()
				}
				if err == nil && got.exit == 0 && !bytes.Equal(got.stdout, want.stdout) {
					err = errors.New("exit status 0 and other answers")
				}
				if err != nil {
					return fmt.Errorf("bit %d of byte %d: %w", bit, at, err)
				}
				return nil
			}})
		}
	}
	return all
}
