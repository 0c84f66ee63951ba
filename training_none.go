//go:build !torch

package ctxnorm

import "context"

// CanTrain reports whether this build trains encoders: it was made with -tags torch.
const CanTrain = false

// openNameEncoder is for name encoders, which are computed by libtorch.
func openNameEncoder(string, EncoderOptions) (Encoder, error) { return nil, ErrNoEncoder }

// trainEncoder is for training, which is done by libtorch.
func (t *training) trainEncoder(context.Context, string, string) error {
	return ErrNoTraining
}
