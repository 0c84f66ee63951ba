//go:build torch

package encoder

import (
	"errors"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/internal/bert/kernels"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
)

// parseBackend returns how an encoder with these options computes: on a CPU in Go, which is faster there, or by
// libtorch on a GPU and for bfloat16 that the CPU has to emulate.
func parseBackend(o Options) (none computation, err error) {
	device, err := tensor.ParseDevice(o.Device)
	if err != nil {
		return none, err
	}
	if device.IsCuda() && o.Precision == contrastive.PrecisionInt8 {
		return none, errors.New("precision int8: a GPU computes in float32 or bfloat16")
	}
	dtype, other := tensor.ParsePrecision(string(o.Precision), device)
	inGo := dtype == tensor.Float32 || kernels.BFloat16() != nil
	if other != nil || !device.IsCuda() && inGo {
		return parsePrecision(o)
	}
	return byLibtorch(dtype, device, o.Workers), nil
}

// byLibtorch returns a computation by libtorch.
func byLibtorch(dtype tensor.DType, device tensor.Device, workers int) computation {
	return computation{tensor.Workers(device, workers), func(e *Encoder, dir string) error {
		m, err := bert.LoadModel(dir, e.tokenizer, false, untrainedSeed)
		if err != nil {
			return err
		}
		inference, err := bert.NewInference(m, dtype, device)
		if err == nil {
			e.backend = inference
		}
		return err
	}}
}
