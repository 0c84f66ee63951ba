package ctxnorm

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/encoder"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/papers/bne"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// OpenEncoder opens an encoder folder, which has the layout of Hugging Face or contains a name encoder of package bne.
// The encoder must be closed. It returns [ErrNoEncoder] if this build cannot run the encoder.
func OpenEncoder(dir string, o EncoderOptions) (Encoder, error) {
	if isName, err := bne.IsFolder(dir); err != nil {
		return nil, err
	} else if isName {
		return openNameEncoder(dir, o)
	}
	e, err := encoder.Open(dir, o)
	if errors.Is(err, tokenizer.ErrUnsupported) {
		return nil, fmt.Errorf("%w: %w", ErrNoEncoder, err)
	}
	if err != nil {
		return nil, err
	}
	return e, nil
}

// makeEncoder makes the encoder according to the options.
func (t *training) makeEncoder(ctx context.Context) error {
	b := &t.made
	switch t.EncoderKind {
	case NoEncoder:
		return nil
	case ownEncoder:
		b.Encoder, b.BaseModel = t.OwnEncoder, "own"
		return nil
	}
	base := t.WordVectors
	var err error
	if !t.trainsNameEncoder() {
		base, err = bert.ResolveBaseModel(ctx, t.BaseModel, func(file string, done, total int64) {
			t.Observer.progress(Progress{Task: "fetch", Unit: "bytes", Done: done, Total: total, Note: file})
		})
		if err != nil {
			return err
		}
	}
	parent, folder := t.workFolder()
	work, err := folder.Open(parent)
	if err != nil {
		return err
	}
	b.BaseModel, b.EncoderDir = filepath.Base(base), filepath.Join(work, "encoder")
	// These folders were written by a run that was stopped afterwards; the last checkpoint can restore them.
	baseDir := filepath.Join(work, model.BaseEncoderFolder)
	for _, made := range []string{b.EncoderDir, baseDir} {
		if err := artifact.RemoveFolder(made); err != nil {
			return err
		}
	}
	if t.trainsNameEncoder() { // such a model has no base encoder
		if err := t.trainEncoder(ctx, base, work); err != nil {
			return err
		}
		b.Encoder, err = OpenEncoder(b.EncoderDir, t.Run)
		return err
	}
	origin, err := model.OriginOf(base)
	if err != nil {
		return err
	}
	b.BaseEncoderDir = baseDir
	if err := t.encoderFrom(ctx, base, origin, work); err != nil {
		return err
	}
	if name := bert.BaseModelName(t.BaseModel); name != base { // from the hub
		b.BaseModel = name
	}
	if origin != nil {
		b.BaseModel = origin.Base
		if t.EncoderKind == UntrainedEncoder {
			b.Training, b.Earlier = origin.Training, origin.Model
		}
	}
	return nil
}

// encoderFrom makes an encoder in the folder work, by training the base model or by copying it, and opens it. origin
// describes the base model if it is the encoder of a model.
func (t *training) encoderFrom(ctx context.Context, base string, origin *model.EncoderOrigin,
	work string) (err error) {
	b := &t.made
	settings, err := t.encoderSettings(base)
	if err != nil {
		return err
	}
	vocabulary, err := tokenizer.Open(base)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, vocabulary.Close()) }()
	if err := t.checkVocabulary(ctx, base, vocabulary); err != nil {
		return err
	}
	if t.EncoderKind == UntrainedEncoder {
		if err := encoder.SaveUntrained(base, b.EncoderDir, settings); err != nil {
			return err
		}
	} else if err := t.trainEncoder(ctx, base, work); err != nil {
		return err
	}
	untrained := base
	if origin != nil && origin.BaseFolder != "" {
		untrained = origin.BaseFolder
	}
	settings = encoder.Settings{Pooling: contrastive.PoolText, MaxTokens: settings.MaxTokens}
	if err := encoder.SaveUntrained(untrained, b.BaseEncoderDir, settings); err != nil {
		return err
	}
	if b.Encoder, err = OpenEncoder(b.EncoderDir, t.Run); err != nil {
		return err
	}
	b.BaseEncoder, err = OpenEncoder(b.BaseEncoderDir, t.Run)
	return err
}

// encoderSettings returns the settings for the encoder made from a base model, and logs which settings of an encoder
// folder are kept. A trained encoder has the settings of Config.
func (t *training) encoderSettings(base string) (encoder.Settings, error) {
	own, stated, err := encoder.ReadSettings(base)
	if err != nil {
		return own, err
	}
	if own.Pooling == contrastive.PoolText { // the base model beside a model's encoder
		own, stated = encoder.SettingsOf(contrastive.DefaultConfig()), false
	}
	config := t.Config
	if t.EncoderKind == UntrainedEncoder {
		config.Pooling, config.MarkAll, config.MaxTokens = own.Pooling, own.MarkAll, own.MaxTokens
		if t.Untrained != nil {
			t.Untrained(&config)
		}
	}
	settings := encoder.SettingsOf(config)
	switch {
	case settings != own:
		origin := "the defaults"
		if stated {
			origin = "those of the folder"
		}
		t.Observer.logf("%s: encoder with %s; %s are %s", base, describeSettings(settings), origin,
			describeSettings(own))
	case stated:
		t.Observer.logf("%s: encoder with the settings of the folder: %s", base, describeSettings(settings))
	case t.EncoderKind == UntrainedEncoder:
		t.Observer.logf("%s: encoder with the default settings, as the folder states none: %s", base,
			describeSettings(settings))
	}
	return settings, nil
}

// describeSettings describes the settings in a few words.
func describeSettings(s encoder.Settings) string {
	marked := "the mention marked"
	if s.MarkAll {
		marked = "all mentions marked"
	}
	return fmt.Sprintf("pooling %s, %s, up to %d tokens", s.Pooling, marked, s.MaxTokens)
}

// maxUnknownShare is the largest fraction of unknown tokens at which a vocabulary is considered suitable. The
// vocabularies of MiniLM and PubMedBERT lack less than .001 of the tokens of MEDIC and PubMed; they lack .7 and more of
// those of manbyo's Japanese names.
const maxUnknownShare = .05

// vocabularySample is the number of names, and of contexts, to check before training.
const vocabularySample = 20_000

// checkVocabulary logs how many tokens of names and contexts are missing from the vocabulary of an encoder, and warns
// if it does not fit, before training.
func (t *training) checkVocabulary(ctx context.Context, base string, counter model.TokenCounter) error {
	names, _, err := model.CountTokens(ctx, counter,
		model.SampleContexts(model.NameExemplars(t.made.Dictionary), vocabularySample, t.Seed), t.Run.Workers)
	if err != nil {
		return err
	}
	contexts, _, err := model.CountTokens(ctx, counter,
		model.SampleContexts(t.made.Contexts, vocabularySample, t.Seed), t.Run.Workers)
	if err != nil {
		return err
	}
	t.Observer.logf("%s: its vocabulary lacks %.2g %% of the tokens of names and %.2g %% of those of contexts", base,
		100*names.UnknownShare(), 100*contexts.UnknownShare())
	if max(names.UnknownShare(), contexts.UnknownShare()) > maxUnknownShare {
		t.Observer.logf("warning: the vocabulary of %s does not fit the dictionary or the corpus: the encoder reads "+
			"all that it lacks as the same token, [UNK]; "+
			"take a base model for their language, or no encoder", base)
	}
	return nil
}
