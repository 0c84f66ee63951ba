package link

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/model"
)

// feature is the index of a feature of a candidate in [Features]. A feature that the model
// cannot compute is 0 for every candidate and so has no effect: the vector features
// without an encoder, and the hierarchy features without a hierarchy.
type feature int

const (
	// nameCosine is the cosine of the bare mention and the concept's nearest name.
	nameCosine feature = iota
	// nameCosineTop3 is the mean cosine of the bare mention and the concept's three
	// nearest names, or as many as it has.
	nameCosineTop3
	// lexicalScore is the lexical score of the mention and the concept's most similar name.
	lexicalScore
	// tokenSetMatch is 1 if a name has the same set of stemmed content words as the mention. If
	// it has others in place of some, as "renal failure" has for "kidney failure", it is the
	// probability that they leave the concept the same: see sameConceptWords. Without an
	// encoder that is worth .029 on NCBI Disease and .013 on MedMentions.
	tokenSetMatch
	// contextVote is the concept's share of the weighted vote of the nearest contexts.
	contextVote
	// contextCosine is the cosine of the mention in its sentence and the concept's nearest
	// context.
	contextCosine
	// textWords is high if a name near the mention has words that the mention lacks and
	// the document has, such as "drug-induced dyskinesia" for "dyskinesia" in a document
	// about what a drug induces. It is the maximum over the concept's names of
	//
	//	cosine with the bare mention * share of the name's words that the document adds
	//
	// With the lexical score in place of the cosine, accuracy fell by 2 points on NCBI
	// Disease and 1 on MedMentions.
	textWords
	// subtreeScore is the share of the prior score, by names and strings alone, of the
	// concept and all candidates below it. bestChildScore is the highest subtreeScore of
	// one child. If a general concept has no known name but many of its narrower concepts
	// share the mention's words, subtreeScore is high and bestChildScore is not.
	subtreeScore
	bestChildScore
	// relativeCosine is the highest nameCosine of any ancestor plus the highest of any
	// descendant within two steps.
	relativeCosine
	// subtreeTermF1 is the F1 score of the concept's subtree as a classifier of names that
	// have all of the mention's content words. Precision is the share of such names among
	// the names of the subtree, recall the share of the subtree's among all such names.
	subtreeTermF1
	// noName is 1 for a concept without a name.
	noName
	// longerNames is the share of the concept's names that have all of the mention's content
	// words and others: all names of "chronic headache" and "ocular headache", for the
	// mention "headache". bestChildLongerNames is the highest longerNames of one child. They
	// tell a special kind from the general concept above it that has lost the name.
	longerNames
	bestChildLongerNames
	// sameConceptWords is the highest probability, over the concept's names, that the words
	// that only one of name and mention has leave the concept the same, as pairs of names of
	// the dictionary tell: high for "primary insomnia" and "insomnia" and for "renal failure" and
	// "kidney failure", low for "lung cancer" and "cancer". Beside the vectors of an encoder it is worth nothing, without one .015 on
	// BC5CDR's diseases and .011 on MedMentions.
	sameConceptWords
	// labelCount is log2(1 + n) of the n documents in which a labeled mention of the same wording
	// has the concept: 0 in a model that was trained without labels. What annotators called a wording
	// they call it again, whatever the dictionary says.
	labelCount

	// The features of NIL, the answer that the mention names no concept of the dictionary.
	// They describe the query as a whole and are 0 for every concept, as the features above
	// are 0 for NIL. So the softmax over the candidates and NIL is one log-linear model.

	// nilBias is 1 for NIL.
	nilBias
	// nilNameCosine is the highest nameCosine of any candidate.
	nilNameCosine
	// nilLexical is the highest lexicalScore of any candidate.
	nilLexical
	// nilWordCoverage is the share, by weight, of the mention's content words that are in
	// the names of one candidate, for the candidate with the highest share.
	nilWordCoverage
	// nilUnknownWords is the share, by weight, of the mention's content words that are in no
	// name of the dictionary.
	nilUnknownWords
	// nilShortForm is 1 if the mention looks like a short form, such as "MS" or "SLE2".
	nilShortForm

	featureCount
)

