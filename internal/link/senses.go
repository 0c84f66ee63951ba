package link

import (
	"context"
	"math"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/text"
)

// cosineScale scales differences of cosines, about a tenth, to the range of the other features, so that the prior on
// their weights has the same strength.
const cosineScale = 10

// evidence holds the features that describe how well a sense, or the concept of an everyday word, fits what surrounds a
// mention.
type evidence struct {
	words          float64 // the [sense.Profiles.WordScore] of the document's words
	centroid       float64 // 10 times the [sense.Profiles.CentroidScore] of the sentence without the mention
	name           float64 // 10 times the highest cosine of that sentence with a name, minus the mean over all names
	nameWords      float64 // the highest [sense.Profiles.Overlap] of a name of the sense with the document
	latentCentroid float64 // 10 times the CentroidScore of the document's words by latent semantic analysis
	latentName     float64 // like name, for the document's words by latent semantic analysis

	// Only for senses.
	logShare           float64 // logarithm of the sense's share of the records that define the form
	undefined, unknown float64
	// Only for everyday words, see [FitFeatures].
	meanName, smallLetters, verb, meanLatentName, english, field, anyWord float64
}

// SenseFeatures describes a sense of a form in its context. The softmax of the scores of all senses of a form gives
// their probabilities. The priors are rounded from the weights learned on 109,176 records of PubMed.
var SenseFeatures = LogLinear[*evidence]{
	"sense_weights", func(c *model.Calibration) map[string]float64 { return c.SenseWeights },
	[]feature[*evidence]{
		{"log_share", .6, 0, func(e *evidence) float64 { return e.logShare }},
		{"words", .6, 0, func(e *evidence) float64 { return e.words }},
		{"centroid", 1.2, 0, func(e *evidence) float64 { return e.centroid }},
		{"name", .6, 0, func(e *evidence) float64 { return e.name }},
		{"name_words", 1, 0, func(e *evidence) float64 { return e.nameWords }},
		{"latent_centroid", .4, 0, func(e *evidence) float64 { return e.latentCentroid }},
		{"latent_name", .4, 0, func(e *evidence) float64 { return e.latentName }},
		// 1 for a sense that no text of the corpus defines: a name of the dictionary with the form as its initials.
		{"undefined", -2, 0, func(e *evidence) float64 { return e.undefined }},
		// 1 for the sense that is in neither corpus nor dictionary.
		{"unknown", 0, 0, func(e *evidence) float64 { return e.unknown }},
	},
}

// Pseudo-counts: the number of records assumed for a sense without records.
const (
	dictionaryNameRecords = 3  // the form itself is a name of the dictionary
	initialsRecords       = .1 // the form consists of the initials of a name
	unknownSenseRecords   = 1  // all senses together that are in neither corpus nor dictionary
)

// disambiguator compares the senses of a form, and the concept of an everyday word, with the surroundings of a mention.
// It is safe for concurrent use.
type disambiguator struct {
	model      *model.Model
	components Components
	own        map[string][]int32       // see [NameIndex.Generator]
	rows       func() safetensors.Lists // concept -> rows of its names

	mu      sync.Mutex
	vectors map[string][]float32 // by long form outside the dictionary; nil while it is being encoded
}

func newDisambiguator(m *model.Model, components Components, own map[string][]int32) *disambiguator {
	return &disambiguator{
		model: m, components: components, own: own, vectors: make(map[string][]float32),
		rows: sync.OnceValue(m.Names.RowsOfConcepts),
	}
}

// surroundings describes the text around a mention.
type surroundings struct {
	profiles *sense.Profiles
	excluded []int32   // rows of contexts that do not count as evidence
	words    []string  // of the document; see [sense.Documents.WordsAround]
	numbers  []int32   // numbers of the words that occur in contexts, see [sense.Profiles.Numbers]
	latent   []float32 // vector of the words by latent semantic analysis; nil without such vectors
	vector   []float32 // vector of the sentence without the mention; nil without sentence vectors
}

