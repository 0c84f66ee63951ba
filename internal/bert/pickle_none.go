//go:build !torch

package bert

import "fmt"

// openPickle is for weights in PyTorch's own format, which libtorch reads.
func openPickle(path string) (weightReader, error) {
	return nil, fmt.Errorf("%s: this build reads weights in %s alone; one made with -tags torch reads this file too",
		path, safetensorsFile)
}
