// Package biosyn is BioSyn (Sung, Jeon, Lee & Kang, "Biomedical Entity Representations with Synonym
// Marginalization", ACL 2020). [Recipe] is its recipe, and [Hybrid] its method of linking.
package biosyn

import (
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
	Candidates candidateSettings `json:"candidates"`

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
		Objective:          objectiveMarginal,
		Candidates:         candidateSettings{PerMention: 20, DenseRatio: .5},
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

// Recipe returns the recipe with its default settings. The paper merges the labeled mentions into the dictionary
// (section 4.1), and writes the weights of the last epoch, without validation. It links by the name with the highest
// score (section 3.4).
func Recipe() *contrastive.Recipe {
	s := DefaultSettings()
	return s.recipe("names ranked for labeled mentions, or else for names held out", Name)
}

// BERTRankingRecipe returns the recipe of [DefaultBERTRanking], which links by the nearest name.
func BERTRankingRecipe() *contrastive.Recipe {
	s := DefaultBERTRanking()
	return s.recipe("the same without the similarity of strings", "nearest")
}

func (s *Settings) recipe(summary, linker string) *contrastive.Recipe {
	return &contrastive.Recipe{
		Name: s.name(), Summary: summary, Linker: linker, Config: config(), Settings: s.rows(), Values: s,
		Needs: contrastive.Needs{Labels: contrastive.LabelsAllowed, LabelsAreNames: true},
		New: func(c contrastive.Config, d contrastive.Data) (contrastive.Task, error) {
			mentions, names := DistinctMentions(d.Labeled), d.Names
			if len(d.Labeled) == 0 {
				mentions, names = HoldOutNames(names, heldOutNames, c.Seed)
			}
			return New(c, *s, mentions, names)
		},
	}
}

// heldOutNames is the share of the dictionary's names that are the mentions where there are no
// labeled ones: of half of MEDIC, some 4,000.
const heldOutNames = .1

func (s *Settings) name() string {
	if s.Sparse {
		return Name
	}
	return BERTRankingName
}

// config returns the configuration of the BioSyn paper. The learning rate of the paper is
// constant; here, as with all recipes, it falls linearly to 0. The weight decay of the paper is that of Adam,
// in the gradient; here it is decoupled (AdamW). BERT has no dropout here.
func config() contrastive.Config {
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

// rows returns the settings. Those of the sparse scores are not settings of BERT ranking.
func (s *Settings) rows() []contrastive.Setting {
	rows := []contrastive.Setting{
		contrastive.EpochsSetting(&s.Epochs),
		contrastive.OneOf("objective", "objective", (*string)(&s.Objective), "loss of a mention's candidates: marginal (summed "+
			"probability of the right ones), hard-em (the most probable right one) or pairwise",
			string(objectiveMarginal), string(ObjectiveHardEM), string(objectivePairwise)),
		contrastive.AtLeast(2, "candidates", "candidates.per_mention", &s.Candidates.PerMention,
			"number of names that are ranked for a mention, at least 2"),
		{
			Flag: "fixed-candidates", Field: "candidates.fixed", Value: &s.Candidates.Fixed,
			Usage: "retrieve candidates once, and not every epoch with the current encoder",
		},
		contrastive.AtLeast(1, "mentions-per-batch", "mentions_per_batch", &s.MentionsPerBatch,
			"number of mentions in a batch, at least 1"),
		contrastive.Number("dense-scale", "dense_scale", &s.DenseScale,
			"dense score of a name with the vector of the mention, above 0", "a finite number above 0",
			func(scale float64) bool { return scale > 0 }),
	}
	if !s.Sparse {
		return rows
	}
	return append(rows,
		contrastive.Number("dense-ratio", "candidates.dense_ratio", &s.Candidates.DenseRatio,
			"share of the candidates that are nearest by the encoder, 0 to 1; the others are nearest by strings", "0 to 1",
			func(share float64) bool { return share >= 0 && share <= 1 }),
		contrastive.Number("initial-sparse-weight", "initial_sparse_weight", &s.InitialSparseWeight,
			"weight of the sparse scores before training", "a finite number", func(float64) bool { return true }),
		contrastive.Number("sparse-learning-rate", "sparse_learning_rate", &s.SparseLearningRate,
			"learning rate of the weight of the sparse scores, 0 or more", "0 or more",
			func(rate float64) bool { return rate >= 0 }),
	)
}
