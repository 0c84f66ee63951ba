package bne

import (
	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/papers/bne/wordvec"
)

// Name is the name of the recipe.
const Name = "bne"

// Values of [Settings].Targets.
const (
	wordTargets  = "words"  // means of the vectors of words
	tokenTargets = "tokens" // vectors of tokens of names and concepts
)

// Settings are the settings of [Task] beside [contrastive.Config]. Sections are those of the BNE paper.
type Settings struct {
	// NamesPerBatch is the number of names in a batch, at least 2, each with another name of its
	// concept if it has one. Default 64 (section 4).
	NamesPerBatch int `json:"names_per_batch"`

	// Epochs is the number of passes over all names, at least 1. Default 20: the paper stops
	// when a validation set gets no better, as the weights of the best validation are
	// kept here. [contrastive.Config.Steps] takes precedence.
	Epochs int `json:"epochs"`

	// CharacterDim is the length of a character's vector. Default 50 (section 4).
	CharacterDim int `json:"character_dim"`

	// HiddenDim is the number of states of each direction of both BiLSTMs. Default 200
	// (section 4).
	HiddenDim int `json:"hidden_dim"`

	// Dropout is the share of the inputs of the word BiLSTM that are left out in training, 0 to below 1.
	// Default .5 (section 4, which does not say of which layers; "the program" of the authors,
	// github.com/minhcp/BNE, has it there).
	Dropout float64 `json:"dropout"`

	// Tanh makes a vector tanh(W h_s + b), as the program does, and not W h_s + b, as section 3.2 says.
	// Default true: names of other concepts are told apart better.
	Tanh bool `json:"tanh"`

	// Targets are the vectors of contexts and concepts (section 3.2, "Choices of g(c) and q(x)"):
	// "words", option 2, the default, which needs vectors of words alone, or "tokens", option 1, of
	// vectors that were trained with tokens of names and concepts.
	Targets string `json:"targets"`

	// HardestNegatives takes, for each objective, the vector of the batch with the greatest dot product as the
	// negative of a name. Otherwise a random name of the batch is its negative. Default true: the paper samples
	// negatives "similar to" Wieting, Bansal, Gimpel & Livescu, TACL 2015, who take the most similar one.
	HardestNegatives bool `json:"hardest_negatives"`
}

// DefaultSettings returns the defaults that the comments of the fields state.
func DefaultSettings() Settings {
	return Settings{
		NamesPerBatch: 64, Epochs: 20, CharacterDim: 50, HiddenDim: 200, Dropout: .5, Tanh: true,
		Targets: wordTargets, HardestNegatives: true,
	}
}

// Recipe returns the recipe with its default settings.
func Recipe() *contrastive.Recipe {
	s := DefaultSettings()
	return &contrastive.Recipe{
		Name: Name, Summary: "names alone, by a BiLSTM on word vectors",
		Linker: "nearest", // the concept of the most similar name (section 4.3)
		Config: config(), Settings: s.rows(), Values: &s,
		Needs: contrastive.Needs{
			WordVectors: true, Validation: true,
			UnusedFields: []string{"max_tokens", "pooling", "mark_all", "freeze_embeddings", "precision"},
		},
		New: func(c contrastive.Config, d contrastive.Data) (contrastive.Task, error) {
			if d.WordVectors == "" {
				return nil, &contrastive.FieldError{Field: "word_vectors", Value: "empty", Want: "a folder of word vectors"}
			}
			vectors, err := wordvec.Open(d.WordVectors)
			if err != nil {
				return nil, err
			}
			return New(c, s, d.Names, d.Dictionary, vectors)
		},
	}
}

// config returns the configuration of BNE (section 4). The learning rate falls to 0 as for
// every recipe; the paper states none but that of Adam.
func config() contrastive.Config {
	c := contrastive.NamesAloneConfig()
	c.LearningRate = .001
	c.WeightDecay = 0 // Adam, not AdamW
	c.ClipNorm = 5
	c.Pooling = contrastive.PoolMean           // a name is read without a sentence
	c.Precision = contrastive.PrecisionFloat32 // the BiLSTM has no other
	return c
}

func (s *Settings) rows() []contrastive.Setting {
	return []contrastive.Setting{
		contrastive.EpochsSetting(&s.Epochs),
		contrastive.AtLeast(2, "names-per-batch", "names_per_batch", &s.NamesPerBatch,
			"number of names in a batch, at least 2, each with another name of its concept"),
		contrastive.AtLeast(1, "character-dim", "character_dim", &s.CharacterDim, "length of a character's vector"),
		contrastive.AtLeast(1, "hidden-dim", "hidden_dim", &s.HiddenDim, "number of states of each direction of a BiLSTM"),
		contrastive.Number("dropout", "dropout", &s.Dropout, "share of inputs that are left out in training, 0 to below 1",
			"0 to below 1", func(share float64) bool { return share >= 0 && share < 1 }),
		{Flag: "tanh", Field: "tanh", Value: &s.Tanh, Usage: "bound the numbers of a vector by tanh"},
		contrastive.OneOf("targets", "targets", &s.Targets, "vectors of contexts and concepts: words (means of words), "+
			"or tokens (of word vectors with tokens of names and concepts)", wordTargets, tokenTargets),
		{
			Flag: "hardest-negatives", Field: "hardest_negatives", Value: &s.HardestNegatives,
			Usage: "take the most similar name of the batch as negative, and not a random one",
		},
	}
}
