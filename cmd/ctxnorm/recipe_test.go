package main

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/papers"
)

// applyRecipe returns the options of train for a section of the settings file and flags.
func applyRecipe(t *testing.T, section, args string) (ctxnorm.TrainOptions, error) {
	t.Helper()
	f := trainFlags{options: ctxnorm.DefaultTrainOptions()}
	root, cmd := &cobra.Command{Use: "ctxnorm"}, &cobra.Command{Use: "train", RunE: func(*cobra.Command, []string) error { return nil }}
	root.AddCommand(cmd)
	addFlags(cmd.Flags(), slices.Concat(f.flags()...))
	must.Succeed(t, cmd.ParseFlags(strings.Fields(args)))
	p := &program{config: filepath.Join(t.TempDir(), "c.yaml"), origins: make(map[string]string)}
	writeFile(t, p.config, "train: {"+section+"}")
	must.Succeed(t, p.applySettings(cmd))
	err := f.applyRecipe(cmd.Flags(), p.isSet(cmd))
	return f.options, err
}

// changed returns the settings in options that differ from those of their recipe, and the other options that the recipe
// sets.
func changed(o *ctxnorm.TrainOptions) string {
	var found []string
	for _, r := range papers.Recipes() {
		if r.Name == o.Recipe.Name {
			before := settingsOf(r, &r.Config)
			for i, s := range settingsOf(o.Recipe, &o.Config) {
				if value := valueOf(s.value, nil).String(); value != valueOf(before[i].value, nil).String() {
					found = append(found, s.name+"="+value)
				}
			}
		}
	}
	return fmt.Sprintf("%s %s; %d exemplars, corpus %q, vectors %q", o.Recipe.Name, strings.Join(found, ","), o.ExemplarsPerConcept, o.Corpus, o.WordVectors)
}

// TestRecipes checks that given settings override the configuration of a recipe, and that settings of other recipes are
// rejected.
func TestRecipes(t *testing.T) {
	for _, tc := range []struct{ file, args, want string }{
		{"", "", `biocom ; 25 exemplars, corpus "corpus", vectors ""`},
		{"set: {steps: 40}", "", `biocom steps=40; 25 exemplars, corpus "corpus", vectors ""`},
		{"", "--recipe sapbert", `sapbert ; 0 exemplars, corpus "", vectors ""`},
		{"", "--recipe sapbert --set steps=30 --set learning-rate=.5", `sapbert steps=30,learning-rate=0.5; 0 exemplars, corpus "", vectors ""`},
		{"set: {steps: 30}, exemplars: 3, corpus: texts", "--recipe sapbert --set epochs=4", `sapbert epochs=4; 3 exemplars, corpus "texts", vectors ""`},
		{"recipe: bne, word-vectors: words, set: {dropout: 0}", "", `bne dropout=0; 0 exemplars, corpus "", vectors "words"`},
		{"", "--recipe bert-ranking --set dense-ratio=.5", "--set dense-ratio: the recipe bert-ranking has no such setting"},
		{"recipe: biosyn, set: {dropout: 0}", "", "--set dropout: the recipe biosyn has no such setting"},
		{"recipe: sapbert, set: {concepts-per-batch: 8}", "", "--set concepts-per-batch: the recipe sapbert has no such setting"},
		{"recipe: bne, word-vectors: words, set: {pooling: cls}", "", "--set pooling: the recipe bne has no such setting"},
		{"", "--set steps=many", `--set steps is "many", want a whole number`},
		{"", "--recipe sapbert --word-vectors words", "--word-vectors has no effect with --recipe sapbert"},
		{"recipe: bne", "", "--recipe bne trains on word vectors"},
		{"recipe: bne, word-vectors: words", "--base-model folder", "--base-model has no effect with --recipe bne"},
	} {
		o, err := applyRecipe(t, tc.file, tc.args)
		got := changed(&o)
		if err != nil {
			got = err.Error()
		}
		must.Equal(t, got, tc.want, tc.file, tc.args)
	}
}

// TestEverySettingIsRead checks that each setting of a recipe changes only its own field, that configuration settings
// are named like their fields, and that an error about one names it.
func TestEverySettingIsRead(t *testing.T) {
	// Settings not only of training, and details of the losses.
	unset := []string{"precision", "seed", "context-epsilon", "context-triplet-margin", "names-alpha", "names-beta", "names-lambda",
		"names-epsilon", "names-triplet-margin"}
	fields := configFields(reflect.TypeFor[contrastive.Config](), "")
	for _, recipe := range papers.Recipes() {
		more := "recipe: " + recipe.Name
		if recipe.Needs.WordVectors {
			more += ", word-vectors: words"
		}
		if recipe.Needs.Labels == contrastive.LabelsRequired {
			more += ", gold: gold"
		}
		for _, s := range settingsOf(recipe, &recipe.Config) {
			value := map[string]string{"int": "77", "float64": "0.125", "bool": "true", "string": "changed"}[valueOf(s.value, nil).Type()]
			if value == "true" && valueOf(s.value, nil).String() == value {
				value = "false"
			}
			o, err := applyRecipe(t, fmt.Sprintf("%s, set: {%s: %s}", more, s.name, value), "")
			if got := changed(&o); err != nil || !strings.HasPrefix(got, recipe.Name+" "+s.name+"="+value+";") {
				t.Errorf("%s=%s: %v, %s", s.name, value, err, got)
			}
		}
		for i, s := range recipe.Settings {
			err := &ctxnorm.OptionError{Field: "training." + s.Field, Value: i, Want: "another"}
			must.Equal(t, wording(err), fmt.Sprintf("--set %s is %d, want another", s.Flag, i), recipe.Name)
		}
	}
	var config contrastive.Config
	named := unset
	for _, s := range configSettings(&config) {
		named = append(named, s.name)
	}
	slices.Sort(named)
	must.Equal(t, named, fields, "settings")
}

// configFields returns the sorted setting names for the fields of a configuration, including those of a loss.
func configFields(of reflect.Type, prefix string) []string {
	var fields []string
	for i := range of.NumField() {
		field := of.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		name = prefix + fieldFlag(name)
		if field.Type.Kind() == reflect.Struct {
			fields = append(fields, configFields(field.Type, name+"-")...)
		} else {
			fields = append(fields, name)
		}
	}
	slices.Sort(fields)
	return fields
}

func TestPaperRecipe(t *testing.T) {
	o := must.Get(applyRecipe(t, "", paperRecipe))
	c := contrastive.DefaultConfig()
	c.ConceptsPerBatch, c.NameBatchRatio, c.Pooling = 16, 0, contrastive.PoolEnt
	c.ContextLoss = contrastive.MultiSimilarity{Alpha: 2, Beta: 50, Lambda: 1, Epsilon: 0.1}
	c.LearningRate, c.WeightDecay, c.WarmupRatio, c.ClipNorm = 1e-5, 0, 0, 0
	c.SynonymReplaceProb, c.WeightInterpolation, c.FreezeEmbeddings = 0, 0, false
	must.Equal(t, o.Config, c, "the recipe of train --help")
}
