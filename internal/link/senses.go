package link

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/text"
)

// senseFeature is the index of a feature of a sense in [SenseFeatures].
type senseFeature int

const (
	// senseLogShare is the logarithm of the sense's share of the records that define the
	// form.
	senseLogShare senseFeature = iota
	// senseWords is the word score of the sense and the words of the document: see
	// [sense.Profiles.WordScore].
	senseWords
	// senseCentroid is 10 times the score that compares the sentence around the mention with
	// those around the exemplars of the sense: see [sense.Profiles.CentroidScore].
	senseCentroid
	// senseName is 10 times the cosine of the sentence without the mention and the nearest
	// name of the sense, less the mean of that cosine over all names.
	senseName
	// senseNameWords is the greatest [sense.Profiles.Overlap] of a name of the sense and the
	// document.
	senseNameWords
	// senseLatentCentroid is 10 times the score that compares the words of the document with
	// those around the exemplars of the sense by latent semantic analysis.
	senseLatentCentroid
	// senseLatentName is 10 times the highest cosine of the document and a name of the sense by
	// latent semantic analysis, less the mean of that cosine over names of the dictionary.
	senseLatentName
	// senseUndefined is 1 for a sense that no text of the corpus defines: a name of the
	// dictionary whose initials the form is.
	senseUndefined
	// senseUnknown is 1 for the sense that neither corpus nor dictionary knows.
	senseUnknown

	senseFeatureCount
)

// cosineScale brings differences of cosines, about a tenth, to the scale of other features,
// so that the prior of their weights is as weak.
const cosineScale = 10

// senseFeatures describes the features of a sense. The priors are rounded from the weights
// learned on 109,176 records of PubMed.
var senseFeatures = logLinear{"sense_weights", []weighedFeature{
	senseLogShare:       {name: "log_share", prior: .6},
	senseWords:          {name: "words", prior: .6},
	senseCentroid:       {name: "centroid", prior: 1.2},
	senseName:           {name: "name", prior: .6},
	senseNameWords:      {name: "name_words", prior: 1},
	senseLatentCentroid: {name: "latent_centroid", prior: .4},
	senseLatentName:     {name: "latent_name", prior: .4},
	senseUndefined:      {name: "undefined", prior: -2},
	senseUnknown:        {name: "unknown"},
}}

// SenseFeatures holds the features of a sense where a form stands.
type SenseFeatures [senseFeatureCount]float64

// SenseWeights holds the weight of each feature of a sense. The softmax of the weighted
// sums over the senses of a form is their probability.
type SenseWeights [senseFeatureCount]float64

// PriorSenseWeights returns the weights from which learning starts, and which a model keeps
// that has too few defined short forms to learn from.
func PriorSenseWeights() SenseWeights { return SenseWeights(senseFeatures.prior()) }

// Pseudo-counts: the records that a sense without records counts as.
const (
	dictionaryNameRecords = 3  // the form itself is a name of the dictionary
	initialsRecords       = .1 // the form is made of the initials of a name
	unknownSenseRecords   = 1  // of all senses that neither corpus nor dictionary knows
)

// senseModel estimates which sense of a short form a context speaks for. It is safe for
// concurrent use.
type senseModel struct {
	model      *model.Model
	components Components
	weights    SenseWeights
	own        map[string][]int32 // see [GeneratorOptions]
	nameRows   func() [][]int32   // concept -> rows of its names

	mu      sync.Mutex
	vectors map[string][]float32 // of long forms outside the dictionary

	nameWords *recent[nameWords] // of the names that senses were compared by
}

// nameWords holds what a name is compared with a document by.
type nameWords struct {
	words  []string  // content words
	latent []float32 // their vector; nil if they have none
}

// rememberedNames is the number of names in a generation of nameWords: of some thousand senses,
// in 400 bytes each.
const rememberedNames = 20_000

