package encoder

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
)

func TestOpenErrors(t *testing.T) {
	set := func(field string, value any) func(map[string]any) {
		return func(fields map[string]any) { fields[field] = value }
	}
	edit := func(name string, f func(*safetensors.Named)) func(map[string]*safetensors.Named) {
		return func(tensors map[string]*safetensors.Named) { f(tensors[name]) }
	}
	const query = "encoder.layer.1.attention.self.query.weight"
	for _, c := range []struct {
		name    string
		config  func(map[string]any)
		weights func(map[string]*safetensors.Named)
		want    string
	}{
		{"other model", set("model_type", "roberta"), nil, `config.json: model_type is "roberta", want "bert"`},
		{"activation", set("hidden_act", "silu"), nil, `config.json: hidden_act is "silu", want "gelu"`},
		{"positions", set("position_embedding_type", "relative_key"), nil, `config.json: position_embedding_type is "relative_key", want "absolute"`},
		{"heads", set("num_attention_heads", 5), nil, "config.json: num_attention_heads is 5, want a divisor of hidden_size 32"},
		{"decoder", set("is_decoder", true), nil, "config.json: is_decoder is true, want false"},
		{"string for a number", set("hidden_size", "many"), nil, "config.json: json: cannot unmarshal string"},
		{"more layers", set("num_hidden_layers", 3), nil,
			`model.safetensors: tensor "encoder.layer.2.attention.self.query.weight" is missing, want shape [32 32]`},
		{"missing tensor", nil, edit(query, func(n *safetensors.Named) { n.Name = "other" }),
			`model.safetensors: tensor "` + query + `" is missing, want shape [32 32]`},
		{"wrong shape", nil, edit(query, func(n *safetensors.Named) { n.Shape = []int64{16, 64} }),
			`model.safetensors: tensor "` + query + `" has shape [16 64], want [32 32]`},
		{"pooler", nil, edit("pooler.dense.weight", func(n *safetensors.Named) { n.Shape = []int64{16, 64} }),
			`model.safetensors: tensor "pooler.dense.weight" has shape [16 64], want [32 32]`},
	} {
		dir := fixtures.ChangedBERT(t, c.config, c.weights)
		_, err := Open(dir, Options{})
		must.Fail(t, err, filepath.Join(dir, c.want), c.name, c.want)
		if option := new(files.OptionError); errors.As(err, &option) {
			t.Errorf("%s: the error is one of the option %s", c.name, option.Field)
		}
	}
}

// TestOtherFiles: the tokenizer of another model, missing weights and damaged weights are errors.
func TestOtherFiles(t *testing.T) {
	dir := fixtures.ChangedBERT(t, nil, nil)
	weights, pickle := filepath.Join(dir, "model.safetensors"), filepath.Join(dir, "pytorch_model.bin")
	vocabulary := must.Get(os.ReadFile(filepath.Join(dir, "vocab.txt")))
	write := func(name string, data []byte) error { return os.WriteFile(filepath.Join(dir, name), data, 0o644) }
	for _, c := range []struct {
		change func() error
		want   string
	}{
		{func() error { return write("vocab.txt", append(slices.Clone(vocabulary), "surplus\n"...)) },
			dir + ": the tokenizer has 128 ids, but vocab_size in config.json is 125"},
		{func() error { return errors.Join(write("vocab.txt", vocabulary), os.Remove(weights)) },
			dir + " holds no weights: neither model.safetensors nor pytorch_model.bin is there"},
		{func() error { return write("pytorch_model.bin", []byte("not a pickle")) }, pickle},
	} {
		must.Succeed(t, c.change())
		_, err := Open(dir, Options{})
		must.Fail(t, err, c.want)
	}
}
