//go:build torch

package bert

import "github.com/ctxnorm/ctxnorm/internal/tensor"

// openPickle opens weights in PyTorch's own format.
func openPickle(path string) (weightReader, error) { return tensor.OpenPickle(path) }
