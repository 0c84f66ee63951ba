package ctxnorm

import (
	"cmp"
	"context"
	"io"
	"path/filepath"
	"slices"

	"github.com/dustin/go-humanize/english"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/internal/link/calibrate"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
)

// TrainOptions configure [Train]. Dictionary and Model are required, and so is Corpus if an encoder trains on contexts;
// start from [DefaultTrainOptions] for the rest.
type TrainOptions struct {
	// Corpus is the corpus folder to learn from. It may be empty if no encoder is trained on contexts: with a recipe
	// that needs none, or another EncoderKind.
	Corpus string
	Model  string // the model folder to write; an existing model is replaced

	Dictionary     *Dictionary
	DictionaryPath string // its base name is recorded in the manifest
	// DictionaryFraction is the fraction of the names to use, above 0 and at most 1. The names are sampled by their
	// hash: those kept at .25 are among those kept at .5.
	DictionaryFraction float64
	// Seed of every random choice.
	Seed uint64

	// ExemplarsPerConcept is the largest number of contexts to keep for a concept; the paper keeps 25.
	ExemplarsPerConcept int
	// CorpusSynonyms uses the synonyms and abbreviations that the corpus defines, in addition to the dictionary's
	// names.
	CorpusSynonyms bool
	// NoRecognizer leaves out the recognizer, which finds mentions that are not names and is learned from the texts of
	// the corpus.
	NoRecognizer bool
	// Index is the kind of search: flat (exact), hnsw, or auto by size.
	Index knnindex.Kind

	// BaseModel is the BERT to start from: a folder, or a name on the Hugging Face hub. If it is empty, it is taken
	// from the variable CTXNORM_BASE_MODEL, or else sentence-transformers/all-MiniLM-L6-v2. If it is the encoder of a
	// model and EncoderKind is [UntrainedEncoder], vectors of exemplars that the two models have in common are copied
	// from that model, which may be the one to be replaced.
	BaseModel string
	// WordVectors is the folder of word vectors for a recipe that trains on them; it must be empty for any other.
	WordVectors string
	// EncoderKind selects the origin of the encoder, unless OwnEncoder is set.
	EncoderKind EncoderKind
	// OwnEncoder, if not nil, encodes the exemplars. A model made with it is opened with [OpenOptions].OpenEncoder.
	OwnEncoder Encoder
	// Recipe is the training method of the encoder, with its settings: biocom, the default, or another of
	// [papers.Recipes]. Change it with UseRecipe, which also sets Config.
	Recipe *contrastive.Recipe
	// Config holds the training settings that all methods share. It is not used if EncoderKind is [UntrainedEncoder].
	Config contrastive.Config
	// Untrained, if not nil, changes Pooling, MarkAll and MaxTokens if EncoderKind is [UntrainedEncoder]. Otherwise
	// they are taken from the encoder's folder, or are the defaults: ctxnorm writes into each encoder folder the
	// settings that it was trained with.
	Untrained func(*contrastive.Config)
	// Labeled are mentions with known concepts. Whether the recipe trains on them depends on its needs. If they also
	// become names and contexts of the model, the ranking weights are learned from them.
	Labeled []text.Exemplar
	// Annotated are documents with all of their mentions marked. The recognizer learns from them, and names that they
	// mostly leave unmarked are not found in texts. Train ignores them if they mark less than half of the names in them.
	Annotated []*text.Document
	// Run configures how the encoder computes.
	Run EncoderOptions

	// Waiting, if not nil, is called when another process is writing the folder Model, and Train then waits. If it is
	// nil, that is an error.
	Waiting func(*LockedError)

	Observer Observer
}

// EncoderKind is the origin of a model's encoder.
type EncoderKind string

const (
	// TrainedEncoder trains the base model on the corpus.
	TrainedEncoder EncoderKind = "bert"
	// UntrainedEncoder uses the base model unchanged, to index with an encoder that was trained elsewhere or to measure
	// the benefit of training.
	UntrainedEncoder EncoderKind = "untrained"
	ownEncoder       EncoderKind = "own"
	// NoEncoder makes a model that links only by strings.
	NoEncoder EncoderKind = "none"
)

// DefaultTrainOptions returns the recommended settings: all names, seed 1, 25 exemplars per concept, a trained encoder.
func DefaultTrainOptions() TrainOptions {
	return TrainOptions{
		DictionaryFraction: 1, Seed: 1, ExemplarsPerConcept: 25, CorpusSynonyms: true,
		Index: knnindex.KindAuto, EncoderKind: TrainedEncoder,
		Recipe: contrastive.BioCoMRecipe(), Config: contrastive.DefaultConfig(),
	}
}

