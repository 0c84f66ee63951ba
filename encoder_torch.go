//go:build torch

package ctxnorm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/encoder"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/train"
	"github.com/ctxnorm/ctxnorm/papers/bne"
	"github.com/ctxnorm/ctxnorm/papers/bne/nameencoder"
)

// HasEncoder reports whether this build can run and train encoders.
const HasEncoder = true

// OpenEncoder opens an encoder folder: one in the Hugging Face layout, or of the name encoder of
// package bne. The encoder must be closed. In a build without encoders the error is [ErrNoEncoder].
func OpenEncoder(dir string, o EncoderOptions) (Encoder, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	return o.open(dir)
}

// open opens an encoder folder of either kind.
func (o EncoderOptions) open(dir string) (Encoder, error) {
	if isName, err := nameencoder.IsFolder(dir); err != nil {
		return nil, err
	} else if isName {
		return nameencoder.Open(dir, nameencoder.Options{Device: o.Device, Workers: o.Workers})
	}
	return encoder.Open(dir, o.native())
}

func (o EncoderOptions) native() encoder.Options {
	return encoder.Options{Device: o.Device, Precision: o.Precision, Workers: o.Workers}
}

// builtinEncoder returns the function that opens a model's encoder.
func builtinEncoder(o EncoderOptions) model.OpenEncoder {
	return o.open
}

// trainingInfo goes into the manifest of the model.
type trainingInfo struct {
	Method   string             `json:"method"`
	Settings any                `json:"settings,omitempty"` // of the recipe
	Config   contrastive.Config `json:"config"`
	Summary  *train.Summary     `json:"summary"`
}

// encoderFrom trains the base model, or copies it untrained, in the folder work, and opens the
// result.
func (o *TrainOptions) encoderFrom(ctx context.Context, base, work string, in *trainingInputs, set *trainingSet) (_ *modelEncoder, err error) {
	enc := &modelEncoder{dir: filepath.Join(work, "encoder")}
	settings, err := o.encoderSettings(base)
	if err != nil {
		return nil, err
	}
	vocabulary, err := encoder.OpenVocabulary(base)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, vocabulary.Close()) }()
	if err := o.checkVocabulary(ctx, base, vocabulary, in); err != nil {
		return nil, err
	}
	if o.EncoderKind == UntrainedEncoder {
		if err := encoder.SaveUntrained(base, enc.dir, settings); err != nil {
			return nil, err
		}
	} else if err := o.trainEncoder(ctx, base, work, set, enc); err != nil {
		return nil, err
	}
	enc.baseDir = filepath.Join(work, model.BaseEncoderFolder)
	untrained := base
	if origin, ok := model.OriginOf(base); ok && origin.BaseFolder != "" {
		untrained = origin.BaseFolder
	}
	settings = encoder.Settings{Pooling: contrastive.PoolText, MaxTokens: settings.MaxTokens}
	if err := encoder.SaveUntrained(untrained, enc.baseDir, settings); err != nil {
		return nil, err
	}
	if enc.Encoder, err = encoder.Open(enc.dir, o.Run.native()); err != nil {
		return nil, err
	}
	enc.baseEncoder, err = encoder.Open(enc.baseDir, o.Run.native())
	return enc, err
}

// nameEncoderFrom trains a name encoder on the word vectors in a folder, in the folder work, and opens
// the result. A model of it has no base encoder.
func (o *TrainOptions) nameEncoderFrom(ctx context.Context, vectors, work string, set *trainingSet, enc *modelEncoder) (err error) {
	if err := o.trainEncoder(ctx, vectors, work, set, enc); err != nil {
		return err
	}
	enc.Encoder, err = o.Run.open(enc.dir)
	return err
}

// encoderSettings returns the settings of the encoder that is made from a base model, and logs
// those of an encoder folder that are kept or not. A trained encoder has those of Config.
func (o *TrainOptions) encoderSettings(base string) (encoder.Settings, error) {
	own, stated, err := encoder.ReadSettings(base)
	if err != nil {
		return own, err
	}
	if own.Pooling == contrastive.PoolText { // the base model beside a model's encoder
		own, stated = encoder.SettingsOf(contrastive.DefaultConfig()), false
	}
	config := o.Config
	if o.EncoderKind == UntrainedEncoder {
		config.Pooling, config.MarkAll, config.MaxTokens = own.Pooling, own.MarkAll, own.MaxTokens
		o.Untrained.apply(&config)
	}
	settings := encoder.SettingsOf(config)
	switch {
	case settings != own:
		origin := "the defaults"
		if stated {
			origin = "those of the folder"
		}
		o.Observer.logf("%s: encoder with %s; %s are %s", base, describeSettings(settings), origin, describeSettings(own))
	case stated:
		o.Observer.logf("%s: encoder with the settings of the folder: %s", base, describeSettings(settings))
	case o.EncoderKind == UntrainedEncoder:
		o.Observer.logf("%s: encoder with the default settings, as the folder states none: %s", base, describeSettings(settings))
	}
	return settings, nil
}

// describeSettings returns the settings in a few words.
func describeSettings(s encoder.Settings) string {
	marked := "the mention marked"
	if s.MarkAll {
		marked = "all mentions marked"
	}
	return fmt.Sprintf("pooling %s, %s, up to %d tokens", s.Pooling, marked, s.MaxTokens)
}

// trainEncoder trains into enc.dir. Checkpoints and the log go to the folder work.
func (o *TrainOptions) trainEncoder(ctx context.Context, base, work string, set *trainingSet, enc *modelEncoder) error {
	log := filepath.Join(work, "curve.jsonl")
	task, err := o.Recipe.New(o.Config, contrastive.Data{
		Dictionary: set.dict, Names: set.names, Contexts: set.contexts, Labeled: o.Labeled,
		WordVectors: o.WordVectors, LabeledNames: model.SynonymExemplars(set.labeled, set.dict),
	})
	if err != nil {
		return err
	}
	if m, ok := task.(bne.EncoderTask); ok {
		_, words := m.NameEncoder()
		o.Observer.logf("%s: %d words with vectors of %d numbers", base, words.Len(), words.Dim())
	}
	summary, err := train.Train(ctx, train.Training{
		Base: base, Out: enc.dir, Checkpoints: filepath.Join(work, "checkpoints"), LogFile: log, PlotLog: o.PlotLog,
		Task: task, Validation: set.validation,
		Device: o.Run.Device, Workers: o.Run.Workers,
		Skipped: func(err error) { o.Observer.error(fmt.Errorf("%w; training goes on from the checkpoint before", err)) },
		Progress: func(entry contrastive.LogEntry, steps int) {
			o.Observer.progress(Progress{Task: "train", Unit: "steps", Done: int64(entry.Step), Total: int64(steps), Note: describe(entry)})
		},
	})
	if err != nil {
		return err
	}
	enc.log = []string{log}
	if o.PlotLog != nil {
		enc.log = append(enc.log, filepath.Join(work, "curve.png"))
	}
	enc.training, err = json.Marshal(trainingInfo{task.Name(), task.Settings(), o.Config, summary})
	return err
}

// describe returns the entry of a training log in a few words.
func describe(e contrastive.LogEntry) string {
	s := fmt.Sprintf("loss %.3f, %.0f sentences/s", e.Loss, e.SentencesPerSecond)
	if e.ValAcc != nil {
		s += fmt.Sprintf(", validation %.3f", *e.ValAcc)
	}
	return s
}
