//go:build torch

package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"ctxnorm"
	"ctxnorm/contrastive"
	"ctxnorm/contrastive/torch"
	"ctxnorm/link"
)

const hasEncoder = true

var errNoTorch error // never: this build has an encoder

func (e *encoderFlags) options() torch.Options {
	return torch.Options{Device: e.device, Precision: contrastive.Precision(e.precision), Workers: e.workers}
}

// openEncoder opens the encoder of a model.
func openEncoder(run encoderFlags) link.OpenEncoder {
	return func(dir string) (ctxnorm.Encoder, error) { return torch.Open(dir, run.options()) }
}

// prepareEncoder makes an encoder of a base model as it is, used as config says.
func prepareEncoder(base, work string, config contrastive.Config, run encoderFlags) (*trained, error) {
	out, err := emptyEncoderFolder(work)
	if err != nil {
		return nil, err
	}
	settings := torch.Settings{Pooling: config.Pooling, MarkAll: config.MarkAll, MaxTokens: config.MaxTokens}
	if err := torch.Prepare(base, out, settings); err != nil {
		return nil, err
	}
	encoder, err := torch.Open(out, run.options())
	if err != nil {
		return nil, err
	}
	return &trained{encoder: encoder, dir: out}, nil
}

// trainingFacts go into the manifest of the model.
type trainingFacts struct {
	Config  contrastive.Config `json:"config"`
	Summary *torch.Summary     `json:"summary"`
}

// trainEncoder trains in the working folder and opens the result.
func trainEncoder(ctx context.Context, t encoderTraining) (*trained, error) {
	out, err := emptyEncoderFolder(t.work)
	if err != nil {
		return nil, err
	}
	curve := filepath.Join(t.work, "curve.jsonl")
	summary, err := torch.Train(ctx, torch.Training{
		Base: t.base, Out: out, Checkpoints: filepath.Join(t.work, "checkpoints"), Curve: curve,
		Config: t.config, Contexts: t.contexts, Names: t.names, Validation: t.validation,
		Device: t.run.device, Workers: t.run.workers, Progress: t.progress,
	})
	if err != nil {
		return nil, err
	}
	encoder, err := torch.Open(out, t.run.options())
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
