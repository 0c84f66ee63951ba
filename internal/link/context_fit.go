package link

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text"
)

// FitFeatures describes how well the context of a one-word mention fits the concept most similar to it by names and
// strings. Such a word may be an ordinary word in its context: boils, hives, strain. Linking checks the context of
// mentions for which mayBeOrdinary is true. For any other word it checks only the topic of the sentence: "the paralysis
// of parliament". The logistic function of the score is the probability that the word means the concept.
var FitFeatures = LogLinear[*evidence]{
	"fit_weights", func(c *model.Calibration) map[string]float64 { return c.FitWeights },
	[]feature[*evidence]{
		{"bias", 1.5, 0, func(e *evidence) float64 { return 1 - e.anyWord }},
		{"words", .6, 0, func(e *evidence) float64 { return e.words }},
		{"centroid", .8, 0, func(e *evidence) float64 { return e.centroid }},
		{"name", .6, 0, func(e *evidence) float64 { return e.name }},
		// 10 times the mean cosine of the sentence without the mention with all names, by the base encoder: see
		// [model.Model.BaseMeanNameCosine].
		{"mean_name", 0, 0, func(e *evidence) float64 { return e.meanName }},
		// 1 for a word in small letters that is a short form of the concept in capitals: "aids", "all".
		{"small_letters", -4, 0, func(e *evidence) float64 { return e.smallLetters }},
		// 1 for a word that its neighbors show to be a verb or an adjective: see isVerb.
		{"verb", -3, 0, func(e *evidence) float64 { return e.verb }},
		{"latent_centroid", .4, 0, func(e *evidence) float64 { return e.latentCentroid }},
		{"latent_name", .4, 0, func(e *evidence) float64 { return e.latentName }},
		// 10 times the mean cosine of the document's words with the names of the dictionary, by latent semantic analysis.
		{"mean_latent_name", 0, 0, func(e *evidence) float64 { return e.meanLatentName }},
		// 10 times the cosine of the sentence without the mention with the gloss of the word's sense in the dictionary, minus
		// the highest cosine with a gloss of its other senses, by the base encoder: see [sense.English]. 0 for other words.
		{"english", 0, 0, func(e *evidence) float64 { return e.english }},
		// 10 times the [model.Fields.Lead] of the sentence without the mention, or of its document if that is higher,
		// minus medicalLead. At most 0: a text that is clearly about medicine says nothing more. 0 for ordinary words.
		{"field", 0, 0, func(e *evidence) float64 { return e.field }},
		// 1 for a word that is not known as an ordinary one. Its other features are 0, except field.
		{"any_word", 0, 0, func(e *evidence) float64 { return e.anyWord }},
	},
}

// mayBeOrdinary reports whether a mention may be an ordinary word: an English word that often means something other
// than a disease or chemical, a short form, or a word in small letters that is a short form in capitals ("all").
func (g *CandidateGenerator) mayBeOrdinary(surface string) bool {
	if surface == "" || len(normalize.ContentWords(surface)) > 1 {
		return false
	}
	return matcher.OrdinaryWord(surface) || sense.English(surface) != nil || normalize.LooksLikeShortForm(surface) ||
		surface == strings.ToLower(surface) && g.model.Inventory().IsShortFormOf(strings.ToUpper(surface), "")
}

// assumedFit holds weights that are set by hand and not learned. A biomedical corpus cannot teach them, because in its
// texts the neighbors of ordinary words are much like those of diseases. The first two were chosen on the development
// set of sentence pairs, where 1.5 to 4 and .5 to 3 are equally good. By the other two, a word that is not known to be
// ordinary means the concept with a probability of .95 if the sentence leads for medicine by .05 or more, .5 at -.025
// and .05 at -.1. Of the sentences of 400 one-word mentions of the dev set of BC5CDR, 16, 5 and 0 are below these.
var assumedFit = map[string]float64{"mean_name": 2, "english": 2, "field": 4, "any_word": 3}

const medicalLead = .05

// StartFitWeights returns the initial weights for learning, and for each whether learning keeps it.
func StartFitWeights() (start []float64, keep []bool) {
	start = FitFeatures.Prior()
	FitFeatures.set(start, assumedFit)
	for i := range FitFeatures.features {
		_, assumed := assumedFit[FitFeatures.features[i].name]
		keep = append(keep, assumed)
	}
	return start, keep
}

