//go:build torch

package bne

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
	"github.com/ctxnorm/ctxnorm/papers/bne/wordvec"
)

// architecture is the architecture of the name encoder, apart from the word vectors that it reads. Vectors of names are
// as long as those of words (section 4).
type architecture struct {
	CharacterDim int     `json:"character_dim"` // numbers of a character's vector
	Hidden       int     `json:"hidden"`        // states of each direction of both BiLSTMs
	Dropout      float64 `json:"dropout"`       // share of inputs dropped in training, 0 to below 1
	Characters   string  `json:"characters"`    // characters with a vector, each once; all others share one
	Tanh         bool    `json:"tanh"`          // f(s) is tanh(W h_s + b), not W h_s + b
}

// maxSize bounds the sizes of an architecture: a larger one is a typing error or a damaged file.
const maxSize = 1 << 12

// validate returns an error for the first field with an invalid value.
func (a *architecture) validate() error {
	characters := []rune(a.Characters)
	slices.Sort(characters)
	distinct := len(slices.Compact(characters)) == len([]rune(a.Characters))
	size := fmt.Sprintf("1 to %d", maxSize)
	return cmp.Or(
		files.CheckOption(a.CharacterDim >= 1 && a.CharacterDim <= maxSize, "character_dim", a.CharacterDim, size),
		files.CheckOption(a.Hidden >= 1 && a.Hidden <= maxSize, "hidden", a.Hidden, size),
		files.CheckOption(a.Dropout >= 0 && a.Dropout < 1, "dropout", a.Dropout, "0 to below 1"),
		files.CheckOption(distinct, "characters", a.Characters, "each character once"),
	)
}

// Model is a name encoder: its weights, in float32 on the CPU, and its reading of names. Call Drop to free it.
type Model struct {
	architecture
	Vectors    *wordvec.Vectors // of words; not trained
	Trained    *tensor.ParamBuffer
	characters map[rune]int32 // rows of characters; row 0 is for all others
}

// NewModel returns the encoder for the task to train, with random weights.
func (m *Task) NewModel() (*Model, error) {
	seen := make(map[rune]bool)
	for i := range m.names {
		for _, word := range wordvec.Words(m.names[i].Surface()) {
			for _, r := range word {
				seen[r] = true
			}
		}
	}
	s := m.settings
	return randomModel(architecture{
		s.CharacterDim, s.HiddenDim, s.Dropout, string(slices.Sorted(maps.Keys(seen))), s.Tanh,
	}, m.Words, m.Config.Seed)
}

// form is the content of bne.json.
type form struct {
	Format       int          `json:"format"`
	Architecture architecture `json:"architecture"`
}

const (
	formatVersion     = 2 // of a folder: bne.json, model.safetensors, word-vectors/
	arithmeticVersion = 1 // raised when the same files give other vectors
)

// Names of the other files of a folder.
const (
	weightsFile   = "model.safetensors"
	vectorsFolder = "word-vectors"
)

// Names of the weights.
const (
	characterTable = "characters.weight"
	linear         = "linear"
)

// directions are the LSTMs of the network. The names of their weights end like those of torch.nn.LSTM.
var directions = []struct{ lstm, suffix string }{
	{"character_lstm", "_l0"}, {"character_lstm", "_l0_reverse"}, {"word_lstm", "_l0"}, {"word_lstm", "_l0_reverse"},
}

// params lists the weights: matrices, and biases.
func params(a *architecture, wordDim int) (matrices, vectors []tensor.Param) {
	hidden, characters := int64(a.Hidden), int64(1+len([]rune(a.Characters)))
	add := func(to *[]tensor.Param, name string, shape ...int64) {
		*to = append(*to, tensor.Param{Names: []string{name}, Shape: shape})
	}
	add(&matrices, characterTable, characters, int64(a.CharacterDim))
	for _, d := range directions {
		input := int64(a.CharacterDim)
		if d.lstm == "word_lstm" {
			input = int64(wordDim) + 2*hidden
		}
		add(&matrices, d.lstm+".weight_ih"+d.suffix, 4*hidden, input)
		add(&matrices, d.lstm+".weight_hh"+d.suffix, 4*hidden, hidden)
		add(&vectors, d.lstm+".bias_ih"+d.suffix, 4*hidden)
		add(&vectors, d.lstm+".bias_hh"+d.suffix, 4*hidden)
	}
	add(&matrices, linear+".weight", int64(wordDim), 2*hidden)
	add(&vectors, linear+".bias", int64(wordDim))
	return matrices, vectors
}

// randomModel returns an encoder with random weights, initialized like PyTorch's: uniform up to 1/sqrt(hidden) in an
// LSTM and up to 1/sqrt(inputs) in the last transformation, normal for characters. The paper only says that the weights
// of characters are random.
func randomModel(a architecture, v *wordvec.Vectors, seed uint64) (*Model, error) {
	m, err := newModel(a, v)
	if err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(seed, 0))
	for p, block := range m.Trained.All() {
		bound := 1 / math.Sqrt(float64(a.Hidden))
		if p.Names[0] == linear+".weight" || p.Names[0] == linear+".bias" {
			bound = 1 / math.Sqrt(float64(2*a.Hidden))
		}
		for i := range block {
			if p.Names[0] == characterTable {
				block[i] = float32(r.NormFloat64())
			} else {
				block[i] = float32(bound * (2*r.Float64() - 1))
			}
		}
	}
	return m, nil
}

