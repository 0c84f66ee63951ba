//go:build torch

package ctxnorm

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/contrastive/train"
	"github.com/ctxnorm/ctxnorm/encoder"
	"github.com/ctxnorm/ctxnorm/model"
)

// HasEncoder reports whether this build can run and train encoders.
const HasEncoder = true

// OpenEncoder opens an encoder folder in the Hugging Face layout. The encoder must be
// closed. In a build without encoders the error is [ErrNoEncoder].
func OpenEncoder(dir string, o EncoderOptions) (Encoder, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	return encoder.Open(dir, o.native())
}

func (o EncoderOptions) native() encoder.Options {
	return encoder.Options{Device: o.Device, Precision: o.Precision, Workers: o.Workers}
}

// builtinEncoder returns the function that opens a model's encoder.
func builtinEncoder(o EncoderOptions) model.OpenEncoder {
	return func(dir string) (Encoder, error) { return encoder.Open(dir, o.native()) }
}

// trainingInfo goes into the manifest of the model.
type trainingInfo struct {
	Config  contrastive.Config `json:"config"`
	Summary *train.Summary     `json:"summary"`
}

// encoderFrom trains the base model, or copies it untrained, in the folder work, and opens the
// result.
func (o *TrainOptions) encoderFrom(ctx context.Context, base, work string, set *trainingSet) (*modelEncoder, error) {
	enc := &modelEncoder{dir: filepath.Join(work, "encoder")}
	if o.EncoderKind == UntrainedEncoder {
		settings := encoder.Settings{Pooling: o.Config.Pooling, MarkAll: o.Config.MarkAll, MaxTokens: o.Config.MaxTokens}
		if err := encoder.SaveUntrained(base, enc.dir, settings); err != nil {
			return nil, err
		}
	} else if err := o.trainEncoder(ctx, base, work, set, enc); err != nil {
		return nil, err
	}
	enc.baseDir = filepath.Join(work, model.BaseEncoderFolder)
	settings := encoder.Settings{Pooling: contrastive.PoolText, MaxTokens: o.Config.MaxTokens}
	untrained, ok := model.BaseEncoderBeside(base)
	if !ok {
		untrained = base
	}
	if err := encoder.SaveUntrained(untrained, enc.baseDir, settings); err != nil {
		return nil, err
	}
	var err error
	if enc.Encoder, err = encoder.Open(enc.dir, o.Run.native()); err != nil {
		return nil, err
	}
	enc.baseEncoder, err = encoder.Open(enc.baseDir, o.Run.native())
	return enc, err
}

// trainEncoder trains into enc.dir. Checkpoints and the log go to the folder work.
func (o *TrainOptions) trainEncoder(ctx context.Context, base, work string, set *trainingSet, enc *modelEncoder) error {
	log := filepath.Join(work, "curve.jsonl")
	summary, err := train.Train(ctx, train.Training{
		Base: base, Out: enc.dir, Checkpoints: filepath.Join(work, "checkpoints"), LogFile: log, PlotLog: o.PlotLog,
		Config: o.Config, Contexts: set.contexts, Names: set.names, Validation: set.validation,
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
	enc.training, err = json.Marshal(trainingInfo{o.Config, summary})
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
