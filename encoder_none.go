//go:build !torch

package ctxnorm

import (
	"context"

	"github.com/ctxnorm/ctxnorm/internal/model"
)

// HasEncoder reports whether this build can run and train encoders.
const HasEncoder = false

// OpenEncoder opens an encoder folder: one in the Hugging Face layout, or of the name encoder of
// package bne. The encoder must be closed. In a build without encoders the error is [ErrNoEncoder].
func OpenEncoder(string, EncoderOptions) (Encoder, error) { return nil, ErrNoEncoder }

func builtinEncoder(EncoderOptions) model.OpenEncoder { return nil }

func (o *TrainOptions) encoderFrom(context.Context, string, string, *trainingInputs, *trainingSet) (*modelEncoder, error) {
	return nil, ErrNoEncoder
}

func (o *TrainOptions) nameEncoderFrom(context.Context, string, string, *trainingSet, *modelEncoder) error {
	return ErrNoEncoder
}
