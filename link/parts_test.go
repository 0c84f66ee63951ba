package link

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm"
	"ctxnorm/mine"
)

func TestParseParts(t *testing.T) {
	got, err := ParseParts([]string{"tree", "names"})
	if err != nil || got != PartNames|PartTree || got.String() != "names,tree" {
		t.Errorf("got %s, %v", got, err)
	}
	if all, err := ParseParts(componentNames); err != nil || all != AllParts {
		t.Errorf("all names give %s, %v", all, err)
	}
	if _, err := ParseParts([]string{"nmaes"}); err == nil || !strings.Contains(err.Error(), `part is "nmaes", want one of names, strings`) {
		t.Errorf("a wrong part: %v", err)
	}
}

func TestPartsAmong(t *testing.T) {
	all := PartStrings | PartContexts | PartTree | PartComposites
	for _, tc := range []struct {
		parts Parts
		want  string
	}{
		{AllParts, ""},
		{AllParts &^ PartTree, " without tree"},
		{AllParts &^ PartNames, ""}, // there are none to leave out
		{AllParts &^ (PartTree | PartContexts), " without contexts,tree"},
		{PartStrings, " by strings alone"},
		{PartStrings | PartNames, " by strings alone"},
	} {
		if got := tc.parts.among(all); got != tc.want {
			t.Errorf("%s among %s is %q, want %q", tc.parts, all, got, tc.want)
		}
	}
}

// ulcerModel has every part but a table: a tree with a nameless concept on top, a
// mined name and an encoder.
func ulcerModel(t *testing.T) *Model {
	t.Helper()
	encoder := gutEncoder()
	return open(t, buildGutWith(t, encoder, func(o *BuildOptions) {
		o.Dictionary = ctxnorm.NewDictionary([]ctxnorm.Concept{
			{ID: "G0"},
			{ID: "G1", Name: "coeliac disease", Synonyms: []string{"gluten enteropathy"}},
			{ID: "G2", Name: "gastric ulcer", Parents: []ctxnorm.ConceptID{"G0"}},
			{ID: "G4", Name: "duodenal ulcer", Parents: []ctxnorm.ConceptID{"G0"}},
		})
		o.Mined = []mine.Synonym{{Concept: "G2", Text: "aspirin belly", Count: 2, Source: "also known as"}}
	}), encoder)
}

func TestModelParts(t *testing.T) {
	for _, tc := range []struct {
		m    *Model
		want string
	}{
		{ulcerModel(t), "names,strings,contexts,text,tree,mined,abbreviations,composites"},
		{open(t, buildGut(t, nil), nil), "strings,tree,abbreviations,composites"},
	} {
		if got := tc.m.Parts().String(); got != tc.want {
			t.Errorf("got %s, want %s", got, tc.want)
		}
	}
}

