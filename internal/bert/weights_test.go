//go:build torch

package bert

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestWriteModel: the weights written are those read, including the pooler, with trained and with frozen tables.
func TestWriteModel(t *testing.T) {
	want := fixtures.BERTWeights(t, fixtures.TinyBERT())
	for _, freeze := range []bool{false, true} {
		m := load(t, fixtures.TinyBERT(), freeze)
		dir := t.TempDir()
		must.Succeed(t, m.Write(dir))
		if diff := cmp.Diff(want, fixtures.BERTWeights(t, dir)); diff != "" {
			t.Errorf("frozen tables %v (-read +written):\n%s", freeze, diff)
		}
		config := must.Get(ReadConfig(dir))
		if config.VocabSize != m.Config.VocabSize {
			t.Errorf("vocab_size %d, want %d", config.VocabSize, m.Config.VocabSize)
		}
	}
}
