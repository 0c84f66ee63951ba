package main

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm/basemodel"
	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/internal/progress"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/link/calibrate"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/mine"
	"github.com/ctxnorm/ctxnorm/model"
	"github.com/ctxnorm/ctxnorm/text"
)

// modelFlags say what a model is made of; train and index share them.
type modelFlags struct {
	dict     dictionaryFlags
	fraction float64
	seed     uint64
	corpus   string
	model    string
	base     string
	encoder  string
	index    string
	per      int
	mined    bool
	run      encoderFlags
}

func (f *modelFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	f.dict.register(flags)
	flags.Float64Var(&f.fraction, "dict-fraction", 1, "share of the dictionary's names to use")
	flags.Uint64Var(&f.seed, "seed", 1, "of every random choice")
	flags.StringVar(&f.corpus, "corpus", "corpus", "corpus `folder` made by build-corpus")
	flags.StringVar(&f.model, "model", "model", "model `folder` to write")
	flags.StringVar(&f.base, "base-model", "", "BERT to start from: a folder or a hub name (default: $"+basemodel.Variable+", else "+basemodel.Default+")")
	flags.StringVar(&f.encoder, "encoder", "bert", "bert, or none to link by strings alone")
	flags.StringVar(&f.index, "index", string(knnindex.KindAuto), "search: flat (exact), hnsw, or auto by size")
	flags.IntVar(&f.per, "exemplars", 25, "contexts kept for a concept, at most")
	flags.BoolVar(&f.mined, "mined", true, "use what texts call concepts beside the dictionary's names, and what abbreviations stand for in them")
	f.run.register(flags)
}

// material is what a model is made from.
type material struct {
	dict     *kb.Dictionary
	tagger   *matcher.Tagger
	contexts []text.Exemplar
	mined    []mine.Synonym
	short    *mine.AbbreviationTable
	facts    model.DictionaryInfo
	corpus   model.CorpusInfo
}

// gather reads the dictionary and tags the corpus with what the fraction leaves of
// its names.
func (f *modelFlags) gather(p *program) (*material, error) {
	if !(f.fraction > 0 && f.fraction <= 1) { // NaN too
		return nil, fmt.Errorf("--dict-fraction is %g, want more than 0 and at most 1", f.fraction)
	}
	if f.encoder != "bert" && f.encoder != "none" {
		return nil, fmt.Errorf("--encoder is %q, want bert or none", f.encoder)
	}
	if _, err := knnindex.ParseKind(f.index); err != nil {
		return nil, err
	}
	if f.per < 0 {
		return nil, fmt.Errorf("--exemplars is %d, want 0 or more", f.per)
	}
	if err := f.run.check(); err != nil {
		return nil, err
	}
	if err := checkModelTarget(f.model); err != nil {
		return nil, err
	}
	whole, err := f.dict.open(p)
	if err != nil {
		return nil, err
	}
	m := &material{dict: whole.Fraction(f.fraction, f.seed)}
	if f.fraction < 1 {
		p.say("%d of %d names are used (fraction %g, seed %d)", m.dict.CountNames(), whole.CountNames(), f.fraction, f.seed)
	}
	m.facts = model.DictionaryInfo{Source: filepath.Base(f.dict.path), Fraction: f.fraction, Seed: f.seed}
	if m.tagger, _, err = p.newTagger(m.dict); err != nil {
		return nil, err
	}
	c, err := corpus.Open(f.corpus)
	if err != nil {
		return nil, withCorpusHint(err)
	}
	if f.mined {
		if err := m.mine(c); err != nil {
			return nil, err
		}
		p.say("%s: %d names that texts give to concepts, %d abbreviations", f.corpus, len(m.mined), m.short.Len())
	}
	if m.contexts, err = model.ContextExemplars(documents(c), m.tagger.Tag); err != nil {
		return nil, err
	}
	about := c.Manifest()
	m.corpus = model.CorpusInfo{SHA256: about.SentencesSHA256(), Sentences: about.Totals.Sampled, Mentions: len(m.contexts)}
	p.say("%s: %d mentions in %d sentences", f.corpus, len(m.contexts), about.Totals.Sampled)
	return m, nil
}

// mine learns from the texts of a corpus what they call the concepts, and what short
// forms stand for in them.
func (m *material) mine(c *corpus.Corpus) error {
	var pairs []corpus.SynonymPairCount
	for pair, err := range c.Pairs() {
		if err != nil {
			return err
		}
		pairs = append(pairs, pair)
	}
	m.mined = mine.Synonyms(pairs, m.dict, mine.DefaultSynonymOptions())
	m.short = mine.NewAbbreviationTable(pairs, mine.DefaultAbbreviationOptions())
	return nil
}

