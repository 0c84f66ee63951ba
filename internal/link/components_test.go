package link

import (
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/text"
)

func TestParseComponents(t *testing.T) {
	got, err := ParseComponents([]string{"hierarchy", "names"})
	if err != nil || got != ComponentNames|ComponentHierarchy || got.String() != "names,hierarchy" {
		t.Errorf("got %s, %v", got, err)
	}
	if all, err := ParseComponents(componentNames); err != nil || all != AllComponents {
		t.Errorf("all names are %s, %v", all, err)
	}
	if _, err := ParseComponents([]string{"nmaes"}); err == nil || !strings.Contains(err.Error(), `component is "nmaes", want one of names, strings`) {
		t.Errorf("an unknown component: %v", err)
	}
}

func TestComponentsAmong(t *testing.T) {
	all := ComponentStrings | ComponentContexts | ComponentHierarchy | ComponentComposites
	for _, tc := range []struct {
		components Components
		want       string
	}{
		{AllComponents, ""},
		{AllComponents &^ ComponentHierarchy, " without hierarchy"},
		{AllComponents &^ ComponentNames, ""}, // not available
		{AllComponents &^ (ComponentHierarchy | ComponentContexts), " without contexts,hierarchy"},
		{ComponentStrings, " by strings alone"},
		{ComponentStrings | ComponentNames, " by strings alone"},
	} {
		if got := tc.components.among(all); got != tc.want {
			t.Errorf("%s among %s is %q, want %q", tc.components, all, got, tc.want)
		}
	}
}

func TestComponentsOf(t *testing.T) {
	for _, tc := range []struct {
		m    *model.Model
		want string
	}{
		{ulcerModel(t), "names,strings,contexts,document_context,hierarchy,corpus_synonyms,document_abbreviations,composites"},
		{modeltest.Open(t, modeltest.Build(t, nil, nil), nil), "strings,hierarchy,document_abbreviations,composites"},
	} {
		if got := ComponentsOf(tc.m).String(); got != tc.want {
			t.Errorf("got %s, want %s", got, tc.want)
		}
	}
}

// needing holds the features that need each component, by hand.
var needing = map[Components]string{
	ComponentNames: "name_cosine name_cosine_top3 relative_cosine text_words nil_name_cosine",
	ComponentStrings: "lexical token_set_match longer_names best_child_longer_names same_concept_words label_count " +
		"opposed_name nil_lexical nil_word_coverage nil_unknown_words nil_corrected nil_error_rate nil_rare_words",
	ComponentContexts:        "context_vote context_cosine",
	ComponentDocumentContext: "text_words",
	ComponentHierarchy: "subtree_score best_child_score relative_cosine subtree_term_f1 no_name " +
		"best_child_longer_names",
}

// TestGeneratorUsesItsComponents generates candidates with every set of components: no
// feature and no supporting hit needs another component, and the concept without a name
// is found by the hierarchy only.
func TestGeneratorUsesItsComponents(t *testing.T) {
	const isNIL = -1 // in place of a concept
	encoder := linktest.GutEncoder()
	m := modeltest.Open(t, modeltest.Build(t, encoder, func(o *model.BuildOptions) {
		modeltest.Ulcer(o)
		o.CorpusSynonyms = append(o.CorpusSynonyms, mine.Synonym{Concept: "G1", Text: "aspirin belly", Count: 3, Origin: text.Origin{Labeled: true}},
			mine.Synonym{Concept: "G1", Text: "acute rash", Count: 3, Origin: text.Origin{Labeled: true}})
	}), encoder)
	queries := []text.Query{
		linktest.Query(t, "wheat causes <enteropathy> here, and gluten"), linktest.Query(t, "<ulcer> by aspirin"), linktest.Query(t, "<aspirin belly>"),
		linktest.Query(t, "<gastric ulcers> and coeliac disease"), linktest.Query(t, "<gluten disease> of children"),
		linktest.Query(t, "<GU> with unknown words"), linktest.Query(t, "<gastirc ulcer>"), linktest.Query(t, "<chronic rash>"),
	}
	covered := make(map[string]bool)
	for components := range ComponentCorpusSynonyms << 1 {
		g := must(NewCandidateGenerator(m, components, nil))
		generated := must(g.Generate(t.Context(), queries))
		var candidates []*Candidate
		found := 0
		for i := range generated {
			candidates = append(candidates, &Candidate{Concept: isNIL, Features: generated[i].NIL})
			candidates = append(candidates, generated[i].Concepts...)
			found += len(generated[i].Concepts)
		}
		for _, p := range candidates {
			for name, value := range RankingFeatures.ByName(p.Features) {
				if value == 0 {
					continue
				}
				covered[name] = true
				for component, features := range needing {
					if slices.Contains(strings.Fields(features), name) && !components.Has(component) {
						t.Errorf("with %s %s is %g", components, name, value)
					}
				}
				if ofNIL := strings.HasPrefix(name, "nil_"); ofNIL != (p.Concept == isNIL) {
					t.Errorf("with %s %s is %g, also for concept %d", components, name, value, p.Concept)
				}
			}
			if p.Concept == isNIL {
				continue
			}
			if m.Dictionary.At(int(p.Concept)).ID == "G0" && !components.Has(ComponentHierarchy) {
				t.Errorf("with %s the concept without a name is a candidate", components)
			}
			for _, v := range p.hits {
				ex := &exemplarsOf(t, v.Rows)[v.Row]
				kind := ComponentContexts
				if ex.Bare {
					kind = ComponentNames
				}
				if ex.Origin.Mined != "" {
					kind |= ComponentCorpusSynonyms
				}
				if !components.Has(kind) {
					t.Errorf("with %s %q supports a candidate", components, ex.Surface())
				}
			}
		}
		if generates := components&generating != 0; generates != (found > 0) {
			t.Errorf("with %s %d candidates are generated", components, found)
		}
	}
	for name := range RankingFeatures.ByName(RankingFeatures.Prior()) {
		if !covered[name] {
			t.Errorf("no candidate has the feature %s, so it is not tested", name)
		}
	}
}
