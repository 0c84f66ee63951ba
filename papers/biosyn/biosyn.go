// Package biosyn implements BioSyn (Sung, Jeon, Lee & Kang, "Biomedical Entity Representations with Synonym
// Marginalization", ACL 2020). [Recipe] is its recipe, and [Hybrid] its method of linking.
package biosyn

import "github.com/ctxnorm/ctxnorm/contrastive"

// Names of the recipes.
const (
	Name            = "biosyn"
	BERTRankingName = "bert-ranking"
)

// Settings holds the recipe's settings apart from its [contrastive.Config]. Section numbers are those of the BioSyn
// paper; "the code" is the authors', github.com/dmis-lab/BioSyn.
type Settings struct {
	Objective Objective `json:"objective"` // marginal (section 3.3)

	// Candidates selects, at the start of every epoch, the names of the dictionary among which a mention is ranked
	// (section 3.3, "Iterative Candidate Retrieval").
	Candidates struct {
		PerMention int     `json:"per_mention"` // k of the paper: 20 (section 4.1)
		DenseRatio float64 `json:"dense_ratio"` // alpha of the paper: .5 (section 4.1); BERT ranking has 1
	} `json:"candidates"`

	MentionsPerBatch int `json:"mentions_per_batch"` // 16 (section 4.1), each with its candidates
	Epochs           int `json:"epochs"`             // 10 (section 4.1; 5 for chemicals), unless Config.Steps is set

	// DenseScale is S_dense of a mention and a name with the same vector: S_dense is DenseScale times the cosine. The
	// paper takes the inner product of the states at [CLS] (equation 4). The last layer norm gives all of these nearly
	// the same length. The default is the square of this length: 160 for MiniLM. Vectors of an index have unit length,
	// so the scale is the same in training and in linking.
	DenseScale float64 `json:"dense_scale"`

	Sparse bool `json:"sparse"` // adds the sparse scores (equation 5); false is BERT ranking

	// InitialSparseWeight is lambda before training: 0, as in the code; the paper only reports that it converges to 2
	// to 4 (section 4.1). Its learning rate, .01 as in the code, is constant and without weight decay.
	InitialSparseWeight float64 `json:"initial_sparse_weight"`
	SparseLearningRate  float64 `json:"sparse_learning_rate"`
}

// Recipe returns the recipe. The paper merges the labeled mentions into the dictionary (section 4.1) and writes the
// weights of the last epoch, without validation. It links by the name with the highest score (section 3.4).
func Recipe() *contrastive.Recipe {
	s := &Settings{
		Objective: objectiveMarginal, MentionsPerBatch: 16, Epochs: 10, DenseScale: 160, Sparse: true, SparseLearningRate: .01,
	}
	s.Candidates.PerMention, s.Candidates.DenseRatio = 20, .5
	return s.recipe(Name, "names ranked for labeled mentions, or else for names held out", Name)
}

// BERTRankingRecipe returns the recipe of BERT ranking: BioSyn with only dense scores and dense candidates, which links
// by the nearest name. It is not the BERT-based ranking of Ji et al. (2019), which reads mention and candidate
// together.
func BERTRankingRecipe() *contrastive.Recipe {
	s := Recipe().Values.(*Settings)
	s.Candidates.DenseRatio, s.Sparse, s.SparseLearningRate = 1, false, 0
	return s.recipe(BERTRankingName, "the same without the similarity of strings", "nearest")
}

// recipe returns a recipe with the configuration of the paper. The learning rate of the paper is constant; here, as
// with all recipes, it falls linearly to 0. The paper uses Adam's weight decay, in the gradient; here it is decoupled
// (AdamW). BERT has no dropout here.
func (s *Settings) recipe(name, summary, linker string) *contrastive.Recipe {
	c := contrastive.DefaultConfig()
	c.Pooling = contrastive.PoolCLS // equation 3
	c.MaxTokens = 25                // section 4.1
	c.LearningRate = 1e-5           // section 4.1
	c.WeightDecay = 1e-2            // section 4.1
	c.WarmupRatio, c.ClipNorm, c.WeightInterpolation, c.FreezeEmbeddings = 0, 0, 0, false
	return &contrastive.Recipe{
		Name: name, Summary: summary, Linker: linker, Config: c, Settings: s.rows(), Values: s,
		Needs: contrastive.Needs{Labels: contrastive.LabelsAllowed, LabelsAreNames: true},
		New: func(c contrastive.Config, d contrastive.Data) (contrastive.Task, error) {
			mentions, names := distinctMentions(d.Labeled), d.Names
			if len(d.Labeled) == 0 {
				mentions, names = holdOutNames(names, heldOutNames, c.Seed)
			}
			return newTask(name, c, *s, mentions, names)
		},
	}
}

// heldOutNames is the share of the dictionary's names that serve as mentions if there are no labeled ones: about 4,000
// for half of MEDIC.
const heldOutNames = .1

// rows returns the settings. BERT ranking has no settings for sparse scores.
func (s *Settings) rows() []contrastive.Setting {
	rows := []contrastive.Setting{
		contrastive.EpochsSetting(&s.Epochs),
		contrastive.OneOf("objective", "objective", (*string)(&s.Objective), "loss of a mention's candidates: marginal (summed "+
			"probability of the right ones), hard-em (the most probable right one) or pairwise",
			string(objectiveMarginal), string(ObjectiveHardEM), string(objectivePairwise)),
		contrastive.AtLeast(2, "candidates", "candidates.per_mention", &s.Candidates.PerMention,
			"number of names that are ranked for a mention, at least 2"),
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
	)
}