// newModel returns an encoder with all weights 0.
func newModel(a architecture, v *wordvec.Vectors) (*Model, error) {
	if err := a.validate(); err != nil {
		return nil, fmt.Errorf("name encoder: %v", err)
	}
	m := &Model{architecture: a, Vectors: v, characters: make(map[rune]int32)}
	for i, r := range []rune(a.Characters) {
		m.characters[r] = int32(1 + i)
	}
	err := tensor.OnThread(false, func() (err error) {
		m.Trained, err = tensor.NewParamBuffer(params(&a, v.Dim()))
		return err
	})
	return m, err
}

// Drop frees the weights.
func (m *Model) Drop() { m.Trained.Drop() }

// Dim returns the length of a name's vector, which is the same as that of a word's.
func (m *Model) Dim() int { return m.Vectors.Dim() }

// Read returns the network's input for a name: its words in normal form. Names with the same normal form are read
// alike. A name without letters or digits is read as one word of one unknown character.
func (m *Model) Read(name string) Input {
	var read Input
	for _, word := range wordvec.Words(name) {
		w := Word{Vector: m.Vectors.Vector(word)}
		if w.Vector == nil {
			w.Vector = make([]float32, m.Dim())
		}
		for _, r := range word {
			w.Characters = append(w.Characters, m.characters[r])
		}
		read.Words = append(read.Words, w)
	}
	if len(read.Words) == 0 {
		read.Words = []Word{{Characters: []int32{0}, Vector: make([]float32, m.Dim())}}
	}
	return read
}

// Network returns the network with these weights, a vector with the layout of Trained. Its tensors belong to s.
func (m *Model) Network(s *tensor.Scope, trained *tensor.Tensor) *Network {
	views := make(map[string]*tensor.Tensor)
	m.Trained.AddViews(s, trained, views)
	lstm := func(i int) lstmWeights {
		d := directions[i]
		return lstmWeights{
			InputWeight: views[d.lstm+".weight_ih"+d.suffix], HiddenWeight: views[d.lstm+".weight_hh"+d.suffix],
			InputBias: views[d.lstm+".bias_ih"+d.suffix], HiddenBias: views[d.lstm+".bias_hh"+d.suffix],
			Hidden: int64(m.Hidden),
		}
	}
	return &Network{
		Characters: views[characterTable], CharacterLSTM: biLSTM{lstm(0), lstm(1)}, WordLSTM: biLSTM{lstm(2), lstm(3)},
		Weight: views[linear+".weight"], Bias: views[linear+".bias"], WordDim: int64(m.Dim()),
		Tanh: m.Tanh,
	}
}

// Write writes the encoder to a folder, which appears complete or not at all. Before, it must be absent or empty.
func (m *Model) Write(out string) error {
	return artifact.ReplaceFolder(out, artifact.CheckEmpty, func(dir string) error {
		var weights []safetensors.Named
		for p, block := range m.Trained.All() {
			weights = append(weights, safetensors.Named{Name: p.Names[0], Shape: p.Shape, Data: block})
		}
		if err := safetensors.Write(filepath.Join(dir, weightsFile), weights); err != nil {
			return err
		}
		if err := m.Vectors.Save(filepath.Join(dir, vectorsFolder)); err != nil {
			return err
		}
		return artifact.WriteJSON(filepath.Join(dir, formFile), form{formatVersion, m.architecture})
	})
}

// openModel reads the encoder in a folder written by [Model.Write].
func openModel(dir string) (_ *Model, err error) {
	path := filepath.Join(dir, formFile)
	var f form
	if err := artifact.ReadJSON(path, &f); err != nil {
		return nil, err
	}
	if f.Format != formatVersion {
		return nil, artifact.Damaged(path, "format is %d, want %d", f.Format, formatVersion)
	}
	if err := f.Architecture.validate(); err != nil {
		return nil, artifact.Damaged(path, "%v", err)
	}
	vectors, err := wordvec.Open(filepath.Join(dir, vectorsFolder))
	if err != nil {
		return nil, err
	}
	file, err := safetensors.Open(filepath.Join(dir, weightsFile))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	matrices, biases := params(&f.Architecture, vectors.Dim())
	for _, p := range slices.Concat(matrices, biases) { // before allocating memory for them
		if got := file.Shape(p.Names[0]); !slices.Equal(got, p.Shape) {
			return nil, artifact.Damaged(file.Path(), "tensor %q has shape %v, want %v", p.Names[0], got, p.Shape)
		}
	}
	m, err := newModel(f.Architecture, vectors)
	if err != nil {
		return nil, err
	}
	for p, block := range m.Trained.All() {
		if err := file.Float32(block, p.Names[0]); err != nil {
			m.Drop()
			return nil, err
		}
	}
	return m, nil
}

// fingerprint returns the hexadecimal SHA-256 of the files in a folder, of anything else that determines the vectors,
// and of the version of the arithmetic.
func fingerprint(dir string, form ...any) (string, error) {
	files, err := artifact.DigestFolder(dir, "")
	if err != nil {
		return "", err
	}
	data, err := json.Marshal(append(append([]any{"bne", arithmeticVersion}, form...), files))
	return fmt.Sprintf("%x", sha256.Sum256(data)), err
}

// BaseFingerprint returns the hash of everything that training starts from: the architecture of the encoder, and the
// word vectors in a folder.
func (m *Model) BaseFingerprint(vectors string) (string, error) {
	return fingerprint(vectors, m.architecture)
}
