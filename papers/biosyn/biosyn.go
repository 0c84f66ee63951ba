// Package biosyn is BioSyn (Sung, Jeon, Lee & Kang, "Biomedical Entity Representations with Synonym
// Marginalization", ACL 2020). [Settings] is its recipe, and [Hybrid] its method of linking.
package biosyn

import (
	"fmt"
	"math"
	"slices"

	"github.com/ctxnorm/ctxnorm/contrastive"
)

// Names of the recipes.
const (
	Name            = "biosyn"
	BERTRankingName = "bert-ranking"
)

// Settings are the settings of [Task] beside its [contrastive.Config]. Section numbers are those
// of the BioSyn paper; "the code" is the authors', github.com/dmis-lab/BioSyn.
type Settings struct {
	// Objective is "marginal" (default, section 3.3), "hard-em" or "pairwise" (section 5.4).
	Objective Objective `json:"objective"`

	// Candidates says among which names a mention is ranked.
	Candidates CandidateSettings `json:"candidates"`

	// MentionsPerBatch is the number of mentions in a batch, 1 or more, each with its
	// candidates. Default 16 (section 4.1).
	MentionsPerBatch int `json:"mentions_per_batch"`

	// Epochs is the number of passes over the mentions, 1 or more, unless Config.Steps is
	// set. Default 10 (section 4.1; 5 for chemicals).
	Epochs int `json:"epochs"`

	// DenseScale is S_dense of a mention and a name that have the same vector, above 0:
	// S_dense is DenseScale times the cosine. The paper has the inner product of the
	// states at [CLS] (equation 4). The last layer norm makes all of these nearly of one
	// length, whose square is the default: 160 for MiniLM. Vectors of an index have unit
	// length, so that the scale is the same in training and in linking.
	DenseScale float64 `json:"dense_scale"`

	// Sparse adds the sparse scores (equation 5). Default true; false is BERT ranking.
	Sparse bool `json:"sparse"`

	// InitialSparseWeight is lambda before training. Default 0, as in the code; the paper
	// says what it converges to, 2 to 4 (section 4.1).
	InitialSparseWeight float64 `json:"initial_sparse_weight"`

	// SparseLearningRate is the learning rate of lambda, which is constant and without weight decay.
	// Default 0.01, as in the code.
	SparseLearningRate float64 `json:"sparse_learning_rate"`
}

// DefaultSettings returns the defaults that the comments of the fields state.
func DefaultSettings() Settings {
	return Settings{
		Objective:          ObjectiveMarginal,
		Candidates:         CandidateSettings{PerMention: 20, DenseRatio: .5},
		MentionsPerBatch:   16,
		Epochs:             10,
		DenseScale:         160,
		Sparse:             true,
		SparseLearningRate: .01,
	}
}

// DefaultBERTRanking returns the settings of BERT ranking: BioSyn with dense scores and
// dense candidates alone. It is not the BERT-based ranking of Ji et al. (2019), which reads mention and
// candidate together.
func DefaultBERTRanking() Settings {
	s := DefaultSettings()
	s.Candidates.DenseRatio = 1
	s.Sparse, s.SparseLearningRate = false, 0
	return s
}

// Name implements [contrastive.Recipe].
func (s *Settings) Name() string {
	if s.Sparse {
		return Name
	}
	return BERTRankingName
}

// Summary implements [contrastive.Recipe].
func (s *Settings) Summary() string {
	if s.Sparse {
		return "names ranked for labeled mentions, or else for names held out"
	}
	return "the same without the similarity of strings"
}

// Config implements [contrastive.Recipe] with the configuration of the BioSyn paper. The learning rate of the paper is
// constant; here, as with all recipes, it falls linearly to 0. The weight decay of the paper is that of Adam,
// in the gradient; here it is decoupled (AdamW). BERT has no dropout here.
func (*Settings) Config() contrastive.Config {
	c := contrastive.DefaultConfig()
	c.Pooling = contrastive.PoolCLS // equation 3
	c.MaxTokens = 25                // section 4.1
	c.LearningRate = 1e-5           // section 4.1
	c.WeightDecay = 1e-2            // section 4.1
	c.WarmupRatio = 0
	c.ClipNorm = 0
	c.WeightInterpolation = 0
	c.FreezeEmbeddings = false
	return c
}

// Needs implements [contrastive.Recipe]. The paper merges the labeled mentions into the dictionary (section
// 4.1), and writes the weights of the last epoch, without validation.
func (*Settings) Needs() contrastive.Needs {
	return contrastive.Needs{Labels: contrastive.LabelsAllowed, LabelsAreNames: true}
}

