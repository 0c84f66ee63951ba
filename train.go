package ctxnorm

import (
	"context"
	"io"
	"path/filepath"
	"slices"

	"github.com/dustin/go-humanize/english"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/basemodel"
	"github.com/ctxnorm/ctxnorm/internal/link/calibrate"
	"github.com/ctxnorm/ctxnorm/internal/lsa"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/recognize"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text"
)

// TrainOptions say what [Train] makes. Dictionary and Model are required, and Corpus where an
// encoder trains on contexts; start from [DefaultTrainOptions] for the rest.
type TrainOptions struct {
	// Corpus is the corpus folder to learn from. It may be empty where no encoder is trained on
	// contexts: with a recipe that needs none, or another EncoderKind.
	Corpus string
	Model  string // the model folder to write; a model in it is replaced

	Dictionary     *Dictionary
	DictionaryPath string // the base name is recorded in the manifest
	// DictionaryFraction is the share of the names to use, above 0 and at most 1. The
	// names are sampled by their hash: those kept at .25 are among those kept at .5.
	DictionaryFraction float64
	// Seed of every random choice.
	Seed uint64

	// ExemplarsPerConcept is the largest number of contexts kept for a concept; the
	// paper keeps 25.
	ExemplarsPerConcept int
	// CorpusSynonyms uses the synonyms and abbreviations that the corpus defines, beside
	// the dictionary's names.
	CorpusSynonyms bool
	// NoRecognizer leaves out the recognizer, which finds mentions that are no names. It is learned from
	// the texts of the corpus.
	NoRecognizer bool
	// Index is the kind of search: flat (exact), hnsw, or auto by size.
	Index knnindex.Kind

	// BaseModel is the BERT to start from: a folder, or a name on the Hugging Face hub.
	// Empty: the variable CTXNORM_BASE_MODEL, or else sentence-transformers/all-MiniLM-L6-v2.
	// If it is the encoder of a model and EncoderKind is [UntrainedEncoder], the vectors of what the two
	// models have in common are taken from that model, which may be the one that is replaced.
	BaseModel string
	// WordVectors is the folder of word vectors that a recipe trains on which needs them; empty with
	// any other.
	WordVectors string
	// EncoderKind says where the encoder comes from.
	EncoderKind EncoderKind
	// OwnEncoder encodes the exemplars when EncoderKind is [OwnEncoder]. A model made
	// with it is opened with [OpenOptions].OpenEncoder.
	OwnEncoder Encoder
	// Recipe is the method that the encoder is trained by, with its settings: biocom, the
	// default, or another of [papers.Recipes]. Change it with UseRecipe, which also sets
	// Config.
	Recipe contrastive.Recipe
	// Config holds the settings of training that all methods share. It is not used when
	// EncoderKind is [UntrainedEncoder].
	Config contrastive.Config
	// Untrained replaces settings of the encoder when EncoderKind is [UntrainedEncoder].
	Untrained EncoderSettings
	// Labeled are mentions whose concepts are known; the needs of the recipe say whether it
	// trains on them. Where they are names and contexts of the model too, the weights of the
	// ranking are learned from them.
	Labeled []text.Exemplar
	// Run says how the encoder computes.
	Run EncoderOptions
	// PlotLogs draw the training log into files training/curve of the model, by the extensions of
	// these, such as ".png". By default there are none.
	PlotLogs map[string]func(w io.Writer, entries []contrastive.LogEntry) error

	// Wait waits while another process is writing the folder Model. Otherwise that is an error.
	Wait bool

	Observer Observer
}

// EncoderKind says where the encoder of a model comes from.
type EncoderKind string

const (
	// TrainedEncoder trains the base model on the corpus.
	TrainedEncoder EncoderKind = "bert"
	// UntrainedEncoder uses the base model as it is, to index with an encoder that was
	// trained elsewhere or to see what training is worth.
	UntrainedEncoder EncoderKind = "untrained"
	// OwnEncoder uses an encoder of the caller's.
	OwnEncoder EncoderKind = "own"
	// NoEncoder makes a model that links by strings alone.
	NoEncoder EncoderKind = "none"
)

