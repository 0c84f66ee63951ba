package link

import (
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
var needing = map[Components][]feature{
	ComponentNames: {nameCosine, nameCosineTop3, relativeCosine, textWords, nilNameCosine},
	ComponentStrings: {lexicalScore, tokenSetMatch, longerNames, bestChildLongerNames, sameConceptWords, labelCount, opposedName, nilLexical, nilWordCoverage, nilUnknownWords,
		nilCorrected, nilErrorRate, nilRareWords},
	ComponentContexts:        {contextVote, contextCosine},
	ComponentDocumentContext: {textWords},
	ComponentHierarchy:       {subtreeScore, bestChildScore, relativeCosine, subtreeTermF1, noName, bestChildLongerNames},
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
	covered := make(map[feature]bool)
	for components := range ComponentCorpusSynonyms << 1 {
		g, err := NewCandidateGenerator(m, components, nil)
		if err != nil {
			t.Fatal(err)
		}
		generated, err := g.Generate(t.Context(), queries)
		if err != nil {
			t.Fatal(err)
		}
		var candidates []RawCandidate
		found := 0
		for i := range generated {
			candidates = append(candidates, RawCandidate{Concept: isNIL, Features: generated[i].NIL})
			candidates = append(candidates, generated[i].Concepts...)
			found += len(generated[i].Concepts)
		}
		for _, p := range candidates {
			for component, features := range needing {
				for _, f := range features {
					if p.Features[f] != 0 && !components.Has(component) {
						t.Errorf("with %s %s is %g", components, rankingFeatures.features[f].name, p.Features[f])
					}
				}
			}
			for f, value := range p.Features {
				covered[feature(f)] = covered[feature(f)] || value != 0
			}
			for f, value := range p.Features {
				if ofNIL := feature(f) >= firstNILFeature; value != 0 && ofNIL != (p.Concept == isNIL) {
					t.Errorf("with %s %s is %g, also for concept %d", components, rankingFeatures.features[f].name, value, p.Concept)
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
	for f := range rankingFeatures.features {
		if !covered[feature(f)] {
			t.Errorf("no candidate has the feature %s, so it is not tested", rankingFeatures.features[f].name)
		}
	}
}
