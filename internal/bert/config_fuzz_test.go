package bert

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// FuzzReadConfig checks that every size in a configuration that is read is within its bounds, and that writing keeps
// the configuration the same.
func FuzzReadConfig(f *testing.F) {
	seed := must.Get(os.ReadFile(filepath.Join(fixtures.TinyBERT(), configFile)))
	f.Add(seed)
	f.Add([]byte(`{"num_hidden_layers": 1e9, "hidden_size": -1, "layer_norm_eps": 1e400}`))
	f.Add([]byte(`{"VOCAB_SIZE": 3, "vocab_size": null, "hidden_act": "relu"}`))
	f.Add([]byte("null"))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		path := filepath.Join(dir, configFile)
		must.Succeed(t, os.WriteFile(path, data, 0o666))
		c, err := ReadConfig(dir)
		if err != nil {
			return
		}
		if c.VocabSize < 1 || c.VocabSize > maxVocab || c.Hidden < 1 || c.Hidden > maxHidden || c.Layers < 1 || c.Layers > maxLayers ||
			c.Heads < 1 || c.Hidden%c.Heads != 0 {
			t.Fatalf("sizes out of bounds: %+v", *c)
		}
		must.Succeed(t, c.write(dir))
		again, err := ReadConfig(dir)
		must.Succeed(t, err, "what was written is not read")
		again.fields, c.fields = nil, nil
		if got, want := *again, *c; got.VocabSize != want.VocabSize || got.Hidden != want.Hidden || got.Layers != want.Layers {
			t.Fatalf("read %+v after it was written, want %+v", got, want)
		}
	})
}