// documents are the sentences of a corpus.
func documents(c *corpus.Corpus) iter.Seq2[*text.Document, error] {
	return func(yield func(*text.Document, error) bool) {
		for sentence, err := range c.Sentences() {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(&sentence.Document, nil) {
				return
			}
		}
	}
}

// buildOptions are those of a model without an encoder.
func (f *modelFlags) buildOptions(p *program, m *material) model.BuildOptions {
	return model.BuildOptions{
		Dir: f.model, Dictionary: m.dict, DictionaryInfo: m.facts, Corpus: m.corpus, Tagger: m.tagger,
		Contexts: m.contexts, CorpusSynonyms: m.mined, Abbreviations: m.short, PerConcept: f.per, Index: knnindex.Kind(f.index), Workers: f.run.workers,
		Report: func(rows, why string) { p.say("index of %s: %s", rows, why) },
	}
}

// buildWith indexes the material with an encoder and removes what was needed to
// make it.
func (f *modelFlags) buildWith(ctx context.Context, p *program, o model.BuildOptions, base string, made *trained) error {
	defer made.encoder.Close()
	bar := p.bar("encode", "exemplars")
	defer bar.finish()
	o.BaseModel, o.Encoder, o.EncoderDir, o.TrainingLog = filepath.Base(base), made.encoder, made.dir, made.curve
	o.Training = made.facts
	o.Progress = func(done, total int) { bar.set(int64(done), int64(total), "") }
	if err := f.build(ctx, p, o); err != nil {
		return err
	}
	return os.RemoveAll(f.workFolder())
}

// build writes the model.
func (f *modelFlags) build(ctx context.Context, p *program, o model.BuildOptions) error {
	manifest, err := calibrate.Build(ctx, o)
	if err != nil {
		return err
	}
	p.say("%s: %d concepts, %d names, %d contexts", f.model, manifest.Dictionary.Concepts, manifest.Index.Names, manifest.Index.Contexts)
	return nil
}

// workFolder holds what a run that is stopped goes on from.
func (f *modelFlags) workFolder() string { return filepath.Clean(f.model) + ".training" }

// paperRecipe are the flags that make contrastive.PaperConfig of the defaults.
const paperRecipe = "--pairs 16 --context-alpha 2 --context-beta 50 --context-base 1 --name-share 0 --pooling ent " +
	"--learning-rate 1e-5 --weight-decay 0 --freeze-embeddings=false --reword-mention 0 --base-share 0"

func (p *program) trainCommand() *cobra.Command {
	var (
		f      modelFlags
		config = contrastive.DefaultConfig()
	)
	cmd := &cobra.Command{
		Use:   "train",
		Short: "Train an encoder on the corpus, and index its exemplars",
		Long: `Trains the base model so that contexts of one concept, and names of one concept,
come to lie near each other (Multi-Similarity loss on concept-balanced batches),
then encodes the dictionary's names and up to --exemplars contexts of each concept
into an index. A run that was stopped goes on from its last checkpoint. The paper's
recipe is
  ` + paperRecipe + `
on a base model of the size of BERT-base.`,
		Args:        cobra.NoArgs,
		Annotations: map[string]string{resumes: "true"},
		RunE: func(cmd *cobra.Command, _ []string) error {
			config.Seed = f.seed
			config.Precision = contrastive.Precision(f.run.precision)
			if err := config.Validate(); err != nil {
				return err
			}
			return p.train(cmd.Context(), &f, config)
		},
	}
	f.register(cmd)
	registerConfig(cmd.Flags(), &config)
	return cmd
}

// encoderMaker makes the encoder of a model from a base model's folder.
type encoderMaker func(base string, m *material) (*trained, error)

// makeModel gathers what a model is made of, lets makeEncoder make its encoder
// unless it is to have none, and builds it.
func (p *program) makeModel(ctx context.Context, f *modelFlags, makeEncoder encoderMaker) error {
	base, err := f.openBase(ctx, p)
	if err != nil {
		return err
	}
	m, err := f.gather(p)
	if err != nil {
		return err
	}
	options := f.buildOptions(p, m)
	if f.encoder == "none" {
		return f.build(ctx, p, options)
	}
	made, err := makeEncoder(base, m)
	if err != nil {
		return err
	}
	return f.buildWith(ctx, p, options, base, made)
}