// UseRecipe sets Recipe, and Config to the configuration that the method was published with. The index of a model whose
// method needs no contexts contains only names.
func (o *TrainOptions) UseRecipe(r *contrastive.Recipe) {
	o.Recipe, o.Config, o.ExemplarsPerConcept = r, r.Config, 0
	if r.Needs.Contexts {
		o.ExemplarsPerConcept = DefaultTrainOptions().ExemplarsPerConcept
	}
}

// checkData returns an [*OptionError] if the dictionary or labels needed by the recipe are missing, or if there are
// labels that it does not train on.
func (o *TrainOptions) checkData() error {
	check, needs := files.CheckOption, o.Recipe.Needs.Labels
	return cmp.Or(
		check(o.Dictionary != nil, "Dictionary", nil, "a dictionary"),
		check(needs != contrastive.LabelsRequired || len(o.Labeled) > 0, "Labeled", "empty",
			"labeled mentions, which "+o.Recipe.Name+" trains on"),
		check(needs != contrastive.LabelsRefused || len(o.Labeled) == 0, "Labeled", len(o.Labeled),
			"none, as "+o.Recipe.Name+" trains on no labels"),
	)
}

// Validate checks all options except Dictionary and Labeled without reading the corpus or downloading anything, as
// [Train] does first, and sets the fields of Config that depend on other options. It returns an [*OptionError],
// [ErrNoTraining], or an error that names a folder that must not be overwritten.
func (o *TrainOptions) Validate() error {
	check := files.CheckOption
	if o.Recipe == nil {
		return check(false, "Recipe", nil, "a recipe, such as DefaultTrainOptions has")
	}
	_, unknownIndex := knnindex.ParseKind(string(o.Index))
	if o.OwnEncoder != nil {
		o.EncoderKind = ownEncoder
	}
	kinds := []EncoderKind{TrainedEncoder, UntrainedEncoder, NoEncoder}
	name, needs, trains := o.Recipe.Name, o.Recipe.Needs, o.EncoderKind == TrainedEncoder
	if err := cmp.Or(
		check(!needs.WordVectors || o.WordVectors != "" || !trains, "WordVectors", "empty",
			"a folder of word vectors, which "+name+" trains on"),
		check(needs.WordVectors || o.WordVectors == "", "WordVectors", o.WordVectors,
			"none, as "+name+" trains on no word vectors"),
		check(!needs.Contexts || o.Corpus != "" || !trains, "Corpus", "",
			"a corpus folder, as "+name+" trains on its contexts"),
		check(o.Model != "", "Model", "", "a folder to write"),
		check(o.DictionaryFraction > 0 && o.DictionaryFraction <= 1, "DictionaryFraction", o.DictionaryFraction,
			"more than 0 and at most 1"),
		check(o.ExemplarsPerConcept >= 0, "ExemplarsPerConcept", o.ExemplarsPerConcept, "0 or more"),
		check(unknownIndex == nil, "Index", o.Index, "auto, flat or hnsw"),
		check(o.OwnEncoder != nil || slices.Contains(kinds, o.EncoderKind), "EncoderKind", o.EncoderKind,
			"bert, untrained or none"),
		o.Run.Validate(),
	); err != nil {
		return err
	}
	o.Config.Seed, o.Config.Precision = o.Seed, cmp.Or(o.Run.Precision, contrastive.PrecisionAuto)
	config := o.Config
	if o.EncoderKind == UntrainedEncoder && o.Untrained != nil {
		o.Untrained(&config)
	}
	if err := cmp.Or(config.Validate(), o.Recipe.Validate(), o.checkEncoder()); err != nil {
		return err
	}
	return model.CheckTarget(o.Model)
}

// checkEncoder returns an error if the encoder cannot be made by this build, on this machine, or from the base model.
func (o *TrainOptions) checkEncoder() error {
	if !o.makesEncoder() {
		return nil
	}
	if o.EncoderKind == TrainedEncoder && !CanTrain {
		return ErrNoTraining
	}
	if !o.trainsNameEncoder() {
		if err := o.Run.Check(); err != nil {
			return err
		}
		if err := bert.CheckBaseModel(o.BaseModel); err != nil {
			return err
		}
	}
	parent, work := o.workFolder()
	return work.Check(parent)
}