// EncoderSettings are the settings of an encoder that is used as it is. Those left empty are what
// its folder states, or the defaults of [contrastive.Config] if it states none: ctxnorm writes
// into each folder of an encoder what it was trained with.
type EncoderSettings struct {
	Pooling   contrastive.Pooling // "span" or "ent"
	MarkAll   *bool               // mark all mentions of a sentence
	MaxTokens int                 // the longest input; 0 if left empty
}

// apply sets the fields of the configuration that are not left empty.
func (s EncoderSettings) apply(c *contrastive.Config) {
	if s.Pooling != "" {
		c.Pooling = s.Pooling
	}
	if s.MarkAll != nil {
		c.MarkAll = *s.MarkAll
	}
	if s.MaxTokens != 0 {
		c.MaxTokens = s.MaxTokens
	}
}

// DefaultTrainOptions returns the recommended settings: all names, seed 1, 25
// exemplars a concept, a trained encoder.
func DefaultTrainOptions() TrainOptions {
	return TrainOptions{
		DictionaryFraction: 1, Seed: 1, ExemplarsPerConcept: 25, CorpusSynonyms: true,
		Index: knnindex.KindAuto, EncoderKind: TrainedEncoder,
		Recipe: &contrastive.BioCoMSettings{}, Config: contrastive.DefaultConfig(),
	}
}

// UseRecipe sets Recipe, and Config to the configuration that the method was published with. A
// model of a method that needs no contexts has names only in its index.
func (o *TrainOptions) UseRecipe(r contrastive.Recipe) {
	o.Recipe, o.Config, o.ExemplarsPerConcept = r, r.Config(), 0
	if r.Needs().Contexts {
		o.ExemplarsPerConcept = DefaultTrainOptions().ExemplarsPerConcept
	}
}

// checkNeeds returns an [*OptionError] if what the recipe trains on is missing, or there is what it does not train on.
func (o *TrainOptions) checkNeeds() error {
	name, needs := o.Recipe.Name(), o.Recipe.Needs()
	switch {
	case needs.Labels == contrastive.LabelsRequired && len(o.Labeled) == 0:
		return &OptionError{"Labeled", "empty", "labeled mentions, which " + name + " trains on"}
	case needs.Labels == contrastive.LabelsRefused && len(o.Labeled) > 0:
		return &OptionError{"Labeled", len(o.Labeled), "none, as " + name + " trains on no labels"}
	case needs.WordVectors && o.WordVectors == "" && o.EncoderKind == TrainedEncoder:
		return &OptionError{"WordVectors", "empty", "a folder of word vectors, which " + name + " trains on"}
	case !needs.WordVectors && o.WordVectors != "":
		return &OptionError{"WordVectors", o.WordVectors, "none, as " + name + " trains on no word vectors"}
	case needs.Contexts && o.Corpus == "" && o.EncoderKind == TrainedEncoder:
		return &OptionError{"Corpus", "", "a corpus folder, as " + name + " trains on its contexts"}
	}
	return nil
}

