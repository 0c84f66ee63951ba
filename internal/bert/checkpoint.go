package bert

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/ctxnorm/ctxnorm/internal/bert/safetensors"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// Checkpoint holds the weights of a folder in float32, by their names in the Hugging Face layout. They are
// those of the mapped file, where it has float32, so that opening an encoder reads the pages that it uses.
type Checkpoint struct {
	Config  *Config
	file    weightReader
	tensors []safetensors.Named // the embedding tables, matrices, vectors, and the pooler if the folder has one
	byName  map[string]*safetensors.Named
}

// ReadCheckpoint reads the folder dir. If its word table has no rows for the markers of t, they are
// added with random values from the seed. The caller must call Close.
func ReadCheckpoint(dir string, t *tokenizer.Tokenizer, seed uint64) (*Checkpoint, error) {
	return readCheckpoint(dir, t.Size(), seed)
}

// readCheckpoint is ReadCheckpoint for a tokenizer with the given number of ids.
func readCheckpoint(dir string, ids int, seed uint64) (_ *Checkpoint, err error) {
	config, err := ReadConfig(dir)
	if err != nil {
		return nil, err
	}
	rows := config.VocabSize // in the file
	if missing := int64(ids) - rows; missing > markerCount {
		return nil,
			fmt.Errorf("%s: the tokenizer has %d ids, but vocab_size in %s is %d: they belong to different models",
				dir, ids, configFile, rows)
	}
	file, err := openWeights(dir)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, file.Close())
		}
	}()
	weights := newCheckpointNames(file)
	if err := config.checkShapes(weights); err != nil {
		return nil, err
	}
	config.VocabSize = max(rows, int64(ids))
	c := &Checkpoint{Config: config, file: file}
	if err := c.list(weights); err != nil {
		return nil, err
	}
	if err := c.read(weights, rows, seed); err != nil {
		return nil, err
	}
	return c, nil
}

// list lists the tensors of the configuration, and the pooler if the file has it.
func (c *Checkpoint) list(weights checkpointNames) error {
	matrices, vectors := c.Config.layerParams()
	for _, params := range [][]tensor.Param{c.Config.embeddingTables(), matrices, vectors} {
		for i := range params {
			for _, name := range params[i].Names {
				c.tensors = append(c.tensors, safetensors.Named{Name: name, Shape: params[i].TensorShape()})
			}
		}
	}
	for _, p := range c.Config.pooler() {
		if weights.stored(p.Name) == "" {
			continue
		}
		if _, err := weights.checkTensor(p.Name, p.Shape); err != nil {
			return err
		}
		c.tensors = append(c.tensors, p)
	}
	return nil
}

// read reads the tensors from a file whose word table has the given rows.
func (c *Checkpoint) read(weights checkpointNames, rows int64, seed uint64) error {
	c.byName = make(map[string]*safetensors.Named, len(c.tensors))
	for i := range c.tensors {
		t := &c.tensors[i]
		c.byName[t.Name] = t
	}
	return parallel.ForErr(context.Background(), len(c.tensors), parallel.Workers(0), func(i int) error {
		t := &c.tensors[i]
		stored, size := weights.stored(t.Name), tensor.Elements(t.Shape)
		if t.Data = weights.view(stored); len(t.Data) == size {
			return nil
		}
		t.Data = make([]float32, size)
		if t.Name != WordTable {
			return weights.Float32(t.Data, stored)
		}
		width := int(c.Config.Hidden)
		if err := weights.Float32(t.Data[:int(rows)*width], stored); err != nil {
			return err
		}
		fillNewRows(t.Data, width, int(rows), seed)
		return nil
	})
}

// Close frees the weights.
func (c *Checkpoint) Close() error { return c.file.Close() }

// Tensor returns the elements of a tensor, row-major, which must not be changed. It panics if there is none of
// the name.
func (c *Checkpoint) Tensor(name string) []float32 { return c.byName[name].Data }

// Write writes config.json and model.safetensors to dir.
func (c *Checkpoint) Write(dir string) error { return writeFolder(dir, c.Config, c.tensors) }

// writeFolder writes the configuration and the weights of a model.
func writeFolder(dir string, config *Config, tensors []safetensors.Named) error {
	if err := safetensors.Write(filepath.Join(dir, safetensorsFile), tensors); err != nil {
		return fmt.Errorf("weights: %w", err)
	}
	return config.write(dir)
}