// makesEncoder reports whether the encoder is made from a base model or from word vectors.
func (o *TrainOptions) makesEncoder() bool {
	return o.EncoderKind == TrainedEncoder || o.EncoderKind == UntrainedEncoder
}

// trainsNameEncoder reports whether the trained encoder starts from word vectors rather than a base model.
func (o *TrainOptions) trainsNameEncoder() bool {
	return o.EncoderKind == TrainedEncoder && o.Recipe.Needs.WordVectors
}

// workFolder returns the work folder from which an interrupted training resumes, and its parent folder.
func (o *TrainOptions) workFolder() (parent string, work artifact.WorkFolder) {
	parent, name := filepath.Split(filepath.Clean(o.Model))
	return parent, artifact.WorkFolder(name + ".training")
}

// Train makes a model folder from a corpus: it tags the corpus again with the names kept by DictionaryFraction, trains
// the encoder, encodes names and sampled contexts, and learns the ranking weights without labels.
//
// Options are checked before anything is read or downloaded. When Train is called again with the same options, it
// resumes a training that was interrupted by ctx or a crash from its last checkpoint. The data for that is in the
// folder MODEL.training.
//
// An existing model in the folder stays unchanged until it is replaced in one step at the end. Train rejects a folder
// with foreign files with a [*ForeignError], and a folder that another process is writing with a [*LockedError], see
// [TrainOptions].Waiting.
func Train(ctx context.Context, o TrainOptions) error {
	if err := o.Validate(); err != nil {
		return err
	}
	if err := o.checkData(); err != nil {
		return err
	}
	lock, err := artifact.LockFolder(ctx, o.Model, o.Waiting)
	if err != nil {
		return err
	}
	defer lock.Release()
	t := training{TrainOptions: &o}
	defer func() {
		for _, opened := range []Encoder{t.made.Encoder, t.made.BaseEncoder} {
			if closer, ok := opened.(io.Closer); ok && t.EncoderKind != ownEncoder {
				_ = closer.Close() // it was only read
			}
		}
	}()
	ctx = o.Observer.indexing(ctx, o.Dictionary.CountNames())
	for _, step := range []func(context.Context) error{t.readInputs, t.makeEncoder, t.learnRecognizer, t.build} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	if !o.makesEncoder() {
		return nil
	}
	parent, work := o.workFolder()
	return artifact.RemoveFolder(filepath.Join(parent, string(work)))
}

// training is the state of a run of Train.
type training struct {
	*TrainOptions
	made    model.BuildOptions // input for building the model, filled in step by step
	corpus  *corpus.Corpus     // nil if there is none
	pairs   []corpus.SynonymPairCount
	labeled []mine.Synonym // names that labeled mentions add to the model
}

// build writes the model folder.
func (t *training) build(ctx context.Context) error {
	b := &t.made
	b.Dir, b.PerConcept, b.Index, b.Workers = t.Model, t.ExemplarsPerConcept, t.Index, t.Run.Workers
	b.CorpusSynonyms = append(slices.Clip(b.CorpusSynonyms), t.labeled...)
	b.Calibrate = calibrate.Learn
	if len(t.labeled) > 0 { // they are in the model
		b.Calibrate = calibrate.LearnLabeled(t.Labeled)
	}
	b.Report = func(rows, why string) { t.Observer.logf("index of %s: %s", rows, why) }
	b.Progress = func(done, total int) {
		t.Observer.progress(Progress{Task: "encode", Unit: "exemplars", Done: int64(done), Total: int64(total)})
	}
	b.Recalled = func(recalled, total int) {
		t.Observer.logf("%s: its model has %d of %d vectors; the others are encoded", t.BaseModel, recalled, total)
	}
	manifest, err := model.Build(ctx, *b)
	if err != nil {
		return err
	}
	if manifest.Index.Unread > 0 {
		t.Observer.logf("%s: found by strings alone, since the encoder's vocabulary lacks all of their tokens: %s", t.Model,
			english.Plural(manifest.Index.Unread, "name", ""))
	}
	t.Observer.logf("%s: %s, %s, %s", t.Model, english.Plural(manifest.Dictionary.Concepts, "concept", ""),
		english.Plural(manifest.Index.Names, "name", ""), english.Plural(manifest.Index.Contexts, "context", ""))
	return nil
}