// Validate checks the options without reading the corpus or fetching anything, as [Train] does
// first, and fills in the defaults of Run. The error is an [*OptionError], [ErrNoTraining], or
// one that names a folder that must not be overwritten.
func (o *TrainOptions) Validate() (err error) {
	switch {
	case o.Dictionary == nil:
		return &OptionError{"Dictionary", nil, "a dictionary"}
	case o.Recipe == nil:
		return &OptionError{"Recipe", nil, "a recipe, such as DefaultTrainOptions has"}
	}
	if err := o.checkNeeds(); err != nil {
		return err
	}
	switch {
	case o.Model == "":
		return &OptionError{"Model", "", "a folder to write"}
	case kb.CheckFraction(o.DictionaryFraction) != nil:
		return &OptionError{"DictionaryFraction", o.DictionaryFraction, "more than 0 and at most 1"}
	case o.ExemplarsPerConcept < 0:
		return &OptionError{"ExemplarsPerConcept", o.ExemplarsPerConcept, "0 or more"}
	case o.EncoderKind == OwnEncoder && o.OwnEncoder == nil:
		return &OptionError{"OwnEncoder", nil, "an encoder"}
	}
	if _, err := knnindex.ParseKind(string(o.Index)); err != nil {
		return &OptionError{"Index", o.Index, "auto, flat or hnsw"}
	}
	if !slices.Contains([]EncoderKind{TrainedEncoder, UntrainedEncoder, OwnEncoder, NoEncoder}, o.EncoderKind) {
		return &OptionError{"EncoderKind", o.EncoderKind, "bert, untrained, own or none"}
	}
	if o.Run, err = o.Run.withDefaults(); err != nil {
		return err
	}
	o.Config.Seed, o.Config.Precision = o.Seed, o.Run.Precision
	config := o.Config
	if o.EncoderKind == UntrainedEncoder {
		o.Untrained.apply(&config)
	}
	if err := config.Validate(); err != nil {
		return err
	}
	if err := o.Recipe.Validate(); err != nil {
		return err
	}
	if o.makesEncoder() {
		if o.EncoderKind == TrainedEncoder && !CanTrain {
			return ErrNoTraining
		}
		if !o.trainsNameEncoder() {
			if err := o.Run.native().Check(); err != nil {
				return err
			}
			if err := basemodel.Check(o.BaseModel); err != nil {
				return err
			}
		}
		parent, work := o.workFolder()
		if err := work.Check(parent); err != nil {
			return err
		}
	}
	return model.CheckTarget(o.Model)
}

// makesEncoder reports whether the encoder is made from a base model, or from word vectors.
func (o *TrainOptions) makesEncoder() bool {
	return o.EncoderKind == TrainedEncoder || o.EncoderKind == UntrainedEncoder
}

// trainsNameEncoder reports whether the encoder that is trained starts from word vectors, and not from
// a base model.
func (o *TrainOptions) trainsNameEncoder() bool {
	return o.EncoderKind == TrainedEncoder && o.Recipe.Needs().WordVectors
}

// Train makes a model folder from a corpus: it tags the corpus again with the names
// that DictionaryFraction leaves, trains the encoder, encodes names and sampled
// contexts, and learns the weights of the ranking without labels.
//
// Options are checked before anything is read or fetched. A training that was stopped,
// by ctx or by a crash, resumes from its last checkpoint when Train is called again
// with the same options. What it needs for that is in the folder MODEL.training.
//
// A model in the folder stays as it is until it is replaced in one step at the end. Files
// beside those of the model are refused, with a [*ForeignError], and so is a folder that
// another process is writing, with a [*LockedError], see [TrainOptions].Wait.
func Train(ctx context.Context, o TrainOptions) (*model.Manifest, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	lock, err := artifact.LockFolder(ctx, o.Model, o.Observer.waiting(o.Wait))
	if err != nil {
		return nil, err
	}
	defer lock.Release()
	if err := o.Validate(); err != nil { // again: the process that held the lock may have left something
		return nil, err
	}
	inputs, err := o.readInputs(ctx)
	if err != nil {
		return nil, err
	}
	enc, err := o.makeEncoder(ctx, inputs)
	if err != nil {
		return nil, err
	}
	if err := o.learnRecognizer(ctx, inputs); err != nil {
		return nil, err
	}
	manifest, err := o.build(ctx, inputs, enc)
	if err != nil {
		return nil, err
	}
	if !o.makesEncoder() {
		return manifest, nil
	}
	parent, work := o.workFolder()
	return manifest, artifact.RemoveFolder(filepath.Join(parent, work.Name))
}

