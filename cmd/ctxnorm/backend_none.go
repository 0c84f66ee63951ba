//go:build !torch

package main

import (
	"context"
	"errors"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/model"
)

const hasEncoder = false

// errNoTorch is the answer of a build without libtorch to anything that encodes.
var errNoTorch = withHint(
	errors.New("this build of ctxnorm has no encoder"),
	"make build gives one that has; without it, train --encoder none links by strings")

// openEncoder is nil: package link then refuses a model that needs an encoder.
func openEncoder(encoderFlags) model.OpenEncoder { return nil }

func prepareEncoder(string, string, contrastive.Config, encoderFlags) (*trained, error) {
	return nil, errNoTorch
}

func trainEncoder(context.Context, encoderTraining) (*trained, error) { return nil, errNoTorch }
