//go:build torch

package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/contrastive/train"
	"github.com/ctxnorm/ctxnorm/encoder"
	"github.com/ctxnorm/ctxnorm/model"
)

const hasEncoder = true

var errNoTorch error // never: this build has an encoder

func (e *encoderFlags) options() encoder.Options {
	return encoder.Options{Device: e.device, Precision: contrastive.Precision(e.precision), Workers: e.workers}
}

// openEncoder opens the encoder of a model.
func openEncoder(run encoderFlags) model.OpenEncoder {
	return func(dir string) (model.Encoder, error) { return encoder.Open(dir, run.options()) }
}

// prepareEncoder makes an encoder of a base model as it is, used as config says.
func prepareEncoder(base, work string, config contrastive.Config, run encoderFlags) (*trained, error) {
	out, err := emptyEncoderFolder(work)
	if err != nil {
		return nil, err
	}
	settings := encoder.Settings{Pooling: config.Pooling, MarkAll: config.MarkAll, MaxTokens: config.MaxTokens}
	if err := encoder.SaveUntrained(base, out, settings); err != nil {
		return nil, err
	}
	encoder, err := encoder.Open(out, run.options())
	if err != nil {
		return nil, err
	}
	return &trained{encoder: encoder, dir: out}, nil
}

// trainingFacts go into the manifest of the model.
type trainingFacts struct {
	Config  contrastive.Config `json:"config"`
	Summary *train.Summary     `json:"summary"`
}

// trainEncoder trains in the working folder and opens the result.
func trainEncoder(ctx context.Context, t encoderTraining) (*trained, error) {
	out, err := emptyEncoderFolder(t.work)
	if err != nil {
		return nil, err
	}
	curve := filepath.Join(t.work, "curve.jsonl")
	summary, err := train.Train(ctx, train.Training{
		Base: t.base, Out: out, Checkpoints: filepath.Join(t.work, "checkpoints"), LogFile: curve,
		Config: t.config, Contexts: t.contexts, Names: t.names, Validation: t.validation,
		Device: t.run.device, Workers: t.run.workers, Progress: t.progress,
	})
	if err != nil {
		return nil, err
	}
	encoder, err := encoder.Open(out, t.run.options())
	if err != nil {
		return nil, err
	}
	facts, err := json.Marshal(trainingFacts{t.config, summary})
	if err != nil {
		return nil, err
	}
	return &trained{encoder, out, facts, []string{curve, filepath.Join(t.work, "curve.png")}}, nil
}

// emptyEncoderFolder is where the encoder is written. One that is there is of a
// run that was stopped afterwards; the last checkpoint gives it again.
func emptyEncoderFolder(work string) (string, error) {
	out := filepath.Join(work, "encoder")
	return out, os.RemoveAll(out)
}
