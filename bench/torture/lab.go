package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// lab is what all cases share: the program, its limits, and folders that an undisturbed
// program wrote.
type lab struct {
	ctx      context.Context
	settings *settings
	program  string // start of the SHA-256 of the executable
	encoder  bool   // the program was built with the encoder
	strace   string // path of the program strace, "" if there is none
	lacking  error  // why the program, an earlier one, cannot make fixtures of newer commands; or nil
	root     string // folder of the fixtures, to be copied and never written
}

// Fixtures, paths below lab.root.
const (
	dictionaryFile = "dictionary.tsv"
	sentencesFile  = "sentences.jsonl"
	goldFile       = "gold.jsonl"
	corpusFolder   = "corpus"  // of all example records
	firstCorpus    = "corpus1" // of the first file
	secondCorpus   = "corpus2" // of the second file
	stringModel    = "strings" // a model without an encoder
	trainedModel   = "trained" // a model with an encoder that was trained
	graphModel     = "graph"   // a model with an encoder and HNSW graphs

	vectorsFolder    = "vectors"         // word vectors
	rememberingModel = "remember"        // a copy of stringModel with a memory
	memoryFolder     = "remember.memory" // that memory
	entriesFile      = "entries.jsonl"   // entries for a memory
	answersFile      = "answers.jsonl"   // predictions of stringModel
	workbookFile     = "dictionary.xlsx" // a workbook with a dictionary
)

// markerFile says that a work folder is ctxnorm's.
const markerFile = "ctxnorm-work-folder.txt"

// manifestFile lists the files of a corpus or model, in its folder.
const manifestFile = "manifest.json"

// workbookColumns are the flags that say what the columns of workbookFile have. Link wrote it.
var workbookColumns = []string{"--dict-columns", "id=id,name=preferred_name,synonyms=text"}

// newLab makes the fixtures with the program that is tried.
func newLab(ctx context.Context, s *settings) (*lab, error) {
	executable, err := os.ReadFile(s.Ctxnorm)
	if err != nil {
		return nil, fmt.Errorf("-ctxnorm: %w", err)
	}
	sum := sha256.Sum256(executable)
	l := &lab{ctx: ctx, settings: s, program: hex.EncodeToString(sum[:6])}
	l.strace, _ = exec.LookPath("strace")
	l.root = filepath.Join(s.Work, "fixtures")
	if err := errors.Join(os.RemoveAll(l.root), os.MkdirAll(l.root, 0o755)); err != nil {
		return nil, err
	}
	for _, name := range []string{dictionaryFile, sentencesFile, goldFile} {
		data, err := os.ReadFile(filepath.Join(s.Examples, name))
		if err != nil {
			return nil, fmt.Errorf("-examples: %w", err)
		}
		if err := os.WriteFile(l.fixture(name), data, 0o644); err != nil {
			return nil, err
		}
	}
	if err := os.CopyFS(l.fixture("pubmed"), os.DirFS(filepath.Join(s.Examples, "pubmed"))); err != nil {
		return nil, err
	}
	made := [][]string{
		l.buildCorpus(l.fixture(corpusFolder), 1, 2, 3),
		l.buildCorpus(l.fixture(firstCorpus), 1),
		l.buildCorpus(l.fixture(secondCorpus), 2),
		l.trainStrings(l.fixture(stringModel)),
	}
	if err := os.WriteFile(l.fixture(entriesFile), []byte(memorySeed), 0o644); err != nil {
		return nil, err
	}
	for _, args := range made {
		if err := l.must(args); err != nil {
			return nil, err
		}
	}
	// Earlier programs, to compare with, lack some commands.
	for _, args := range [][]string{
		l.wordVectors(l.fixture(vectorsFolder), "--corpus", l.fixture(corpusFolder)),
		l.trainStrings(l.fixture(rememberingModel)),
		l.ctxnorm("memory", "import", "--model", l.fixture(rememberingModel), l.fixture(entriesFile)),
		append(evalOf(l, l.fixture(goldFile)), "--answers", l.fixture(answersFile)),
		append(l.link(l.fixture(stringModel)), "--output", l.fixture(workbookFile)),
	} {
		if err := l.must(args); err != nil {
			if !strings.Contains(err.Error(), "unknown command") {
				return nil, err
			}
			l.lacking = err
			fmt.Fprintf(os.Stderr, "torture: no case with word vectors, a memory and a folder of links: %v\n", err)
			break
		}
	}
	o, err := l.run(command{args: l.trainEncoder(l.fixture(trainedModel)), dir: l.root})
	if err != nil {
		return nil, err
	}
	if l.encoder = o.exit == 0; !l.encoder {
		fmt.Fprintf(os.Stderr, "torture: no case with an encoder: %s\n", o.message())
		return l, nil
	}
	return l, l.must(l.indexGraph(l.fixture(graphModel)))
}

