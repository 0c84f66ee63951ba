package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/basemodel"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/plot"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// paperRecipe holds the flags that turn the defaults into contrastive.PaperConfig.
const paperRecipe = "--concepts-per-batch 16 --context-alpha 2 --context-beta 50 --context-lambda 1 " +
	"--name-batch-ratio 0 --pooling ent " +
	"--learning-rate 1e-5 --weight-decay 0 --warmup-ratio 0 --clip-norm 0 --freeze-embeddings=false " +
	"--synonym-replace-prob 0 --weight-interpolation 0"

// noCorpus is the value of --corpus for a model without texts.
const noCorpus = "none"

// Values of --recognizer.
const (
	recognizerLearned = "learned"
	recognizerNone    = "none"
)

// trainFlags are the flags of train.
type trainFlags struct {
	options    ctxnorm.TrainOptions
	dict       dictionaryFlags
	method     methodFlags
	untrained  bool
	from       string
	recognizer string
}

func (p *program) trainCommand() *cobra.Command {
	f := trainFlags{options: ctxnorm.DefaultTrainOptions()}
	cmd := &cobra.Command{
		Use:   "train",
		Short: "Train an encoder on the corpus, and index its exemplars",
		Long: `Trains the base model so that contexts of one concept, and names of one concept,
lie near each other (Multi-Similarity loss on concept-balanced batches). Then it
encodes the dictionary's names and up to --exemplars contexts of each concept into
an index, and learns the weights of the ranking from names held out of the
dictionary. A run that was stopped resumes from its last checkpoint.

With --gold the mentions of annotated documents become names and contexts of the
model, the encoder trains on them too, and the weights of the ranking are learned from
half of the documents, beside names that only the others give. A few documents already
help; --untrained and --encoder none take them as well.

--recipe sapbert, dilbert, biosyn, bert-ranking and bne train as published: sapbert on
pairs of names of one concept, dilbert on mentions labeled in --gold with names of
their concept and of others. biosyn and bert-ranking rank the names of the dictionary
for mentions labeled in --gold, which become names of the model too, or else for a
tenth of the names, held out; biosyn adds the similarity of strings, with a weight that
it learns. bne encodes names by a BiLSTM over words and characters. All encode the
mention alone, so a corpus is optional and contexts are not indexed; link and eval with
--method nearest, after biosyn with --method biosyn.

With --untrained the base model is used as it is: for an encoder that was trained
elsewhere, or to see what training is worth. An encoder folder of another model keeps
its pooling, markers and longest input, unless --pooling, --mark-all or --max-tokens
are given.

With --from the encoder of an earlier model is used as it is, and only what that model
has not is encoded: for a dictionary or a corpus that changed. --dict-fraction, --seed
and --exemplars are those of that model unless they are given. It may be the model that
is replaced.

The paper's recipe, for a base model of the size of BERT-base, is
  ` + paperRecipe,
		Args:        noArgs,
		Annotations: map[string]string{resumes: "true"},
		RunE: func(cmd *cobra.Command, _ []string) error {
			// Flags are checked before the dictionary is read, which may take a while.
			err := f.check(p, cmd)
			if errors.Is(err, ctxnorm.ErrNoTraining) {
				return p.trainProgram(err)
			}
			if err != nil {
				return err
			}
			return f.run(cmd.Context(), p)
		},
	}
	f.register(cmd.Flags())
	return cmd
}

