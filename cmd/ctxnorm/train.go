package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/internal/model"
)

// paperRecipe holds the flags for the recipe of the BioCoM paper: contexts only, the vector at [ENT], all weights
// trained (sections 3 and A.2). Details that the paper leaves open follow its authors' program: Adam at 1e-5 without
// decay, warm-up and clipping, and epsilon.
const paperRecipe = "--set concepts-per-batch=16,context-alpha=2,context-beta=50,context-lambda=1,name-batch-ratio=0," +
	"pooling=ent,learning-rate=1e-5,weight-decay=0,warmup-ratio=0,clip-norm=0,freeze-embeddings=false," +
	"synonym-replace-prob=0,weight-interpolation=0"

// noCorpus is the value of --corpus for a model without texts.
const noCorpus = "none"

// trainFlags are the flags of train.
type trainFlags struct {
	options    ctxnorm.TrainOptions
	dict       dictionaryFlags
	recipeName string
	recipes    []*contrastive.Recipe // modified by --set
	set        map[string]string     // settings of the recipe, by name
	gold       []string              // files
	goldTypes  []string
	untrained  bool
	from       string
	recognizer string
	wait       bool
}

func (p *program) trainCommand() *cobra.Command {
	f := trainFlags{options: ctxnorm.DefaultTrainOptions()}
	return p.command(command{
		use:   "train",
		short: "Train an encoder on the corpus, and index its exemplars",
		long: `Trains the base model so that contexts of one concept, and names of one concept,
lie near each other (Multi-Similarity loss on concept-balanced batches). Then it
encodes the dictionary's names and up to --exemplars contexts of each concept into
an index, and learns the weights of the ranking from names held out of the
dictionary. A run that was stopped resumes from its last checkpoint.

With --gold the mentions of annotated documents become names and contexts of the
model, the encoder trains on them too, and the weights of the ranking are learned from
them. If they mark all mentions, what is found in texts is learned from them as well.
A few documents already help; --untrained and --encoder none take them as well.

The recipes but biocom encode the mention alone, so a corpus is optional and contexts are
not indexed; link and eval with --method nearest, after biosyn with --method biosyn.

With --from the encoder of an earlier model is used as it is, and only what that model
has not is encoded: for a dictionary or a corpus that changed. --dict-fraction, --seed
and --exemplars are those of that model unless they are given. It may be the model that
is replaced.

The paper's recipe, for a base model of the size of BERT-base, is
  ` + paperRecipe + `

The settings of --set are
` + describeSettings(),
		resumes: true,
		usual:   "dict corpus model base-model from encoder dict-fraction untrained recipe gold workers seed",
		examples: `ctxnorm train --base-model minilm                # a folder, or a name on the hub
ctxnorm train --encoder none                     # by strings and hierarchy, in seconds
ctxnorm train --recipe sapbert --dict names.tsv  # pairs of names, without a corpus`,
		flags: f.flags(),
		run: func(cmd *cobra.Command, _ []string) error {
			// Check flags before reading the dictionary, which may take a while.
			err := f.check(p, cmd)
			if errors.Is(err, ctxnorm.ErrNoTraining) {
				return p.trainProgram(err)
			}
			if err != nil {
				return err
			}
			return f.run(cmd.Context(), p)
		},
	})
}

func (f *trainFlags) flags() [][]flag {
	o := &f.options
	return [][]flag{f.dict.flags(), f.recipeFlags(), {
		{"dict-fraction", &o.DictionaryFraction, "above=0 max=1", "fraction of the dictionary's names to use, above 0 and at " +
			"most 1, sampled by hash"},
		{name: "seed", value: &o.Seed},
		{"corpus", &o.Corpus, "default=corpus", "corpus `folder` made by build-corpus, or none for a model without one: with " +
			"--untrained, --encoder none or another --recipe"},
		{"model", &o.Model, "out=folder default=model", "model `folder` to write"},
		{"base-model", &o.BaseModel, "", "base model to start from, a BERT: a folder, or a name on the Hugging Face hub " +
			"(default: $" + bert.BaseModelVariable + ", else " + bert.DefaultBaseModel + ")"},
		{"encoder", (*string)(&o.EncoderKind), "is=bert|none", "kind of encoder: bert, or none for a model that links by strings"},
		{"recognizer", &f.recognizer, "is=learned|none default=learned", "what finds mentions that are no names: learned from " +
			"the texts of the corpus, or none"},
		{"untrained", &f.untrained, "", "use the base model without training, with the settings of its folder"},
		{"from", &f.from, "not=untrained|base-model|encoder", "earlier model `folder` to take the encoder from, with its vectors " +
			"of what did not change"},
		{"index", (*string)(&o.Index), "is=auto|flat|hnsw", "nearest-neighbor search: flat (exact), hnsw (a graph), or auto by size"},
		{"exemplars", &o.ExemplarsPerConcept, "min=0", "largest number of contexts to keep for a concept, 0 or more"},
		{name: "wait", value: &f.wait},
	}, encoderFlags(&o.Run)}
}

