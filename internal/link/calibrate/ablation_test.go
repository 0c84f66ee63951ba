package calibrate

import (
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

func TestAblatedComponents(t *testing.T) {
	m := modeltest.Open(t, buildCalibrated(t, nil, nil), nil)
	var got []string
	for _, set := range AblatedComponents(m) {
		got = append(got, set.String())
	}
	want := []string{
		"hierarchy,document_abbreviations,composites", "strings,document_abbreviations,composites", // all components except one
		"strings,hierarchy,composites", "strings,hierarchy,document_abbreviations",
		"strings", "hierarchy", // each alone
	}
	must.Equal(t, got, want)
}

// featuresNeeding lists by hand the names of the features that need each component.
var featuresNeeding = map[link.Components][]string{
	link.ComponentNames:           {"name_cosine", "name_cosine_top3", "relative_cosine", "text_words"},
	link.ComponentStrings:         {"lexical", "token_set_match", "longer_names", "best_child_longer_names", "same_concept_words", "label_count"},
	link.ComponentContexts:        {"context_vote", "context_cosine"},
	link.ComponentDocumentContext: {"text_words"},
	link.ComponentHierarchy:       {"subtree_score", "best_child_score", "relative_cosine", "subtree_term_f1", "no_name", "best_child_longer_names"},
}

func TestAblationRanker(t *testing.T) {
	m := calibratedUlcerModel(t)
	ablation := must.Get(NewAblation(m))
	q := fixtures.Query(t, "an <ulcer> bled")
	for _, tc := range []struct {
		components link.Components
		name       string
		finds      bool // the concept without a name, the parent of both ulcers
	}{
		{link.AllComponents, "ranked", true},
		{link.AllComponents &^ link.ComponentHierarchy, "ranked without hierarchy", false},
		{link.ComponentStrings, "ranked by strings alone", false},
		{link.ComponentHierarchy, "ranked by hierarchy alone", true},
	} {
		r := must.Get(ablation.Ranker(t.Context(), tc.components, link.MethodOptions{}))
		must.Equal(t, r.Name(), tc.name, tc.components)
		results := must.Get(r.Link(t.Context(), []text.Query{q}, 10))
		candidates := results[0].Candidates
		must.Equal(t, slices.ContainsFunc(candidates, func(c linked.Candidate) bool { return c.Concept == "G0" }), tc.finds,
			tc.name, "candidates", candidates)
		weights := must.Get(ablation.fitWeights(t.Context(), tc.components))
		byName := link.RankingFeatures.ByName(weights)
		for component, names := range featuresNeeding {
			for _, name := range names {
				if weight := byName[name]; weight != 0 && !tc.components.Has(component) {
					t.Errorf("%s: the weight of %s is %g, want 0", tc.name, name, weight)
				}
			}
		}
	}
	// With all components the weights are those of the model.
	whole := must.Get(ablation.fitWeights(t.Context(), link.AllComponents))
	must.Equal(t, link.RankingFeatures.ByName(whole), m.Calibration.Weights,
		"weights of all components, model and ablation")
	_, err := ablation.Ranker(t.Context(), link.ComponentDocumentContext|link.ComponentCorpusSynonyms, link.MethodOptions{})
	must.Fail(t, err, `"document_context,corpus_synonyms" generate no candidates`, "components without candidates")
}
