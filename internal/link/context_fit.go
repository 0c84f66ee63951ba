package link

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/logistic"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text"
)

// fitFeature is the index of a feature in [ContextFit].
type fitFeature int

const (
	// fitBias is 1.
	fitBias fitFeature = iota
	// fitWords is the [sense.Profiles.WordScore] of the document's words.
	fitWords
	// fitCentroid is 10 times the [sense.Profiles.CentroidScore] of the sentence without the
	// mention.
	fitCentroid
	// fitName is 10 times the highest cosine of the sentence without the mention and a name
	// of the concept, less the mean of that cosine over all names.
	fitName
	// fitMeanName is 10 times the mean cosine of the sentence without the mention and the
	// names, by the base encoder: see [model.Model.BaseMeanNameCosine].
	fitMeanName
	// fitSmallLetters is 1 for a word in small letters that is, in capitals, a short form of
	// the concept: "aids", "all".
	fitSmallLetters
	// fitVerb is 1 for a word that is used as a verb or an adjective, as far as the words beside
	// it tell: see isVerb.
	fitVerb
	// fitLatentCentroid is 10 times the [sense.Profiles.CentroidScore] of the document's words by
	// latent semantic analysis.
	fitLatentCentroid
	// fitLatentName is 10 times the highest cosine of the document's words and a name of the
	// concept by latent semantic analysis, less the mean of that cosine over names of the dictionary.
	fitLatentName
	// fitMeanLatentName is 10 times that mean.
	fitMeanLatentName
	// fitEnglish is 10 times the cosine of the sentence without the mention and the gloss of the
	// sense of the word that the dictionary has, less the highest of those of its other senses, by
	// the base encoder: see [sense.English]. 0 for other words.
	fitEnglish
	// fitField is 10 times the [model.Fields.Lead] of the sentence without the mention, or of its document if that is
	// more, less medicalLead, and at most 0: what speaks of medicine at all says nothing more. 0 for ordinary words.
	fitField
	// fitAnyWord is 1 for a word that is not known to be an ordinary one. Its other features, but for fitField, are 0.
	fitAnyWord

	fitFeatureCount
)

// fitFeatures describes the features of a [ContextFit].
var fitFeatures = logLinear{"fit_weights", []weighedFeature{
	fitBias:           {name: "bias", prior: 1.5},
	fitWords:          {name: "words", prior: .6},
	fitCentroid:       {name: "centroid", prior: .8},
	fitName:           {name: "name", prior: .6},
	fitMeanName:       {name: "mean_name"},
	fitSmallLetters:   {name: "small_letters", prior: -4},
	fitVerb:           {name: "verb", prior: -3},
	fitLatentCentroid: {name: "latent_centroid", prior: .4},
	fitLatentName:     {name: "latent_name", prior: .4},
	fitMeanLatentName: {name: "mean_latent_name"},
	fitEnglish:        {name: "english"},
	fitField:          {name: "field"},
	fitAnyWord:        {name: "any_word"},
}}

// ContextFit says how well the context of a mention of one word suits the concept that is most similar to the mention
// by names and strings. Such a word may be an ordinary one in its context: boils, hives, strain. Linking asks it of the
// mentions that [mayBeOrdinary] names. Of any other word it asks what field of life the sentence speaks of: "the
// paralysis of parliament".
type ContextFit [fitFeatureCount]float64

// mayBeOrdinary reports whether a mention may be an ordinary word: a word of English that often means something else
// than a disease or chemical, a short form, or a word in small letters that is a short form in capitals
// ("all").
func (g *CandidateGenerator) mayBeOrdinary(surface string) bool {
	if surface == "" || len(normalize.ContentWords(surface)) > 1 {
		return false
	}
	return matcher.OrdinaryWord(surface) || sense.English(surface) != nil || normalize.LooksLikeShortForm(surface) ||
		surface == strings.ToLower(surface) && g.model.Inventory().IsShortForm(strings.ToUpper(surface))
}

// FitWeights holds the weight of each feature of a [ContextFit]. The logistic function of
// the weighted sum is the probability that the word means the concept.
type FitWeights [fitFeatureCount]float64

// priorFitWeights returns the weights of a model that has too few names of one word to learn
// from.
func priorFitWeights() FitWeights { return FitWeights(fitFeatures.prior()) }

// StartFitWeights returns the weights from which learning starts, and which of them it keeps: those
// of the mean cosine with the names, of the senses in English and of the field. A corpus of biomedicine does not show
// what they are worth, as in its texts what stands beside an ordinary word is much like what stands beside a disease.
func StartFitWeights() (start FitWeights, keep [fitFeatureCount]bool) {
	start = priorFitWeights()
	start[fitMeanName], start[fitEnglish], start[fitField], start[fitAnyWord] = meanNameWeight, englishWeight,
		fieldWeight, anyWordWeight
	for _, f := range []fitFeature{fitMeanName, fitEnglish, fitField, fitAnyWord} {
		keep[f] = true
	}
	return start, keep
}

// These weights were chosen on the sentence pairs for development, where meanNameWeight 1.5 to 4 and englishWeight
// .5 to 3 are as good.
const (
	meanNameWeight = 2
	englishWeight  = 2
)

// By these a word that is not known to be ordinary means the concept with a probability of .95 where the sentence leads
// for medicine by .05 or more, of .5 at -.025 and of .05 at -.1. Of the sentences of 400 mentions of one word of the
// dev set of BC5CDR 16, 5 and 0 are below.
const (
	medicalLead   = .05
	fieldWeight   = 4
	anyWordWeight = 3
)

