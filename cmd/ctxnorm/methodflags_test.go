package main

import (
	"fmt"
	"io"
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

// TestBioSynFlags: flags of biosyn and bert-ranking change the settings of their papers, those of
// other methods are refused.
func TestBioSynFlags(t *testing.T) {
	changed := biosyn.DefaultSettings()
	changed.Objective, changed.Epochs, changed.Candidates.DenseRatio, changed.InitialSparseWeight = biosyn.ObjectiveHardEM, 2, .25, 3
	ranking := biosyn.DefaultBERTRanking()
	ranking.Candidates.PerMention = 8
	for _, tc := range []struct {
		args    string
		want    biosyn.Settings
		problem string
	}{
		{"--recipe biosyn", biosyn.DefaultSettings(), ""},
		{"--recipe bert-ranking", biosyn.DefaultBERTRanking(), ""},
		{"--recipe biosyn --objective hard-em --epochs 2 --dense-ratio .25 --initial-sparse-weight 3", changed, ""},
		{"--recipe bert-ranking --candidates 8", ranking, ""},
		{"--recipe bert-ranking --dense-ratio .5", ranking, "--dense-ratio has no effect with --recipe bert-ranking"},
		{"--recipe bert-ranking --initial-sparse-weight 1", ranking, "--initial-sparse-weight has no effect with --recipe bert-ranking"},
		{"--recipe sapbert --candidates 8", ranking, "--candidates has no effect with --recipe sapbert"},
		{"--recipe biosyn --triplet-margin 1", ranking, "--triplet-margin has no effect with --recipe biosyn"},
	} {
		var f methodFlags
		o := ctxnorm.DefaultTrainOptions()
		cmd := &cobra.Command{SilenceUsage: true}
		f.register(cmd.Flags())
		registerConfig(cmd.Flags(), &o.Config)
		if err := cmd.ParseFlags(strings.Fields(tc.args)); err != nil {
			t.Fatal(err)
		}
		if err := f.apply(cmd.Flags(), cmd.Flags().Changed, cmd.Flags().Changed, &o); tc.problem != "" {
			if err == nil || err.Error() != tc.problem {
				t.Errorf("%s: %v, want %s", tc.args, err, tc.problem)
			}
			continue
		} else if err != nil {
			t.Errorf("%s: %v", tc.args, err)
		}
		if diff := cmp.Diff(&tc.want, o.Recipe); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.args, diff)
		}
		if diff := cmp.Diff(new(biosyn.Settings).Config(), o.Config); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.args, diff)
		}
	}
}

// TestSettingFlags: every setting of every recipe has a flag that changes it, in this recipe and those
// that share it, and an error about it names the flag.
func TestSettingFlags(t *testing.T) {
	for _, recipe := range papers.Recipes() {
		for i, s := range recipe.Settings() {
			var f methodFlags
			flags := pflag.NewFlagSet("", pflag.ContinueOnError)
			f.register(flags)
			value := map[string]string{"int": "77", "float64": "0.125", "bool": "true", "string": "changed"}[flags.Lookup(s.Flag).Value.Type()]
			if err := flags.Set(s.Flag, value); err != nil {
				t.Errorf("%s: %v", s.Flag, err)
			}
			f.name = recipe.Name()
			changed := f.recipe()
			if got := fmt.Sprint(reflect.ValueOf(changed.Settings()[i].Value).Elem()); got != value {
				t.Errorf("%s: --%s %s sets %s", recipe.Name(), s.Flag, value, got)
			}
			named := validationHint(&contrastive.FieldError{Field: s.Field, Value: i, Want: "another"}, changed)
			if want := fmt.Sprintf("--%s is %d, want another", s.Flag, i); named.Error() != want {
				t.Errorf("%s: error %q, want %q", recipe.Name(), named, want)
			}
		}
	}
}