// check sets the options that flags cannot point to directly, and rejects flags that are wrong or have no effect.
func (f *trainFlags) check(p *program, cmd *cobra.Command) error {
	o := &f.options
	switch {
	case f.untrained && o.EncoderKind == ctxnorm.NoEncoder:
		return errors.New("--untrained and --encoder none exclude each other")
	case f.untrained:
		o.EncoderKind = ctxnorm.UntrainedEncoder
	}
	isSet := p.isSet(cmd)
	if f.from != "" {
		if err := f.takeFrom(isSet); err != nil {
			return err
		}
	}
	o.NoRecognizer = f.recognizer == "none"
	if err := f.applyRecipe(cmd.Flags(), isSet); err != nil {
		return err
	}
	if o.Corpus == noCorpus {
		o.Corpus = ""
	}
	o.Untrained = func(c *contrastive.Config) { _ = f.setConfig(c) } // already validated
	if err := o.Validate(); err != nil {
		return err
	}
	return f.checkTrained(cmd.Flags())
}

// takeFrom sets the options that follow from the earlier model.
func (f *trainFlags) takeFrom(isSet func(name string) bool) error {
	o := &f.options
	earlier, err := model.ReadManifest(f.from)
	if err != nil {
		return err
	}
	if earlier.Encoder == nil {
		return withHint(fmt.Errorf("--from is %s, want a model with an encoder", f.from),
			"without an encoder there is nothing to take over: train --encoder none")
	}
	o.EncoderKind, o.BaseModel = ctxnorm.UntrainedEncoder, model.EncoderPath(f.from)
	if !isSet("dict-fraction") {
		o.DictionaryFraction = earlier.Dictionary.Fraction
	}
	if !isSet("seed") {
		o.Seed = earlier.Dictionary.Seed
	}
	if !isSet("exemplars") {
		o.ExemplarsPerConcept = earlier.Index.PerConcept
	}
	return nil
}

// run reads the dictionary and the labeled mentions, and trains.
func (f *trainFlags) run(ctx context.Context, p *program) (err error) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50) // with millions of names a third less memory than by default, for 5 % more time
	}
	o := &f.options
	if o.Dictionary, err = f.dict.open(ctx, p); err != nil {
		return err
	}
	o.DictionaryPath, o.Waiting = f.dict.name(), p.waiting(f.wait)
	if err := f.readGold(p); err != nil {
		return err
	}
	var finish func()
	o.Observer, finish = p.observer()
	defer finish()
	err = ctxnorm.Train(ctx, *o)
	linker := o.Recipe.Linker
	if err == nil && o.EncoderKind == ctxnorm.TrainedEncoder && ctxnorm.Method(linker) != ctxnorm.MethodRanked {
		p.logf("%s: link and eval as the paper of %s does with --method %s", o.Model, o.Recipe.Name, linker)
	}
	return err
}

// checkTrained rejects flags that have no effect without an encoder, or without training.
func (f *trainFlags) checkTrained(flags *pflag.FlagSet) error {
	with, unused, settings := "--untrained", []string{"recipe", "word-vectors"}, []string{"pooling", "mark-all", "max-tokens"}
	switch f.options.EncoderKind {
	case ctxnorm.TrainedEncoder:
		return nil
	case ctxnorm.NoEncoder: // labeled mentions also serve as names and contexts without training
		with, unused, settings = "--encoder none", append(unused, "base-model", "index", "device", "precision"), nil
	}
	for _, name := range unused {
		if flags.Changed(name) {
			return fmt.Errorf("--%s has no effect with %s", name, with)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.set)) {
		if flags.Changed("set") && !slices.Contains(settings, name) {
			return fmt.Errorf("--set %s has no effect with %s", name, with)
		}
	}
	return nil
}
