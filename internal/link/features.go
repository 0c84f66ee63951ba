package link

import (
	"math"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// scored is the input of a ranking feature: a candidate of a query, or nil for NIL, the answer that the mention names
// no concept of the dictionary. The features of NIL describe the query as a whole and are 0 for every concept, and the
// features of concepts are 0 for NIL. So the softmax over the candidates and NIL is one log-linear model.
type scored struct {
	*featureBuilder
	c *Candidate
}

// RankingFeatures lists the features of candidates, followed by those of NIL. The priors apply to models without
// vectors, see [PriorWeights]. A feature that the model cannot compute is 0 for every candidate and so has no effect:
// the vector features without an encoder, and the hierarchy features without a hierarchy.
var RankingFeatures = LogLinear[scored]{
	"weights", func(c *model.Calibration) map[string]float64 { return c.Weights },
	slices.Concat(conceptFeatures, nilFeatures),
}

// ConceptFeatures is the number of [RankingFeatures] that describe concepts. They come first.
var ConceptFeatures = len(conceptFeatures)

var conceptFeatures = []feature[scored]{
	// The cosine of the bare mention with the concept's nearest name, and the mean cosine with its three nearest names,
	// or with all if it has fewer.
	{"name_cosine", 0, ComponentNames, func(s scored) float64 { return s.c.nearest(1) }},
	{"name_cosine_top3", 0, ComponentNames, func(s scored) float64 { return s.c.nearest(3) }},
	// The lexical score of the mention and the concept's most similar name: 1 if that has the same content words, like
	// "muscle pain" and "myalgia".
	{"lexical", 2, ComponentStrings, func(s scored) float64 { return s.c.lexical }},
	// 1 if a name has the same set of stemmed content words as the mention. If some words differ, as in "renal failure"
	// and "kidney failure", it is the probability that they leave the concept the same: see same_concept_words. Without
	// an encoder that adds .029 on NCBI Disease and .013 on MedMentions.
	{"token_set_match", 3, ComponentStrings, func(s scored) float64 { return s.c.replaced }},
	// The concept's share of the weighted vote of the nearest contexts.
	{"context_vote", 1, ComponentContexts, func(s scored) float64 { return s.c.contextVote }},
	// The cosine of the mention in its sentence with the concept's nearest context.
	{"context_cosine", 0, ComponentContexts, func(s scored) float64 { return s.c.contextCosine }},
	// High if a name near the mention has words that the mention lacks and the document has, such as "drug-induced
	// dyskinesia" for "dyskinesia" in a document about what a drug induces. With the lexical score instead of the
	// cosine, accuracy fell by 2 points on NCBI Disease and 1 on MedMentions.
	{"text_words", 2, textWordsNeed, scored.textWords},
	// The prior score, by names and strings alone, summed over the concept and all candidates below it, as a share of
	// the total, and the highest such share of one child. If a general concept has no known name but many of its
	// narrower concepts share the mention's words, the first is high and the second is not.
	{"subtree_score", 3, ComponentHierarchy, func(s scored) float64 { return s.c.subtree }},
	{"best_child_score", -1.5, ComponentHierarchy, func(s scored) float64 { return s.c.bestChild }},
	// The highest name_cosine of any ancestor plus the highest of any descendant within two steps.
	{"relative_cosine", 0, ComponentHierarchy | ComponentNames, func(s scored) float64 {
		h := s.hierarchy
		return s.maxCosineOf(h.Ancestors(s.c.Concept)) + s.maxCosineOf(h.Descendants(s.c.Concept, 2))
	}},
	// The F1 score of the concept's subtree as a classifier of names that have all of the mention's content words.
	// Precision is the share of such names among the names of the subtree, recall the subtree's share of all such names.
	{"subtree_term_f1", 2, ComponentHierarchy, func(s scored) float64 { return s.c.termF1 }},
	{"no_name", 1.5, ComponentHierarchy, func(s scored) float64 { return indicator(len(s.rows.At(s.c.Concept)) == 0) }},
	// The share of the concept's names that contain all of the mention's content words and others, and the highest such
	// share of one child. For the mention "headache" the share is 1 for "chronic headache" and "ocular headache". These
	// features distinguish a narrower concept from the general concept above it that has lost the name.
	{"longer_names", -.5, ComponentStrings, func(s scored) float64 { return s.c.longer }},
	{"best_child_longer_names", .5, ComponentStrings | ComponentHierarchy,
		func(s scored) float64 { return s.c.childLonger }},
	// The highest probability, over the concept's names, that the words in which name and mention differ leave the
	// concept the same, as learned from pairs of names of the dictionary: high for "primary insomnia" and "insomnia"
	// and for "renal failure" and "kidney failure", low for "lung cancer" and "cancer". It adds nothing to the vectors
	// of an encoder, and .015 on BC5CDR's diseases and .011 on MedMentions without one.
	{"same_concept_words", .5, ComponentStrings, func(s scored) float64 { return s.c.sameConcept }},
	// log2(1 + n), where n is the number of documents in which a labeled mention with the same surface form has the
	// concept. 0 in a model that was trained without labels. Annotators label a surface form the same way again,
	// whatever the dictionary says.
	{"label_count", 1.5, ComponentStrings, func(s scored) float64 { return math.Log2(1 + float64(s.c.labels)) }},
	// 1 if the mention and the concept's nearest name by same_concept_words differ in words that exclude each other,
	// such as "hypotension" and "hypertension": see [normalize.AreOpposed].
	{"opposed_name", -8, ComponentStrings, func(s scored) float64 { return indicator(s.c.opposed) }},
	// 1 if a name of the concept is the most similar to the mention among the names with its words. For "disease" that
	// is the concept named "disease", not the one named "diseases". See [normalize.Likeness].
	{"same_wording", 1, ComponentStrings, func(s scored) float64 {
		return indicator(s.c.likeness > 0 && s.c.likeness == s.likeness)
	}},
	// log2(1 + n), where n is the number of the concept's names that have exactly the mention's content words. Of two
	// concepts with such a name, the mention means the one that has more variants of it: "atopic dermatitis" also
	// matches the concept of "dermatitis, atopic, 1", which has no other variant.
	{"same_words_names", .3, ComponentStrings, func(s scored) float64 { return math.Log2(1 + float64(s.c.sameWords)) }},
}

var nilFeatures = []feature[scored]{
	{"nil_bias", 5, 0, func(scored) float64 { return 1 }},
	// The highest name_cosine and lexical score of any candidate.
	{"nil_name_cosine", 0, ComponentNames, func(s scored) float64 {
		return s.highest(func(c *Candidate) float64 { return c.nearest(1) })
	}},
	{"nil_lexical", -2, ComponentStrings, func(s scored) float64 {
		return s.highest(func(c *Candidate) float64 { return c.lexical })
	}},
	// The highest share, by weight, of the mention's content words that occur in the names of one candidate, and the
	// share of the mention's content words that occur in no name of the dictionary.
	{"nil_word_coverage", -.5, ComponentStrings, func(s scored) float64 {
		_, all := s.words.WeightUnknown(s.mention)
		return s.highest(func(c *Candidate) float64 {
			return ratio(s.words.WeightIn(s.rows.At(c.Concept), s.mention), all)
		})
	}},
	{"nil_unknown_words", -1, ComponentStrings, func(s scored) float64 {
		return ratio(s.words.WeightUnknown(s.mention))
	}},
	// 1 if the mention looks like a short form, such as "MS" or "SLE2".
	{"nil_short_form", -1, 0, func(s scored) float64 {
		return indicator(normalize.LooksLikeShortForm(s.query.Surface()))
	}},
	// 1 if words of the mention were corrected, and the number of typing errors per letter of these words: see
	// [CandidateGenerator.correct]. The other features describe the corrected mention.
	{"nil_corrected", 0, ComponentStrings, func(s scored) float64 { return indicator(s.corrected.letters > 0) }},
	{"nil_error_rate", 5, ComponentStrings, func(s scored) float64 {
		return ratio(float64(s.corrected.errors), float64(s.corrected.letters))
	}},
	// The share of the mention's words that occur neither in names nor in the texts of the corpus.
	{"nil_rare_words", 0, ComponentStrings, func(s scored) float64 { return s.rareWords(s.corrected.tokens) }},
}

// textWordsNeed is the set of components that text_words needs.
const textWordsNeed = ComponentDocumentContext | ComponentNames

// textWords returns the maximum over the concept's names of
//
//	cosine with the bare mention * share of the name's words that the document adds
func (s scored) textWords() float64 {
	best := 0.
	for i, cosine := range s.c.cosines {
		gain := s.words.DocumentGain(s.rows.At(s.c.Concept)[i], s.mentionContent, s.documentWords)
		best = max(best, cosine*gain)
	}
	return best
}

// highest returns the highest value over all candidates, at least 0.
func (s scored) highest(value func(*Candidate) float64) float64 {
	best := 0.
	for _, c := range s.candidates {
		best = max(best, value(c))
	}
	return best
}

func indicator(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// ratio returns part / whole, or 0 if whole is 0.
func ratio(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}

// featuresOf returns the features of a candidate, or of NIL if c is nil.
func (b *featureBuilder) featuresOf(c *Candidate) []float64 {
	values := make([]float64, len(RankingFeatures.features))
	for i := range RankingFeatures.features {
		f := &RankingFeatures.features[i]
		// The features from ConceptFeatures on describe NIL, the others a candidate.
		if (i >= ConceptFeatures) == (c == nil) && b.components.Has(f.needs) {
			values[i] = f.value(scored{b, c})
		}
	}
	return values
}

// Probabilities returns the probability of each candidate concept and of NIL, the softmax of their scores.
func (c *Candidates) Probabilities(weights []float64) (concepts []float64, nilProbability float64) {
	scores := make([]float64, 0, len(c.Concepts)+1)
	for _, candidate := range c.Concepts {
		scores = append(scores, dot.InOrder(weights, candidate.Features))
	}
	p := Softmax(append(scores, dot.InOrder(weights, c.NIL)))
	return p[:len(c.Concepts)], p[len(c.Concepts)]
}

// PriorWeights returns the weights of [RankingFeatures] from which learning starts. A model keeps them if its corpus
// has too few mentions to learn from. They are rounded from the weights learned on half of MEDIC and 109,176 records of
// PubMed, with an encoder and without one.
func PriorWeights(m *model.Model, components Components) []float64 {
	weights := RankingFeatures.Prior()
	if m.Vectors == nil {
		components &^= ComponentNames | ComponentContexts
	}
	if components.Has(ComponentNames) {
		RankingFeatures.set(weights, map[string]float64{"name_cosine": 2.5, "name_cosine_top3": 2.5, "relative_cosine": .5,
			"lexical": .5, "no_name": 5, "same_concept_words": 0, "nil_bias": 10, "nil_name_cosine": -2})
	}
	for i := range weights {
		if !components.Has(RankingFeatures.features[i].needs) {
			weights[i] = 0
		}
	}
	return weights
}

// weightsOf returns the ranking weights of the model: see [LogLinear.weightsOf].
func weightsOf(m *model.Model) ([]float64, error) {
	return RankingFeatures.weightsOf(m, PriorWeights(m, AllComponents))
}