func (f *trainFlags) register(flags *pflag.FlagSet) {
	o := &f.options
	f.dict.register(flags)
	f.method.register(flags)
	flags.Float64Var(&o.DictionaryFraction, "dict-fraction", o.DictionaryFraction,
		"fraction of the dictionary's names to use, above 0 and at most 1, sampled by hash")
	flags.Uint64Var(&o.Seed, "seed", o.Seed, "seed of every random choice")
	flags.StringVar(&o.Corpus, "corpus", "corpus",
		"corpus `folder` made by build-corpus, or none for a model without one: "+
			"with --untrained, --encoder none or another --recipe")
	flags.StringVar(&o.Model, "model", "model", "model `folder` to write")
	flags.StringVar(&o.BaseModel, "base-model", "",
		"base model to start from, a BERT: a folder, or a name on the Hugging Face hub (default: $"+
			basemodel.EnvVar+", else "+basemodel.Default+")")
	registerChoice(flags, (*string)(&o.EncoderKind), "encoder",
		[]string{string(ctxnorm.TrainedEncoder), string(ctxnorm.NoEncoder)},
		"kind of encoder: bert, or none for a model that links by strings")
	f.recognizer = recognizerLearned
	registerChoice(flags, &f.recognizer, "recognizer", []string{recognizerLearned, recognizerNone},
		"what finds mentions that are no names: learned from the texts of the corpus, or none")
	flags.BoolVar(&f.untrained, "untrained", false, "use the base model as it is, without training")
	flags.StringVar(&f.from, "from", "",
		"earlier model `folder` to take the encoder from, with its vectors of what did not change")
	registerChoice(flags, (*string)(&o.Index), "index", []string{"auto", "flat", "hnsw"},
		"nearest-neighbor search: flat (exact), hnsw (a graph), or auto by size")
	flags.IntVar(&o.ExemplarsPerConcept, "exemplars", o.ExemplarsPerConcept,
		"largest number of contexts to keep for a concept, 0 or more")
	flags.BoolVar(&o.CorpusSynonyms, "corpus-synonyms", o.CorpusSynonyms,
		"use the synonyms and abbreviations that the corpus defines, besides the dictionary's names")
	registerWait(flags, &o.Wait, "model")
	registerEncoder(flags, &o.Run)
	registerConfig(flags, &o.Config)
}

// check sets the options that no flag points into, and refuses flags that are wrong or have no effect.
func (f *trainFlags) check(p *program, cmd *cobra.Command) error {
	o := &f.options
	switch {
	case f.untrained && o.EncoderKind == ctxnorm.NoEncoder:
		return errors.New("--untrained and --encoder none exclude each other")
	case f.untrained:
		o.EncoderKind = ctxnorm.UntrainedEncoder
	}
	if f.from != "" {
		if err := f.takeFrom(p.isSet(cmd), p.isChosen(cmd)); err != nil {
			return err
		}
	}
	o.NoRecognizer = f.recognizer == recognizerNone
	if err := f.method.apply(cmd.Flags(), p.isSet(cmd), p.isChosen(cmd), o); err != nil {
		return err
	}
	if o.Corpus == noCorpus {
		o.Corpus = ""
	}
	o.Untrained = untrainedSettings(p.isSet(cmd), &o.Config)
	unread := *o
	unread.Dictionary = kb.NewDictionary(nil)
	if len(f.method.gold) > 0 {
		unread.Labeled = make([]text.Exemplar, 1) // they are read with the dictionary
	}
	if err := unread.Validate(); err != nil {
		return validationHint(err, o.Recipe)
	}
	return checkTrained(cmd, o.EncoderKind, f.method.allFlags())
}