// firstNILFeature is the first of the features of NIL.
const firstNILFeature = nilBias

// firstFeatureOfFormat4 is the first of the features that calibration.json lacks before
// format 4 of the model folder.
const firstFeatureOfFormat4 = longerNames

// laterFeatures are those that a calibration.json of format 4 to 6 lacks if it was written before
// they existed.
var laterFeatures = [...]feature{sameConceptWords, labelCount}

// ConceptFeatures is the number of the first elements of [Features] that are features of
// concepts; the others are those of NIL.
const ConceptFeatures = int(firstNILFeature)

// featureNames names the features in calibration.json, in their order.
var featureNames = [featureCount]string{
	"name_cosine", "name_cosine_top3", "lexical", "token_set_match", "context_vote", "context_cosine", "text_words",
	"subtree_score", "best_child_score", "relative_cosine", "subtree_term_f1", "no_name",
	"longer_names", "best_child_longer_names", "same_concept_words", "label_count",
	"nil_bias", "nil_name_cosine", "nil_lexical", "nil_word_coverage", "nil_unknown_words", "nil_short_form",
}

// renamedFeatures maps the names of features in calibration.json before format 3 of the
// model folder to their current names.
var renamedFeatures = map[string]string{
	"name_mean": "name_cosine_top3", "same_words": "token_set_match", "tree_mass": "subtree_score", "child_mass": "best_child_score",
	"kin": "relative_cosine", "tree_f1": "subtree_term_f1", "nameless": "no_name",
}

// featureComponents holds the components that each feature needs. Without all of them
// the feature is 0.
var featureComponents = [featureCount]Components{
	nameCosine: ComponentNames, nameCosineTop3: ComponentNames,
	lexicalScore: ComponentStrings, tokenSetMatch: ComponentStrings,
	contextVote: ComponentContexts, contextCosine: ComponentContexts,
	textWords:    ComponentDocumentContext | ComponentNames,
	subtreeScore: ComponentHierarchy, bestChildScore: ComponentHierarchy,
	relativeCosine: ComponentHierarchy | ComponentNames,
	subtreeTermF1:  ComponentHierarchy, noName: ComponentHierarchy,
	longerNames: ComponentStrings, bestChildLongerNames: ComponentStrings | ComponentHierarchy,
	sameConceptWords: ComponentStrings, labelCount: ComponentStrings,
	nilNameCosine: ComponentNames, nilLexical: ComponentStrings, nilWordCoverage: ComponentStrings, nilUnknownWords: ComponentStrings,
}

// neverNIL is the weight of nilBias with which NIL has the probability 0 beside any
// candidate: exp(neverNIL) is 0, and the scores of concepts are far above it.
const neverNIL = -1e9

// Features holds the features of a candidate or of NIL, in the order in which
// calibration.json names them.
type Features [featureCount]float64

// mask sets the features to 0 that need a component outside the set.
func (f *Features) mask(components Components) {
	for i, needs := range featureComponents {
		if !components.Has(needs) {
			f[i] = 0
		}
	}
}

// Weights holds the weight of each feature. The score of a candidate is the dot product
// of its features and the weights; the softmax of the scores of a query's candidates and
// of NIL is their probability.
type Weights [featureCount]float64

// Score returns the dot product of the weights and the features.
func (w *Weights) Score(f *Features) float64 {
	sum := 0.0
	for i := range f {
		sum += w[i] * f[i]
	}
	return sum
}

// Probabilities returns the probability of each candidate concept and of NIL: the softmax
// of their scores.
func (w *Weights) Probabilities(c *RawCandidates) (concepts []float64, nilProbability float64) {
	scores := make([]float64, 0, len(c.Concepts)+1)
	for i := range c.Concepts {
		scores = append(scores, w.Score(&c.Concepts[i].Features))
	}
	p := Softmax(append(scores, w.Score(&c.NIL)))
	return p[:len(c.Concepts)], p[len(c.Concepts)]
}

