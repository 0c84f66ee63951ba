//go:build !torch

package ctxnorm

import "context"

// CanTrain reports whether this build trains encoders: it was made with -tags torch.
const CanTrain = false

// openNameEncoder fails, because name encoders need libtorch.
func openNameEncoder(string, EncoderOptions) (Encoder, error) { return nil, ErrNoEncoder }

// trainEncoder fails, because training needs libtorch.
func (t *training) trainEncoder(context.Context, string, string) error {
	return ErrNoTraining
}
