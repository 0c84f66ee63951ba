package contrastive

import (
	"fmt"
	"math"
)

// Pooling is what of the encoder's last hidden states makes the vector of a
// mention.
type Pooling string

const (
	PoolSpan Pooling = "span" // the mean over the marked mention, markers included
	PoolEnt  Pooling = "ent"  // the state at [ENT], section 3.1 of the paper
)

// Precision is the number format of matrix products. Master weights, the
// optimizer and the loss are float32 whatever it is.
type Precision string

const (
	PrecisionAuto     Precision = "auto"     // bfloat16 where the device multiplies it faster, else float32
	PrecisionFloat32  Precision = "float32"  // exact, and slower where the CPU has AMX or AVX512-BF16
	PrecisionBFloat16 Precision = "bfloat16" // 8 bits of mantissa
)

// Config is the manual of training. Start from [DefaultConfig], or from
// [PaperConfig] for the recipe as published.
type Config struct {
	// Seed draws batches, wordings and new weights. Any value; default 1. The
	// same seed on the same exemplars gives the same batches.
	Seed uint64 `json:"seed"`

	// Steps is the number of batches. 0, the default, derives it from the
	// number of exemplars: see StepsFor.
	Steps int `json:"steps"`

	// Pairs is the number of concepts in a batch; each gives two exemplars, so
	// a batch has 2*Pairs drawn rows. Default 64; the paper's is 16 (section A.2),
	// of longer training. At least 2, as a single concept has no negatives.
	Pairs int `json:"pairs"`

	// NameShare is the share of batches, in [0, 1], that are made of bare
	// dictionary names; the others are of contexts. The paper has none: 0.
	// Default 0.4.
	NameShare float64 `json:"name_share"`

	// Context is the loss on batches of contexts: alpha 1, beta 60, base 0.5,
	// epsilon 0.1 by default, as for names. The paper's are 2, 50 and 1 (section
	// A.2): with them and a short training all contexts drew together, to cosines
	// above 0.9.
	Context MultiSimilarity `json:"context"`

	// Names is the loss on batches of bare names: alpha 1, beta 60, base 0.5,
	// epsilon 0.1 by default.
	Names MultiSimilarity `json:"names"`

	// LearningRate is AdamW's, at its highest. Default 1e-4, which suits
	// encoders of the size of MiniLM; the paper's 1e-5 is for BERT-base.
	LearningRate float64 `json:"learning_rate"`

	// WeightDecay is AdamW's, on weight matrices only. Default 0.01.
	WeightDecay float64 `json:"weight_decay"`

	// WarmupShare is the share of steps, in [0, 1), over which the learning
	// rate climbs to LearningRate; after them it falls linearly to 0. Default
	// 0.05.
	WarmupShare float64 `json:"warmup_share"`

	// ClipNorm is the highest Euclidean norm of the gradient of all parameters
	// together; a longer one is scaled down to it. Default 1; 0 never clips.
	ClipNorm float64 `json:"clip_norm"`

	// MaxTokens is the longest input, in WordPiece tokens with [CLS], [SEP]
	// and markers. A longer sentence is cut around its mention. Default 128;
	// at least 8.
	MaxTokens int `json:"max_tokens"`

	// Pooling is "span" (default) or "ent", the paper's.
	Pooling Pooling `json:"pooling"`

	// MarkAll marks every mention of a sentence and takes each as a row of the
	// batch (the paper's, section A.3: 0.7 to 2 points better than marking one).
	// Default true.
	MarkAll bool `json:"mark_all"`

	// RewordMention is the share, in [0, 1], of pairs of contexts of which the second
	// has its mention replaced by another of the dictionary's names of the concept,
	// so that names which stand in no text are learnt in contexts as well. Default
	// 0.5; the paper has none.
	RewordMention float64 `json:"reword_mention"`

	// BaseShare is the share, in [0, 1), of the base model's weights in the encoder
	// that is written; the rest are the trained ones. A small corpus teaches little
	// of the language, and the average of the two keeps what the base model knew:
	// Wortsman et al., "Robust fine-tuning of zero-shot models", CVPR 2022. Default
	// 0.4; the paper has none.
	BaseShare float64 `json:"base_share"`

	// FreezeEmbeddings leaves the embedding tables of words, positions and
	// types as they are, but for the rows of the two markers. Default true: half of a small encoder's weights are
	// there, and a small corpus moves only the rows it happens to hold.
	FreezeEmbeddings bool `json:"freeze_embeddings"`

	// Precision of matrix products: "auto" (default), "float32" or "bfloat16".
	Precision Precision `json:"precision"`

	// ValidateEvery is the number of steps from one validation to the next.
	// Default 0: twenty times in the whole run. -1 never validates.
	ValidateEvery int `json:"validate_every"`

	// CheckpointEvery is the number of steps from one checkpoint to the next.
	// Default 100; -1 writes none.
	CheckpointEvery int `json:"checkpoint_every"`
}

