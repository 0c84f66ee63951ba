package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/papers"
	"github.com/ctxnorm/ctxnorm/papers/biosyn"
	"github.com/ctxnorm/ctxnorm/papers/bne"
	"github.com/ctxnorm/ctxnorm/papers/sapbert"
)

// applyMethod returns the options of train for a section of the settings file and flags.
func applyMethod(t *testing.T, section, args string) (ctxnorm.TrainOptions, error) {
	t.Helper()
	f := trainFlags{options: ctxnorm.DefaultTrainOptions()}
	root, cmd := &cobra.Command{Use: "ctxnorm"}, &cobra.Command{Use: "train", RunE: func(*cobra.Command, []string) error { return nil }}
	root.AddCommand(cmd)
	addFlags(cmd.Flags(), slices.Concat(f.flags()...))
	if err := cmd.ParseFlags(strings.Fields(args)); err != nil {
		t.Fatal(err)
	}
	p := &program{config: filepath.Join(t.TempDir(), "c.yaml"), origins: make(map[string]string), settings: make(map[string]bool)}
	if section != "" {
		section = "train:\n  " + strings.ReplaceAll(section, "\n", "\n  ")
	}
	if err := os.WriteFile(p.config, []byte(section), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := p.applySettings(cmd); err != nil {
		t.Fatal(err)
	}
	err := f.method.apply(cmd.Flags(), p.isSet(cmd), p.isChosen(cmd), &f.options)
	return f.options, err
}

// TestMethods: a method has its own configuration beneath the flags and settings that are given, and those of other
// methods are refused.
func TestMethods(t *testing.T) {
	type result struct {
		settings  any // of the recipe
		config    contrastive.Config
		exemplars int
		corpus    string
		vectors   string
	}
	sap, bio, ranking, name := sapbert.DefaultSettings(), biosyn.DefaultSettings(), biosyn.DefaultBERTRanking(), bne.DefaultSettings()
	changedBio, changedSap := bio, sap
	changedBio.Objective, changedBio.Epochs, changedBio.Candidates.DenseRatio, changedBio.InitialSparseWeight = biosyn.ObjectiveHardEM, 2, .25, 3
	ranking.Candidates.PerMention = 8
	changedSap.PairsPerBatch = 8
	name.Dropout, name.Epochs = 0, 3
	bioConfig, sapDefault := biosyn.Recipe().Config, sapbert.Recipe().Config
	biocomConfig, steps, sapConfig, nameConfig := contrastive.DefaultConfig(), sapDefault, sapDefault, bne.Recipe().Config
	biocomConfig.Steps = 40
	steps.Steps, steps.LearningRate = 30, .5
	sapConfig.Steps, sapConfig.LearningRate, sapConfig.FreezeEmbeddings, sapConfig.NameLoss.TripletMargin = 40, .25, true, .5
	nameConfig.ClipNorm = 2
	for _, tc := range []struct {
		file, args string
		want       result
		problem    string
	}{
		{"", "", result{nil, contrastive.DefaultConfig(), 25, "corpus", ""}, ""},
		{"steps: 40", "", result{nil, biocomConfig, 25, "corpus", ""}, ""},
		{"", "--recipe sapbert", result{&sap, sapDefault, 0, "", ""}, ""},
		{"", "--recipe sapbert --steps 30 --learning-rate .5", result{&sap, steps, 0, "", ""}, ""},
		{"", "--recipe sapbert --exemplars 3 --corpus texts", result{&sap, sapDefault, 3, "texts", ""}, ""},
		{"recipe: sapbert\nsteps: 30\nlearning-rate: .25\nfreeze-embeddings: true\nnames-triplet-margin: .5\npairs-per-batch: 8\nexemplars: 3\ncorpus: texts", "--steps 40", result{&changedSap, sapConfig, 3, "texts", ""}, ""},
		{"recipe: bne\nword-vectors: words\ndropout: 0\nepochs: 3\nclip-norm: 2", "", result{&name, nameConfig, 0, "", "words"}, ""},
		{"", "--recipe biosyn --objective hard-em --epochs 2 --dense-ratio .25 --initial-sparse-weight 3", result{&changedBio, bioConfig, 0, "", ""}, ""},
		{"", "--recipe bert-ranking --candidates 8", result{&ranking, bioConfig, 0, "", ""}, ""},
		{"", "--recipe bert-ranking --dense-ratio .5", result{}, "--dense-ratio has no effect with --recipe bert-ranking"},
		{"", "--recipe sapbert --candidates 8", result{}, "--candidates has no effect with --recipe sapbert"},
		{"", "--recipe biosyn --triplet-margin 1", result{}, "--triplet-margin has no effect with --recipe biosyn"},
		{"recipe: biosyn\ndropout: 0", "", result{}, "--dropout has no effect with --recipe biosyn"},
		{"pairs-per-batch: 8", "", result{}, "--pairs-per-batch has no effect with --recipe biocom"},
		{"recipe: sapbert\nconcepts-per-batch: 8", "", result{}, "--concepts-per-batch has no effect with --recipe sapbert"},
		{"recipe: bne\nword-vectors: words\npooling: cls", "", result{}, "--pooling has no effect with --recipe bne"},
		{"recipe: sapbert\nword-vectors: words", "", result{}, "--word-vectors has no effect with --recipe sapbert"},
		{"recipe: bne", "", result{}, "--recipe bne trains on word vectors"},
		{"recipe: bne\nword-vectors: words", "--base-model folder", result{}, "--base-model has no effect with --recipe bne"},
	} {
		o, err := applyMethod(t, tc.file, tc.args)
		if tc.problem != "" {
			if err == nil || err.Error() != tc.problem {
				t.Errorf("%s %s: %v, want %s", tc.file, tc.args, err, tc.problem)
			}
			continue
		} else if err != nil {
			t.Errorf("%s %s: %v", tc.file, tc.args, err)
		}
		got := result{o.Recipe.Values, o.Config, o.ExemplarsPerConcept, o.Corpus, o.WordVectors}
		if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(result{})); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", tc.file, tc.args, diff)
		}
	}
}