// takeFrom sets the options that follow from the earlier model.
func (f *trainFlags) takeFrom(isSet, isChosen func(name string) bool) error {
	o := &f.options
	for _, name := range []string{"untrained", "base-model", "encoder"} {
		if isChosen(name) {
			return fmt.Errorf("--from and --%s exclude each other", name)
		}
	}
	earlier, err := model.ReadManifest(f.from)
	if err != nil {
		return hintModel(err, f.from)
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

// run reads the dictionary and what is labeled, and trains.
func (f *trainFlags) run(ctx context.Context, p *program) (err error) {
	o := &f.options
	if o.Dictionary, err = f.dict.open(p); err != nil {
		return err
	}
	o.DictionaryPath = f.dict.name()
	if err := f.method.readGold(p, o); err != nil {
		return err
	}
	var finish func()
	o.Observer, finish = p.observer()
	defer finish()
	o.PlotLogs = trainingPlots()
	_, err = ctxnorm.Train(ctx, *o)
	linker := o.Recipe.Linker()
	if err == nil && o.EncoderKind == ctxnorm.TrainedEncoder && ctxnorm.Method(linker) != ctxnorm.MethodRanked {
		p.logf("%s: link and eval as the paper of %s does with --method %s", o.Model, o.Recipe.Name(), linker)
	}
	var hinted interface{ Hint() string } // what a base model that is not found says
	if errors.Is(err, fs.ErrNotExist) && !errors.As(err, &hinted) {
		return withCorpusHint(err)
	}
	return targetHint(err, "model")
}

// trainingPlots returns what draws the training log, by extensions.
func trainingPlots() map[string]func(w io.Writer, entries []contrastive.LogEntry) error {
	plots := make(map[string]func(w io.Writer, entries []contrastive.LogEntry) error)
	for _, format := range plot.Formats {
		plots["."+string(format)] = func(w io.Writer, entries []contrastive.LogEntry) error {
			return plot.WriteTrainingCurve(w, format, entries)
		}
	}
	return plots
}

// untrainedSettings returns the settings of an untrained encoder that flags set.
func untrainedSettings(isSet func(name string) bool, c *contrastive.Config) ctxnorm.EncoderSettings {
	var s ctxnorm.EncoderSettings
	if isSet("pooling") {
		s.Pooling = c.Pooling
	}
	if isSet("mark-all") {
		s.MarkAll = &c.MarkAll
	}
	if isSet("max-tokens") {
		s.MaxTokens = c.MaxTokens
	}
	return s
}

// checkTrained refuses flags that have no effect without an encoder, or without training: those of
// training, and ofMethods.
func checkTrained(cmd *cobra.Command, kind ctxnorm.EncoderKind, ofMethods []string) error {
	if kind == ctxnorm.TrainedEncoder {
		return nil
	}
	var config contrastive.Config
	ignored := pflag.NewFlagSet("", pflag.ContinueOnError)
	registerConfig(ignored, &config)
	with := "--encoder none"
	used := slices.Clone(labelFlags) // labeled mentions are names and contexts without training, too
	if kind == ctxnorm.UntrainedEncoder {
		with = "--untrained"
		used = append(used, "pooling", "mark-all", "max-tokens")
	} else {
		for _, name := range []string{"base-model", "index", "device", "precision"} {
			ignored.String(name, "", "")
		}
	}
	var err error
	for _, name := range ofMethods {
		if ignored.Lookup(name) == nil {
			ignored.String(name, "", "")
		}
	}
	ignored.VisitAll(func(flag *pflag.Flag) {
		if err == nil && cmd.Flags().Changed(flag.Name) && !slices.Contains(used, flag.Name) {
			err = fmt.Errorf("--%s has no effect with %s", flag.Name, with)
		}
	})
	return err
}

// validationHint names the flag of an option, or of a setting of the recipe, that is wrong. An error
// of neither is one of the model folder, and gets a hint.
func validationHint(err error, r contrastive.Recipe) error {
	var (
		option  *ctxnorm.OptionError
		setting *contrastive.FieldError
	)
	if errors.As(err, &option) && option.Field == "Corpus" && option.Value == "" {
		err = &ctxnorm.OptionError{Field: option.Field, Value: noCorpus, Want: option.Want}
		const without = "a model without a corpus is made with --encoder none, --untrained or another --recipe"
		return withHint(withFlag(err), without)
	}
	if errors.As(err, &option) || errors.As(err, &setting) || errors.Is(err, ctxnorm.ErrNoTraining) {
		return withFlag(err, r.Settings()...)
	}
	if _, ok := errors.AsType[*basemodel.NotFoundError](err); ok {
		return err
	}
	return targetHint(err, "model")
}