func newSenseModel(m *model.Model, components Components, weights SenseWeights) *senseModel {
	return &senseModel{
		model: m, components: components, weights: weights, vectors: make(map[string][]float32),
		nameWords: newRecent[nameWords](rememberedNames),
		nameRows: sync.OnceValue(func() [][]int32 {
			rows := make([][]int32, m.Dictionary.Len())
			for row := range m.Names.Len() {
				for _, concept := range m.Names.Concepts(int32(row)) {
					rows[concept] = append(rows[concept], int32(row))
				}
			}
			return rows
		}),
	}
}

// ambiguousForm is a form with its senses where it stands.
type ambiguousForm struct {
	query  *text.Query
	senses []sense.Sense
}

// features returns the features of each sense of each form, and then those of an unknown
// sense.
func (s *senseModel) features(ctx context.Context, forms []ambiguousForm) ([][]SenseFeatures, error) {
	profiles, err := s.model.Profiles()
	if err != nil {
		return nil, err
	}
	vectors, err := s.sentenceVectors(ctx, forms)
	if err != nil {
		return nil, err
	}
	if err := s.encodeLongForms(ctx, forms, vectors); err != nil {
		return nil, err
	}
	documents := sense.NewDocuments()
	features := make([][]SenseFeatures, len(forms))
	known := make(map[formInDocument][]SenseFeatures)
	for i := range forms {
		form := &forms[i]
		excluded := profiles.ExcludeOwn(s.own, form.query.ID)
		key := formInDocument{form.query.Document, form.query.Surface()}
		ofDocument := excluded == nil && form.query.Original == nil // and not of this form alone
		rows, ok := known[key]
		if !ok || !ofDocument {
			rows = s.documentFeatures(profiles, documents, form, excluded)
		}
		if ofDocument {
			known[key] = rows
		}
		features[i] = slices.Clone(rows)
		if vectors[i] == nil {
			continue
		}
		for j := range form.senses {
			one, f := &form.senses[j], &features[i][j]
			f[senseCentroid] = cosineScale * highest(one.Keys(), func(key string) float64 {
				return profiles.CentroidScore(sense.Encoded, key, vectors[i], excluded)
			})
			if cosine, ok := s.nameCosine(one, vectors[i]); ok {
				f[senseName] = cosineScale * (cosine - s.model.MeanNameCosine(vectors[i]))
			}
		}
	}
	return features, nil
}

// formInDocument is a form as a document writes it, once or many times.
type formInDocument struct {
	document *text.Document
	form     string
}

// documentFeatures returns the features of each sense of a form, and then those of an unknown sense, that do not depend
// on the sentence.
func (s *senseModel) documentFeatures(profiles *sense.Profiles, documents *sense.Documents,
	form *ambiguousForm, excluded *sense.Excluded) []SenseFeatures {
	var words []string
	var numbers []int32 // of words
	var latent []float32
	if s.components.Has(ComponentDocumentContext) {
		words = documents.WordsAround(form.query)
		numbers = profiles.Numbers(words)
		latent = s.model.LatentVector(words)
	}
	rows := make([]SenseFeatures, len(form.senses)+1)
	setShares(rows, form.senses)
	for j := range form.senses {
		one := &form.senses[j]
		f := &rows[j]
		f[senseWords] = highest(one.Keys(), func(key string) float64 {
			return profiles.WordScore(key, numbers, excluded)
		})
		f[senseNameWords] = s.nameOverlap(profiles, one, words)
		if latent == nil {
			continue
		}
		f[senseLatentCentroid] = cosineScale * highest(one.Keys(), func(key string) float64 {
			return profiles.CentroidScore(sense.Latent, key, latent, excluded)
		})
		if cosine, ok := s.latentNameCosine(one, latent); ok {
			f[senseLatentName] = cosineScale * (cosine - s.model.MeanLatentNameCosine(latent))
		}
	}
	return rows
}

