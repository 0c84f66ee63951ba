package bert

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/bert/kernels"
)

// configFile is the file of a Hugging Face folder that holds the [Config].
const configFile = "config.json"

// Config holds the fields of config.json that determine the computation.
//
// NB: its JSON is part of an encoder's fingerprint, so a new field or another order changes every fingerprint.
type Config struct {
	ModelType    string  `json:"model_type"`
	VocabSize    int64   `json:"vocab_size"` // rows of the word embedding
	Hidden       int64   `json:"hidden_size"`
	Layers       int     `json:"num_hidden_layers"`
	Heads        int64   `json:"num_attention_heads"`
	Intermediate int64   `json:"intermediate_size"`
	Activation   string  `json:"hidden_act"`
	Positions    int64   `json:"max_position_embeddings"`
	Types        int64   `json:"type_vocab_size"`
	LayerNormEps float64 `json:"layer_norm_eps"`
	PositionKind string  `json:"position_embedding_type"`
	PadID        int32   `json:"pad_token_id"`
	IsDecoder    bool    `json:"is_decoder"`

	fields map[string]json.RawMessage // all fields of the file, for writing it again
}

// ReadConfig reads dir/config.json. The error names the first field that shows that the model is not a BERT encoder
// supported by this package.
func ReadConfig(dir string) (*Config, error) {
	path := filepath.Join(dir, configFile)
	data, err := artifact.ReadFile(path)
	if err != nil {
		return nil, err
	}
	// The defaults of BertConfig in transformers, for missing fields.
	c := &Config{
		ModelType: "bert", Activation: "gelu", Positions: 512, Types: 2,
		LayerNormEps: 1e-12, PositionKind: "absolute",
	}
	if err := cmp.Or(json.Unmarshal(data, c), json.Unmarshal(data, &c.fields)); err != nil {
		return nil, artifact.Damaged(path, "%v", err)
	}
	if err := c.validate(); err != nil {
		return nil, fmt.Errorf("%s: %v", path, err) // a field of the file is not an option of the caller
	}
	return c, nil
}

// Bounds of config.json, far beyond existing models, to keep products of sizes from overflowing. [Checkpoint] compares
// the sizes with the weights before it allocates anything.
const (
	maxVocab        = 10_000_000
	maxHidden       = 1 << 16
	maxLayers       = 1000
	maxIntermediate = 1 << 20
	maxPositions    = 1 << 20
	maxTypes        = 1 << 16
)

// activations are the functions between the two products of a layer, by name in config.json.
var activations = map[string]kernels.Activation{
	"gelu": kernels.GELU, "gelu_new": kernels.TanhGELU, "gelu_pytorch_tanh": kernels.TanhGELU, "relu": kernels.ReLU,
}

// Function returns the activation function named by hidden_act.
func (c *Config) Function() kernels.Activation { return activations[c.Activation] }

// validate returns an error for the first field with a value that is not supported.
func (c *Config) validate() error {
	size := func(field string, value, most int64) error {
		return files.CheckOption(value > 0 && value <= most, field, value, fmt.Sprintf("1 to %d", most))
	}
	_, known := activations[c.Activation]
	return cmp.Or(
		files.CheckOption(c.ModelType == "bert", "model_type", c.ModelType, `"bert"`),
		files.CheckOption(known, "hidden_act", c.Activation, `"gelu", "gelu_new", "gelu_pytorch_tanh" or "relu"`),
		files.CheckOption(c.PositionKind == "absolute", "position_embedding_type", c.PositionKind, `"absolute"`),
		files.CheckOption(!c.IsDecoder, "is_decoder", c.IsDecoder, "false"),
		size("vocab_size", c.VocabSize, maxVocab), size("hidden_size", c.Hidden, maxHidden),
		size("num_hidden_layers", int64(c.Layers), maxLayers),
		files.CheckOption(c.Heads > 0 && c.Hidden%c.Heads == 0, "num_attention_heads", c.Heads,
			fmt.Sprintf("a divisor of hidden_size %d", c.Hidden)),
		size("intermediate_size", c.Intermediate, maxIntermediate),
		size("max_position_embeddings", c.Positions, maxPositions), size("type_vocab_size", c.Types, maxTypes),
		files.CheckOption(c.LayerNormEps > 0, "layer_norm_eps", c.LayerNormEps, "above 0"),
	)
}

// write writes dir/config.json: the fields that were read, with the current vocab_size, and the fields that AutoModel
// in Python needs.
func (c *Config) write(dir string) error {
	fields := make(map[string]any, len(c.fields)+1)
	for name, value := range c.fields {
		fields[name] = value
	}
	fields["vocab_size"] = c.VocabSize
	fields["model_type"] = c.ModelType
	fields["architectures"] = []string{"BertModel"}
	fields["torch_dtype"] = "float32"
	return artifact.WriteJSON(filepath.Join(dir, configFile), fields)
}