// DefaultConfig is the configuration that the fields' comments describe.
func DefaultConfig() Config {
	return Config{
		Seed:             1,
		Pairs:            64,
		NameShare:        0.4,
		Context:          MultiSimilarity{Alpha: 1, Beta: 60, Base: 0.5, Epsilon: 0.1},
		Names:            MultiSimilarity{Alpha: 1, Beta: 60, Base: 0.5, Epsilon: 0.1},
		LearningRate:     1e-4,
		WeightDecay:      0.01,
		WarmupShare:      0.05,
		ClipNorm:         1,
		MaxTokens:        128,
		Pooling:          PoolSpan,
		MarkAll:          true,
		RewordMention:    0.5,
		BaseShare:        0.4,
		FreezeEmbeddings: true,
		Precision:        PrecisionAuto,
		CheckpointEvery:  100,
	}
}

// PaperConfig is the recipe as published: contexts only, the vector at [ENT],
// Adam at 1e-5 without decay, every weight trained.
func PaperConfig() Config {
	c := DefaultConfig()
	c.Pairs = 16
	c.Context = MultiSimilarity{Alpha: 2, Beta: 50, Base: 1, Epsilon: 0.1}
	c.NameShare = 0
	c.LearningRate = 1e-5
	c.WeightDecay = 0
	c.Pooling = PoolEnt
	c.RewordMention = 0
	c.BaseShare = 0
	c.FreezeEmbeddings = false
	return c
}

// Validate reports the first field that holds a value it cannot have.
func (c Config) Validate() error {
	for _, check := range []struct {
		ok    bool
		field string
		value any
		want  string
	}{
		{c.Steps >= 0, "steps", c.Steps, "0 (derived) or more"},
		{c.Pairs >= 2, "pairs", c.Pairs, "2 or more"},
		{inUnit(c.NameShare), "name_share", c.NameShare, "0 to 1"},
		{isPositive(c.LearningRate), "learning_rate", c.LearningRate, "above 0"},
		{isFinite(c.WeightDecay) && c.WeightDecay >= 0, "weight_decay", c.WeightDecay, "0 or more"},
		{inUnit(c.WarmupShare) && c.WarmupShare < 1, "warmup_share", c.WarmupShare, "0 to below 1"},
		{isFinite(c.ClipNorm) && c.ClipNorm >= 0, "clip_norm", c.ClipNorm, "0 (never) or more"},
		{c.MaxTokens >= MinTokens, "max_tokens", c.MaxTokens, fmt.Sprintf("%d or more", MinTokens)},
		{c.Pooling == PoolSpan || c.Pooling == PoolEnt, "pooling", c.Pooling, `"span" or "ent"`},
		{inUnit(c.RewordMention), "reword_mention", c.RewordMention, "0 to 1"},
		{inUnit(c.BaseShare) && c.BaseShare < 1, "base_share", c.BaseShare, "0 to below 1"},
		{c.Precision == PrecisionAuto || c.Precision == PrecisionFloat32 || c.Precision == PrecisionBFloat16,
			"precision", c.Precision, `"auto", "float32" or "bfloat16"`},
		{c.ValidateEvery >= -1, "validate_every", c.ValidateEvery, "-1 (never), 0 (derived) or more"},
		{c.CheckpointEvery == -1 || c.CheckpointEvery > 0, "checkpoint_every", c.CheckpointEvery, "-1 (never), 1 or more"},
	} {
		if !check.ok {
			return fmt.Errorf("training: %s is %v, want %s", check.field, check.value, check.want)
		}
	}
	if err := c.Context.Validate(); err != nil {
		return fmt.Errorf("training: context: %w", err)
	}
	if err := c.Names.Validate(); err != nil {
		return fmt.Errorf("training: names: %w", err)
	}
	return nil
}

// MinTokens is the shortest window: [CLS] [ENT] mention [/ENT] [SEP] with a
// mention of one token, and a word of context on either side at least.
const MinTokens = 8

func isFinite(x float64) bool   { return !math.IsNaN(x) && !math.IsInf(x, 0) }
func isPositive(x float64) bool { return isFinite(x) && x > 0 }
func inUnit(x float64) bool     { return x >= 0 && x <= 1 }