func TestAblations(t *testing.T) {
	m := open(t, buildGut(t, nil), nil)
	var got []string
	for _, parts := range Ablations(m) {
		got = append(got, parts.among(m.Parts()))
	}
	want := []string{
		" without strings", " without tree", " without abbreviations", " without composites",
		" by strings alone", " by tree alone",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// unseen says which features take a part that is not seen, by hand.
var unseen = map[Parts][]feature{
	PartNames:    {nameCosine, nameCosineTop3, relativeCosine, textWords},
	PartStrings:  {lexical, tokenSetMatch},
	PartContexts: {contextVote, contextCosine},
	PartText:     {textWords},
	PartTree:     {subtreeScore, bestChildScore, relativeCosine, subtreeTermF1, noName},
}

// TestSightSeesNothingElse asks with every set of the parts that a ranking is made of:
// no candidate has a feature of an unseen part, evidence is of seen kinds, and the
// nameless concept comes from the tree alone.
func TestSightSeesNothingElse(t *testing.T) {
	m := ulcerModel(t)
	queries := []ctxnorm.Query{
		query(t, "wheat causes <enteropathy> here, and gluten"), query(t, "<ulcer> by aspirin"), query(t, "<aspirin belly>"),
		query(t, "<gastric ulcers> and coeliac disease"), query(t, "<gluten disease> of children"),
	}
	met := make(map[feature]bool)
	for parts := range PartMined << 1 {
		s, err := newCandidateGenerator(m, parts, nil)
		if err != nil {
			t.Fatal(err)
		}
		proposals, err := s.generate(t.Context(), queries)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, p := range slices.Concat(proposals...) {
			found++
			for part, features := range unseen {
				for _, f := range features {
					if p.features[f] != 0 && !parts.Has(part) {
						t.Errorf("with %s %s is %g", parts, featureNames[f], p.features[f])
					}
				}
			}
			for f, value := range p.features {
				met[feature(f)] = met[feature(f)] || value != 0
			}
			if m.Dictionary.At(int(p.concept)).ID == "G0" && !parts.Has(PartTree) {
				t.Errorf("with %s the nameless concept is a candidate", parts)
			}
			for _, v := range p.hits {
				ex := &exemplars(t, v.rows)[v.Row]
				kind := PartContexts
				if ex.Bare {
					kind = PartNames
				}
				if ex.Source != "" {
					kind |= PartMined
				}
				if !parts.Has(kind) {
					t.Errorf("with %s %q speaks", parts, ex.Surface())
				}
			}
		}
		if finds := parts&generating != 0; finds != (found > 0) {
			t.Errorf("with %s %d candidates are found", parts, found)
		}
	}
	for f, name := range featureNames {
		if !met[feature(f)] {
			t.Errorf("no candidate has %s: it is not tested", name)
		}
	}
}

func partRankers(t *testing.T, m *Model) *PartRankers {
	t.Helper()
	rankers, err := NewPartRankers(m)
	if err != nil {
		t.Fatal(err)
	}
	return rankers
}

func TestPartRanker(t *testing.T) {
	m := ulcerModel(t)
	rankers := partRankers(t, m)
	ask := query(t, "an <ulcer> bled")
	for _, tc := range []struct {
		parts Parts
		name  string
		finds bool // the nameless concept above both ulcers
	}{
		{AllParts, "ranked", true},
		{AllParts &^ PartTree, "ranked without tree", false},
		{PartStrings, "ranked by strings alone", false},
		{PartTree, "ranked by tree alone", true},
	} {
		r, err := rankers.Ranker(t.Context(), tc.parts, RankOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Name() != tc.name {
			t.Errorf("%s is called %q, want %q", tc.parts, r.Name(), tc.name)
		}
		results, err := r.Link(t.Context(), []ctxnorm.Query{ask}, 10)
		if err != nil {
			t.Fatal(err)
		}
		if found := slices.Contains(concepts(results[0]), "G0"); found != tc.finds {
			t.Errorf("%s: candidates %v, want G0 among them: %v", tc.name, concepts(results[0]), tc.finds)
		}
		for part, features := range unseen {
			for _, f := range features {
				if !tc.parts.Has(part) && r.weights[f] != 0 {
					t.Errorf("%s: the weight of %s is %g", tc.name, featureNames[f], r.weights[f])
				}
			}
		}
	}
	// With all parts the weights are the model's own.
	whole, err := rankers.Ranker(t.Context(), AllParts, RankOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if whole.weights != m.Calibration.Weights {
		t.Errorf("weights %v, the model's are %v", whole.weights, m.Calibration.Weights)
	}
	if _, err := rankers.Ranker(t.Context(), PartText|PartMined, RankOptions{}); err == nil || !strings.Contains(err.Error(), `"text,mined" finds no candidates`) {
		t.Errorf("parts without candidates: %v", err)
	}
}

// TestPartRankersShare: what is made for one linker does not change another.
func TestPartRankersShare(t *testing.T) {
	m := ulcerModel(t)
	shared := partRankers(t, m)
	asked := []ctxnorm.Query{query(t, "an <ulcer> bled"), query(t, "<aspirin belly>"), query(t, "<gluten disease> of children")}
	for _, parts := range append(Ablations(m), AllParts, AllParts&^PartMined, PartStrings|PartMined) {
		var results [][][]ctxnorm.Candidate
		for _, rankers := range []*PartRankers{shared, partRankers(t, m)} {
			r, err := rankers.Ranker(t.Context(), parts, RankOptions{})
			if err != nil {
				t.Fatal(err)
			}
			result, err := r.Link(t.Context(), asked, 10)
			if err != nil {
				t.Fatal(err)
			}
			results = append(results, result)
		}
		if diff := cmp.Diff(results[1], results[0]); diff != "" {
			t.Errorf("%s (-alone +among others):\n%s", parts, diff)
		}
	}
}
