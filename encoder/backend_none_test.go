//go:build !torch

package encoder

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/bert/berttest"
)

// TestOnlyWithTorch: what needs the tag torch is an error that says so.
func TestOnlyWithTorch(t *testing.T) {
	pickled := berttest.Changed(t, nil, nil)
	weights := filepath.Join(pickled, "model.safetensors")
	if err := os.Rename(weights, filepath.Join(pickled, "pytorch_model.bin")); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		dir     string
		options Options
		want    string
	}{
		{berttest.Tiny(), Options{Device: "cuda"},
			"encoder: device cuda: this build computes on the CPU; one made with `make build CUDA=1`"},
		{pickled, Options{},
			"pytorch_model.bin: this build reads weights in model.safetensors alone; one made with -tags torch"},
	} {
		if _, err := Open(test.dir, test.options); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %s", err, test.want)
		}
	}
}
