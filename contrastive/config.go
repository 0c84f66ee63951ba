package contrastive

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/ctxnorm/ctxnorm/files"
)

// Pooling is the way in which the encoder's last hidden states form the vector of a mention or, with PoolText, of its
// sentence.
type Pooling string

const (
	PoolSpan Pooling = "span" // the mean over the marked mention, including markers
	PoolEnt  Pooling = "ent"  // the state at [ENT], section 3.1 of the paper
	PoolCLS  Pooling = "cls"  // the state at [CLS] of the mention alone, without its sentence and markers
	PoolMean Pooling = "mean" // the mean over the mention alone, without its sentence and markers
	PoolText Pooling = "text" // the mean over the sentence without markers; not for training
)

// InContext reports whether the encoder reads the sentence of a mention.
func (p Pooling) InContext() bool { return p != PoolCLS && p != PoolMean }

// Trains reports whether an encoder can be trained with the pooling.
func (p Pooling) Trains() bool {
	return p == PoolSpan || p == PoolEnt || p == PoolCLS || p == PoolMean
}

// Precision is the number format of matrix products. The master weights, the optimizer and the loss are float32 at any
// precision.
type Precision string

const (
	PrecisionAuto     Precision = "auto"     // bfloat16 if the device multiplies it faster, otherwise float32
	PrecisionFloat32  Precision = "float32"  // exact; slower on CPUs with AMX or AVX512-BF16
	PrecisionBFloat16 Precision = "bfloat16" // 8 bits of mantissa
	PrecisionInt8     Precision = "int8"     // 8-bit integers; for encoding queries, not for training
)

// Config configures training; its comments are the manual. Start from [DefaultConfig].
//
// The manifest of a model and the checkpoints of a training store it as JSON.
type Config struct {
	// Seed is the seed of batches, name replacements and new weights. Any value; default 1. The same seed with the same
	// exemplars gives the same batches.
	Seed uint64 `json:"seed"`

	// Steps is the number of batches. 0, the default, derives it from the number of exemplars: see stepsFor.
	Steps int `json:"steps"`

	// ConceptsPerBatch is the number of concepts in a batch, with two exemplars each: a batch has 2*ConceptsPerBatch
	// sampled rows. At least 2, as a single concept has no negatives. Default 64; the paper's is 16 (section A.2), for
	// longer training. The two exemplars have different names if the concept has several; the paper samples them at
	// random (section 4.2).
	ConceptsPerBatch int `json:"concepts_per_batch"`

	// NameBatchRatio is the share of batches, 0 to 1, that hold bare dictionary names; the others hold contexts.
	// Default 0.4; the paper has none.
	NameBatchRatio float64 `json:"name_batch_ratio"`

	// ContextLoss is the loss on batches of contexts. The default is alpha 1, beta 60, lambda 0.5, epsilon 0.1, as for
	// names. The paper's is 2, 50 and 1 (section A.2), and its authors' program has 2, 50 and 0.5. With lambda 1, a
	// negative at a cosine of 0.8 has the weight exp(-10), and all contexts moved together, to cosines above 0.9.
	ContextLoss MultiSimilarity `json:"context"`

	// NameLoss is the loss on batches of bare names. The default is alpha 1, beta 60,
	// lambda 0.5, epsilon 0.1.
	NameLoss MultiSimilarity `json:"names"`

	// LearningRate is the highest learning rate of AdamW. Default 1e-4, which suits encoders of the size of MiniLM; the
	// program of the paper's authors has 1e-5, for BERT-base.
	LearningRate float64 `json:"learning_rate"`

	// WeightDecay is the weight decay of AdamW, on weight matrices only. Default 0.01.
	WeightDecay float64 `json:"weight_decay"`

	// WarmupRatio is the share of steps, 0 to below 1, over which the learning rate
	// rises to LearningRate; after them it falls linearly to 0. Default 0.05.
	WarmupRatio float64 `json:"warmup_ratio"`

	// ClipNorm is the maximum Euclidean norm of the gradient of all encoder weights together; a longer gradient is
	// scaled down to it. The parameters of a task are not included. Default 1; 0 never clips.
	ClipNorm float64 `json:"clip_norm"`

	// MaxTokens is the maximum length of an input, in WordPiece tokens including [CLS], [SEP] and markers. A longer
	// sentence is cut around its mention. Default 128; at least 8.
	MaxTokens int `json:"max_tokens"`

	// Pooling is "span" (default) or "ent" (the paper's), or "cls" or "mean", which read the mention without its
	// sentence.
	Pooling Pooling `json:"pooling"`

	// MarkAll marks every mention of a sentence and makes each a row of the batch, as in the paper (section A.3: 0.7 to
	// 2 points better than marking one). Default true.
	MarkAll bool `json:"mark_all"`

	// SynonymReplaceProb is the probability, 0 to 1, that the mention in the second context of a pair is replaced by
	// another dictionary name of its concept. So names that occur in no text are also trained in contexts. Default 0.5;
	// the paper has none.
	SynonymReplaceProb float64 `json:"synonym_replace_prob"`

	// WeightInterpolation is the share, 0 to below 1, of the base model in the weights that are written; the trained
	// weights have the rest. A small corpus teaches little of the language, and interpolation keeps what the base model
	// knew (WiSE-FT, where 1 - alpha is this share: Wortsman et al., "Robust fine-tuning of zero-shot models", CVPR
	// 2022). Default 0.4; the paper has none.
	WeightInterpolation float64 `json:"weight_interpolation"`

	// FreezeEmbeddings keeps the embeddings of words, positions and types fixed, except the rows of the two markers.
	// Default true: half of a small encoder's weights are embeddings, and a small corpus would only change the rows of
	// the words it contains.
	FreezeEmbeddings bool `json:"freeze_embeddings"`

	// Precision of matrix products: "auto" (default), "float32" or "bfloat16".
	Precision Precision `json:"precision"`

	// ValidateEvery is the number of steps between validations. Default 0: twenty validations in the whole run. -1
	// never validates.
	ValidateEvery int `json:"validate_every"`

	// CheckpointEvery is the number of steps between checkpoints. Default 100; -1 writes one only if training is
	// interrupted.
	CheckpointEvery int `json:"checkpoint_every"`
}

