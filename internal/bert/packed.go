package bert

import (
	"context"
	"fmt"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/bert/kernels"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// Packed is a BERT with fixed weights, packed for an instruction set. It computes the same as [Network] and is safe for
// concurrent use.
type Packed struct {
	checkpoint *Checkpoint
	config     *Config
	set        *kernels.Set

	// Padded widths of rows.
	hidden int // of the states
	head   int // of a head
	heads  int // of all heads together
	inner  int // between the two products of a layer

	positions     []float32 // rows of hidden numbers, including type 0
	embeddingNorm norm
	layers        []packedLayer
	packed        sync.Once // packs the layers for the first call of Vectors
	observe       func(layer int, half half, states []float32)
	free          sync.Pool // of *scratch
}

// norm holds the parameters of a LayerNorm.
type norm struct{ weight, bias []float32 }

type packedLayer struct {
	queryKeyValue *kernels.Matrix // outputs: query, key and value, each as wide as all heads
	attention     *kernels.Matrix
	attentionNorm norm
	up, down      *kernels.Matrix
	outputNorm    norm
}

// NewPacked returns the network with the weights of c for a set of kernels. The first call of Vectors packs its layers.
// The network owns c from now on.
func NewPacked(c *Checkpoint, set *kernels.Set) *Packed {
	config := c.Config
	n := &Packed{checkpoint: c, config: config, set: set}
	n.head = kernels.Padded(int(config.Hidden / config.Heads))
	n.hidden, n.inner = kernels.Padded(int(config.Hidden)), kernels.Padded(int(config.Intermediate))
	n.heads = n.head * int(config.Heads)

	n.positions = n.padRows(c.Tensor(positionTable))
	first := c.Tensor(typeTable)[:config.Hidden] // every token belongs to the first sentence: type 0
	for start := 0; start < len(n.positions); start += n.hidden {
		for i, v := range first {
			n.positions[start+i] += v
		}
	}
	n.embeddingNorm = n.norm(embeddingNorm)
	n.layers = make([]packedLayer, config.Layers)
	n.free.New = func() any { return n.newScratch() }
	return n
}

// pack packs all layers.
func (n *Packed) pack() {
	_ = parallel.For(context.Background(), len(n.layers)*int(halves), 0, func(i int) { // never fails
		n.packHalf(i/int(halves), half(i%int(halves)), nil)
	})
	n.checkpoint.Release() // except rows of words
}

// padRows copies rows of the model's width and pads them with zeros to the width of a row in memory.
func (n *Packed) padRows(table []float32) []float32 {
	width := int(n.config.Hidden)
	rows := len(table) / width
	padded := make([]float32, rows*n.hidden)
	for r := range rows {
		copy(padded[r*n.hidden:], table[r*width:(r+1)*width])
	}
	return padded
}

// norm returns the LayerNorm with this name.
func (n *Packed) norm(name string) norm {
	return norm{n.padRows(n.checkpoint.Tensor(name + ".weight")), n.padRows(n.checkpoint.Tensor(name + ".bias"))}
}

// packHalf packs the weights of a half of layer i. smoothing, or nil, is for the inputs of its first product.
func (n *Packed) packHalf(i int, half half, smoothing []float32) {
	c, l, name := n.checkpoint, &n.layers[i], layerName(i)
	hidden, inner := int(n.config.Hidden), int(n.config.Intermediate)
	if half == feedForward {
		l.up = n.product(name+"intermediate.dense", hidden, inner, smoothing, nil)
		l.down = n.product(name+"output.dense", inner, hidden, nil, nil)
		l.outputNorm = n.norm(name + "output.LayerNorm")
		return
	}
	size := int(n.config.Hidden / n.config.Heads)
	inHeads := func(i int) int { return i/size*n.head + i%size } // the padded position of number i of all heads
	l.queryKeyValue = n.set.NewMatrix(hidden, 3*n.heads)
	l.queryKeyValue.Smooth(smoothing)
	for part, projection := range []string{"query", "key", "value"} {
		full := name + "attention.self." + projection
		weights, bias := c.Tensor(full+".weight"), c.Tensor(full+".bias")
		scale := float32(1)
		if projection == "query" {
			scale = kernels.ScoreScale(size)
		}
		for o := range hidden {
			l.queryKeyValue.Set(part*n.heads+inHeads(o), weights[o*hidden:(o+1)*hidden], bias[o], scale, nil)
		}
	}
	l.attention = n.product(name+"attention.output.dense", n.heads, hidden, nil, inHeads)
	l.attentionNorm = n.norm(name + "attention.output.LayerNorm")
}

// product packs the layer y = Wx + b with this name. smoothing and place are those of [kernels.Matrix].
func (n *Packed) product(name string, in, out int, smoothing []float32, place func(int) int) *kernels.Matrix {
	m := n.set.NewMatrix(in, out)
	m.Smooth(smoothing)
	weights, bias := n.checkpoint.Tensor(name+".weight"), n.checkpoint.Tensor(name+".bias")
	columns := len(weights) / out
	for o := range out {
		m.Set(o, weights[o*columns:(o+1)*columns], bias[o], 1, place)
	}
	return m
}

// maxPackedTokens keeps the activations of a batch in a core's caches. Measured with MiniLM on a Zen 5: 100 to 400
// tokens are equally fast.
const maxPackedTokens = 256

// Batches splits the inputs into batches for the workers and returns the positions of each batch's inputs.
func (n *Packed) Batches(inputs []tokenizer.Input, workers int) [][]int {
	return sequenceBatches(inputs, workers, maxPackedTokens)
}

// Vectors returns a unit vector for each span of a batch, row-major: the mean of the hidden states of its tokens,
// scaled. It returns an error if an input is longer than the model's positions or if weights are damaged.
func (n *Packed) Vectors(inputs []*tokenizer.Input, spans []PooledSpan) ([]float32, error) {
	for _, in := range inputs {
		if len(in.IDs) > int(n.config.Positions) {
			return nil, fmt.Errorf("an input has %d tokens, want at most %d", len(in.IDs), n.config.Positions)
		}
	}
	n.packed.Do(n.pack)
	s := n.free.Get().(*scratch)
	defer n.free.Put(s)
	vectors := n.compute(s, inputs, spans)
	return vectors, CheckUnit(vectors, int(n.config.Hidden))
}

// Close closes the checkpoint. No call of Vectors may be in progress.
func (n *Packed) Close() error { return n.checkpoint.Close() }
