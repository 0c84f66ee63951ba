package biosyn

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// TestLinker compares scores with the sum of both similarities, name by name. With the first and the last weights, only
// one of them counts.
func TestLinker(t *testing.T) {
	encoder := fixtures.GutEncoder()
	m := modeltest.Open(t, modeltest.Build(t, encoder, modeltest.Ulcer), encoder)
	names := must.Get(m.Names.Exemplars())
	grams := lexical.NewGramIndex(normalForms(names))
	for _, w := range []weights{{160, 0}, {160, 3}, {2, 40}, {0, 1}} {
		linker := must.Get(newLinker(m, w))
		for _, surface := range []string{"enteropathy", "ulcer of the gut", "Aspirin-Belly", "?"} {
			form := normalize.Normal(surface)
			query := text.NameExemplar(surface).Query
			vector := make([]float32, encoder.Dim())
			bare := query
			if form != "" {
				bare = text.NameExemplar(form).Query
			}
			must.Succeed(t, encoder.Encode(t.Context(), vector, []text.Query{bare}))
			want := map[kb.ConceptID]float64{}
			sparse := grams.Scores(form)
			for row := range names {
				score := w.DenseScale*float64(m.Vectors.Names.Vectors.Similarity(row, vector)) + w.SparseWeight*float64(sparse[row])
				for _, id := range names[row].Mention.Concepts {
					if before, ok := want[id]; !ok || score > before {
						want[id] = score
					}
				}
			}
			results := must.Get(linker.Link(t.Context(), []text.Query{query}, 100))
			got := map[kb.ConceptID]float64{}
			for _, c := range results[0].Candidates {
				got[c.Concept] = c.Score
			}
			if diff := cmp.Diff(want, got); diff != "" || len(results[0].Candidates) != len(want) {
				t.Errorf("weights %+v, %q (-want +got):\n%s", w, surface, diff)
			}
		}
	}
}

// TestLinkerSpelling: a word that occurs in no name is corrected for both scores.
func TestLinkerSpelling(t *testing.T) {
	encoder := fixtures.GutEncoder()
	m := modeltest.Open(t, modeltest.Build(t, encoder, nil), encoder)
	linker := must.Get(newLinker(m, weights{1, 1}))
	results := must.Get(linker.Link(t.Context(), []text.Query{fixtures.Query(t, "<gastirc ulcer>"), fixtures.Query(t, "<gastric ulcer>")}, 3))
	must.Equal(t, results[0], results[1], "misspelled, right and wrong")
}

// TestWeightsOf reads the weights that only training by BioSyn leaves.
func TestWeightsOf(t *testing.T) {
	for training, want := range map[string]string{
		`{"method":"biosyn","settings":{"dense_scale":160},"summary":{"parameters":{"sparse_weight":2.5}}}`: "{160 2.5} <nil>",
		`{"method":"biosyn","settings":{"dense_scale":160},"summary":{"parameters":{"sparse_weight":0}}}`:   "{160 0} <nil>",
		`{"method":"bert-ranking","settings":{"dense_scale":160},"summary":{}}`:                             fmt.Sprint("{0 0} ", errNotBioSyn),
		`{"config":{}}`: fmt.Sprint("{0 0} ", errNotBioSyn),
		``:              fmt.Sprint("{0 0} ", errNotBioSyn),
		`[]`:            "{0 0} settings of training in the manifest: json: cannot unmarshal array",
	} {
		weights, err := weightsOf(&model.Manifest{Training: json.RawMessage(training)})
		if got := fmt.Sprint(weights, err); !strings.HasPrefix(got, want) {
			t.Errorf("%q: got %s, want %s", training, got, want)
		}
	}
}
