package biosyn

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// Hybrid returns the method that adds the similarities of names by vectors and by TF-IDF, with the learned weight.
func Hybrid() link.Method {
	return link.Method{
		Name: "biosyn", Summary: "nearest names by vectors and strings, as trained", Vectors: link.VectorsRequired,
		Check: func(m *model.Manifest) error {
			_, err := weightsOf(m)
			return err
		},
		New: func(src link.Source, _ link.MethodOptions) (link.Linker, error) {
			weights, err := weightsOf(src.Model.Manifest)
			if err != nil {
				return nil, err
			}
			return newLinker(src.Model, weights)
		},
	}
}

// weights are the weights of the scores of a [linker] that result from training by BioSyn: see [Settings].
type weights struct {
	DenseScale   float64 // factor of the cosine of mention and name
	SparseWeight float64 // factor of their TF-IDF similarity: lambda of the BioSyn paper
}

// errNotBioSyn reports that a model has no weight of sparse scores from training.
var errNotBioSyn = errors.New("the model was not trained by the method biosyn, " +
	"which learns the weight of its sparse scores")

// weightsOf returns the weights recorded in the manifest of a model. It returns [errNotBioSyn] if the model was trained
// by another method.
func weightsOf(m *model.Manifest) (w weights, err error) {
	var training struct {
		Method   string `json:"method"`
		Settings struct {
			DenseScale float64 `json:"dense_scale"`
		} `json:"settings"`
		Summary struct {
			Parameters struct {
				SparseWeight *float64 `json:"sparse_weight"`
			} `json:"parameters"`
		} `json:"summary"`
	}
	if len(m.Training) == 0 {
		return w, errNotBioSyn
	}
	if err := json.Unmarshal(m.Training, &training); err != nil {
		return w, fmt.Errorf("settings of training in the manifest: %w", err)
	}
	if training.Method != Name || training.Summary.Parameters.SparseWeight == nil {
		return w, errNotBioSyn
	}
	w = weights{training.Settings.DenseScale, *training.Summary.Parameters.SparseWeight} // JSON only has finite numbers
	return w, nil
}

// linker links a mention to the concepts of the names with the highest score
//
//	S(m, n) = S_dense(m, n) + lambda S_sparse(m, n)
//
// over all names of a model (equations 1 and 5 of the BioSyn paper). S_sparse compares TF-IDF vectors of characters of
// the normal forms; S_dense is a multiple of the cosine of the vectors of the bare mention and the bare name. Both are
// exact. Typing errors in mentions are corrected by the words of the names and of the labeled mentions; the paper
// corrects those of NCBI Disease. The linker is not calibrated: probabilities are 0.
//
// As in the dictionary of the paper's authors (section 4.1: "We also merge mentions in the training set to the
// dictionary"; dictionary_preprocess.py), a name has its concepts in the dictionary and, in a model with labels, the
// concepts that annotators gave to the same surface form. They have equal scores.
//
// A query reads the vectors of all names; 72,000 vectors of 384 numbers take about 10 ms.
type linker struct {
	model      *model.Model
	weights    weights
	grams      *lexical.GramIndex // of the normal forms of the names
	spelling   *normalize.SpellingCorrector
	conceptsOf func(row int32) []int32 // see [model.Model.LabeledConcepts]
}

// newLinker returns the hybrid linker of a model. It returns [model.ErrNoVectors] if the model was built without an
// encoder, and [model.ErrNoEncoder] if it was opened without its encoder.
func newLinker(m *model.Model, w weights) (*linker, error) {
	if err := m.CheckVectors(); err != nil {
		return nil, err
	}
	exemplars, err := m.Names.Exemplars()
	if err != nil {
		return nil, err
	}
	forms := normalForms(exemplars)
	return &linker{m, w, lexical.NewGramIndex(forms), normalize.NewSpellingCorrector(forms), m.LabeledConcepts()}, nil
}

// Name implements [link.Linker].
func (h *linker) Name() string { return "biosyn" }

// Link implements [link.Linker].
func (h *linker) Link(ctx context.Context, queries []text.Query, k int) ([]link.Ranking, error) {
	forms, bare := make([]string, len(queries)), make([]text.Query, len(queries))
	for i := range queries {
		mention := h.spelling.Mention(queries[i].Surface())
		forms[i], bare[i] = normalize.Normal(mention), text.NameExemplar(mention).Query
	}
	dim := h.model.Vectors.Encoder.Dim()
	vectors, _, err := h.model.Vectors.Encode(ctx, bare) // by strings alone if the encoder reads nothing of a mention
	if err != nil {
		return nil, err
	}
	results := make([]link.Ranking, len(queries))
	err = parallel.For(ctx, len(queries), 0, func(i int) {
		results[i].Candidates = h.best(h.scores(forms[i], vectors[i*dim:(i+1)*dim]), k)
	})
	return results, err
}

// scores returns the score of every name.
func (h *linker) scores(form string, vector []float32) []float64 {
	sparse := h.grams.Scores(form)
	scores := make([]float64, len(sparse))
	for row := range scores {
		dense := h.model.Vectors.Names.Vectors.Similarity(row, vector)
		scores[row] = h.weights.DenseScale*float64(dense) + h.weights.SparseWeight*float64(sparse[row])
	}
	return scores
}

// best returns the k concepts with the highest scores of their best names.
func (h *linker) best(scores []float64, k int) []linked.Candidate {
	dict := h.model.Dictionary
	best := make([]float64, dict.Len())
	for i := range best {
		best[i] = math.Inf(-1)
	}
	for row, score := range scores {
		for _, concept := range h.conceptsOf(int32(row)) {
			best[concept] = max(best[concept], score)
		}
	}
	var candidates []linked.Candidate
	for i, score := range best {
		if !math.IsInf(score, -1) { // -Inf for a concept without names
			candidates = append(candidates, linked.Candidate{Concept: dict.At(i).ID, Score: score})
		}
	}
	slices.SortFunc(candidates, func(a, b linked.Candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Concept, b.Concept))
	})
	return candidates[:min(k, len(candidates))]
}
