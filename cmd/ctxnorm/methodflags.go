package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/eval"
)

// methodFlags choose the method of train, its settings and its labeled mentions.
type methodFlags struct {
	name   string
	gold   []string // files
	types  []string
	epochs int
}

// methodFlagsOf lists the flags that belong to some methods only.
var methodFlagsOf = map[string][]string{
	contrastive.MethodSapBERT: {"epochs", "pairs-per-batch", "pairs-per-concept"},
	contrastive.MethodDILBERT: {
		"epochs", "gold", "gold-types", "negative-sampling", "positives", "negatives", "positive-parents", "negative-siblings",
		"triplet-distance", "triplet-margin", "triplets-per-batch",
	},
	contrastive.MethodBioSyn: {
		"epochs", "gold", "gold-types", "objective", "candidates", "dense-ratio", "fixed-candidates", "mentions-per-batch", "dense-scale",
		"initial-sparse-weight", "sparse-learning-rate",
	},
	contrastive.MethodBERTRanking: {"epochs", "gold", "gold-types", "objective", "candidates", "fixed-candidates", "mentions-per-batch", "dense-scale"},
	contrastive.MethodBioCoM:      {"gold", "gold-types", "concepts-per-batch", "synonym-replace-prob", "name-batch-ratio"},
}

func (f *methodFlags) register(flags *pflag.FlagSet, o *ctxnorm.TrainOptions) {
	flags.StringVar(&f.name, "method", contrastive.MethodBioCoM, "training method, with the settings of its paper as defaults: biocom (contexts and names), sapbert (names alone), dilbert (labeled mentions, with --gold), biosyn or bert-ranking (names ranked for labeled mentions with --gold, or else for names held out)")
	flags.StringSliceVar(&f.gold, "gold", nil, "annotated `files` to train on, joined by commas: PubTator, BioC XML or JSONL (all methods but sapbert)")
	flags.StringSliceVar(&f.types, "gold-types", nil, "entity types of the annotations to use (default: all)")
	flags.IntVar(&f.epochs, "epochs", 0, "number of passes over the data, 1 or more (methods sapbert, dilbert, biosyn and bert-ranking) (default: the method's)")
	flags.IntVar(&o.SapBERT.PairsPerBatch, "pairs-per-batch", o.SapBERT.PairsPerBatch, "number of pairs of names in a batch, at least 2 (method sapbert)")
	flags.IntVar(&o.SapBERT.PairsPerConcept, "pairs-per-concept", o.SapBERT.PairsPerConcept, "largest number of pairs of the names of a concept (method sapbert)")
	flags.StringVar((*string)(&o.DILBERT.Sampling), "negative-sampling", string(o.DILBERT.Sampling), "names of a mention's triplets: random, or resampling for the hardest by the encoder at the start of each epoch (method dilbert)")
	flags.IntVar(&o.DILBERT.Positives, "positives", o.DILBERT.Positives, "largest number of positive names of a mention (method dilbert)")
	flags.IntVar(&o.DILBERT.Negatives, "negatives", o.DILBERT.Negatives, "number of negative names of a mention (method dilbert)")
	flags.IntVar(&o.DILBERT.Parents, "positive-parents", o.DILBERT.Parents, "number of names of the concept's parents that are positive too (method dilbert)")
	flags.IntVar(&o.DILBERT.Siblings, "negative-siblings", o.DILBERT.Siblings, "number of names of the concept's siblings that are negative too (method dilbert)")
	flags.StringVar((*string)(&o.DILBERT.Distance), "triplet-distance", string(o.DILBERT.Distance), "distance of the triplet loss: euclidean or cosine (method dilbert)")
	flags.Float64Var(&o.DILBERT.Margin, "triplet-margin", o.DILBERT.Margin, "margin of the triplet loss, above 0 (method dilbert)")
	flags.IntVar(&o.DILBERT.TripletsPerBatch, "triplets-per-batch", o.DILBERT.TripletsPerBatch, "number of triplets in a batch (method dilbert)")
	registerBioSyn(flags, &o.BioSyn)
}

// apply sets the method, and its configuration beneath the flags that were given. It refuses flags
// of other methods.
func (f *methodFlags) apply(cmd *cobra.Command, o *ctxnorm.TrainOptions) error {
	if !slices.Contains(contrastive.Methods(), f.name) {
		return fmt.Errorf("--method is %q, want %s", f.name, strings.Join(contrastive.Methods(), ", "))
	}
	own := methodFlagsOf[f.name]
	for _, flags := range methodFlagsOf {
		for _, name := range flags {
			if cmd.Flags().Changed(name) && !slices.Contains(own, name) {
				return fmt.Errorf("--%s has no effect with --method %s", name, f.name)
			}
		}
	}
	if f.name == contrastive.MethodDILBERT && len(f.gold) == 0 {
		return withHint(errors.New("--method dilbert trains on labeled mentions"), "name annotated files with --gold FILE,…")
	}
	if f.name == contrastive.MethodBioCoM {
		return nil
	}
	// The flags point into o: their values are taken before the method's replace them.
	given := make(map[string]string)
	cmd.Flags().Visit(func(flag *pflag.Flag) { given[flag.Name] = flag.Value.String() })
	exemplars := o.ExemplarsPerConcept
	if err := o.UseMethod(f.name); err != nil {
		return err
	}
	if _, ok := given["exemplars"]; ok {
		o.ExemplarsPerConcept = exemplars
	}
	if _, ok := given["corpus"]; !ok {
		o.Corpus = ""
	}
	config := pflag.NewFlagSet("", pflag.ContinueOnError)
	registerConfig(config, &o.Config)
	registerBioSyn(config, &o.BioSyn)
	if _, ok := given["epochs"]; ok {
		o.SapBERT.Epochs, o.DILBERT.Epochs, o.BioSyn.Epochs = f.epochs, f.epochs, f.epochs
	}
	var err error
	config.VisitAll(func(flag *pflag.Flag) {
		if value, ok := given[flag.Name]; ok && err == nil {
			err = config.Set(flag.Name, value)
		}
	})
	return err
}

// readGold reads the labeled mentions, with the concepts of the dictionary.
func (f *methodFlags) readGold(p *program, o *ctxnorm.TrainOptions) error {
	if len(f.gold) == 0 {
		return nil
	}
	gold, err := eval.ReadGold(f.gold, f.types, eval.DictionaryConceptSet(o.Dictionary), ctxnorm.Limits{})
	if err != nil {
		return err
	}
	for _, malformed := range gold.Malformed {
		p.logf("%v; skipped", malformed)
	}
	o.Labeled = gold.Exemplars()
	p.logf("%d of %d annotated mentions name concepts of the dictionary", len(o.Labeled), len(gold.Mentions))
	if len(o.Labeled) == 0 {
		return fmt.Errorf("--gold: none of %d annotated mentions names a concept of the dictionary", len(gold.Mentions))
	}
	return nil
}
