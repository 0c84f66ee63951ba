//go:build torch

package bert

import (
	"errors"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// Model holds the weights of a BERT, in float32 on the CPU. Call Drop to free them.
//
// Frozen embedding tables have a buffer of their own. The rows of the two markers, which no base model knows, are
// trained nevertheless: they are taken out of the table, leaving zeros, and added again wherever a marker occurs.
type Model struct {
	Config  *Config
	Frozen  *tensor.ParamBuffer // the embedding tables, or empty
	Trained *tensor.ParamBuffer
	pooler  []safetensors.Named // of the base model: not computed, but written again
	markers [2]int32            // ids of [ENT] and [/ENT]
}

// LoadModel reads the folder dir. If the word table has no rows for the markers of t, it adds rows with random values
// from the seed.
func LoadModel(dir string, t *tokenizer.Tokenizer, freezeTables bool, seed uint64) (*Model, error) {
	start, end := t.Markers()
	return loadModel(dir, t.Size(), [2]int32{start, end}, freezeTables, seed)
}

// loadModel is like LoadModel, but takes the number of ids and the markers of the tokenizer.
func loadModel(dir string, ids int, markers [2]int32, freezeTables bool, seed uint64) (_ *Model, err error) {
	c, err := ReadCheckpoint(dir, ids, seed)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	m := &Model{Config: c.Config, markers: markers}
	if err := tensor.OnThread(false, func() error { return m.allocate(freezeTables) }); err != nil {
		m.Drop()
		return nil, err
	}
	m.load(c)
	return m, nil
}

func (m *Model) allocate(freezeTables bool) (err error) {
	frozen := m.Config.embeddingTables()
	matrices, vectors := m.Config.layerParams()
	if freezeTables {
		vectors = append(vectors, tensor.Param{Names: []string{markerRows}, Shape: []int64{2, m.Config.Hidden}})
	} else {
		frozen, matrices = nil, slices.Concat(frozen, matrices)
	}
	if m.Frozen, err = tensor.NewParamBuffer(frozen, nil); err != nil {
		return err
	}
	m.Trained, err = tensor.NewParamBuffer(matrices, vectors)
	return err
}

// load copies the parameters.
func (m *Model) load(c *Checkpoint) {
	for _, buffer := range []*tensor.ParamBuffer{m.Frozen, m.Trained} {
		for p, block := range buffer.All() {
			if p.Names[0] == markerRows { // part of the word table: see moveMarkers
				continue
			}
			size := len(block) / len(p.Names)
			for k, name := range p.Names {
				copy(block[k*size:(k+1)*size], c.Tensor(name))
			}
		}
	}
	for _, p := range c.Config.pooler() {
		if t := c.byName[p.Name]; t != nil {
			own := *t
			own.Data = slices.Clone(t.Data) // because the file gets closed
			m.pooler = append(m.pooler, own)
		}
	}
	m.moveMarkers()
}

// moveMarkers moves the markers' rows from the frozen word table to the trained parameters.
func (m *Model) moveMarkers() {
	own := m.Trained.Find(markerRows)
	if own == nil {
		return
	}
	width := int(m.Config.Hidden)
	table := m.Frozen.Find(wordTable).Of(m.Frozen.Values())
	for k, id := range m.markers {
		row := table[int(id)*width : (int(id)+1)*width]
		copy(own.Of(m.Trained.Values())[k*width:], row)
		clear(row)
	}
}

// tensors lists all weights in the Hugging Face layout. Most share the model's memory.
func (m *Model) tensors() []safetensors.Named {
	var list []safetensors.Named
	var markers []float32
	width := int(m.Config.Hidden)
	for _, buffer := range []*tensor.ParamBuffer{m.Trained, m.Frozen} {
		for p, block := range buffer.All() {
			if p.Names[0] == markerRows {
				markers = block
				continue
			}
			if p.Names[0] == wordTable && markers != nil {
				block = slices.Clone(block)
				for k, id := range m.markers {
					copy(block[int(id)*width:], markers[k*width:(k+1)*width])
				}
			}
			size := len(block) / len(p.Names)
			for k, name := range p.Names {
				list = append(list, safetensors.Named{Name: name, Shape: p.TensorShape(),
					Data: block[k*size : (k+1)*size]})
			}
		}
	}
	return append(list, m.pooler...)
}

// Write writes config.json and model.safetensors to dir.
func (m *Model) Write(dir string) error { return writeFolder(dir, m.Config, m.tensors()) }

// Drop frees the weights.
func (m *Model) Drop() {
	m.Frozen.Drop()
	m.Trained.Drop()
}

// Network returns the network with views of frozen and trained as its weights. These must be the tensors of the model's
// buffers, or copies of them in another type or on another device. The views belong to s.
func (m *Model) Network(s *tensor.Scope, dtype tensor.DType, frozen, trained *tensor.Tensor) *Network {
	views := map[string]*tensor.Tensor{}
	m.Frozen.AddViews(s, frozen, views)
	m.Trained.AddViews(s, trained, views)
	return newNetwork(s, m, dtype, views)
}