// DefaultConfig returns the defaults given in the comments of the fields.
func DefaultConfig() Config {
	return Config{
		Seed:                1,
		ConceptsPerBatch:    64,
		NameBatchRatio:      0.4,
		ContextLoss:         MultiSimilarity{Alpha: 1, Beta: 60, Lambda: 0.5, Epsilon: 0.1},
		NameLoss:            MultiSimilarity{Alpha: 1, Beta: 60, Lambda: 0.5, Epsilon: 0.1},
		LearningRate:        1e-4,
		WeightDecay:         0.01,
		WarmupRatio:         0.05,
		ClipNorm:            1,
		MaxTokens:           128,
		Pooling:             PoolSpan,
		MarkAll:             true,
		SynonymReplaceProb:  0.5,
		WeightInterpolation: 0.4,
		FreezeEmbeddings:    true,
		Precision:           PrecisionAuto,
		CheckpointEvery:     100,
	}
}

// NamesAloneConfig returns the settings shared by the published methods that train on names alone.
func NamesAloneConfig() Config {
	c := DefaultConfig()
	c.NameBatchRatio = 1
	c.WarmupRatio = 0
	c.ClipNorm = 0
	c.MaxTokens = 25 // BioSyn, section 4.1: covers 99.9 % of names
	c.MarkAll = false
	c.SynonymReplaceProb = 0
	c.WeightInterpolation = 0
	c.FreezeEmbeddings = false
	return c
}

// TotalSteps returns Steps or, if it is 0, the number of steps in the epochs.
func (c *Config) TotalSteps(epochs, perEpoch int) int {
	if c.Steps > 0 {
		return c.Steps
	}
	return epochs * perEpoch
}

// Validate returns a [*files.OptionError] for the first field with an invalid value, or nil. It names fields by their
// JSON keys, with a dot inside a loss: "training.context.alpha". NaN and infinities are invalid.
func (c Config) Validate() error {
	precisions := []Precision{PrecisionAuto, PrecisionFloat32, PrecisionBFloat16}
	return cmp.Or(
		check(c.Steps >= 0, "steps", c.Steps, "0 (derived) or more"),
		check(c.ConceptsPerBatch >= 2, "concepts_per_batch", c.ConceptsPerBatch, "2 or more"),
		check(inUnit(c.NameBatchRatio), "name_batch_ratio", c.NameBatchRatio, "0 to 1"),
		check(isPositive(c.LearningRate), "learning_rate", c.LearningRate, "a finite number above 0"),
		check(isFinite(c.WeightDecay) && c.WeightDecay >= 0, "weight_decay", c.WeightDecay, "0 or more"),
		check(inUnit(c.WarmupRatio) && c.WarmupRatio < 1, "warmup_ratio", c.WarmupRatio, "0 to below 1"),
		check(isFinite(c.ClipNorm) && c.ClipNorm >= 0, "clip_norm", c.ClipNorm, "0 (never) or more"),
		check(c.MaxTokens >= MinTokens, "max_tokens", c.MaxTokens, fmt.Sprintf("%d or more", MinTokens)),
		check(c.Pooling.Trains(), "pooling", c.Pooling, `"span", "ent", "cls" or "mean"`),
		check(inUnit(c.SynonymReplaceProb), "synonym_replace_prob", c.SynonymReplaceProb, "0 to 1"),
		check(inUnit(c.WeightInterpolation) && c.WeightInterpolation < 1, "weight_interpolation", c.WeightInterpolation,
			"0 to below 1"),
		check(slices.Contains(precisions, c.Precision), "precision", c.Precision, `"auto", "float32" or "bfloat16"`),
		check(c.ValidateEvery >= -1, "validate_every", c.ValidateEvery, "-1 (never), 0 (derived) or more"),
		check(c.CheckpointEvery == -1 || c.CheckpointEvery > 0, "checkpoint_every", c.CheckpointEvery,
			"-1 (never), 1 or more"),
		c.ContextLoss.validate("context"), c.NameLoss.validate("names"),
	)
}

// check returns a [*files.OptionError] unless a field of a [Config], or a setting of a recipe, has a valid value.
func check(ok bool, field string, value any, want string) error {
	return files.CheckOption(ok, "training."+field, value, want)
}

// MinTokens is the smallest MaxTokens, in WordPiece tokens: [CLS] [ENT] mention [/ENT] [SEP] with a mention of one
// token are 5, which leaves 3 for context.
const MinTokens = 8

func isFinite(x float64) bool   { return !math.IsNaN(x) && !math.IsInf(x, 0) }
func isPositive(x float64) bool { return isFinite(x) && x > 0 }
func inUnit(x float64) bool     { return x >= 0 && x <= 1 }