// Linker implements [contrastive.Recipe]: the name with the highest score, section 3.4; of BERT ranking,
// the nearest.
func (s *Settings) Linker() string {
	if s.Sparse {
		return Name
	}
	return "nearest"
}

// Settings implements [contrastive.Recipe]. Those of the sparse scores are not settings of BERT ranking.
func (s *Settings) Settings() []contrastive.Setting {
	settings := []contrastive.Setting{
		contrastive.EpochsSetting(&s.Epochs),
		{
			Flag: "objective", Field: "objective", Value: (*string)(&s.Objective),
			Usage: "loss of a mention's candidates: marginal (summed probability of the right ones), " +
				"hard-em (the most probable right one) or pairwise",
		},
		{
			Flag: "candidates", Field: "candidates.per_mention", Value: &s.Candidates.PerMention,
			Usage: "number of names that are ranked for a mention, at least 2",
		},
		{
			Flag: "fixed-candidates", Field: "candidates.fixed", Value: &s.Candidates.Fixed,
			Usage: "retrieve candidates once, and not every epoch with the current encoder",
		},
		{
			Flag: "mentions-per-batch", Field: "mentions_per_batch", Value: &s.MentionsPerBatch,
			Usage: "number of mentions in a batch, at least 1",
		},
		{
			Flag: "dense-scale", Field: "dense_scale", Value: &s.DenseScale,
			Usage: "dense score of a name with the vector of the mention, above 0",
		},
	}
	if !s.Sparse {
		return settings
	}
	return append(settings,
		contrastive.Setting{
			Flag: "dense-ratio", Field: "candidates.dense_ratio", Value: &s.Candidates.DenseRatio,
			Usage: "share of the candidates that are nearest by the encoder, 0 to 1; the others are nearest by strings",
		},
		contrastive.Setting{
			Flag: "initial-sparse-weight", Field: "initial_sparse_weight", Value: &s.InitialSparseWeight,
			Usage: "weight of the sparse scores before training",
		},
		contrastive.Setting{
			Flag: "sparse-learning-rate", Field: "sparse_learning_rate", Value: &s.SparseLearningRate,
			Usage: "learning rate of the weight of the sparse scores, 0 or more",
		},
	)
}

// heldOutNames is the share of the dictionary's names that are the mentions where there are no
// labeled ones: of half of MEDIC, some 4,000.
const heldOutNames = .1

// New implements [contrastive.Recipe].
func (s *Settings) New(c contrastive.Config, d contrastive.Data) (contrastive.Task, error) {
	mentions, names := DistinctMentions(d.Labeled), d.Names
	if len(d.Labeled) == 0 {
		mentions, names = HoldOutNames(names, heldOutNames, c.Seed)
	}
	return New(c, *s, mentions, names)
}

// Validate returns a [*contrastive.FieldError] for the first field with an invalid value, or nil.
func (s Settings) Validate() error {
	if err := s.Candidates.validate(); err != nil {
		return err
	}
	switch {
	case !slices.Contains(objectives(), s.Objective):
		return &contrastive.FieldError{
			Field: "objective", Value: s.Objective, Want: fmt.Sprintf("one of %q", objectives()),
		}
	case s.MentionsPerBatch < 1:
		return &contrastive.FieldError{Field: "mentions_per_batch", Value: s.MentionsPerBatch, Want: "1 or more"}
	case s.Epochs < 1:
		return &contrastive.FieldError{Field: "epochs", Value: s.Epochs, Want: "1 or more"}
	case !(s.DenseScale > 0 && s.DenseScale <= math.MaxFloat64): // true for NaN
		return &contrastive.FieldError{Field: "dense_scale", Value: s.DenseScale, Want: "a finite number above 0"}
	case !(math.Abs(s.InitialSparseWeight) <= math.MaxFloat64):
		return &contrastive.FieldError{
			Field: "initial_sparse_weight", Value: s.InitialSparseWeight, Want: "a finite number",
		}
	case !(s.SparseLearningRate >= 0 && s.SparseLearningRate <= math.MaxFloat64):
		return &contrastive.FieldError{
			Field: "sparse_learning_rate", Value: s.SparseLearningRate, Want: "0 or more",
		}
	case !s.Sparse && s.Candidates.sparse() > 0:
		return &contrastive.FieldError{
			Field: "candidates.dense_ratio", Value: s.Candidates.DenseRatio, Want: "1 without sparse scores",
		}
	}
	return nil
}
