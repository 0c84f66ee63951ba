//go:build !torch

package encoder

import (
	"errors"
	"fmt"

	"github.com/ctxnorm/ctxnorm/contrastive"
)

// parseBackend returns how an encoder of the options computes.
func parseBackend(o Options) (none computation, err error) {
	switch o.Device {
	case "", "cpu":
	case "cuda":
		return none, errors.New("device cuda: this build computes on the CPU; one made with `make build CUDA=1` uses a GPU")
	default:
		return none, fmt.Errorf(`device %q, want "cpu" or "cuda"`, o.Device)
	}
	switch o.Precision {
	case "", contrastive.PrecisionAuto, contrastive.PrecisionFloat32:
	case contrastive.PrecisionBFloat16:
		return none, errors.New("precision bfloat16: this build computes in float32; one made with -tags torch has bfloat16")
	default:
		return none, fmt.Errorf(`precision %q, want "auto", "float32" or "bfloat16"`, string(o.Precision))
	}
	return inGo(o.Workers), nil
}
