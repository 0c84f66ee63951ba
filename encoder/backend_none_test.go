//go:build !torch

package encoder

import (
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/bert/berttest"
)

// TestOnlyWithTorch: what needs the tag torch is an error that says so.
func TestOnlyWithTorch(t *testing.T) {
	for _, test := range []struct {
		dir     string
		options Options
		want    string
	}{
		{berttest.Tiny(), Options{Device: "cuda"},
			"encoder: device cuda: this build computes on the CPU; one made with `make build CUDA=1`"},
	} {
		if _, err := Open(test.dir, test.options); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %s", err, test.want)
		}
	}
}
