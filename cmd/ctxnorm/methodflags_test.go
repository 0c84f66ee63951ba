package main

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/contrastive"
)

// TestBioSynFlags: flags of biosyn and bert-ranking change the settings of their papers, those of
// other methods are refused.
func TestBioSynFlags(t *testing.T) {
	changed := contrastive.DefaultBioSyn()
	changed.Objective, changed.Epochs, changed.Candidates.DenseRatio, changed.InitialSparseWeight = contrastive.ObjectiveHardEM, 2, .25, 3
	ranking := contrastive.DefaultBERTRanking()
	ranking.Candidates.PerMention = 8
	for _, tc := range []struct {
		args    string
		want    contrastive.BioSynSettings
		problem string
	}{
		{"--method biosyn", contrastive.DefaultBioSyn(), ""},
		{"--method bert-ranking", contrastive.DefaultBERTRanking(), ""},
		{"--method biosyn --objective hard-em --epochs 2 --dense-ratio .25 --initial-sparse-weight 3", changed, ""},
		{"--method bert-ranking --candidates 8", ranking, ""},
		{"--method bert-ranking --dense-ratio .5", ranking, "--dense-ratio has no effect with --method bert-ranking"},
		{"--method bert-ranking --initial-sparse-weight 1", ranking, "--initial-sparse-weight has no effect with --method bert-ranking"},
		{"--method sapbert --candidates 8", ranking, "--candidates has no effect with --method sapbert"},
		{"--method biosyn --triplet-margin 1", ranking, "--triplet-margin has no effect with --method biosyn"},
	} {
		var f methodFlags
		o := ctxnorm.DefaultTrainOptions()
		cmd := &cobra.Command{SilenceUsage: true}
		f.register(cmd.Flags())
		registerConfig(cmd.Flags(), &o.Config)
		if err := cmd.ParseFlags(strings.Fields(tc.args)); err != nil {
			t.Fatal(err)
		}
		if err := f.apply(cmd, &o); tc.problem != "" {
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
		if diff := cmp.Diff(contrastive.BioSynConfig(), o.Config); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.args, diff)
		}
	}
}

// TestSettingFlags: every setting of every recipe has a flag that changes it, in this recipe and those
// that share it, and an error about it names the flag.
func TestSettingFlags(t *testing.T) {
	for _, recipe := range contrastive.Recipes() {
		for i, s := range recipe.Settings() {
			var f methodFlags
			flags := pflag.NewFlagSet("", pflag.ContinueOnError)
			f.register(flags)
			value := map[string]string{"int": "77", "float64": "0.125", "bool": "true", "string": "changed"}[flags.Lookup(s.Flag).Value.Type()]
			if err := flags.Set(s.Flag, value); err != nil {
				t.Errorf("%s: %v", s.Flag, err)
			}
			f.name = recipe.Name()
			changed, err := f.recipe()
			if err != nil {
				t.Fatal(err)
			}
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
	sapbert := contrastive.SapBERTConfig()
	changed := sapbert
	changed.Steps, changed.LearningRate = 30, .5
	for _, tc := range []struct {
		args      string
		want      contrastive.Config
		exemplars int
		corpus    string
	}{
		{"", contrastive.DefaultConfig(), 25, "corpus"},
		{"--method sapbert", sapbert, 0, ""},
		{"--method sapbert --steps 30 --learning-rate .5", changed, 0, ""},
		{"--method sapbert --exemplars 3 --corpus texts", sapbert, 3, "texts"},
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
		if err := f.apply(cmd, &o); err != nil {
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
