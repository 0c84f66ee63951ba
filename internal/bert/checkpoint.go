package bert

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
)

// Checkpoint holds the weights of a folder in float32, by their names in the Hugging Face layout. If the file has
// float32, they are the mapped file itself, so opening an encoder reads only the pages that it uses.
type Checkpoint struct {
	Config  *Config
	file    *safetensors.File
	tensors []safetensors.Named // the embedding tables, matrices, vectors, and the pooler if the folder has one
	byName  map[string]*safetensors.Named

	storedWords []float32        // the rows of the word table in the file
	words       func() []float32 // all rows; computed on the first call if the file lacks some
}

// ReadCheckpoint reads the folder dir for a tokenizer with the given number of ids. If the word table has no rows for
// the markers, it adds rows with random values from the seed. The caller must call Close.
func ReadCheckpoint(dir string, ids int, seed uint64) (_ *Checkpoint, err error) {
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
	c := &Checkpoint{Config: config, file: file}
	if err := c.list(weights); err != nil {
		return nil, err
	}
	config.VocabSize = max(rows, int64(ids))
	c.tensors[0].Shape[0] = config.VocabSize // of the word table
	if err := c.read(weights, rows, seed); err != nil {
		return nil, err
	}
	return c, nil
}

// list lists the tensors of the configuration, and the pooler if the file has it. It compares their shapes with the
// file without reading the elements or allocating memory for them.
func (c *Checkpoint) list(weights checkpointNames) error {
	matrices, vectors := c.Config.layerParams()
	for _, p := range slices.Concat(c.Config.embeddingTables(), matrices, vectors) {
		for _, name := range p.Names {
			c.tensors = append(c.tensors, safetensors.Named{Name: name, Shape: p.TensorShape()})
		}
	}
	for _, p := range c.Config.pooler() {
		if weights.stored(p.Name) != "" {
			c.tensors = append(c.tensors, p)
		}
	}
	const leastElementSize = 2 // bytes of the smallest elements of weights
	least := int64(0)
	for _, t := range c.tensors {
		if err := weights.check(t); err != nil {
			return err
		}
		least += leastElementSize * int64(tensor.Elements(t.Shape))
	}
	// Several tensors may claim the same bytes.
	info, err := os.Stat(weights.Path())
	if err == nil && info.Size() < least {
		err = artifact.Damaged(weights.Path(), "has %d bytes, want at least %d for the weights of %s", info.Size(), least,
			configFile)
	}
	return err
}

// read reads the tensors from a file with the given number of rows in its word table. Missing rows come from the seed.
func (c *Checkpoint) read(weights checkpointNames, rows int64, seed uint64) error {
	c.byName = make(map[string]*safetensors.Named, len(c.tensors))
	for i := range c.tensors {
		t := &c.tensors[i]
		c.byName[t.Name] = t
	}
	err := parallel.ForErr(context.Background(), len(c.tensors), 0, func(i int) error {
		t := &c.tensors[i]
		stored := weights.stored(t.Name)
		if data, err := safetensors.View[float32](weights.File, stored); err == nil {
			t.Data = data
			return nil
		}
		t.Data = make([]float32, tensor.Elements(weights.Shape(stored)))
		return weights.Float32(t.Data, stored)
	})
	if err != nil {
		return err
	}
	c.storedWords = c.byName[wordTable].Data
	c.words = sync.OnceValue(func() []float32 {
		size := int(c.Config.VocabSize * c.Config.Hidden)
		if len(c.storedWords) == size {
			return c.storedWords
		}
		table := append(make([]float32, 0, size), c.storedWords...)[:size]
		fillNewRows(table, int(c.Config.Hidden), int(rows), seed)
		return table
	})
	return nil
}

// Release gives back the memory of pages read so far, of which few are needed again: see [safetensors.File.Release].
func (c *Checkpoint) Release() { c.file.Release() }

// Close frees the weights.
func (c *Checkpoint) Close() error { return c.file.Close() }

// Tensor returns the elements of a tensor, row-major. They must not be modified. It panics if there is no such tensor.
func (c *Checkpoint) Tensor(name string) []float32 {
	if name == wordTable {
		return c.words()
	}
	return c.byName[name].Data
}

// Word returns the row of the word table for an id. It must not be modified.
func (c *Checkpoint) Word(id int32) []float32 {
	start := int64(id) * c.Config.Hidden
	end := start + c.Config.Hidden
	if end <= int64(len(c.storedWords)) {
		return c.storedWords[start:end]
	}
	return c.words()[start:end]
}

// Write writes config.json and model.safetensors to dir.
func (c *Checkpoint) Write(dir string) error {
	tensors := slices.Clone(c.tensors)
	for i := range tensors {
		tensors[i].Data = c.Tensor(tensors[i].Name)
	}
	return writeFolder(dir, c.Config, tensors)
}

// writeFolder writes the configuration and the weights of a model.
func writeFolder(dir string, config *Config, tensors []safetensors.Named) error {
	if err := safetensors.Write(filepath.Join(dir, safetensorsFile), tensors); err != nil {
		return fmt.Errorf("weights: %w", err)
	}
	return config.write(dir)
}
