package link

import (
	"github.com/ctxnorm/ctxnorm/internal/dot"
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
	// lexicalScore is the lexical score of the mention and the concept's most similar name, 1 if that has the same
	// content words, as "muscle pain" has for "myalgia".
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
	// sameConceptWords is the highest probability, over the concept's names, that the words that only one of name and
	// mention has leave the concept the same, as pairs of names of the dictionary tell: high for "primary insomnia" and
	// "insomnia" and for "renal failure" and "kidney failure", low for "lung cancer" and "cancer". Beside the vectors of
	// an encoder it is worth nothing, without one .015 on BC5CDR's diseases and .011 on MedMentions.
	sameConceptWords
	// labelCount is log2(1 + n) of the n documents in which a labeled mention of the same wording
	// has the concept: 0 in a model that was trained without labels. What annotators called a wording
	// they call it again, whatever the dictionary says.
	labelCount
	// opposedName is 1 if the mention and the concept's nearest name, that of sameConceptWords, differ in
	// words that exclude each other, as "hypotension" and "hypertension" do: see [normalize.AreOpposed].
	opposedName
	// sameWording is 1 if the mention is a name of the concept as it is written: for "disease" the concept
	// with this name, and not that of "diseases".
	sameWording
	// sameWordsNames is log2(1 + n) of the concept's n names that have the mention's content words and no
	// others. Of two concepts with such a name the one that has it in more forms is meant: "atopic
	// dermatitis" is also that of "dermatitis, atopic, 1", which has no other form of it.
	sameWordsNames

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
	// nilCorrected is 1 if words of the mention were corrected, and nilErrorRate the typing errors for each
	// letter of these words: see [CandidateGenerator.correct]. The other features are those of the
	// corrected mention.
	nilCorrected
	nilErrorRate
	// nilRareWords is the share of the mention's words that neither names nor the texts of the
	// corpus have.
	nilRareWords

	featureCount
)

// firstNILFeature is the first of the features of NIL.
const firstNILFeature = nilBias

// ConceptFeatures is the number of the first elements of [Features] that are features of
// concepts; the others are those of NIL.
const ConceptFeatures = int(firstNILFeature)

// rankingFeatures describes the features of a candidate and of NIL. The priors are those without
// vectors: see [PriorWeights].
var rankingFeatures = logLinear{"weights", []weighedFeature{
	nameCosine:           {name: "name_cosine", needs: ComponentNames},
	nameCosineTop3:       {name: "name_cosine_top3", needs: ComponentNames},
	lexicalScore:         {name: "lexical", prior: 2, needs: ComponentStrings},
	tokenSetMatch:        {name: "token_set_match", prior: 3, needs: ComponentStrings},
	contextVote:          {name: "context_vote", prior: 1, needs: ComponentContexts},
	contextCosine:        {name: "context_cosine", needs: ComponentContexts},
	textWords:            {name: "text_words", prior: 2, needs: ComponentDocumentContext | ComponentNames},
	subtreeScore:         {name: "subtree_score", prior: 3, needs: ComponentHierarchy},
	bestChildScore:       {name: "best_child_score", prior: -1.5, needs: ComponentHierarchy},
	relativeCosine:       {name: "relative_cosine", needs: ComponentHierarchy | ComponentNames},
	subtreeTermF1:        {name: "subtree_term_f1", prior: 2, needs: ComponentHierarchy},
	noName:               {name: "no_name", prior: 1.5, needs: ComponentHierarchy},
	longerNames:          {name: "longer_names", prior: -.5, needs: ComponentStrings},
	bestChildLongerNames: {name: "best_child_longer_names", prior: .5, needs: ComponentStrings | ComponentHierarchy},
	sameConceptWords:     {name: "same_concept_words", prior: .5, needs: ComponentStrings},
	labelCount:           {name: "label_count", prior: 1.5, needs: ComponentStrings},
	opposedName:          {name: "opposed_name", prior: -8, needs: ComponentStrings},
	sameWording:          {name: "same_wording", prior: 1, needs: ComponentStrings},
	sameWordsNames:       {name: "same_words_names", prior: .3, needs: ComponentStrings},
	nilBias:              {name: "nil_bias", prior: 5},
	nilNameCosine:        {name: "nil_name_cosine", needs: ComponentNames},
	nilLexical:           {name: "nil_lexical", prior: -2, needs: ComponentStrings},
	nilWordCoverage:      {name: "nil_word_coverage", prior: -.5, needs: ComponentStrings},
	nilUnknownWords:      {name: "nil_unknown_words", prior: -1, needs: ComponentStrings},
	nilShortForm:         {name: "nil_short_form", prior: -1},
	nilCorrected:         {name: "nil_corrected", needs: ComponentStrings},
	nilErrorRate:         {name: "nil_error_rate", prior: 5, needs: ComponentStrings},
	nilRareWords:         {name: "nil_rare_words", needs: ComponentStrings},
}}

// Features holds the features of a candidate or of NIL, in the order in which
// calibration.json names them.
type Features [featureCount]float64

// mask sets the features to 0 that need a component outside the set.
func (f *Features) mask(components Components) {
	for i := range rankingFeatures.features {
		if !components.Has(rankingFeatures.features[i].needs) {
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
	return dot.InOrder(w[:], f[:])
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
func (w *Weights) ByName() map[string]float64 { return rankingFeatures.byName(w[:]) }

// weightsOf returns the calibrated weights of the model, or the prior weights if it was
// not calibrated. See [logLinear.read] for its errors.
func weightsOf(m *model.Model) (Weights, error) {
	w := PriorWeights(m, AllComponents)
	if m.Calibration == nil || m.Calibration.Weights == nil {
		return w, nil
	}
	return w, rankingFeatures.read(m, m.Calibration.Weights, w[:])
}

// PriorWeights returns the weights from which learning starts and which a model keeps
// if its corpus has too few mentions to learn from. They are rounded from those learned
// on half of MEDIC and 109,176 records of PubMed, with an encoder and without one.
func PriorWeights(m *model.Model, components Components) Weights {
	f := Features(rankingFeatures.prior())
	if m.Vectors == nil {
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
