package wordvec

import (
	"fmt"
	"math"

	"github.com/ctxnorm/ctxnorm/files"
)

// Config holds the settings of a training. [DefaultConfig] has those of Phan et al., "Robust Representation Learning of
// Biomedical Names", ACL 2019, section 4, and Gensim's if the paper gives none.
type Config struct {
	Dim       int `json:"dim"`       // numbers of a vector; 200 (section 4)
	Window    int `json:"window"`    // maximum number of words on each side of a word; 6 (section 4)
	Negatives int `json:"negatives"` // noise words per pair of words; 5 (section 4)
	MinCount  int `json:"min_count"` // rarer words are ignored; 3 (section 4)
	// share of the text above which occurrences of a word are dropped at random, 0 to keep all; .001 (Gensim)
	Subsample     float64 `json:"subsample"`
	NoiseExponent float64 `json:"noise_exponent"` // of counts, for noise words; .75 (Mikolov et al., section 2.2)
	Epochs        int     `json:"epochs"`         // passes over the documents; 5 (Gensim)
	LearningRate  float64 `json:"learning_rate"`  // initial rate; .025 (Gensim)
	// final rate, approached linearly with the number of words read; .0001 (Gensim)
	MinLearningRate float64 `json:"min_learning_rate"`
	Seed            uint64  `json:"seed"` // seed of every random choice; 1

	// OnProgress, if not nil, is called after each document with the number of words trained on and the total for all
	// epochs, without ignored words.
	OnProgress func(done, total int64) `json:"-"`
}

// DefaultConfig returns the settings in the comments of [Config].
func DefaultConfig() Config {
	return Config{
		Dim: 200, Window: 6, Negatives: 5, MinCount: 3,
		Subsample: 1e-3, NoiseExponent: .75,
		Epochs: 5, LearningRate: .025, MinLearningRate: .0001, Seed: 1,
	}
}

const (
	maxDim    = 1 << 14 // numbers; a larger value is a typing error
	maxWindow = 1 << 10 // words
)

// validate returns a [*files.OptionError] for the first setting out of its range, with its JSON name.
func (c *Config) validate() error {
	type setting struct {
		name       string
		value      float64
		least, max float64
	}
	for _, s := range []setting{
		{"dim", float64(c.Dim), 1, maxDim},
		{"window", float64(c.Window), 1, maxWindow},
		{"negatives", float64(c.Negatives), 0, 1000},
		{"min_count", float64(c.MinCount), 1, math.MaxInt32},
		{"subsample", c.Subsample, 0, 1},
		{"noise_exponent", c.NoiseExponent, -10, 10},
		{"epochs", float64(c.Epochs), 1, 1e6},
		{"learning_rate", c.LearningRate, 0, 10},
		{"min_learning_rate", c.MinLearningRate, 0, c.LearningRate},
	} {
		if !(s.value >= s.least && s.value <= s.max) { // also true for NaN
			return &files.OptionError{Field: s.name, Value: s.value, Want: fmt.Sprintf("%g to %g", s.least, s.max)}
		}
	}
	return nil
}
