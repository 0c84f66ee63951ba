//go:build torch

package torch

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ctxnorm/contrastive/torch/safetensors"
)

// The files of a Hugging Face folder that may hold the weights, in the order in
// which they are looked for.
const (
	safetensorsFile = "model.safetensors"
	pickleFile      = "pytorch_model.bin"
)

// openWeights opens the weights of a folder.
func openWeights(dir string) (source, error) {
	src, err := openSafetensors(filepath.Join(dir, safetensorsFile))
	if !errors.Is(err, fs.ErrNotExist) {
		return src, err
	}
	src, err = openPickle(filepath.Join(dir, pickleFile))
	if !errors.Is(err, fs.ErrNotExist) {
		return src, err
	}
	return nil, fmt.Errorf("%s holds no weights: neither %s nor %s is there", dir, safetensorsFile, pickleFile)
}

// weightsFile is the path of the file that openWeights reads.
func weightsFile(dir string) string {
	path := filepath.Join(dir, safetensorsFile)
	if _, err := os.Stat(path); err != nil {
		return filepath.Join(dir, pickleFile)
	}
	return path
}

// naming finds a parameter's tensor in a file: checkpoints of BertModel have no
// prefix, those of BertForMaskedLM and the like have "bert.", and those turned
// from TensorFlow call a LayerNorm's weight and bias gamma and beta.
type naming struct {
	source
	prefix string
}

func newNaming(src source) naming {
	for _, name := range src.names() {
		if prefix, found := strings.CutSuffix(name, wordTable); found {
			return naming{src, prefix}
		}
	}
	return naming{src, ""}
}

// stored is the name under which the file has the tensor, or "".
func (n naming) stored(name string) string {
	full := n.prefix + name
	old := strings.NewReplacer("LayerNorm.weight", "LayerNorm.gamma", "LayerNorm.bias", "LayerNorm.beta").Replace(full)
	for _, candidate := range []string{full, old} {
		if n.shape(candidate) != nil {
			return candidate
		}
	}
	return ""
}

func (n naming) loadTensor(dst []float32, name string, want []int64) error {
	stored := n.stored(name)
	if stored == "" {
		return fmt.Errorf("%s: tensor %q is missing, want shape %v", n.path(), n.prefix+name, want)
	}
	if got := n.shape(stored); !slices.Equal(got, want) {
		return fmt.Errorf("%s: tensor %q has shape %v, want %v", n.path(), stored, got, want)
	}
	return n.read(dst, stored)
}

// loadPooler reads the pooler, which is carried along unused, if it is there.
func (n naming) loadPooler() ([]safetensors.Named, error) {
	var pooler []safetensors.Named
	for _, name := range []string{"pooler.dense.weight", "pooler.dense.bias"} {
		stored := n.stored(name)
		if stored == "" {
			continue
		}
		shape := n.shape(stored)
		data := make([]float32, product(shape))
		if err := n.read(data, stored); err != nil {
			return nil, err
		}
		pooler = append(pooler, safetensors.Named{Name: name, Shape: shape, Data: data})
	}
	return pooler, nil
}

func product(shape []int64) int {
	n := 1
	for _, size := range shape {
		n *= int(size)
	}
	return n
}

// fillNewRows makes the rows of a table after the first have: each the mean of
// those, plus noise of a tenth of their spread, so that new markers start as
// average words and differ from each other.
func fillNewRows(table []float32, width, have int, seed uint64) {
	known, added := table[:have*width], table[have*width:]
	if len(added) == 0 {
		return
	}
	mean, squares := make([]float64, width), 0.0
	for _, row := range rowsOf(known, width) {
		for j, v := range row {
			mean[j] += float64(v) / float64(have)
		}
	}
	for _, row := range rowsOf(known, width) {
		for j, v := range row {
			d := float64(v) - mean[j]
			squares += d * d
		}
	}
	spread := math.Sqrt(squares / float64(len(known)))
	noise := rand.New(rand.NewPCG(seed, uint64(have)))
	for i := range added {
		added[i] = float32(mean[i%width] + 0.1*spread*noise.NormFloat64())
	}
}