// TestEverySettingIsRead: every flag of training that a method has, and every setting of its recipe, changes its
// configuration or its recipe from the settings file, and an error about it names the flag.
func TestEverySettingIsRead(t *testing.T) {
	other := new(methodFlags)
	other.flags()
	for _, recipe := range papers.Recipes() {
		names := make(map[string]string) // of flags, with a value
		valueFor := func(row flag) {
			names[row.name] = map[string]string{"int": "77", "float64": "0.125", "bool": "true", "string": "changed"}[valueOf(row.value, nil).Type()]
		}
		own, unused := flagsOf(recipe)
		for _, row := range configFlags(new(contrastive.Config)) {
			has := slices.Contains(own, row.name) || !slices.Contains(other.allFlags(), row.name)
			if has && !slices.Contains(unused, row.name) {
				valueFor(row)
			}
		}
		for i, s := range recipe.Settings {
			valueFor(flag{name: s.Flag, value: s.Value})
			err := &contrastive.FieldError{Field: s.Field, Value: i, Want: "another"}
			if got, want := wording(err), fmt.Sprintf("--%s is %d, want another", s.Flag, i); got != want {
				t.Errorf("%s: error %q, want %q", recipe.Name, got, want)
			}
		}
		for name, value := range names {
			section := fmt.Sprintf("recipe: %s\n%s: %s", recipe.Name, name, value)
			if recipe.Needs.WordVectors {
				section += "\nword-vectors: words"
			}
			if recipe.Needs.Labels == contrastive.LabelsRequired {
				section += "\ngold: gold"
			}
			o, err := applyMethod(t, section, "")
			if err != nil {
				t.Errorf("%s: %s: %v", recipe.Name, name, err)
				continue
			}
			made := pflag.NewFlagSet("", pflag.ContinueOnError)
			addFlags(made, configFlags(&o.Config))
			got := ""
			if flag := made.Lookup(name); flag != nil {
				got = flag.Value.String()
			}
			for _, s := range o.Recipe.Settings {
				if s.Flag == name {
					got = fmt.Sprint(reflect.ValueOf(s.Value).Elem())
				}
			}
			if got != value {
				t.Errorf("%s: %s: %s is %q", recipe.Name, name, value, got)
			}
		}
	}
}