// TestMethodConfig: a method has its own configuration beneath the flags that are given.
func TestMethodConfig(t *testing.T) {
	sapbert := new(sapbert.Settings).Config()
	changed := sapbert
	changed.Steps, changed.LearningRate = 30, .5
	for _, tc := range []struct {
		args      string
		want      contrastive.Config
		exemplars int
		corpus    string
	}{
		{"", contrastive.DefaultConfig(), 25, "corpus"},
		{"--recipe sapbert", sapbert, 0, ""},
		{"--recipe sapbert --steps 30 --learning-rate .5", changed, 0, ""},
		{"--recipe sapbert --exemplars 3 --corpus texts", sapbert, 3, "texts"},
	} {
		var f methodFlags
		o := ctxnorm.DefaultTrainOptions()
		cmd := &cobra.Command{SilenceUsage: true}
		cmd.SetOut(io.Discard)
		f.register(cmd.Flags())
		registerConfig(cmd.Flags(), &o.Config)
		cmd.Flags().IntVar(&o.ExemplarsPerConcept, "exemplars", o.ExemplarsPerConcept, "")
		cmd.Flags().StringVar(&o.Corpus, "corpus", "corpus", "")
		if err := cmd.ParseFlags(strings.Fields(tc.args)); err != nil {
			t.Fatal(err)
		}
		if err := f.apply(cmd.Flags(), cmd.Flags().Changed, cmd.Flags().Changed, &o); err != nil {
			t.Errorf("%s: %v", tc.args, err)
		}
		if diff := cmp.Diff(tc.want, o.Config); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.args, diff)
		}
		if o.ExemplarsPerConcept != tc.exemplars || o.Corpus != tc.corpus {
			t.Errorf("%s: %d exemplars and corpus %q, want %d and %q", tc.args, o.ExemplarsPerConcept, o.Corpus, tc.exemplars, tc.corpus)
		}
	}
}

