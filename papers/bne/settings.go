package bne

import (
	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/papers/bne/wordvec"
)

// Name is the name of the recipe.
const Name = "bne"

// Values of [Settings].Targets.
const (
	WordTargets  = "words"  // means of the vectors of words
	TokenTargets = "tokens" // vectors of tokens of names and concepts
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
		Targets: WordTargets, HardestNegatives: true,
	}
}

// Validate returns a [*contrastive.FieldError] for the first field with an invalid value.
func (s Settings) Validate() error {
	switch {
	case s.NamesPerBatch < 2:
		return &contrastive.FieldError{Field: "names_per_batch", Value: s.NamesPerBatch, Want: "2 or more"}
	case s.Epochs < 1:
		return &contrastive.FieldError{Field: "epochs", Value: s.Epochs, Want: "1 or more"}
	case s.CharacterDim < 1:
		return &contrastive.FieldError{Field: "character_dim", Value: s.CharacterDim, Want: "1 or more"}
	case s.HiddenDim < 1:
		return &contrastive.FieldError{Field: "hidden_dim", Value: s.HiddenDim, Want: "1 or more"}
	case !(s.Dropout >= 0 && s.Dropout < 1): // true for NaN
		return &contrastive.FieldError{Field: "dropout", Value: s.Dropout, Want: "0 to below 1"}
	case s.Targets != WordTargets && s.Targets != TokenTargets:
		return &contrastive.FieldError{Field: "targets", Value: s.Targets, Want: `"words" or "tokens"`}
	}
	return nil
}

// Name implements [contrastive.Recipe].
func (*Settings) Name() string { return Name }

// Summary implements [contrastive.Recipe].
func (*Settings) Summary() string { return "names alone, by a BiLSTM on word vectors" }

// Config implements [contrastive.Recipe] with the configuration of BNE (section 4). The learning rate falls to 0 as for
// every recipe; the paper states none but that of Adam.
func (*Settings) Config() contrastive.Config {
	c := contrastive.NamesAloneConfig()
	c.LearningRate = .001
	c.WeightDecay = 0 // Adam, not AdamW
	c.ClipNorm = 5
	c.Pooling = contrastive.PoolMean           // a name is read without a sentence
	c.Precision = contrastive.PrecisionFloat32 // the BiLSTM has no other
	return c
}

// Needs implements [contrastive.Recipe].
func (*Settings) Needs() contrastive.Needs {
	return contrastive.Needs{
		WordVectors: true, Validation: true,
		UnusedFields: []string{"max_tokens", "pooling", "mark_all", "freeze_embeddings", "precision"},
	}
}

// Linker implements [contrastive.Recipe]: the concept of the most similar name (section 4.3).
func (*Settings) Linker() string { return "nearest" }

// Settings implements [contrastive.Recipe].
func (s *Settings) Settings() []contrastive.Setting {
	return []contrastive.Setting{
		contrastive.EpochsSetting(&s.Epochs),
		{
			Flag: "names-per-batch", Field: "names_per_batch", Value: &s.NamesPerBatch,
			Usage: "number of names in a batch, at least 2, each with another name of its concept",
		},
		{
			Flag: "character-dim", Field: "character_dim", Value: &s.CharacterDim,
			Usage: "length of a character's vector",
		},
		{
			Flag: "hidden-dim", Field: "hidden_dim", Value: &s.HiddenDim,
			Usage: "number of states of each direction of a BiLSTM",
		},
		{
			Flag: "dropout", Field: "dropout", Value: &s.Dropout,
			Usage: "share of inputs that are left out in training, 0 to below 1",
		},
		{
			Flag: "tanh", Field: "tanh", Value: &s.Tanh,
			Usage: "bound the numbers of a vector by tanh",
		},
		{
			Flag: "targets", Field: "targets", Value: &s.Targets,
			Usage: "vectors of contexts and concepts: words (means of words), " +
				"or tokens (of word vectors with tokens of names and concepts)",
		},
		{
			Flag: "hardest-negatives", Field: "hardest_negatives", Value: &s.HardestNegatives,
			Usage: "take the most similar name of the batch as negative, and not a random one",
		},
	}
}

// New implements [contrastive.Recipe].
func (s *Settings) New(c contrastive.Config, d contrastive.Data) (contrastive.Task, error) {
	if d.WordVectors == "" {
		return nil, &contrastive.FieldError{Field: "word_vectors", Value: "empty", Want: "a folder of word vectors"}
	}
	vectors, err := wordvec.Open(d.WordVectors)
	if err != nil {
		return nil, err
	}
	return New(c, *s, d.Names, d.Dictionary, vectors)
}