func (p *program) train(ctx context.Context, f *modelFlags, config contrastive.Config) error {
	return p.makeModel(ctx, f, func(base string, m *material) (*trained, error) {
		names := model.NameExemplars(m.dict)
		contexts, validation := holdOutContexts(m.contexts, f.seed)
		if config.NameBatchRatio > 0 {
			contexts = m.contexts
			names, validation = holdOutNames(names, f.seed)
		}
		bar := p.bar("train", "steps")
		defer bar.finish()
		return trainEncoder(ctx, encoderTraining{
			base: base, work: f.workFolder(), config: config, run: f.run,
			contexts: contexts, names: names, validation: validation,
			progress: func(point contrastive.LogEntry, steps int) {
				bar.set(int64(point.Step), int64(steps), describe(point))
			},
		})
	})
}

// openBase finds the base model's folder; none is needed without an encoder.
func (f *modelFlags) openBase(ctx context.Context, p *program) (string, error) {
	if f.encoder == "none" {
		return "", nil
	}
	if !hasEncoder {
		return "", errNoTorch
	}
	bar := p.bar("fetch", progress.Bytes)
	defer bar.finish()
	return basemodel.Resolve(ctx, f.base, basemodel.Options{Progress: func(file string, done, total int64) {
		bar.set(done, total, file)
	}})
}

const (
	// validationShare of the concepts, or of the documents, is held out to watch
	// training.
	validationShare = .02
	// maxValidation is how many contexts are encoded at each of the twenty
	// validations: 20 x 512 is a tenth of what 2,000 steps encode.
	maxValidation = 512
	// maxValidationNames is how many names are: they are a fourth as long.
	maxValidationNames = 1024
)

// holdOutNames sets all names of some concepts apart: whether those find each
// other shows what was learnt for wording that is new. In contexts the words of a
// mention give it away.
func holdOutNames(names []text.Exemplar, seed uint64) (training, validation []text.Exemplar) {
	return split(names, maxValidationNames, seed, func(ex *text.Exemplar) string { return string(ex.Mention.Concepts[0]) })
}

// holdOutContexts sets contexts aside by their documents, so that no sentence of a
// document that is trained on is validated on.
func holdOutContexts(contexts []text.Exemplar, seed uint64) (training, validation []text.Exemplar) {
	return split(contexts, maxValidation, seed, func(ex *text.Exemplar) string { return ex.ID })
}

// split sets the exemplars of a share of the groups aside, of which so many at most
// are drawn; none where these are too few to be told apart.
func split(exemplars []text.Exemplar, most int, seed uint64, group func(*text.Exemplar) string) (training, validation []text.Exemplar) {
	for i := range exemplars {
		if sampling.Unit(seed, "validation", group(&exemplars[i])) < validationShare {
			validation = append(validation, exemplars[i])
		} else {
			training = append(training, exemplars[i])
		}
	}
	if len(validation) > most {
		validation = model.SampleContexts(validation, most, seed)
	}
	if !haveNegatives(validation) {
		return exemplars, nil
	}
	return training, validation
}

// haveNegatives reports whether two concepts at least have two exemplars each.
func haveNegatives(exemplars []text.Exemplar) bool {
	count := make(map[kb.ConceptID]int)
	pairs := 0
	for i := range exemplars {
		for _, id := range exemplars[i].Mention.Concepts {
			if count[id]++; count[id] == 2 {
				pairs++
			}
		}
	}
	return pairs >= 2
}

func describe(p contrastive.LogEntry) string {
	text := fmt.Sprintf("loss %.3f, %.0f sentences/s", p.Loss, p.SentencesPerSecond)
	if p.ValAcc != nil {
		text += fmt.Sprintf(", validation %.3f", *p.ValAcc)
	}
	return text
}

func (p *program) indexCommand() *cobra.Command {
	var (
		f      modelFlags
		config = contrastive.DefaultConfig()
	)
	cmd := &cobra.Command{
		Use:   "index",
		Short: "Index names and contexts with an encoder as it is, without training",
		Long: `Makes a model as train does, but encodes with the base model unchanged: for an
encoder that was trained elsewhere, or to see what training is worth.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.makeModel(cmd.Context(), &f, func(base string, _ *material) (*trained, error) {
				return prepareEncoder(base, f.workFolder(), config, f.run)
			})
		},
	}
	f.register(cmd)
	flags := cmd.Flags()
	flags.StringVar((*string)(&config.Pooling), "pooling", string(config.Pooling), "vector of a mention: span or ent")
	flags.BoolVar(&config.MarkAll, "mark-all", config.MarkAll, "mark every mention of a sentence")
	flags.IntVar(&config.MaxTokens, "max-tokens", config.MaxTokens, "longest input in tokens")
	return cmd
}