// TestMethodSettings: every flag of training in the file of settings changes the method, flags that are
// given are stronger, and settings of other methods are refused.
func TestMethodSettings(t *testing.T) {
	type result struct {
		config    contrastive.Config
		recipe    contrastive.Recipe
		exemplars int
		corpus    string
		vectors   string
	}
	sapbert, bne := sapbert.DefaultSettings(), bne.DefaultSettings()
	sapbert.PairsPerBatch = 8
	bne.Dropout, bne.Epochs = 0, 3
	sapbertConfig, bneConfig, biocomConfig := sapbert.Config(), bne.Config(), contrastive.DefaultConfig()
	sapbertConfig.Steps, sapbertConfig.LearningRate, sapbertConfig.FreezeEmbeddings = 40, .25, true
	sapbertConfig.NameLoss.TripletMargin = .5
	bneConfig.ClipNorm = 2
	biocomConfig.Steps = 40
	for _, tc := range []struct {
		file, args string
		want       result
		problem    string
	}{
		{"steps: 40", "", result{biocomConfig, &contrastive.BioCoMSettings{}, 25, "corpus", ""}, ""},
		{
			"recipe: sapbert\nsteps: 30\nlearning-rate: .25\nfreeze-embeddings: true\nnames-triplet-margin: .5\npairs-per-batch: 8\nexemplars: 3\ncorpus: texts", "--steps 40",
			result{sapbertConfig, &sapbert, 3, "texts", ""}, "",
		},
		{"recipe: bne\nword-vectors: words\ndropout: 0\nepochs: 3\nclip-norm: 2", "", result{bneConfig, &bne, 0, "", "words"}, ""},
		{"recipe: biosyn\ndropout: 0", "", result{}, "--dropout has no effect with --recipe biosyn"},
		{"pairs-per-batch: 8", "", result{}, "--pairs-per-batch has no effect with --recipe biocom"},
		{"recipe: sapbert\nconcepts-per-batch: 8", "", result{}, "--concepts-per-batch has no effect with --recipe sapbert"},
		{"recipe: bne\nword-vectors: words\npooling: cls", "", result{}, "--pooling has no effect with --recipe bne"},
		{"recipe: sapbert\nword-vectors: words", "", result{}, "--word-vectors has no effect with --recipe sapbert"},
		{"recipe: bne", "", result{}, "--recipe bne trains on word vectors"},
		{"recipe: bne\nword-vectors: words", "--base-model folder", result{}, "--base-model has no effect with --recipe bne"},
	} {
		var f methodFlags
		o := ctxnorm.DefaultTrainOptions()
		root, cmd := &cobra.Command{Use: "ctxnorm"}, &cobra.Command{Use: "train", RunE: func(*cobra.Command, []string) error { return nil }}
		root.AddCommand(cmd)
		f.register(cmd.Flags())
		registerConfig(cmd.Flags(), &o.Config)
		cmd.Flags().IntVar(&o.ExemplarsPerConcept, "exemplars", o.ExemplarsPerConcept, "")
		cmd.Flags().StringVar(&o.Corpus, "corpus", "corpus", "")
		cmd.Flags().StringVar(&o.BaseModel, "base-model", "", "")
		if err := cmd.ParseFlags(strings.Fields(tc.args)); err != nil {
			t.Fatal(err)
		}
		p := &program{config: filepath.Join(t.TempDir(), "c.yaml"), origins: make(map[string]string), settings: make(map[string]bool)}
		if err := os.WriteFile(p.config, []byte("train:\n  "+strings.ReplaceAll(tc.file, "\n", "\n  ")), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := p.applyConfig(cmd); err != nil {
			t.Fatal(err)
		}
		err := f.apply(cmd.Flags(), p.isSet(cmd), p.isChosen(cmd), &o)
		if tc.problem != "" {
			if err == nil || err.Error() != tc.problem {
				t.Errorf("%s: %v, want %s", tc.file, err, tc.problem)
			}
			continue
		} else if err != nil {
			t.Errorf("%s: %v", tc.file, err)
		}
		got := result{o.Config, o.Recipe, o.ExemplarsPerConcept, o.Corpus, o.WordVectors}
		if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(result{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.file, diff)
		}
	}
}

// TestEverySettingIsRead: a file of settings with every flag of training that a method has changes its
// configuration or its recipe.
func TestEverySettingIsRead(t *testing.T) {
	for _, recipe := range papers.Recipes() {
		var names []string
		var config contrastive.Config
		all := pflag.NewFlagSet("", pflag.ContinueOnError)
		registerConfig(all, &config)
		other := new(methodFlags)
		other.register(pflag.NewFlagSet("", pflag.ContinueOnError))
		all.VisitAll(func(flag *pflag.Flag) {
			own := slices.Contains(flagsOf(recipe), flag.Name) || !slices.Contains(other.allFlags(), flag.Name)
			if own && !slices.Contains(unusedFlags(recipe), flag.Name) {
				names = append(names, flag.Name)
			}
		})
		for _, s := range recipe.Settings() {
			names = append(names, s.Flag)
		}
		for _, name := range names {
			var f methodFlags
			o := ctxnorm.DefaultTrainOptions()
			flags := pflag.NewFlagSet("", pflag.ContinueOnError)
			f.register(flags)
			registerConfig(flags, &o.Config)
			f.name, f.gold, f.vectors = recipe.Name(), []string{"gold"}, "words"
			if recipe.Needs().Labels == contrastive.LabelsRefused {
				f.gold = nil
			}
			o.Config = contrastive.Config{} // no flag has the value of a method by chance
			value := map[string]string{"int": "77", "float64": "0.125", "bool": "true", "string": "changed"}[flags.Lookup(name).Value.Type()]
			if err := flags.Lookup(name).Value.Set(value); err != nil { // as the file of settings does
				t.Fatal(err)
			}
			isSet := func(flag string) bool { return flag == name }
			if err := f.apply(flags, isSet, isSet, &o); err != nil {
				t.Errorf("%s: %s: %v", recipe.Name(), name, err)
				continue
			}
			made := pflag.NewFlagSet("", pflag.ContinueOnError)
			registerConfig(made, &o.Config)
			got := ""
			if flag := made.Lookup(name); flag != nil {
				got = flag.Value.String()
			}
			for _, s := range o.Recipe.Settings() {
				if s.Flag == name {
					got = fmt.Sprint(reflect.ValueOf(s.Value).Elem())
				}
			}
			if got != value {
				t.Errorf("%s: %s: %s is %q", recipe.Name(), name, value, got)
			}
		}
	}
}
