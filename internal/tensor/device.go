//go:build torch

package tensor

import (
	"fmt"

	"github.com/sugarme/gotch"
	"golang.org/x/sys/cpu"
)

// Device is a CPU or a GPU.
type Device = gotch.Device

// CPU is the device that every machine has.
var CPU = gotch.CPU

// DType is the number format of a tensor's elements.
type DType = gotch.DType

// The number formats of weights and matrix products.
const (
	Float32  = gotch.Float
	BFloat16 = gotch.BFloat16
)

// ParseDevice returns the device with the name: "cpu", also for "", or "cuda", which is an error without a usable GPU.
func ParseDevice(name string) (Device, error) {
	switch name {
	case "", "cpu":
		return gotch.CPU, nil
	case "cuda":
		if !gotch.CUDA.IsAvailable() {
			return gotch.CPU,
				fmt.Errorf("device cuda: this build has no CUDA libraries, or the machine no usable GPU; " +
					"build with `make build CUDA=1` on a machine with an NVIDIA driver, or use cpu")
		}
		return gotch.CudaBuilder(0), nil
	}
	return gotch.CPU, fmt.Errorf(`device %q, want "cpu" or "cuda"`, name)
}

// ParsePrecision returns the number format of matrix products: "float32", "bfloat16", or "auto", also for "", which
// chooses bfloat16 if the device multiplies it in hardware. On a CPU with AMX, MiniLM then trains 2.3 times as many
// sentences a second, measured; on a CPU without AMX or AVX512-BF16 such products are emulated, and slower.
func ParsePrecision(name string, device Device) (DType, error) {
	switch name {
	case "float32":
		return Float32, nil
	case "bfloat16":
		return BFloat16, nil
	case "", "auto":
		if device.IsCuda() || cpu.X86.HasAVX512BF16 || cpu.X86.HasAMXBF16 {
			return BFloat16, nil
		}
		return Float32, nil
	}
	return Float32, fmt.Errorf(`precision %q, want "auto", "float32" or "bfloat16"`, name)
}