// must runs a command that nothing disturbs.
func (l *lab) must(args []string) error {
	o, err := l.run(command{args: args, dir: l.root})
	if err == nil {
		err = o.allow(0)
	}
	if err != nil {
		return fmt.Errorf("undisturbed: %s: %w", strings.Join(args[1:], " "), err)
	}
	return nil
}

func (l *lab) fixture(name string) string { return filepath.Join(l.root, name) }

// needEncoder skips a case if the program has no encoder.
func (l *lab) needEncoder() error {
	if !l.encoder {
		return skipf("the program has no encoder")
	}
	return nil
}

// caseFolder makes the folder of a case.
func (l *lab) caseFolder(c hostileCase) (string, error) {
	h := fnv.New64a()
	h.Write([]byte(c.class + "/" + c.name))
	dir := filepath.Join(l.settings.Work, "cases", fmt.Sprintf("%s-%x", strings.NewReplacer(" ", "-", "'", "").Replace(c.class), h.Sum64()))
	return dir, errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755))
}

// random returns a source for the case of a name.
func (s *settings) random(name string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(name))
	return rand.New(rand.NewPCG(uint64(s.Seed), h.Sum64()))
}

// ctxnorm returns the arguments of a run of the program.
func (l *lab) ctxnorm(args ...string) []string { return append([]string{l.settings.Ctxnorm}, args...) }

// buildCorpus returns a build-corpus of example files, by number.
func (l *lab) buildCorpus(to string, files ...int) []string {
	args := l.ctxnorm("build-corpus", "--dict", l.fixture(dictionaryFile), "--corpus", to)
	for _, n := range files {
		args = append(args, l.fixture(fmt.Sprintf("pubmed/example%02d.xml", n)))
	}
	return args
}

// train returns a train on the fixture corpus, with one core, so that its bytes are the
// same each time.
func (l *lab) train(to string, more ...string) []string {
	return append(l.ctxnorm("train", "--dict", l.fixture(dictionaryFile), "--corpus", l.fixture(corpusFolder), "--model", to, "--workers", "1"), more...)
}

func (l *lab) trainStrings(to string) []string { return l.train(to, "--encoder", "none") }

func (l *lab) trainEncoder(to string) []string {
	return l.train(to, "--base-model", l.settings.BaseModel, "--precision", "float32", "--max-tokens", "32",
		"--steps", "6", "--checkpoint-every", "2", "--validate-every", "3", "--concepts-per-batch", "8")
}

func (l *lab) indexGraph(to string) []string {
	return l.train(to, "--untrained", "--base-model", l.settings.BaseModel, "--precision", "float32", "--max-tokens", "32", "--index", "hnsw")
}

// wordVectors returns a training of small word vectors.
func (l *lab) wordVectors(to string, more ...string) []string {
	return append(l.ctxnorm("word-vectors", "train", "--word-vectors", to, "--dim", "8", "--min-count", "1", "--workers", "1"), more...)
}

