//go:build !torch

package ctxnorm

import "context"

// CanTrain reports whether this build trains encoders: it was made with -tags torch.
const CanTrain = false

// openNameEncoder is for name encoders, which are computed by libtorch.
func (EncoderOptions) openNameEncoder(string) (Encoder, error) { return nil, ErrNoEncoder }

// trainEncoder is for training, which is done by libtorch.
func (o *TrainOptions) trainEncoder(context.Context, string, string, *trainingSet, *modelEncoder) error {
	return ErrNoTraining
}
