package bert

import (
	"fmt"

	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
)

// Names of parameters that are looked up.
const (
	wordTable     = "embeddings.word_embeddings.weight"
	positionTable = "embeddings.position_embeddings.weight"
	typeTable     = "embeddings.token_type_embeddings.weight"
	embeddingNorm = "embeddings.LayerNorm"
	markerRows    = "markers" // the rows of [ENT] and [/ENT], if the tables are frozen
)

// markerCount is the number of markers, which a base model may lack.
const markerCount = 2

// pooler lists the tensors of the base model's pooler, which is not computed, but written again.
func (c *Config) pooler() []safetensors.Named {
	return []safetensors.Named{
		{Name: "pooler.dense.weight", Shape: []int64{c.Hidden, c.Hidden}},
		{Name: "pooler.dense.bias", Shape: []int64{c.Hidden}},
	}
}

// embeddingTables lists the embedding tables.
func (c *Config) embeddingTables() []tensor.Param {
	return []tensor.Param{
		{Names: []string{wordTable}, Shape: []int64{c.VocabSize, c.Hidden}},
		{Names: []string{positionTable}, Shape: []int64{c.Positions, c.Hidden}},
		{Names: []string{typeTable}, Shape: []int64{c.Types, c.Hidden}},
	}
}

// layerParams lists all other parameters: matrices, and biases and LayerNorms.
func (c *Config) layerParams() (matrices, vectors []tensor.Param) {
	norm := func(name string) {
		for _, kind := range []string{".weight", ".bias"} {
			vectors = append(vectors, tensor.Param{Names: []string{name + kind}, Shape: []int64{c.Hidden}})
		}
	}
	norm(embeddingNorm)
	for i := range c.Layers {
		l := layerName(i)
		for _, m := range []struct {
			names   []string
			out, in int64
		}{
			{[]string{l + "attention.self.query", l + "attention.self.key", l + "attention.self.value"}, c.Hidden,
				c.Hidden},
			{[]string{l + "attention.output.dense"}, c.Hidden, c.Hidden},
			{[]string{l + "intermediate.dense"}, c.Intermediate, c.Hidden},
			{[]string{l + "output.dense"}, c.Hidden, c.Intermediate},
		} {
			out := m.out * int64(len(m.names))
			matrices = append(matrices, tensor.Param{Names: withSuffix(m.names, ".weight"), Shape: []int64{out, m.in}})
			vectors = append(vectors, tensor.Param{Names: withSuffix(m.names, ".bias"), Shape: []int64{out}})
		}
		norm(l + "attention.output.LayerNorm")
		norm(l + "output.LayerNorm")
	}
	return matrices, vectors
}

// layerName returns the prefix of the names of the tensors of layer i.
func layerName(i int) string { return fmt.Sprintf("encoder.layer.%d.", i) }

func withSuffix(names []string, suffix string) []string {
	full := make([]string, len(names))
	for i, name := range names {
		full[i] = name + suffix
	}
	return full
}