// link returns a link of the example sentences with the evidence.
func (l *lab) link(model string, more ...string) []string {
	return append(l.ctxnorm("link", "--model", model, "--input", l.fixture(sentencesFile), "--explain", "--workers", "1"), more...)
}

func (l *lab) calibrate(model string) []string {
	return l.ctxnorm("calibrate", "--model", model, "--gold", l.fixture(goldFile), "--workers", "1")
}

func (l *lab) verify(model string) []string { return l.ctxnorm("verify", "--model", model) }

// links returns what link prints for a model.
func (l *lab) links(model string) ([]byte, error) { return l.linksBy(model) }

// linksBy returns what link prints for a model with more flags. What it prints for a
// fixture is memoized.
func (l *lab) linksBy(model string, more ...string) ([]byte, error) {
	link := func() ([]byte, error) {
		o, err := l.run(command{args: l.link(model, more...)})
		if err == nil {
			err = o.allow(0)
		}
		return o.stdout, err
	}
	if filepath.Dir(model) != l.root {
		return link()
	}
	made, _ := fixtureLinks.LoadOrStore(model+" "+strings.Join(more, " "), sync.OnceValues(link))
	return made.(func() ([]byte, error))()
}

// fixtureLinks memoizes what link prints for the models of the fixtures.
var fixtureLinks sync.Map // of func() ([]byte, error) by model and flags

// copyFixture copies a fixture to a path.
func (l *lab) copyFixture(name, to string) error { return os.CopyFS(to, os.DirFS(l.fixture(name))) }

// volatile are the files and fields of a model that hold times, and those that depend on
// how often a training was stopped.
var (
	volatileFiles  = []string{"training/curve.jsonl", "training/curve.png", "training/curve.svg"}
	volatileFields = []string{"seconds", "resumed", "resumed_at", "created", "sentences_per_s"}
)

// tree returns the digest of every file below a folder, and of each empty folder. From
// the manifest of a model it leaves out what is volatile.
func tree(dir string) (map[string]string, error) {
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			inside, err := os.ReadDir(path)
			if len(inside) == 0 {
				found[name+"/"] = "an empty folder"
			}
			return err
		}
		if slices.Contains(volatileFiles, filepath.ToSlash(name)) {
			return nil
		}
		if entry.Name() == markerFile { // which is there or not
			found[name] = ""
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if entry.Name() == manifestFile {
			if data, err = withoutVolatile(data); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
		}
		sum := sha256.Sum256(data)
		found[name] = hex.EncodeToString(sum[:])
		return nil
	})
	return found, err
}

// withoutVolatile removes volatile fields and files from JSON.
func withoutVolatile(data []byte) ([]byte, error) {
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return nil, err
	}
	var clean func(any)
	clean = func(value any) {
		switch value := value.(type) {
		case map[string]any:
			for _, name := range slices.Concat(volatileFields, volatileFiles) {
				delete(value, name)
			}
			for _, v := range value {
				clean(v)
			}
		case []any:
			for _, v := range value {
				clean(v)
			}
		}
	}
	clean(value)
	if manifest, ok := value.(map[string]any); ok {
		delete(manifest, "crc32c") // the digest of the manifest with what was volatile in it
	}
	return json.Marshal(value)
}

// sameTree returns an error that names how a folder differs from another.
func sameTree(got, want string) error {
	g, err := tree(got)
	if err != nil {
		return err
	}
	w, err := tree(want)
	if err != nil {
		return err
	}
	return differences(g, w)
}

func differences(got, want map[string]string) error {
	var all []string
	for name := range maps.Keys(want) {
		if _, ok := got[name]; !ok {
			all = append(all, name+" is missing")
		} else if got[name] != want[name] {
			all = append(all, name+" differs")
		}
	}
	for name := range maps.Keys(got) {
		if _, ok := want[name]; !ok {
			all = append(all, name+" is left over")
		}
	}
	if len(all) == 0 {
		return nil
	}
	slices.Sort(all)
	return errors.New(strings.Join(all[:min(5, len(all))], ", "))
}
