//go:build !torch

package encoder

import (
	"errors"
	"fmt"
)

// parseBackend returns how an encoder with these options computes.
func parseBackend(o Options) (none computation, err error) {
	switch o.Device {
	case "", "cpu":
	case "cuda":
		return none,
			errors.New("device cuda: this build computes on the CPU; one made with `make build CUDA=1` uses a GPU")
	default:
		return none, fmt.Errorf(`device %q, want "cpu" or "cuda"`, o.Device)
	}
	return parsePrecision(o)
}
