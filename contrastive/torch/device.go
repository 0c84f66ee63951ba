//go:build torch

package torch

import (
	"fmt"

	"github.com/sugarme/gotch"
	"golang.org/x/sys/cpu"

	"ctxnorm/contrastive"
)

// The devices that an encoder runs on.
const (
	CPU  = "cpu"
	CUDA = "cuda"
)

// parseDevice takes "cpu" (or nothing) and "cuda" to libtorch's device.
func parseDevice(name string) (gotch.Device, error) {
	switch name {
	case "", CPU:
		return gotch.CPU, nil
	case CUDA:
		if !gotch.CUDA.IsAvailable() {
			return gotch.CPU, fmt.Errorf("device cuda: this build has no CUDA libraries, or the machine no usable GPU; " +
				"build with `make build CUDA=1` on a machine with an NVIDIA driver, or use cpu")
		}
		return gotch.CudaBuilder(0), nil
	}
	return gotch.CPU, fmt.Errorf("device %q, want %q or %q", name, CPU, CUDA)
}

// parsePrecision gives the type of matrix products. "auto" (or nothing) is
// bfloat16 where the device has products of it. On a CPU with AMX, MiniLM then
// encodes 4 times and trains 2.3 times as many sentences a second, measured; on
// a CPU without AMX or AVX512-BF16 such products are emulated, and slower.
func parsePrecision(precision contrastive.Precision, device gotch.Device) (gotch.DType, error) {
	switch precision {
	case contrastive.PrecisionFloat32:
		return gotch.Float, nil
	case contrastive.PrecisionBFloat16:
		return gotch.BFloat16, nil
	case "", contrastive.PrecisionAuto:
		if hasBFloat16(device) {
			return gotch.BFloat16, nil
		}
		return gotch.Float, nil
	}
	return gotch.Float, fmt.Errorf("precision %q, want %q, %q or %q", precision,
		contrastive.PrecisionAuto, contrastive.PrecisionFloat32, contrastive.PrecisionBFloat16)
}

// hasBFloat16 is whether the device has products of bfloat16.
func hasBFloat16(device gotch.Device) bool {
	return device.IsCuda() || cpu.X86.HasAVX512BF16 || cpu.X86.HasAMXBF16
}
