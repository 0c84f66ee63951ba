package ctxnorm

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/encoder"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/papers/bne/nameencoder"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// OpenEncoder opens an encoder folder: one in the Hugging Face layout, or of the name encoder of package
// bne. The encoder must be closed. The error is [ErrNoEncoder] if this build cannot run it: a name
// encoder, and a tokenizer other than BERT's, need a build with -tags torch.
func OpenEncoder(dir string, o EncoderOptions) (Encoder, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	return o.open(dir, "")
}

// RunsEncoder reports whether [OpenEncoder] can run the encoder of a folder in this build. It does not
// read the weights.
func RunsEncoder(dir string) bool {
	if isName, err := nameencoder.IsFolder(dir); err != nil || isName {
		return err == nil && CanTrain
	}
	vocabulary, err := encoder.OpenVocabulary(dir)
	if err == nil {
		err = vocabulary.Close()
	}
	return !errors.Is(err, tokenizer.ErrUnsupported)
}

// open opens an encoder folder of either kind: see [OpenOptions.EncoderOpener].
func (o EncoderOptions) open(dir, weightsSHA256 string) (Encoder, error) {
	if isName, err := nameencoder.IsFolder(dir); err != nil {
		return nil, err
	} else if isName {
		return o.openNameEncoder(dir)
	}
	native := o.native()
	native.WeightsSHA256 = weightsSHA256
	e, err := encoder.Open(dir, native)
	if errors.Is(err, tokenizer.ErrUnsupported) {
		return nil, fmt.Errorf("%w: %w", ErrNoEncoder, err)
	}
	if err != nil {
		return nil, err
	}
	return e, nil
}

func (o EncoderOptions) native() encoder.Options {
	return encoder.Options{Device: o.Device, Precision: o.Precision, Workers: o.Workers}
}

// encoderFrom trains the base model, which is of origin if it is the encoder of a model, or copies it untrained, in
// the folder work, and opens the result.
func (o *TrainOptions) encoderFrom(ctx context.Context, base string, origin *model.EncoderOrigin, work string,
	in *trainingInputs, set *trainingSet) (_ *modelEncoder, err error) {
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
	if origin != nil && origin.BaseFolder != "" {
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
func (o *TrainOptions) nameEncoderFrom(ctx context.Context, vectors, work string, set *trainingSet,
	enc *modelEncoder) (err error) {
	if err := o.trainEncoder(ctx, vectors, work, set, enc); err != nil {
		return err
	}
	enc.Encoder, err = o.Run.open(enc.dir, "")
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
		o.Observer.logf("%s: encoder with %s; %s are %s", base, describeSettings(settings), origin,
			describeSettings(own))
	case stated:
		o.Observer.logf("%s: encoder with the settings of the folder: %s", base, describeSettings(settings))
	case o.EncoderKind == UntrainedEncoder:
		o.Observer.logf("%s: encoder with the default settings, as the folder states none: %s", base,
			describeSettings(settings))
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