// trainingInputs are what a model is made from.
type trainingInputs struct {
	dict          *Dictionary
	tagger        *matcher.Tagger
	corpus        *corpus.Corpus // nil if there is none
	contexts      []text.Exemplar
	pairs         []corpus.SynonymPairCount
	synonyms      []mine.Synonym
	abbreviations *mine.AbbreviationTable
	space         *lsa.Space            // nil if the corpus has too few texts
	recognizer    *recognize.Recognizer // nil if there is no corpus, or the corpus has too few texts
	hidden        []text.Exemplar       // short forms in documents that define them; the definition is hidden
	labeled       []mine.Synonym        // names that labeled mentions give the model
	dictInfo      model.DictionaryInfo
	corpusInfo    model.CorpusInfo
}

// readInputs reads the corpus, if there is one, and the labeled mentions.
func (o *TrainOptions) readInputs(ctx context.Context) (*trainingInputs, error) {
	in := &trainingInputs{dict: o.Dictionary.Fraction(o.DictionaryFraction, o.Seed)}
	if o.DictionaryFraction < 1 {
		o.Observer.logf("%d of %d names are used (fraction %g, seed %d)",
			in.dict.CountNames(), o.Dictionary.CountNames(), o.DictionaryFraction, o.Seed)
	}
	in.dictInfo = model.DictionaryInfo{Source: filepath.Base(o.DictionaryPath), Fraction: o.DictionaryFraction,
		Seed: o.Seed}
	var err error
	if in.tagger, _, err = NewTagger(in.dict, o.Observer); err != nil {
		return nil, err
	}
	if o.Recipe.Needs().LabelsAreNames {
		in.labeled = model.LabeledSynonyms(o.Labeled)
	}
	if o.Corpus != "" {
		if err := o.readCorpus(ctx, in); err != nil {
			return nil, err
		}
	}
	if len(in.labeled) > 0 {
		in.contexts = append(in.contexts, model.LabeledContexts(o.Labeled, in.dict)...)
	}
	return in, nil
}

// readCorpus reads the corpus and tags it with the names that are used.
func (o *TrainOptions) readCorpus(ctx context.Context, in *trainingInputs) error {
	c, err := corpus.Open(o.Corpus)
	if err != nil {
		return err
	}
	in.corpus = c
	if err := in.readPairs(c); err != nil {
		return err
	}
	if o.CorpusSynonyms {
		in.mine()
		o.Observer.logf("%s: %s and %s that texts define", o.Corpus, english.Plural(len(in.synonyms), "synonym", ""),
			english.Plural(in.abbreviations.Len(), "abbreviation", ""))
	}
	tagger := longFormTagger{in.tagger, sense.NewInventory(in.abbreviations, in.dict, in.synonyms)}
	if err := o.readContexts(in, c, tagger); err != nil {
		return err
	}
	return o.readTexts(ctx, in, c, tagger)
}

// readPairs reads the pairs that the corpus collected.
func (in *trainingInputs) readPairs(c *corpus.Corpus) error {
	for pair, err := range c.Pairs() {
		if err != nil {
			return err
		}
		in.pairs = append(in.pairs, pair)
	}
	return nil
}

// mine extracts synonyms and abbreviations from the pairs.
func (in *trainingInputs) mine() {
	in.synonyms = mine.Synonyms(in.pairs, in.dict, mine.DefaultSynonymOptions())
	in.abbreviations = mine.NewAbbreviationTable(in.pairs, mine.DefaultAbbreviationOptions())
}

