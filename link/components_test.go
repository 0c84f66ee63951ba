package link

import (
	"slices"
	"strings"
	"testing"

	"ctxnorm"
	"ctxnorm/internal/linktest"
)

func TestParseComponents(t *testing.T) {
	got, err := ParseParts([]string{"tree", "names"})
	if err != nil || got != PartNames|PartTree || got.String() != "names,tree" {
		t.Errorf("got %s, %v", got, err)
	}
	if all, err := ParseParts(componentNames); err != nil || all != AllParts {
		t.Errorf("all names are %s, %v", all, err)
	}
	if _, err := ParseParts([]string{"nmaes"}); err == nil || !strings.Contains(err.Error(), `component is "nmaes", want one of names, strings`) {
		t.Errorf("an unknown component: %v", err)
	}
}

func TestComponentsAmong(t *testing.T) {
	all := PartStrings | PartContexts | PartTree | PartComposites
	for _, tc := range []struct {
		parts Parts
		want  string
	}{
		{AllParts, ""},
		{AllParts &^ PartTree, " without tree"},
		{AllParts &^ PartNames, ""}, // not available
		{AllParts &^ (PartTree | PartContexts), " without contexts,tree"},
		{PartStrings, " by strings alone"},
		{PartStrings | PartNames, " by strings alone"},
	} {
		if got := tc.parts.among(all); got != tc.want {
			t.Errorf("%s among %s is %q, want %q", tc.parts, all, got, tc.want)
		}
	}
}

func TestComponentsOf(t *testing.T) {
	for _, tc := range []struct {
		m    *Model
		want string
	}{
		{ulcerModel(t), "names,strings,contexts,text,tree,mined,abbreviations,composites"},
		{openRankable(t, buildRankable(t, nil, nil), nil), "strings,tree,abbreviations,composites"},
	} {
		if got := ComponentsOf(tc.m).String(); got != tc.want {
			t.Errorf("got %s, want %s", got, tc.want)
		}
	}
}

// needing holds the features that need each component, by hand.
var needing = map[Parts][]feature{
	PartNames:    {nameCosine, nameCosineTop3, relativeCosine, textWords},
	PartStrings:  {lexical, tokenSetMatch},
	PartContexts: {contextVote, contextCosine},
	PartText:     {textWords},
	PartTree:     {subtreeScore, bestChildScore, relativeCosine, subtreeTermF1, noName},
}

// TestGeneratorUsesItsComponents generates candidates with every set of components: no
// feature and no supporting hit needs another component, and the concept without a name
// is found by the hierarchy only.
func TestGeneratorUsesItsComponents(t *testing.T) {
	m := ulcerModel(t)
	queries := []ctxnorm.Query{
		linktest.Query(t, "wheat causes <enteropathy> here, and gluten"), linktest.Query(t, "<ulcer> by aspirin"), linktest.Query(t, "<aspirin belly>"),
		linktest.Query(t, "<gastric ulcers> and coeliac disease"), linktest.Query(t, "<gluten disease> of children"),
	}
	covered := make(map[feature]bool)
	for components := range PartMined << 1 {
		g, err := newCandidateGenerator(m, components, nil)
		if err != nil {
			t.Fatal(err)
		}
		candidates, err := g.generate(t.Context(), queries)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, p := range slices.Concat(candidates...) {
			found++
			for part, features := range needing {
				for _, f := range features {
					if p.features[f] != 0 && !components.Has(part) {
						t.Errorf("with %s %s is %g", components, featureNames[f], p.features[f])
					}
				}
			}
			for f, value := range p.features {
				covered[feature(f)] = covered[feature(f)] || value != 0
			}
			if m.Dictionary.At(int(p.concept)).ID == "G0" && !components.Has(PartTree) {
				t.Errorf("with %s the concept without a name is a candidate", components)
			}
			for _, v := range p.hits {
				ex := &exemplarsOf(t, v.rows)[v.Row]
				kind := PartContexts
				if ex.Bare {
					kind = PartNames
				}
				if ex.Source != "" {
					kind |= PartMined
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
	for f, name := range featureNames {
		if !covered[feature(f)] {
			t.Errorf("no candidate has the feature %s, so it is not tested", name)
		}
	}
}
