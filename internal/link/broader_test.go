package link

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// none holds the features of a candidate whose features are all 0.
var none = make([]float64, len(RankingFeatures.features))

// Candidates with the same features have the same weight. G0, the top, is the parent of G2 (gastric ulcer) and G4
// (duodenal ulcer).
func TestBroader(t *testing.T) {
	m := modeltest.Open(t, modeltest.Build(t, nil, modeltest.Ulcer), nil)
	ranker := must.Get(newRanker(m, MethodOptions{}))
	for _, tc := range []struct {
		mention    string
		candidates []kb.ConceptID
		fit        []float64
		want       *linked.Broader
	}{
		{"jejunal ulcer", []kb.ConceptID{"G2", "G4"}, nil, &linked.Broader{Concept: "G0", Probability: .83 + .07}},
		{"jejunal ulcer", []kb.ConceptID{"G2", "G4"}, make([]float64, len(FitFeatures.features)), &linked.Broader{Concept: "G0", Probability: (.83 + .07) / 2}},
		{"bleeding gastric ulcer", []kb.ConceptID{"G2"}, nil, &linked.Broader{Concept: "G2", Probability: .93}},
		{"bleeding gastric ulcer", []kb.ConceptID{"G2", "G4"}, nil, &linked.Broader{Concept: "G0", Probability: .07/2 + .9/2}},
		{"gastric and duodenal ulcer", []kb.ConceptID{"G2", "G4"}, nil, &linked.Broader{Concept: "G2", Probability: .93 / 2}},
		{"gastric and duodenal ulcer", []kb.ConceptID{"G4", "G2"}, nil, &linked.Broader{Concept: "G4", Probability: .93 / 2}},
		{"hay fever", nil, nil, nil},
	} {
		generated := Candidates{NIL: none, known: ranker.generator.words.Mention(normalize.NameWordsOf(normalize.CanonicalTokens(tc.mention))).Known, Fit: tc.fit}
		for _, position := range kb.ConceptPositions(m.Dictionary, tc.candidates) {
			generated.Concepts = append(generated.Concepts, &Candidate{Concept: position, Features: none})
		}
		must.EqualBy(t, cmpopts.EquateApprox(0, 1e-9), ranker.broader(&generated), tc.want, tc.mention, "under",
			tc.candidates)
	}
}

// A concept with an opposite name shares the parents of the concept that the mention names, even at the top, but is not
// its parent. Its weight comes from its score without the weight of opposites.
func TestBroaderOfOpposite(t *testing.T) {
	m := modeltest.Open(t, modeltest.Build(t, nil, modeltest.Ulcer), nil)
	ranker := must.Get(newRanker(m, MethodOptions{}))
	for _, tc := range []struct {
		opposed, other kb.ConceptID // may be empty
		want           *linked.Broader
	}{
		{"G2", "", &linked.Broader{Concept: "G0", Probability: .93 + .07}},
		{"G2", "G4", &linked.Broader{Concept: "G0", Probability: (.93+.07)/2 + (.83+.07)/2}},
		{"G0", "", nil},
		{"G0", "G4", &linked.Broader{Concept: "G0", Probability: (.83 + .07) / 2}},
	} {
		candidates := []kb.ConceptID{tc.opposed}
		if tc.other != "" {
			candidates = append(candidates, tc.other)
		}
		generated := Candidates{NIL: none}
		for _, position := range kb.ConceptPositions(m.Dictionary, candidates) {
			generated.Concepts = append(generated.Concepts, &Candidate{Concept: position, Features: none})
		}
		generated.Concepts[0].opposed = true
		must.EqualBy(t, cmpopts.EquateApprox(0, 1e-9), ranker.broader(&generated), tc.want, "opposite", tc.opposed,
			"beside", tc.other)
	}
}