// Probability returns the probability that a word means the concept.
func (w *FitWeights) Probability(f *ContextFit) float64 {
	return logistic.Sigmoid(dot.InOrder(w[:], f[:]))
}

// ByName returns the weights by the names of their features, as a [model.Calibration]
// stores them.
func (w *FitWeights) ByName() map[string]float64 { return fitFeatures.byName(w[:]) }

// fitWeightsOf returns the calibrated fit weights of the model, or the prior weights if it
// has none. See [logLinear.read] for its errors.
func fitWeightsOf(m *model.Model) (FitWeights, error) {
	w := priorFitWeights()
	if m.Calibration == nil || m.Calibration.FitWeights == nil {
		return w, nil
	}
	return w, fitFeatures.read(m, m.Calibration.FitWeights, w[:])
}

// describeSurroundings describes what is around the mentions that may be ordinary words.
func (g *CandidateGenerator) describeSurroundings(ctx context.Context, encoded []encodedQuery) error {
	if !g.Components.Has(ComponentContexts | ComponentDocumentContext) {
		return nil
	}
	if err := g.describeFields(ctx, encoded); err != nil {
		return err
	}
	var queries []*text.Query
	var at []int
	for i := range encoded {
		if q := encoded[i].query; encoded[i].asksContext && hasContext(q) {
			queries, at = append(queries, q), append(at, i)
		}
	}
	if len(queries) == 0 {
		return nil
	}
	around, err := g.senses.around(ctx, queries, encoded[0].documents)
	if err != nil {
		return err
	}
	for n, i := range at {
		encoded[i].around = &around[n]
		if base := encoded[i].base; base != nil {
			if encoded[i].english, err = g.model.EnglishLead(ctx, englishWordOf(encoded[i].query), base); err != nil {
				return err
			}
		}
	}
	return nil
}

// hasContext reports whether the sentence of a mention has more than the mention.
func hasContext(q *text.Query) bool {
	rest := q.SentenceWithoutMention()
	return rest.Surface() != ""
}

// describeFields sets the vector by the base encoder of the sentences that are asked, and the field.
func (g *CandidateGenerator) describeFields(ctx context.Context, encoded []encodedQuery) error {
	if !g.Components.Has(ComponentContexts) {
		return nil
	}
	var around []text.Query
	var at []int
	for i := range encoded {
		if !encoded[i].asksContext && !encoded[i].asksField {
			continue
		}
		if rest := encoded[i].query.SentenceWithoutMention(); rest.Surface() != "" {
			around, at = append(around, rest), append(at, i)
		}
	}
	if len(around) == 0 {
		return nil
	}
	vectors, err := g.model.BaseVectors(ctx, around)
	if vectors == nil || err != nil {
		return err
	}
	fields, err := g.model.Fields(ctx)
	if err != nil {
		return err
	}
	var documents []text.Query
	var of []int // position of each in encoded
	leads := make([]float64, len(encoded))
	for n, i := range at {
		encoded[i].base = vectors[n]
		if fields == nil || !encoded[i].asksField {
			continue
		}
		leads[i] = fields.Lead(vectors[n])
		encoded[i].field = &leads[i]
		q := encoded[i].query
		if leads[i] < medicalLead && strings.TrimSpace(q.Sentence.Of(q.Text)) != strings.TrimSpace(q.Text) {
			documents, of = append(documents, text.NameExemplar(q.Text).Query), append(of, i)
		}
	}
	if len(documents) > 0 {
		if vectors, err = g.model.BaseVectors(ctx, documents); err != nil {
			return err
		}
	}
	for n, i := range of {
		leads[i] = max(leads[i], fields.Lead(vectors[n]))
	}
	for _, i := range at {
		leads[i] = cosineScale * min(0, leads[i]-medicalLead)
	}
	return nil
}

// contextFit compares what is around a mention of one word with the contexts and names of
// the candidate that is most similar to it by names and strings. It returns nil for other
// mentions.
func (g *CandidateGenerator) contextFit(q *encodedQuery, candidates []RawCandidate) *ContextFit {
	switch {
	case len(candidates) == 0:
		return nil
	case q.asksField && q.field != nil:
		return &ContextFit{fitField: *q.field, fitAnyWord: 1}
	case q.around == nil:
		return nil
	}
	best := slices.MaxFunc(candidates, func(x, y RawCandidate) int {
		return cmp.Or(cmp.Compare(x.prior(), y.prior()), cmp.Compare(y.Concept, x.Concept))
	})
	concept := g.model.Dictionary.At(int(best.Concept))
	e := g.senses.evidence(&sense.Sense{Concepts: []kb.ConceptID{concept.ID}}, q.around)
	f := &ContextFit{fitBias: 1, fitWords: e.words, fitCentroid: e.centroid, fitName: e.name,
		fitLatentCentroid: e.latentCentroid, fitLatentName: e.latentName, fitEnglish: cosineScale * q.english}
	surface := q.query.Surface()
	if surface == strings.ToLower(surface) && g.model.Inventory().IsShortFormOf(strings.ToUpper(surface), concept.ID) {
		f[fitSmallLetters] = 1
	}
	if isVerb(q.query) {
		f[fitVerb] = 1
	}
	if q.around.latent != nil {
		f[fitMeanLatentName] = cosineScale * g.model.MeanLatentNameCosine(q.around.latent)
	}
	if q.base != nil {
		f[fitMeanName] = cosineScale * g.model.BaseMeanNameCosine(q.base)
	}
	return f
}
