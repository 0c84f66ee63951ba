package bert

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

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
)

// The files of a Hugging Face folder that may hold the weights, in the order in which they are tried.
const (
	safetensorsFile = "model.safetensors"
	pickleFile      = "pytorch_model.bin"
)

// openWeights opens the weights of a folder.
func openWeights(dir string) (*safetensors.File, error) {
	file, err := safetensors.Open(filepath.Join(dir, safetensorsFile))
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return file, err
	}
	file, err = safetensors.OpenTorch(filepath.Join(dir, pickleFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s holds no weights: neither %s nor %s is there", dir, safetensorsFile, pickleFile)
	}
	return file, err
}

// WeightsFile returns the path of the folder's file from which [LoadModel] reads the weights.
func WeightsFile(dir string) string {
	path := filepath.Join(dir, safetensorsFile)
	if _, err := os.Stat(path); err != nil {
		return filepath.Join(dir, pickleFile)
	}
	return path
}

// checkpointNames maps the name of a parameter to the name in a file: checkpoints of BertModel have no prefix, those of
// BertForMaskedLM and the like have "bert.", and those converted from TensorFlow call a LayerNorm's weight and bias
// gamma and beta.
type checkpointNames struct {
	*safetensors.File
	prefix string
}

func newCheckpointNames(weights *safetensors.File) checkpointNames {
	for _, name := range weights.Names() {
		if prefix, found := strings.CutSuffix(name, wordTable); found {
			return checkpointNames{weights, prefix}
		}
	}
	return checkpointNames{weights, ""}
}

// stored returns the name of the tensor in the file, or "".
func (c checkpointNames) stored(name string) string {
	full := c.prefix + name
	old := strings.NewReplacer("LayerNorm.weight", "LayerNorm.gamma", "LayerNorm.bias", "LayerNorm.beta").Replace(full)
	for _, candidate := range []string{full, old} {
		if c.Shape(candidate) != nil {
			return candidate
		}
	}
	return ""
}

// check returns an error if the file lacks the tensor or has it in another shape.
func (c checkpointNames) check(t safetensors.Named) error {
	stored := c.stored(t.Name)
	if stored == "" {
		return artifact.Damaged(c.Path(), "tensor %q is missing, want shape %v", c.prefix+t.Name, t.Shape)
	}
	if got := c.Shape(stored); !slices.Equal(got, t.Shape) {
		return artifact.Damaged(c.Path(), "tensor %q has shape %v, want %v", stored, got, t.Shape)
	}
	return nil
}

// fillNewRows sets the rows of a table after the first known ones. Each is the mean of the known rows plus noise with a
// tenth of their standard deviation, so new markers start as average words and differ from each other.
func fillNewRows(table []float32, width, known int, seed uint64) {
	old, added := table[:known*width], table[known*width:]
	if len(added) == 0 {
		return
	}
	mean, squares := make([]float64, width), 0.0
	for row := range slices.Chunk(old, width) {
		for j, v := range row {
			mean[j] += float64(v) / float64(known)
		}
	}
	for row := range slices.Chunk(old, width) {
		for j, v := range row {
			d := float64(v) - mean[j]
			squares += d * d
		}
	}
	deviation := math.Sqrt(squares / float64(len(old)))
	noise := rand.New(rand.NewPCG(seed, uint64(known)))
	for i := range added {
		added[i] = float32(mean[i%width] + 0.1*deviation*noise.NormFloat64())
	}
}
