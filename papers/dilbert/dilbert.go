// Package dilbert implements DILBERT: the triplet loss of labeled mentions and names of a dictionary (Miftahutdinov,
// Kadurin, Kudrin & Tutubalina, "Drug and Disease Interpretation Learning with Biomedical Entity Representation
// Transformer", ECIR 2021). [Recipe] is its recipe. It links by the nearest name, like package sapbert. Sections are
// those of the paper.
package dilbert

import "github.com/ctxnorm/ctxnorm/contrastive"

// Name is the name of the recipe.
const Name = "dilbert"

// Values of [Settings].Sampling: the source of the names in triplets (section 4).
const (
	randomSampling = "random"     // names of the concept, and any other names
	resampling     = "resampling" // from the second epoch: the nearest names of the concept, and even nearer others
)

// Settings holds the recipe's settings apart from its [contrastive.Config].
type Settings struct {
	Sampling  string `json:"sampling"`  // random
	Positives int    `json:"positives"` // 30 (section 5.3)
	Negatives int    `json:"negatives"` // 5 (section 5.3)
	Parents   int    `json:"parents"`   // 0; the paper tries 1 to 5, and reports 2 and 5
	Siblings  int    `json:"siblings"`  // 0; the paper reports 5, with resampling

	// Margin is how much farther from the mention a negative must be than a positive: 1 (section 5.3), for vectors as
	// the encoder pools them. MiniLM's have a length of about 6; those of the index are unit vectors.
	Margin float64 `json:"margin"`

	TripletsPerBatch int `json:"triplets_per_batch"` // 48 (section 5.3)
	Epochs           int `json:"epochs"`             // 3, each with its own names, unless [contrastive.Config.Steps] is set
}

// Recipe returns the recipe. Labeled mentions become names for linking, but not for training: the paper links with the
// dictionaries of the BioSyn paper, which include the mentions of train. It writes the weights of the last step: a
// validation by names that find each other would choose other weights than a validation by mentions.
func Recipe() *contrastive.Recipe {
	s := &Settings{
		Sampling: randomSampling, Positives: 30, Negatives: 5, Margin: 1, TripletsPerBatch: 48, Epochs: 3,
	}
	c := contrastive.NamesAloneConfig()
	c.LearningRate = 1e-5            // section 5.3, which names no optimizer
	c.Pooling = contrastive.PoolMean // the average over all outputs, section 5.3
	return &contrastive.Recipe{
		Name: Name, Summary: "labeled mentions", Linker: "nearest", // the concept of the nearest name, section 4
		Config: c, Values: s,
		Needs: contrastive.Needs{Labels: contrastive.LabelsRequired, LabelsAreNames: true},
		Settings: []contrastive.Setting{
			contrastive.EpochsSetting(&s.Epochs),
			contrastive.OneOf("negative-sampling", "sampling", &s.Sampling, "names of a mention's triplets: random, "+
				"or resampling for the hardest by the encoder at the start of each epoch", randomSampling, resampling),
			contrastive.AtLeast(1, "positives", "positives", &s.Positives, "largest number of positive names of a mention"),
			contrastive.AtLeast(1, "negatives", "negatives", &s.Negatives, "number of negative names of a mention"),
			contrastive.AtLeast(0, "positive-parents", "parents", &s.Parents,
				"number of names of the concept's parents that are positive too"),
			contrastive.AtLeast(0, "negative-siblings", "siblings", &s.Siblings,
				"number of names of the concept's siblings that are negative too"),
			contrastive.Number("triplet-margin", "margin", &s.Margin, "margin of the triplet loss, above 0", "above 0",
				func(margin float64) bool { return margin > 0 }),
		},
		New: func(c contrastive.Config, d contrastive.Data) (contrastive.Task, error) {
			return newTask(c, *s, d.Labeled, d.Names, d.Dictionary)
		},
	}
}
