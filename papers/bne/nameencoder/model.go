//go:build torch

package nameencoder

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/bert/safetensors"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
	"github.com/ctxnorm/ctxnorm/papers/bne"
	"github.com/ctxnorm/ctxnorm/papers/bne/wordvec"
)

// Model is a name encoder: its weights, in float32 on the CPU, and how it reads a name. It must be
// dropped.
type Model struct {
	Architecture bne.Architecture
	Vectors      *wordvec.Vectors // of words; not trained
	Trained      *tensor.ParamBuffer
	characters   map[rune]int32 // rows of characters; row 0 is of all others
}

// form is the content of bne.json.
type form struct {
	Format       int              `json:"format"`
	Architecture bne.Architecture `json:"architecture"`
}

// formatVersion is the format of a folder: bne.json, model.safetensors, word-vectors/.
const formatVersion = 2

// arithmeticVersion is raised when the vectors of the same files change.
const arithmeticVersion = 1

// Names of the weights.
const (
	characterTable = "characters.weight"
	linear         = "linear"
)

// directions are the LSTMs of the network: the names of their weights end as those of torch.nn.LSTM.
var directions = []struct{ lstm, suffix string }{
	{"character_lstm", "_l0"}, {"character_lstm", "_l0_reverse"}, {"word_lstm", "_l0"}, {"word_lstm", "_l0_reverse"},
}

// params lists the weights: matrices, and biases.
func params(a *bne.Architecture, wordDim int) (matrices, vectors []tensor.Param) {
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

// New returns an encoder with random weights, as PyTorch initializes them: uniform up to
// 1/sqrt(hidden) in an LSTM and up to 1/sqrt(inputs) in the last transformation, normal for
// characters. The paper says only that those of characters are random.
func New(a bne.Architecture, v *wordvec.Vectors, seed uint64) (*Model, error) {
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

// newModel returns an encoder whose weights are 0.
func newModel(a bne.Architecture, v *wordvec.Vectors) (*Model, error) {
	if err := a.Validate(); err != nil {
		return nil, fmt.Errorf("name encoder: %w", err)
	}
	m := &Model{Architecture: a, Vectors: v, characters: make(map[rune]int32)}
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

// Dim returns the length of a name's vector, which is that of a word's.
func (m *Model) Dim() int { return m.Vectors.Dim() }

// Read returns a name as the network reads it: its words in normal form. Names of the same normal form are read alike. A name without a word, of
// signs alone, is one word of one unknown character.
func (m *Model) Read(name string) Name {
	var read Name
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

// Network returns the network with these weights, a vector laid out as Trained. Its tensors belong
// to s.
func (m *Model) Network(s *tensor.Scope, trained *tensor.Tensor) *Network {
	views := make(map[string]*tensor.Tensor)
	m.Trained.AddViews(s, trained, views)
	lstm := func(i int) LSTM {
		d := directions[i]
		return LSTM{
			InputWeight: views[d.lstm+".weight_ih"+d.suffix], HiddenWeight: views[d.lstm+".weight_hh"+d.suffix],
			InputBias: views[d.lstm+".bias_ih"+d.suffix], HiddenBias: views[d.lstm+".bias_hh"+d.suffix],
			Hidden: int64(m.Architecture.Hidden),
		}
	}
	return &Network{
		Characters: views[characterTable], CharacterLSTM: BiLSTM{lstm(0), lstm(1)}, WordLSTM: BiLSTM{lstm(2), lstm(3)},
		Weight: views[linear+".weight"], Bias: views[linear+".bias"], WordDim: int64(m.Dim()),
		Tanh: m.Architecture.Tanh,
	}
}

// Write writes the encoder to a folder, which appears complete or not at all. It must not exist, or
// be empty.
func (m *Model) Write(out string) error {
	folder, err := artifact.CreateNewFolder(out)
	if err != nil {
		return err
	}
	defer folder.Discard()
	var weights []safetensors.Named
	for p, block := range m.Trained.All() {
		weights = append(weights, safetensors.Named{Name: p.Names[0], Shape: p.Shape, Data: block})
	}
	if err := safetensors.Write(filepath.Join(folder.Path(), weightsFile), weights); err != nil {
		return err
	}
	if err := m.Vectors.Save(filepath.Join(folder.Path(), vectorsFolder)); err != nil {
		return err
	}
	if err := artifact.WriteJSON(filepath.Join(folder.Path(), formFile),
		form{formatVersion, m.Architecture}); err != nil {
		return err
	}
	return folder.Commit()
}

// openModel reads the encoder of a folder that [Model.Write] wrote.
func openModel(dir string) (_ *Model, err error) {
	path := filepath.Join(dir, formFile)
	var f form
	if err := artifact.ReadJSON(path, &f); err != nil {
		return nil, err
	}
	if f.Format != formatVersion {
		return nil, artifact.Damaged(path, "format is %d, want %d", f.Format, formatVersion)
	}
	if err := f.Architecture.Validate(); err != nil {
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
	for _, p := range slices.Concat(matrices, biases) { // before memory is allocated for them
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

// fingerprintOf returns the hash of values as JSON, and of the version of the arithmetic.
func fingerprintOf(values ...any) (string, error) {
	data, err := json.Marshal(append([]any{"bne", arithmeticVersion}, values...))
	if err != nil {
		return "", err
	}
	hash := sha256.Sum256(data)
	return hex.EncodeToString(hash[:]), nil
}

// folderFingerprint returns the hexadecimal SHA-256 of everything that decides a vector of the encoder in
// a folder.
func folderFingerprint(dir string) (string, error) {
	files, err := artifact.DigestFolder(dir, "")
	if err != nil {
		return "", err
	}
	return fingerprintOf(files)
}

// BaseFingerprint returns the hash of what training starts from: the form of the encoder, and the
// word vectors in a folder.
func BaseFingerprint(a bne.Architecture, vectors string) (string, error) {
	files, err := artifact.DigestFolder(vectors, "")
	if err != nil {
		return "", err
	}
	return fingerprintOf(a, files)
}