// readContexts tags the sentences of the corpus with the names that are used. Short forms
// that a record does not define are used where the definitions of other records leave
// hardly a doubt.
func (o *TrainOptions) readContexts(in *trainingInputs, c *corpus.Corpus, tagger longFormTagger) (err error) {
	definitions := mine.CountDefinitions(in.pairs, in.dict)
	dropped := 0
	accept := func(surface string, concepts []kb.ConceptID) bool {
		if definitions.MayMean(surface, concepts) {
			return true
		}
		dropped++
		return false
	}
	if in.contexts, err = model.ContextExemplars(c.Documents(), tagger, accept); err != nil {
		return err
	}
	about := c.Manifest()
	named := len(model.WithConcepts(in.contexts))
	in.corpusInfo = model.CorpusInfo{SHA256: about.SentencesSHA256(), Sentences: about.Totals.Sampled, Mentions: named}
	o.Observer.logf("%s: %s in %s", o.Corpus, english.Plural(named, "mention", ""),
		english.Plural(about.Totals.Sampled, "sentence", ""))
	o.Observer.logf("%s: defined short forms for something outside the dictionary: %d", o.Corpus, len(in.contexts)-named)
	o.Observer.logf("%s: dropped %s of short forms that their records do not define and other records define in "+
		"several ways", o.Corpus, english.Plural(dropped, "mention", ""))
	return nil
}

// longFormTagger is a tagger that also knows long forms in another spelling than the
// dictionary's, or with their words in another order.
type longFormTagger struct {
	*matcher.Tagger
	inventory *sense.Inventory
}

// LookupLongForm implements [model.Tagger].
func (t longFormTagger) LookupLongForm(long string) (name string, concepts []kb.ConceptID) {
	if name, concepts = t.Tagger.LookupLongForm(long); concepts == nil {
		concepts = t.inventory.ConceptsOf(long)
	}
	return name, concepts
}

// modelEncoder is the encoder of a model that is being made.
type modelEncoder struct {
	Encoder
	dir  string // its folder, in the Hugging Face layout; empty for the caller's own
	base string // the name of the base model
	// the base model as it was before training; nil with the caller's own encoder, or one that has none
	baseEncoder Encoder
	baseDir     string // its folder
	earlier     string // a model whose encoder this is, with vectors of it; empty for none
	// settings and outcome of training, here or where the encoder comes from, as JSON; nil for none
	training []byte
	log      []string // files of the training log
}

// makeEncoder returns the encoder that the options ask for, nil for none.
func (o *TrainOptions) makeEncoder(ctx context.Context, in *trainingInputs) (*modelEncoder, error) {
	switch o.EncoderKind {
	case NoEncoder:
		return nil, nil
	case OwnEncoder:
		return &modelEncoder{Encoder: o.OwnEncoder, base: "own"}, nil
	}
	base, err := o.resolveBase(ctx)
	if err != nil {
		return nil, err
	}
	parent, folder := o.workFolder()
	work, err := folder.Open(parent)
	if err != nil {
		return nil, err
	}
	// What is there was written by a run that was stopped afterwards; the last checkpoint
	// gives it again.
	for _, made := range []string{"encoder", model.BaseEncoderFolder} {
		if err := artifact.RemoveFolder(filepath.Join(work, made)); err != nil {
			return nil, err
		}
	}
	var set trainingSet // stays empty for an untrained encoder
	if o.EncoderKind == TrainedEncoder {
		set = splitValidation(in, &o.Config)
		if !o.Recipe.Needs().Validation { // names in the order of earlier versions, whose trainings resume
			set.names, set.validation = append(slices.Clip(set.names), set.validation...), nil
		}
	}
	if o.trainsNameEncoder() {
		enc := &modelEncoder{dir: filepath.Join(work, "encoder"), base: filepath.Base(base)}
		return enc, o.nameEncoderFrom(ctx, base, work, &set, enc)
	}
	origin, err := model.OriginOf(ctx, base)
	if err != nil {
		return nil, err
	}
	enc, err := o.encoderFrom(ctx, base, origin, work, in, &set)
	if err != nil {
		return nil, err
	}
	enc.base = filepath.Base(base)
	if name := basemodel.Name(o.BaseModel); name != base { // of the hub
		enc.base = name
	}
	if origin != nil {
		enc.base = origin.Base
		if o.EncoderKind == UntrainedEncoder {
			enc.training, enc.earlier = origin.Training, origin.Model
		}
	}
	return enc, nil
}

