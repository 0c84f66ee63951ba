// Command systems trains and measures the systems of the papers beside ctxnorm, and writes a table
// of them in Markdown. For basic usage run make results.
//
// systems.json lists the measurements. OUT/EXPERIMENT/SYSTEM has the model of each row and row.json, with the commands
// and their costs, and OUT/EXPERIMENT the answers on the gold. A finished row with the same commands is not run again,
// and a stopped training continues from its checkpoint.
package main

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/bench/harness"
)

func main() {
	var s settings
	harness.Main("systems", &s, s.run)
}

// settings are the command-line flags.
type settings struct {
	Data    string         `flag:"data" env:"CTXNORM_DATA" required:"systems" usage:"folder with dict/ and gold/ (default: $CTXNORM_DATA)"`
	Corpus  string         `flag:"corpus" usage:"corpus folder of the half dictionary, for the rows that learn from text"`
	Vectors string         `flag:"word-vectors" usage:"folder of word vectors, for the rows that train on them"`
	Model   string         `flag:"model" usage:"folder of a model of the half dictionary with an encoder, for the analyses of BioCoM's vote"`
	Base    string         `flag:"base-model" usage:"base model of all encoders"`
	Program string         `flag:"program" default:"bin/ctxnorm" usage:"the ctxnorm to run"`
	Out     string         `flag:"out" default:"build/results" usage:"folder of everything that is made"`
	Only    *regexp.Regexp `flag:"only" usage:"run the rows whose EXPERIMENT/SYSTEM matches this regular expression"`
	Quick   bool           `flag:"quick" usage:"run the quick experiment alone"`
	Seed    int            `flag:"seed" default:"1" usage:"seed of everything"`
	Train   string         `flag:"train" usage:"flags of all training of encoders, in place of each system's number of steps"`
	Both    string         `flag:"flags" usage:"further flags of every train and eval"`

	all []*experiment
}

// experiment is a dictionary with the gold that systems are measured on, and labeled mentions that they may train on.
type experiment struct {
	Name, Title, Note string
	Group             string // of its systems
	Column            string // with the figures of the papers
	Dict              string // flags of train
	Train, Dev        string // gold, below gold/ of the data; Train is empty without labels
	Types             string // entity types of the gold; empty for all
	IDs               bool   // the concepts are those of the BioCoM paper
	Policy            string
	PaperPolicy       string // the policy of the papers, if it is not Policy
	Models            string // an experiment with the same dictionary; its models are used for systems without labels; empty to train their own
	Quick             bool
	Budget            string // flags for training encoders, instead of the budget of each system

	systems []*system
}

// system is a row: how to train a model, and how it links.
type system struct {
	Name, Title    string
	Model          string            // the system that provides the model, or {model} for -model; empty to train its own
	Train          string            // flags of train, if it has its own model
	Budget         string            // flags of train that end the training of its encoder early: two cores take minutes where the papers take hours
	Eval           string            // further flags of eval
	Link           string            // eval --method
	Own            bool              // it is ctxnorm; the others are compared with the last such system that ran
	Paper, Refined map[string]string // the figures of its paper on the test set, and on the refined one, by the column of the experiment
	Differs        string            // differences from the paper
}

//go:embed systems.json
var systemsFile []byte

func readExperiments(data []byte) []*experiment {
	var file struct {
		Groups      map[string][]*system
		Experiments []*experiment
	}
	harness.Check(json.Unmarshal(data, &file))
	for _, e := range file.Experiments {
		e.systems = file.Groups[e.Group]
	}
	return file.Experiments
}

// biocom are the settings of the BioCoM paper (section 4.2, appendix A.2). Its authors' program has a lambda of .5, the
// default of their library.
const biocom = "--set concepts-per-batch=16,context-alpha=2,context-beta=50,context-lambda=1,name-batch-ratio=0,pooling=ent " +
	"--set weight-decay=0,warmup-ratio=0,clip-norm=0,freeze-embeddings=false,synonym-replace-prob=0,weight-interpolation=0"

