//go:build torch

package torch

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/sugarme/gotch"
	"github.com/sugarme/gotch/ts"

	"ctxnorm/contrastive/torch/safetensors"
)

// model is a BERT's weights, in float32 on the CPU.
//
// Where the embedding tables are frozen they are a vector of their own; the
// rows of the two markers, which no base model knows, are trained all the same:
// they are taken out of the table, where zeros are left, and added again where
// a marker stands.
type model struct {
	config  *bertConfig
	frozen  *flat // the tables, or empty
	trained *flat
	pooler  []safetensors.Named // of the base model, carried along
	markers [2]int32            // ids of [ENT] and [/ENT]
}

// loadModel reads the folder dir. A word table without rows for the markers gets
// them, drawn from the seed; ids is the number that the tokenizer has.
func loadModel(dir string, ids int, markers [2]int32, freezeTables bool, seed uint64) (_ *model, err error) {
	config, err := readConfig(dir)
	if err != nil {
		return nil, err
	}
	rows := config.VocabSize // in the file
	if lacking := int64(ids) - rows; lacking > int64(len(markers)) {
		return nil, fmt.Errorf("%s: the tokenizer has %d ids and %s gives %d rows to the word embedding: they are not of one model",
			dir, ids, configFile, rows)
	}
	config.VocabSize = max(rows, int64(ids))
	src, err := openWeights(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, src.close()) }()

	m := &model{config: config, markers: markers}
	if err := onThread(false, func() error { return m.allocate(freezeTables) }); err != nil {
		return nil, err
	}
	if err := m.load(newNaming(src), rows, seed); err != nil {
		return nil, errors.Join(err, m.drop())
	}
	return m, nil
}

func (m *model) allocate(freezeTables bool) (err error) {
	tables := m.config.tables()
	matrices, vectors := m.config.blocks()
	if freezeTables {
		vectors = append(vectors, param{names: []string{markerRows}, shape: []int64{2, m.config.Hidden}})
		if m.frozen, err = newFlat(tables, nil); err != nil {
			return err
		}
	} else {
		m.frozen = &flat{}
		matrices = slices.Concat(tables, matrices)
	}
	m.trained, err = newFlat(matrices, vectors)
	if err != nil {
		return errors.Join(err, m.frozen.drop())
	}
	return nil
}

// load fills the parameters from a file whose word table has so many rows.
func (m *model) load(src naming, rows int64, seed uint64) (err error) {
	for _, f := range []*flat{m.frozen, m.trained} {
		values, err := f.memory()
		if err != nil {
			return err
		}
		for i := range f.params {
			p := &f.params[i]
			block := values[p.offset : p.offset+p.len()]
			switch p.names[0] {
			case wordTable:
				width := int(m.config.Hidden)
				if err := src.loadTensor(block[:int(rows)*width], wordTable, []int64{rows, m.config.Hidden}); err != nil {
					return err
				}
				fillNewRows(block, width, int(rows), seed)
			case markerRows: // of the word table: see below
			default:
				size := len(block) / len(p.names)
				for k, name := range p.names {
					if err := src.loadTensor(block[k*size:(k+1)*size], name, p.part()); err != nil {
						return err
					}
				}
			}
		}
	}
	if err := m.moveMarkers(); err != nil {
		return err
	}
	m.pooler, err = src.loadPooler()
	return err
}

// moveMarkers moves the markers' rows from the frozen word table to the trained
// parameters.
func (m *model) moveMarkers() error {
	own := m.trained.find(markerRows)
	if own == nil {
		return nil
	}
	trained, err := m.trained.memory()
	if err != nil {
		return err
	}
	frozen, err := m.frozen.memory()
	if err != nil {
		return err
	}
	width := int(m.config.Hidden)
	table := frozen[m.frozen.find(wordTable).offset:]
	for k, id := range m.markers {
		row := table[int(id)*width : (int(id)+1)*width]
		copy(trained[own.offset+k*width:], row)
		clear(row)
	}
	return nil
}

// tensors lists all weights in the Hugging Face layout. Most share the model's
// memory.
func (m *model) tensors() ([]safetensors.Named, error) {
	var list []safetensors.Named
	var markers []float32
	width := int(m.config.Hidden)
	for _, f := range []*flat{m.trained, m.frozen} {
		values, err := f.memory()
		if err != nil {
			return nil, err
		}
		for i := range f.params {
			p := &f.params[i]
			block := values[p.offset : p.offset+p.len()]
			if p.names[0] == markerRows {
				markers = block
				continue
			}
			if p.names[0] == wordTable && markers != nil {
				block = slices.Clone(block)
				for k, id := range m.markers {
					copy(block[int(id)*width:], markers[k*width:(k+1)*width])
				}
			}
			size := len(block) / len(p.names)
			for k, name := range p.names {
				list = append(list, safetensors.Named{Name: name, Shape: p.part(), Data: block[k*size : (k+1)*size]})
			}
		}
	}
	return append(list, m.pooler...), nil
}

// write writes config.json and model.safetensors to dir.
func (m *model) write(dir string) error {
	tensors, err := m.tensors()
	if err != nil {
		return err
	}
	if err := safetensors.Write(filepath.Join(dir, safetensorsFile), tensors, nil); err != nil {
		return fmt.Errorf("weights: %w", err)
	}
	return m.config.write(dir)
}

func (m *model) drop() error { return errors.Join(m.frozen.drop(), m.trained.drop()) }

// bert cuts the views of a computation: frozen and trained are the model's
// vectors, or copies of them of another type or on another device.
func (m *model) bert(s *scope, dtype gotch.DType, frozen, trained *ts.Tensor) *bert {
	views := map[string]*ts.Tensor{}
	m.frozen.views(s, frozen, views)
	m.trained.views(s, trained, views)
	return newBert(s, m.config, dtype, views)
}
