package bert

import (
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestTorchFile: the weights in pytorch_model.bin, written by Python, equal those in model.safetensors.
func TestTorchFile(t *testing.T) {
	read := func(dir string) *Checkpoint {
		c := must.Get(ReadCheckpoint(dir, 10, 1))
		t.Cleanup(func() { c.Close() })
		return c
	}
	want, got := read(fixtures.TinyBERT()), read(fixtures.BERTFile("tiny_pickle"))
	for name := range got.byName {
		must.Equal(t, got.Tensor(name), want.Tensor(name), "tensor", name, "differs")
	}
	if len(got.byName) < 37 {
		t.Errorf("%d tensors, want 37", len(got.byName))
	}
}
