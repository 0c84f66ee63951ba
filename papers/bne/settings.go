package bne

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/papers/bne/wordvec"
)

// Name is the name of the recipe.
const Name = "bne"

// Values of [Settings].Targets.
const (
	wordTargets  = "words"  // means of the vectors of words
	tokenTargets = "tokens" // vectors of tokens of names and concepts
)

// Settings holds the recipe's settings apart from its [contrastive.Config]. Sections are those of the BNE paper.
type Settings struct {
	NamesPerBatch int `json:"names_per_batch"` // 64 (section 4), each with another name of its concept if it has one

	// Epochs is 20, unless [contrastive.Config.Steps] is set. The paper stops when a validation set no longer improves;
	// here the weights with the best validation are kept.
	Epochs int `json:"epochs"`

	CharacterDim int `json:"character_dim"` // 50 (section 4)
	HiddenDim    int `json:"hidden_dim"`    // 200 (section 4)

	// Dropout is .5 (section 4, which does not say which layers have it; in "the program" of the authors,
	// github.com/minhcp/BNE, it is at the inputs of the word BiLSTM).
	Dropout float64 `json:"dropout"`

	// Tanh makes a vector tanh(W h_s + b), as in the program, instead of W h_s + b, as in section 3.2. Default true: it
	// distinguishes names of other concepts better.
	Tanh bool `json:"tanh"`

	// Targets selects the vectors of contexts and concepts (section 3.2, "Choices of g(c) and q(x)"): words, option 2,
	// the default, which only needs vectors of words; or tokens, option 1, which needs vectors that were trained with
	// tokens.
	Targets string `json:"targets"`
}

// Recipe returns the recipe. The learning rate falls to 0 as in every recipe; the paper only names Adam's.
func Recipe() *contrastive.Recipe {
	s := &Settings{
		NamesPerBatch: 64, Epochs: 20, CharacterDim: 50, HiddenDim: 200, Dropout: .5, Tanh: true,
		Targets: wordTargets,
	}
	c := contrastive.NamesAloneConfig()
	c.LearningRate = .001
	c.WeightDecay = 0                          // Adam, not AdamW
	c.ClipNorm = 5                             // section 4
	c.Pooling = contrastive.PoolMean           // names are read without a sentence
	c.Precision = contrastive.PrecisionFloat32 // the BiLSTM supports no other
	return &contrastive.Recipe{
		Name: Name, Summary: "names alone, by a BiLSTM on word vectors",
		Linker: "nearest", // the concept of the most similar name (section 4.3)
		Config: c, Settings: s.rows(), Values: s,
		Needs: contrastive.Needs{
			WordVectors: true, Validation: true,
			UnusedFields: []string{"max_tokens", "pooling", "mark_all", "freeze_embeddings", "precision"},
		},
		New: func(c contrastive.Config, d contrastive.Data) (contrastive.Task, error) {
			if d.WordVectors == "" {
				return nil, files.CheckOption(false, "WordVectors", "", "a folder of word vectors")
			}
			vectors, err := wordvec.Open(d.WordVectors)
			if err != nil {
				return nil, err
			}
			return newTask(c, *s, d.Names, d.Dictionary, vectors)
		},
	}
}

func (s *Settings) rows() []contrastive.Setting {
	return []contrastive.Setting{
		contrastive.EpochsSetting(&s.Epochs),
		contrastive.AtLeast(2, "names-per-batch", "names_per_batch", &s.NamesPerBatch,
			"number of names in a batch, at least 2, each with another name of its concept"),
		contrastive.AtLeast(1, "hidden-dim", "hidden_dim", &s.HiddenDim, "number of states of each direction of a BiLSTM"),
		contrastive.Number("dropout", "dropout", &s.Dropout, "share of inputs that are left out in training, 0 to below 1",
			"0 to below 1", func(share float64) bool { return share >= 0 && share < 1 }),
		{Flag: "tanh", Field: "tanh", Value: &s.Tanh, Usage: "bound the numbers of a vector by tanh"},
		contrastive.OneOf("targets", "targets", &s.Targets, "vectors of contexts and concepts: words (means of words), "+
			"or tokens (of word vectors with tokens of names and concepts)", wordTargets, tokenTargets),
	}
}

// formFile is the file that marks the folder of a name encoder. It is written last.
const formFile = "bne.json"

// IsFolder reports whether dir holds a name encoder.
func IsFolder(dir string) (bool, error) {
	_, err := os.Stat(filepath.Join(dir, formFile))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
