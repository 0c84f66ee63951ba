//go:build torch

package tensor

import (
	"context"

	"github.com/ctxnorm/ctxnorm/internal/parallel"
)

// Cores bounds the goroutines of all calls together that compute without gradients.
type Cores struct{ *parallel.Cores }

// NewCores returns the cores of a device for n workers, see [Workers].
func NewCores(device Device, n int) *Cores { return &Cores{parallel.NewCores(Workers(device, n))} }

// Each is [parallel.Cores.Each] on threads without gradients.
func (c *Cores) Each(ctx context.Context, n int, f func(i int) error) error {
	return c.Cores.Each(ctx, n, func(i int) error {
		return OnThread(false, func() error { return f(i) })
	})
}
