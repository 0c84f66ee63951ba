//go:build torch

package bert

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/bert/berttest"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestWriteModel: the weights written are those read, pooler included, with trained and
// with frozen tables.
func TestWriteModel(t *testing.T) {
	want := berttest.Weights(t, berttest.Tiny())
	for _, freeze := range []bool{false, true} {
		m := load(t, berttest.Tiny(), freeze)
		dir := t.TempDir()
		must.Succeed(t, m.Write(dir))
		if diff := cmp.Diff(want, berttest.Weights(t, dir)); diff != "" {
			t.Errorf("frozen tables %v (-read +written):\n%s", freeze, diff)
		}
		config := must.Get(ReadConfig(dir))
		if config.VocabSize != m.Config.VocabSize {
			t.Errorf("vocab_size %d, want %d", config.VocabSize, m.Config.VocabSize)
		}
	}
}