// highest returns the highest score of the keys of a sense, of which there is at least one.
func highest(keys []string, score func(key string) float64) float64 {
	best := score(keys[0])
	for _, key := range keys[1:] {
		best = max(best, score(key))
	}
	return best
}

// setShares sets the features of senses, and of the unknown sense after them, that do not
// depend on the context.
func setShares(features []SenseFeatures, senses []sense.Sense) {
	records := make([]float64, len(features))
	total := 0.
	for i := range features {
		switch {
		case i == len(senses):
			records[i] = unknownSenseRecords
			features[i][senseUnknown] = 1
		case senses[i].Records > 0:
			records[i] = float64(senses[i].Records)
		case senses[i].OwnName:
			records[i] = dictionaryNameRecords
		default:
			records[i] = initialsRecords
			features[i][senseUndefined] = 1
		}
		total += records[i]
	}
	for i := range features {
		features[i][senseLogShare] = math.Log(records[i] / total)
	}
}

// sentenceVectors returns the vector of each form's sentence without the form, nil where
// there is nothing around it and for a model without such vectors.
func (s *senseModel) sentenceVectors(ctx context.Context, forms []ambiguousForm) ([][]float32, error) {
	vectors := make([][]float32, len(forms))
	if s.model.Vectors == nil || !s.components.Has(ComponentContexts) {
		return vectors, nil
	}
	var queries []text.Query
	var at []int
	for i := range forms {
		if around := forms[i].query.SentenceWithoutMention(); around.Surface() != "" {
			queries, at = append(queries, around), append(at, i)
		}
	}
	dim := s.model.Vectors.Encoder.Dim()
	encoded := make([]float32, len(queries)*dim)
	if err := s.model.Vectors.Encoder.Encode(ctx, encoded, queries); err != nil {
		return nil, err
	}
	for n, i := range at {
		vectors[i] = encoded[n*dim : (n+1)*dim]
	}
	return vectors, nil
}

// encodeLongForms encodes the long forms outside the dictionary that are not yet known, of
// those forms that have a vector.
func (s *senseModel) encodeLongForms(ctx context.Context, forms []ambiguousForm, vectors [][]float32) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var queries []text.Query
	for i := range forms {
		if vectors[i] == nil {
			continue
		}
		for j := range forms[i].senses {
			one := &forms[i].senses[j]
			if _, known := s.vectors[one.LongForm]; !known && len(one.Concepts) == 0 {
				s.vectors[one.LongForm] = nil // once
				queries = append(queries, text.NameExemplar(one.LongForm).Query)
			}
		}
	}
	if len(queries) == 0 {
		return nil
	}
	dim := s.model.Vectors.Encoder.Dim()
	encoded := make([]float32, len(queries)*dim)
	if err := s.model.Vectors.Encoder.Encode(ctx, encoded, queries); err != nil {
		for i := range queries {
			delete(s.vectors, queries[i].Text)
		}
		return err
	}
	for i := range queries {
		s.vectors[queries[i].Text] = encoded[i*dim : (i+1)*dim]
	}
	return nil
}

// nameCosine returns the highest cosine of a vector and a name of the sense. It reports
// false if no name has a vector.
func (s *senseModel) nameCosine(one *sense.Sense, vector []float32) (cosine float64, ok bool) {
	if len(one.Concepts) == 0 {
		s.mu.Lock()
		defer s.mu.Unlock()
		long := s.vectors[one.LongForm]
		return dot.InOrder(long, vector), long != nil
	}
	for _, id := range one.Concepts {
		concept, known := s.model.Dictionary.Index(id)
		if !known {
			continue
		}
		if c, found := nearestName(s.model, s.nameRows()[concept], vector); found && (!ok || c > cosine) {
			cosine, ok = c, true
		}
	}
	return cosine, ok
}

// eachName calls do for the long form of a sense and the names of its concepts.
func (s *senseModel) eachName(one *sense.Sense, do func(name nameWords)) {
	do(s.wordsOf(one.LongForm))
	for _, id := range one.Concepts {
		if concept := s.model.Dictionary.Lookup(id); concept != nil {
			for _, name := range concept.Names() {
				do(s.wordsOf(name))
			}
		}
	}
}