// expand returns the words of flags, with the values of their placeholders.
func (s *settings) expand(e *experiment, flags string) []string {
	known := map[string][]string{
		"data": {s.Data}, "tree": {filepath.Join(s.Data, "dict", "mesh_descriptors_c_f_tree.tsv.gz")}, "ids": {filepath.Join(s.Data, "dict", "biocom_concept_map.json.gz")}, "biocom": strings.Fields(biocom),
		"base": {"--base-model", s.Base}, "corpus": {"--corpus", s.Corpus}, "word-vectors": {"--word-vectors", s.Vectors}, "model": {s.Model}, "types": nil,
	}
	if e.Types != "" {
		known["types"] = []string{"--gold-types", e.Types}
	}
	return harness.Expand(flags, func(name string) []string {
		name, number, _ := strings.Cut(name, "@")
		words, ok := known[name]
		switch {
		case name == "gold":
			documents, _ := strconv.Atoi(number) // none for all
			return append([]string{"--gold", s.labels(e, documents)}, known["types"]...)
		case name == "base" && s.Base == "":
			return nil
		}
		harness.Require(ok, "%s has {%s}, which is unknown", flags, name)
		harness.Require(!slices.Contains(words, ""), "-%s is empty", name)
		return words
	})
}

// owner returns the system, and its experiment, that provides the model of a system. It may be the system itself.
func (s *settings) owner(e *experiment, y *system) (*experiment, *system) {
	name := cmp.Or(y.Model, y.Name)
	trained := e.system(name)
	if e.Models != "" && trained.Model == "" && !strings.Contains(trained.Train, "{gold") {
		e = s.all[slices.IndexFunc(s.all, func(other *experiment) bool { return other.Name == e.Models })]
		trained = e.system(name)
	}
	return e, trained
}

// given is the model of a system that uses the one of -model.
const given = "{model}"

// system returns the system of that name, which must be there, or one that stands for the given model.
func (e *experiment) system(name string) *system {
	if name == given {
		return &system{Name: given, Model: given}
	}
	return e.systems[slices.IndexFunc(e.systems, func(y *system) bool { return y.Name == name })]
}

// trainArgs returns the arguments of ctxnorm train.
func (s *settings) trainArgs(e *experiment, y *system) []string {
	budget := ""
	if y.Budget != "" {
		budget = cmp.Or(s.Train, e.Budget, y.Budget)
	}
	args := s.expand(e, strings.Join([]string{"train --dict", e.Dict, y.Train, budget, "--seed", strconv.Itoa(s.Seed), s.Both, "--model"}, " "))
	return append(args, filepath.Join(s.folder(e, y), "model"))
}

// evalArgs returns the arguments of ctxnorm eval.
func (s *settings) evalArgs(e *experiment, y *system, more ...string) []string {
	of, trained := s.owner(e, y)
	folder := []string{filepath.Join(s.folder(of, trained), "model")}
	if trained.Model == given {
		folder = s.expand(e, given)
	}
	flags := []string{"--gold {data}/gold/" + e.Dev + ".pubtator.gz --method", y.Link, y.Eval, s.Both, "{types}"}
	if e.IDs {
		flags = append(flags, "--ids {ids}")
	}
	return slices.Concat([]string{"eval", "--model"}, folder, s.expand(e, strings.Join(flags, " ")), more)
}

// folder returns the folder of a row.
func (s *settings) folder(e *experiment, y *system) string {
	return filepath.Join(s.Out, e.Name, y.Name)
}

func (s *settings) run(ctx context.Context) {
	s.all = readExperiments(systemsFile)
	harness.Check(os.MkdirAll(s.Out, 0o777))
	failed := s.runAll(ctx)
	if ctx.Err() == nil {
		s.writeTable(ctx) // of the rows that ran
	}
	harness.Check(failed)
}

// runAll runs the rows that were chosen and are not there, and returns the errors of those that failed.
func (s *settings) runAll(ctx context.Context) error {
	var failed []error
	for _, e := range s.all {
		for _, y := range e.systems {
			name := e.Name + "/" + y.Name
			if e.Quick != s.Quick || !s.Only.MatchString(name) {
				continue
			}
			lacks := harness.Try(func() { s.expand(e, y.Train+" "+y.Model) })
			if lacks != nil && strings.Contains(lacks.Error(), " is empty") {
				harness.Log("%s: not run, as %v", name, lacks)
				continue
			}
			var ran bool
			err := harness.Try(func() { ran = s.runRow(ctx, e, y) })
			if ctx.Err() != nil {
				return err
			}
			if err != nil { // the other rows are run all the same
				failed = append(failed, fmt.Errorf("%s: %w", name, err))
				harness.Log("%v", failed[len(failed)-1])
			} else if !ran {
				harness.Log("%s: done before", name)
			}
		}
	}
	return errors.Join(failed...)
}