// Only mentions without candidates, and those that the caller may call NIL, get a broader concept.
func TestLinkMentionsBroader(t *testing.T) {
	m := modeltest.Open(t, modeltest.Build(t, nil, modeltest.Ulcer), nil)
	queries := []text.Query{
		fixtures.Query(t, "a <jejunal ulcer>"), fixtures.Query(t, "a <jejunal ulcer>"), fixtures.Query(t, "a <jejunal and ileal ulcer>"),
	}
	queries[1].Mention.Recognized = true
	for _, tc := range []struct {
		least float64
		want  [][]bool // whether there is a concept above each mention or sub-mention
	}{
		{0, [][]bool{{false}, {true}, {false, false}}},
		{1, [][]bool{{true}, {true}, {true, true}}},
	} {
		ranker := must.Get(newRanker(m, MethodOptions{MinProbability: tc.least}))
		resolver := must.Get(NewMentionResolver(m, ranker, AllComponents))
		mentions := must.Get(resolver.LinkMentions(t.Context(), queries, 3))
		must.Succeed(t, NameCandidates(t.Context(), mentions, m.Dictionary))
		got := make([][]bool, len(mentions))
		for i := range mentions {
			for _, s := range mentions[i].Links() {
				got[i] = append(got[i], s.Broader != nil && s.Broader.Name == "G0")
			}
		}
		must.Equal(t, got, tc.want, "least probability", tc.least)
	}
}

// TestBroaderOfMEDIC holds out a tenth of the concepts of half of MEDIC and ranks the first name of each by strings and
// hierarchy, in a model without these concepts and with uncalibrated weights.
func TestBroaderOfMEDIC(t *testing.T) {
	must.SkipShort(t)
	m := modelOf(t, halfOfMEDIC(t))
	heldOut := func(id kb.ConceptID) bool { return sampling.Unit(1, "held-out concept", string(id)) < .1 }
	ranker := must.Get(newRanker(m.HoldOut(heldOut), MethodOptions{}))
	hierarchy := kb.NewHierarchy(m.Dictionary)
	// above returns the concepts up to steps levels above a concept, except those that are held out.
	above := func(concept int32, steps int) (ids []kb.ConceptID) {
		for step, from := 0, []int32{concept}; step < steps && len(from) > 0; step++ {
			var next []int32
			for len(from) > 0 {
				for _, parent := range hierarchy.Parents(from[0]) {
					if id := m.Dictionary.At(int(parent)).ID; heldOut(id) {
						from = append(from, parent)
					} else {
						ids, next = append(ids, id), append(next, parent)
					}
				}
				from = from[1:]
			}
			from = next
		}
		return ids
	}
	var queries []text.Query
	var of []int32
	for i := range m.Dictionary.Len() {
		c := m.Dictionary.At(i)
		if !heldOut(c.ID) || len(above(int32(i), 1)) == 0 {
			continue
		}
		words := ranker.generator.words
		for _, name := range c.Names() {
			known := len(words.WithExactly(words.Mention(normalize.NameWordsOf(normalize.CanonicalTokens(name))))) > 0 // in another order or spelling
			if !known && !normalize.LooksLikeShortForm(name) {
				queries, of = append(queries, text.NameExemplar(name).Query), append(of, int32(i))
				break
			}
		}
	}
	rankings := must.Get(ranker.Rank(t.Context(), queries, 1))
	parent, near := 0, 0
	for i, r := range rankings {
		if broader := r.Broader(); broader != nil {
			if slices.Contains(above(of[i], 1), broader.Concept) {
				parent++
			}
			if slices.Contains(above(of[i], 2), broader.Concept) {
				near++
			}
		}
	}
	n := len(queries)
	if share := float64(parent) / float64(n); share < .35 {
		t.Errorf("the parent is right for %d of %d names, want .35 or more", parent, n)
	}
	if share := float64(near) / float64(n); share < .48 {
		t.Errorf("an ancestor within two steps is right for %d of %d names, want .48 or more", near, n)
	}
}

// halfOfMEDIC returns half of MEDIC with the hierarchy of MeSH.
func halfOfMEDIC(t *testing.T) *kb.Dictionary {
	t.Helper()
	dict, _, err := kbfile.Read(fixtures.RealFile(t, "dict/biocom_half.jsonl.gz"), kbfile.Options{})
	must.Succeed(t, err)
	same := must.Get(kbfile.ReadConceptMap(fixtures.RealFile(t, "dict/biocom_concept_map.json.gz"), files.Limits{}))
	edges, _, err := kbfile.ReadParents(fixtures.RealFile(t, "dict/mesh_descriptors_c_f_tree.tsv.gz"), files.Limits{})
	must.Succeed(t, err)
	dict, _ = kbfile.WithParents(kbfile.WithConceptMap(dict, same), edges)
	return dict
}