// around returns the surroundings of the mention of each query.
func (d *disambiguator) around(ctx context.Context, queries []*text.Query,
	documents *sense.Documents) ([]surroundings, error) {
	profiles, err := d.model.Profiles()
	if err != nil {
		return nil, err
	}
	all := make([]surroundings, len(queries))
	var sentences []text.Query
	var at []int
	for i, q := range queries {
		all[i].profiles, all[i].excluded = profiles, d.own[q.ID]
		if d.components.Has(ComponentDocumentContext) {
			all[i].words = documents.WordsAround(q)
			all[i].numbers, all[i].latent = profiles.Numbers(all[i].words), d.model.Space.Vector(all[i].words)
		}
		if d.model.Vectors == nil || !d.components.Has(ComponentContexts) {
			continue
		}
		if rest := q.SentenceWithoutMention(); rest.Surface() != "" {
			sentences, at = append(sentences, rest), append(at, i)
		}
	}
	if len(sentences) == 0 {
		return all, nil
	}
	vectors, err := model.Encode(ctx, d.model.Vectors.Encoder, sentences)
	for n, i := range at {
		all[i].vector = vectors[n]
	}
	return all, err
}

// evidence compares a sense with the surroundings of a mention.
func (d *disambiguator) evidence(one *sense.Sense, a *surroundings) (e evidence) {
	keys := one.Keys()
	highest := func(score func(key string) float64) float64 {
		best := score(keys[0])
		for _, key := range keys[1:] {
			best = max(best, score(key))
		}
		return best
	}
	e.words = highest(func(key string) float64 { return a.profiles.WordScore(key, a.numbers, a.excluded) })
	if a.vector != nil {
		e.centroid = cosineScale * highest(func(key string) float64 {
			return a.profiles.CentroidScore(sense.Encoded, key, a.vector, a.excluded)
		})
		if cosine, ok := d.nameCosine(one, a.vector); ok {
			e.name = cosineScale * (cosine - d.model.MeanNameCosine(a.vector))
		}
	}
	latent, known := 0., false
	for _, name := range d.namesOf(one) {
		words := normalize.ContentWords(name)
		e.nameWords = max(e.nameWords, a.profiles.Overlap(words, a.words))
		if vector := d.model.Space.Vector(words); a.latent != nil && vector != nil {
			if c := dot.InOrder(vector, a.latent); !known || c > latent {
				latent, known = c, true
			}
		}
	}
	if a.latent != nil {
		e.latentCentroid = cosineScale * highest(func(key string) float64 {
			return a.profiles.CentroidScore(sense.Latent, key, a.latent, a.excluded)
		})
	}
	if known {
		e.latentName = cosineScale * (latent - d.model.MeanLatentNameCosine(a.latent))
	}
	return e
}

// namesOf returns the long form of a sense, if it has one, and the names of its concepts.
func (d *disambiguator) namesOf(one *sense.Sense) (names []string) {
	if one.LongForm != "" {
		names = append(names, one.LongForm)
	}
	for _, id := range one.Concepts {
		if concept := d.model.Dictionary.Lookup(id); concept != nil {
			names = append(names, concept.Names()...)
		}
	}
	return names
}

// nameCosine returns the highest cosine of a vector with a name of the sense, and false if no name has a vector.
func (d *disambiguator) nameCosine(one *sense.Sense, vector []float32) (cosine float64, ok bool) {
	if len(one.Concepts) == 0 {
		d.mu.Lock()
		defer d.mu.Unlock()
		long := d.vectors[one.LongForm]
		return dot.InOrder(long, vector), long != nil
	}
	rows := d.rows()
	for _, id := range one.Concepts {
		concept, known := d.model.Dictionary.Index(id)
		if !known {
			continue
		}
		for _, row := range rows.At(int32(concept)) {
			if c := float64(d.model.Vectors.Names.Vectors.Similarity(int(row), vector)); !ok || c > cosine {
				cosine, ok = c, true
			}
		}
	}
	return cosine, ok
}