// ByName returns the weights by the names of their features, as a [model.Calibration]
// stores them.
func (w *Weights) ByName() map[string]float64 { return weightsByName(w[:], featureNames[:]) }

// parseWeights is the inverse of [Weights.ByName]; it also reads the names of
// renamedFeatures. It returns an error unless there is one weight for every feature and
// no other. Without any weight of the features of format 4, those of concepts are 0, and
// NIL has the probability 0. The weights of laterFeatures are 0 where they are absent.
func parseWeights(byName map[string]float64) (Weights, error) {
	current := make(map[string]float64, len(byName))
	for name, weight := range byName {
		if renamed, ok := renamedFeatures[name]; ok {
			name = renamed
		}
		current[name] = weight
	}
	names := featureNames[:]
	var w Weights
	if !slices.ContainsFunc(featureNames[firstFeatureOfFormat4:], func(name string) bool { _, has := current[name]; return has }) {
		names = featureNames[:firstFeatureOfFormat4]
		w[nilBias] = neverNIL
	}
	absent := 0
	for i, name := range names {
		weight, ok := current[name]
		if !ok && slices.Contains(laterFeatures[:], feature(i)) {
			absent++
			continue
		}
		if !ok {
			return Weights{}, fmt.Errorf("no weight for the feature %q", name)
		}
		w[i] = weight
	}
	if len(byName) != len(names)-absent {
		return Weights{}, fmt.Errorf("%d weights, want %d", len(byName), len(names)-absent)
	}
	return w, nil
}

// weightsOf returns the calibrated weights of the model, or the prior weights if it was
// not calibrated. It returns an [*files.DamagedError] for weights of other features,
// such as those of a later version.
func weightsOf(m *model.Model) (Weights, error) {
	if m.Calibration == nil || m.Calibration.Weights == nil {
		return PriorWeights(m, AllComponents), nil
	}
	w, err := parseWeights(m.Calibration.Weights)
	if err != nil {
		return Weights{}, artifact.Damaged(filepath.Join(m.Dir, model.CalibrationFile), "weights: %v; ctxnorm calibrate learns the weights anew", err)
	}
	return w, nil
}

// PriorWeights returns the weights from which learning starts and which a model keeps
// if its corpus has too few mentions to learn from. They are rounded from those learned
// on half of MEDIC and 109,176 records of PubMed, with an encoder and without one.
func PriorWeights(m *model.Model, components Components) Weights {
	f := Features{
		lexicalScore: 2, tokenSetMatch: 3, textWords: 2, contextVote: 1,
		subtreeScore: 3, bestChildScore: -1.5, subtreeTermF1: 2, noName: 1.5,
		longerNames: -.5, bestChildLongerNames: .5, sameConceptWords: .5, labelCount: 1.5,
		nilBias: 5, nilLexical: -2, nilWordCoverage: -.5, nilUnknownWords: -1, nilShortForm: -1,
	}
	if m.Encoder == nil {
		components &^= ComponentNames | ComponentContexts
	}
	if components.Has(ComponentNames) {
		f[nameCosine], f[nameCosineTop3], f[relativeCosine] = 2.5, 2.5, .5
		f[lexicalScore], f[noName], f[sameConceptWords] = .5, 5, 0
		f[nilBias], f[nilNameCosine] = 10, -2
	}
	f.mask(components)
	return Weights(f)
}

// Softmax returns exp(score) over the sum of exp(score) of all scores. It subtracts the
// highest score first, so that no term overflows.
func Softmax(scores []float64) []float64 {
	if len(scores) == 0 {
		return nil
	}
	highest := slices.Max(scores)
	p := make([]float64, len(scores))
	sum := 0.0
	for i, score := range scores {
		p[i] = math.Exp(score - highest)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}