// resolveBase returns the folder that the encoder is made from: that of the base model, which is
// fetched if need be, or of word vectors.
func (o *TrainOptions) resolveBase(ctx context.Context) (string, error) {
	if o.trainsNameEncoder() {
		return o.WordVectors, nil
	}
	return basemodel.Resolve(ctx, o.BaseModel, basemodel.Options{Progress: func(file string, done, total int64) {
		o.Observer.progress(Progress{Task: "fetch", Unit: "bytes", Done: done, Total: total, Note: file})
	}})
}

// workFolder describes the folder of what a training that was stopped resumes from, and
// returns the folder that it is in.
func (o *TrainOptions) workFolder() (parent string, work artifact.WorkFolder) {
	parent, name := filepath.Split(filepath.Clean(o.Model))
	return parent, artifact.WorkFolder{Name: name + ".training"}
}

// calibration returns the function that learns the weights of the ranking: from labeled mentions if
// they are in the model.
func (o *TrainOptions) calibration(in *trainingInputs) func(context.Context, *model.Model) (*model.Calibration, error) {
	if len(in.labeled) == 0 {
		return calibrate.Learn
	}
	return calibrate.LearnLabeled(o.Labeled)
}

// build writes the model folder.
func (o *TrainOptions) build(ctx context.Context, in *trainingInputs, enc *modelEncoder) (*model.Manifest, error) {
	b := model.BuildOptions{
		Dir: o.Model, Dictionary: in.dict, DictionaryInfo: in.dictInfo, Corpus: in.corpusInfo, Tagger: in.tagger,
		Space: in.space, Recognizer: in.recognizer, HiddenDefinitions: in.hidden, Contexts: in.contexts,
		CorpusSynonyms: append(slices.Clip(in.synonyms), in.labeled...), Abbreviations: in.abbreviations,
		PerConcept: o.ExemplarsPerConcept, Index: o.Index, Workers: o.Run.Workers,
		Calibrate: o.calibration(in),
		Report:    func(rows, why string) { o.Observer.logf("index of %s: %s", rows, why) },
		Progress: func(done, total int) {
			o.Observer.progress(Progress{Task: "encode", Unit: "exemplars", Done: int64(done), Total: int64(total)})
		},
	}
	if enc != nil {
		for _, opened := range []Encoder{enc.Encoder, enc.baseEncoder} {
			if closer, ok := opened.(io.Closer); ok && o.EncoderKind != OwnEncoder {
				defer closer.Close()
			}
		}
		b.BaseEncoder, b.BaseEncoderDir = enc.baseEncoder, enc.baseDir
		b.Encoder, b.EncoderDir, b.BaseModel, b.Training, b.TrainingLog = enc.Encoder, enc.dir, enc.base, enc.training,
			enc.log
		b.Earlier = enc.earlier
		b.Recalled = func(recalled, total int) {
			o.Observer.logf("%s: its model has %d of %d vectors; the others are encoded", o.BaseModel, recalled, total)
		}
	}
	manifest, err := model.Build(ctx, b)
	if err != nil {
		return nil, err
	}
	if manifest.Index.Unread > 0 {
		o.Observer.logf("%s: found by strings alone, since the encoder's vocabulary lacks all of their tokens: %s", o.Model,
			english.Plural(manifest.Index.Unread, "name", ""))
	}
	o.Observer.logf("%s: %s, %s, %s", o.Model, english.Plural(manifest.Dictionary.Concepts, "concept", ""),
		english.Plural(manifest.Index.Names, "name", ""), english.Plural(manifest.Index.Contexts, "context", ""))
	return manifest, nil
}