// encodeLongForms encodes the long forms outside the dictionary that have no vector yet, for the forms whose
// surroundings have a vector.
func (d *disambiguator) encodeLongForms(ctx context.Context, forms []SenseQuery, around []surroundings) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var queries []text.Query
	for i := range forms {
		if around[i].vector == nil {
			continue
		}
		for j := range forms[i].Senses {
			one := &forms[i].Senses[j]
			if _, known := d.vectors[one.LongForm]; !known && len(one.Concepts) == 0 {
				d.vectors[one.LongForm] = nil // so that it is encoded once
				queries = append(queries, text.NameExemplar(one.LongForm).Query)
			}
		}
	}
	if len(queries) == 0 {
		return nil
	}
	vectors, err := model.Encode(ctx, d.model.Vectors.Encoder, queries)
	for i := range queries {
		if err != nil {
			delete(d.vectors, queries[i].Text)
		} else {
			d.vectors[queries[i].Text] = vectors[i]
		}
	}
	return err
}

// SenseQuery is a form in its context, with its possible senses.
type SenseQuery struct {
	*text.Query
	Senses []sense.Sense
}

// formInDocument identifies a form in a document, however often it occurs there.
type formInDocument struct {
	document *text.Document
	form     string
}

// features returns the features of each sense of each form, followed by those of the unknown sense.
func (d *disambiguator) features(ctx context.Context, forms []SenseQuery) ([][][]float64, error) {
	queries := make([]*text.Query, len(forms))
	for i := range forms {
		queries[i] = forms[i].Query
	}
	around, err := d.around(ctx, queries, sense.NewDocuments())
	if err != nil {
		return nil, err
	}
	if err := d.encodeLongForms(ctx, forms, around); err != nil {
		return nil, err
	}
	features := make([][][]float64, len(forms))
	for i, form := range forms {
		all := make([]evidence, len(form.Senses)+1)
		for j := range form.Senses {
			all[j] = d.evidence(&form.Senses[j], &around[i])
		}
		setShares(all, form.Senses)
		for j := range all {
			features[i] = append(features[i], SenseFeatures.values(&all[j]))
		}
	}
	return features, nil
}

// setShares sets the features that do not depend on the context, for each sense and for the unknown sense after them.
func setShares(all []evidence, senses []sense.Sense) {
	records := make([]float64, len(all))
	total := 0.
	for i := range all {
		switch {
		case i == len(senses):
			records[i] = unknownSenseRecords
			all[i].unknown = 1
		case senses[i].Records > 0:
			records[i] = float64(senses[i].Records)
		case senses[i].OwnName:
			records[i] = dictionaryNameRecords
		default:
			records[i] = initialsRecords
			all[i].undefined = 1
		}
		total += records[i]
	}
	for i := range all {
		all[i].logShare = math.Log(records[i] / total)
	}
}

// probabilities returns the probability of each sense of each form by the weights, then that of the unknown sense.
func (d *disambiguator) probabilities(ctx context.Context, forms []SenseQuery, w []float64) ([][]float64, error) {
	features, err := d.features(ctx, forms)
	all := make([][]float64, len(features))
	for i := range features {
		scores := make([]float64, len(features[i]))
		for j := range scores {
			scores[j] = dot.InOrder(w, features[i][j])
		}
		all[i] = Softmax(scores)
	}
	return all, err
}

// SenseEvidence returns the [SenseFeatures] of each sense of each form, followed by those of the unknown sense. own
// maps a document to the rows of its contexts, which do not count as evidence for its forms. SenseEvidence returns an
// error if the model's contexts cannot be read.
func SenseEvidence(ctx context.Context, m *model.Model, forms []SenseQuery,
	own map[string][]int32) ([][][]float64, error) {
	return newDisambiguator(m, AllComponents, own).features(ctx, forms)
}