// wordsOf returns the words of a name, which it computes once for those in use.
func (s *senseModel) wordsOf(name string) nameWords {
	known, ok := s.nameWords.get(name)
	if !ok {
		words := normalize.ContentWords(name)
		known = nameWords{words, s.model.LatentVector(words)}
		s.nameWords.set(name, known)
	}
	return known
}

// latentNameCosine returns the highest cosine of a vector and the long form of a sense or a
// name of its concepts, by latent semantic analysis. It reports false if none of them has a
// vector.
func (s *senseModel) latentNameCosine(one *sense.Sense, vector []float32) (cosine float64, ok bool) {
	s.eachName(one, func(name nameWords) {
		if c := dot.InOrder(name.latent, vector); name.latent != nil && (!ok || c > cosine) {
			cosine, ok = c, true
		}
	})
	return cosine, ok
}

// nameOverlap returns the greatest overlap of the words of a document with the long form of a
// sense or a name of its concepts.
func (s *senseModel) nameOverlap(profiles *sense.Profiles, one *sense.Sense, words []string) float64 {
	if len(words) == 0 {
		return 0
	}
	overlap := 0.
	s.eachName(one, func(name nameWords) { overlap = max(overlap, profiles.Overlap(name.words, words)) })
	return overlap
}

// nearestName returns the highest cosine of a vector and the names in the rows of a model. It
// reports false if there are no rows.
func nearestName(m *model.Model, rows []int32, vector []float32) (cosine float64, ok bool) {
	for _, row := range rows {
		if c := float64(m.Vectors.Names.Vectors.Similarity(int(row), vector)); !ok || c > cosine {
			cosine, ok = c, true
		}
	}
	return cosine, ok
}

// probabilities returns the probability of each sense of each form and, last, of an unknown
// sense.
func (s *senseModel) probabilities(ctx context.Context, forms []ambiguousForm) ([][]float64, error) {
	features, err := s.features(ctx, forms)
	if err != nil {
		return nil, err
	}
	all := make([][]float64, len(forms))
	for i := range features {
		scores := make([]float64, len(features[i]))
		for j := range scores {
			scores[j] = dot.InOrder(s.weights[:], features[i][j][:])
		}
		all[i] = Softmax(scores)
	}
	return all, nil
}

// ByName returns the weights by the names of their features, as a [model.Calibration]
// stores them.
func (w *SenseWeights) ByName() map[string]float64 { return senseFeatures.byName(w[:]) }

// senseWeightsOf returns the calibrated sense weights of the model, or the prior weights if
// it has none. See [logLinear.read] for its errors.
func senseWeightsOf(m *model.Model) (SenseWeights, error) {
	w := PriorSenseWeights()
	if m.Calibration == nil || m.Calibration.SenseWeights == nil {
		return w, nil
	}
	return w, senseFeatures.read(m, m.Calibration.SenseWeights, w[:])
}

// SenseQuery is a form with a known sense, to learn the sense weights from.
type SenseQuery struct {
	text.Query
	Senses []sense.Sense
	Gold   int // position of the known sense, or the number of senses if it is none of them
}

// SenseEvidence returns the features of each sense of each query and, last, of an unknown sense. The contexts in the
// rows of own of a document do not count as evidence for its queries. It returns an error if the model's contexts cannot
// be read.
func SenseEvidence(ctx context.Context, m *model.Model, queries []SenseQuery,
	own map[string][]int32) ([][]SenseFeatures, error) {
	forms := make([]ambiguousForm, len(queries))
	for i := range queries {
		forms[i] = ambiguousForm{&queries[i].Query, queries[i].Senses}
	}
	s := newSenseModel(m, AllComponents, PriorSenseWeights())
	s.own = own
	return s.features(ctx, forms)
}