// fitProbability returns the probability that a word means the concept.
func fitProbability(weights, features []float64) float64 {
	return dot.Sigmoid(dot.InOrder(weights, features))
}

// describeSurroundings sets the surroundings of the mentions that may be ordinary words.
func (g *CandidateGenerator) describeSurroundings(ctx context.Context, builders []featureBuilder) error {
	if !g.components.Has(ComponentContexts | ComponentDocumentContext) {
		return nil
	}
	if err := g.describeFields(ctx, builders); err != nil {
		return err
	}
	var queries []*text.Query
	var asked []*featureBuilder
	for i := range builders {
		b := &builders[i]
		if rest := b.query.SentenceWithoutMention(); b.asksContext && rest.Surface() != "" {
			queries, asked = append(queries, b.query), append(asked, b)
		}
	}
	if len(queries) == 0 {
		return nil
	}
	around, err := g.senses.around(ctx, queries, builders[0].documents)
	for n := 0; n < len(asked) && err == nil; n++ {
		b := asked[n]
		b.around = &around[n]
		if b.base != nil {
			b.english, err = g.model.EnglishLead(ctx, englishWordOf(b.query), b.base)
		}
	}
	return err
}

// describeFields sets the base encoder's vector of each sentence that has to be checked, and its lead for medicine. If
// the sentence does not lead clearly and the document leads by more, it uses the document's lead.
func (g *CandidateGenerator) describeFields(ctx context.Context, builders []featureBuilder) error {
	var around, documents []text.Query
	var asked, of []*featureBuilder // the builder of each element of around, and of documents
	for i := range builders {
		b := &builders[i]
		if rest := b.query.SentenceWithoutMention(); (b.asksContext || b.asksField) && rest.Surface() != "" {
			around, asked = append(around, rest), append(asked, b)
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
	for n, b := range asked {
		b.base = vectors[n]
		if fields == nil || !b.asksField {
			continue
		}
		lead, q := fields.Lead(b.base), b.query
		b.field = &lead
		if lead < medicalLead && strings.TrimSpace(q.Sentence.Of(q.Text)) != strings.TrimSpace(q.Text) {
			documents, of = append(documents, text.NameExemplar(q.Text).Query), append(of, b)
		}
	}
	if len(documents) == 0 {
		return nil
	}
	vectors, err = g.model.BaseVectors(ctx, documents)
	for n, b := range of[:len(vectors)] {
		*b.field = max(*b.field, fields.Lead(vectors[n]))
	}
	return err
}

// contextFit compares the surroundings of a one-word mention with the contexts and names of the candidate most similar
// to it by names and strings. It returns nil for other mentions.
func (b *featureBuilder) contextFit(candidates []*Candidate) []float64 {
	switch {
	case len(candidates) == 0:
		return nil
	case b.asksField && b.field != nil:
		return FitFeatures.values(&evidence{field: cosineScale * min(0, *b.field-medicalLead), anyWord: 1})
	case b.around == nil:
		return nil
	}
	best := slices.MaxFunc(candidates, func(x, y *Candidate) int {
		return cmp.Or(cmp.Compare(x.prior(), y.prior()), cmp.Compare(y.Concept, x.Concept))
	})
	m, surface := b.model, b.query.Surface()
	id := m.Dictionary.At(int(best.Concept)).ID
	e := b.senses.evidence(&sense.Sense{Concepts: []kb.ConceptID{id}}, b.around)
	e.english = cosineScale * b.english
	e.smallLetters = indicator(surface == strings.ToLower(surface) &&
		m.Inventory().IsShortFormOf(strings.ToUpper(surface), id))
	e.verb = indicator(matcher.IsVerb(b.query.Text, b.query.Mention.Span))
	if b.around.latent != nil {
		e.meanLatentName = cosineScale * m.MeanLatentNameCosine(b.around.latent)
	}
	if b.base != nil {
		e.meanName = cosineScale * m.BaseMeanNameCosine(b.base)
	}
	return FitFeatures.values(&e)
}
