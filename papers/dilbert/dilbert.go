// Package dilbert is DILBERT: the triplet loss of labeled mentions and names of a dictionary
// (Miftahutdinov, Kadurin, Kudrin & Tutubalina, "Drug and Disease Interpretation Learning with
// Biomedical Entity Representation Transformer", ECIR 2021). [Recipe] is its recipe. It links by the
// nearest name, as package sapbert does. Sections are those of the paper.
package dilbert

import (
	"github.com/ctxnorm/ctxnorm/contrastive"
)

// Name is the name of the recipe.
const Name = "dilbert"

// Sampling says where the names of DILBERT's triplets come from (section 4).
type Sampling string

const (
	// randomSampling takes names of the concept, and any other names.
	randomSampling Sampling = "random"
	// Resampling takes, from the second epoch on, the nearest names of the concept, and those that are
	// nearer than any of them.
	Resampling Sampling = "resampling"
)

// Settings are the settings of [Task] beside [contrastive.Config].
type Settings struct {
	// Sampling is "random" (default) or "resampling".
	Sampling Sampling `json:"sampling"`

	// Positives and Negatives are the largest numbers of names of an anchor's concept and of
	// other names in an epoch, at least 1. Default 30 and 5 (section 5.3).
	Positives int `json:"positives"`
	Negatives int `json:"negatives"`

	// Parents is the number of names of the concept's parents that are positive too. Default
	// 0; the paper tries 1 to 5 (section 5.3), and reports 2 and 5.
	Parents int `json:"parents"`

	// Siblings is the number of names of the concept's siblings, the other children of its
	// parents, that are negative too. Default 0; the paper reports 5, with resampling.
	Siblings int `json:"siblings"`

	// Triplet is the loss. Default: Euclidean distance with margin 1 (section 5.3), of vectors
	// as the encoder pools them. MiniLM's have a length of about 6. The index holds unit vectors, whose
	// distance is at most 2.
	Triplet

	// TripletsPerBatch is the number of triplets in a batch, at least 1. Default 48 (section
	// 5.3).
	TripletsPerBatch int `json:"triplets_per_batch"`

	// Epochs is the number of passes over the anchors, at least 1, each with its own names.
	// Default 3; the paper does not say. [contrastive.Config.Steps] takes precedence.
	Epochs int `json:"epochs"`
}

// DefaultSettings returns the defaults that the comments of the fields state.
func DefaultSettings() Settings {
	return Settings{
		Sampling: randomSampling, Positives: 30, Negatives: 5, Triplet: Triplet{Distance: euclidean, Margin: 1},
		TripletsPerBatch: 48, Epochs: 3,
	}
}

// Recipe returns the recipe with its default settings. Labeled mentions become names for linking, and not for training:
// the paper links with the dictionaries of the BioSyn paper, which have the mentions of train. It writes the weights of
// the last step: a validation by names that find each other would choose others than mentions do.
func Recipe() *contrastive.Recipe {
	s := DefaultSettings()
	return &contrastive.Recipe{
		Name: Name, Summary: "labeled mentions", Linker: "nearest", // the concept of the nearest name, section 4
		Config: config(), Settings: s.rows(), Values: &s,
		Needs: contrastive.Needs{Labels: contrastive.LabelsRequired, LabelsAreNames: true},
		New: func(c contrastive.Config, d contrastive.Data) (contrastive.Task, error) {
			return New(c, s, d.Labeled, d.Names, d.Dictionary)
		},
	}
}

// config returns the configuration of DILBERT. Sections are those of its paper.
func config() contrastive.Config {
	c := contrastive.NamesAloneConfig()
	c.LearningRate = 1e-5            // section 5.3, which names no optimizer
	c.Pooling = contrastive.PoolMean // the average over all outputs, section 5.3
	return c
}

func (s *Settings) rows() []contrastive.Setting {
	return []contrastive.Setting{
		contrastive.EpochsSetting(&s.Epochs),
		contrastive.OneOf("negative-sampling", "sampling", (*string)(&s.Sampling), "names of a mention's triplets: random, "+
			"or resampling for the hardest by the encoder at the start of each epoch", string(randomSampling), string(Resampling)),
		contrastive.AtLeast(1, "positives", "positives", &s.Positives, "largest number of positive names of a mention"),
		contrastive.AtLeast(1, "negatives", "negatives", &s.Negatives, "number of negative names of a mention"),
		contrastive.AtLeast(0, "positive-parents", "parents", &s.Parents,
			"number of names of the concept's parents that are positive too"),
		contrastive.AtLeast(0, "negative-siblings", "siblings", &s.Siblings,
			"number of names of the concept's siblings that are negative too"),
		contrastive.OneOf("triplet-distance", "distance", (*string)(&s.Distance),
			"distance of the triplet loss: euclidean or cosine", string(euclidean), string(cosineDistance)),
		contrastive.Number("triplet-margin", "margin", &s.Margin, "margin of the triplet loss, above 0", "above 0",
			func(margin float64) bool { return margin > 0 }),
		contrastive.AtLeast(1, "triplets-per-batch", "triplets_per_batch", &s.TripletsPerBatch,
			"number of triplets in a batch"),
	}
}

// usesHierarchy reports whether names of parents or siblings are samples.
func (s Settings) usesHierarchy() bool { return s.Parents > 0 || s.Siblings > 0 }
