//go:build !torch

package encoder

import (
	"errors"
	"fmt"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/bert/kernels"
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
	rounding := kernels.BFloat16()
	switch o.Precision {
	case "", contrastive.PrecisionAuto:
		if rounding != nil {
			return inGo(rounding, o.Workers), nil
		}
	case contrastive.PrecisionFloat32:
	case contrastive.PrecisionBFloat16:
		if rounding == nil {
			return none, errors.New("precision bfloat16: this processor has no AVX512-BF16; want float32, or auto")
		}
		return inGo(rounding, o.Workers), nil
	default:
		return none, fmt.Errorf(`precision %q, want "auto", "float32" or "bfloat16"`, string(o.Precision))
	}
	return inGo(kernels.Best(), o.Workers), nil
}
