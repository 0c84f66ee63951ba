package link

import (
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/realdata"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
	"github.com/ctxnorm/ctxnorm/text"
)

// Each name of a tenth of the concepts of half of MEDIC is ranked by strings and hierarchy in a model without these
// concepts, by the weights of a model that is not calibrated.
func TestBroaderOfMEDIC(t *testing.T) {
	m := modelOf(t, halfOfMEDIC(t))
	heldOut := func(id kb.ConceptID) bool { return sampling.Unit(1, "held-out concept", string(id)) < .1 }
	ranker := must(newRanker(m.HoldOut(heldOut), RankOptions{}))
	hierarchy := kb.NewHierarchy(m.Dictionary)
	// above returns the concepts at most steps above one, of those that are not held out.
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
		for _, name := range c.Names() {
			known := len(ranker.generator.words.withExactly(normalize.NameWords(name))) > 0 // in another order or spelling
			if !known && !normalize.LooksLikeShortForm(name) {
				queries, of = append(queries, text.NameExemplar(name).Query), append(of, int32(i))
			}
		}
	}
	rankings := must(ranker.Rank(t.Context(), queries, 1))
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
	if share := float64(parent) / float64(n); share < .31 {
		t.Errorf("the parent is right for %d of %d names, want .31 or more", parent, n)
	}
	if share := float64(near) / float64(n); share < .43 {
		t.Errorf("an ancestor within two steps is right for %d of %d names, want .43 or more", near, n)
	}
}

// halfOfMEDIC returns half of MEDIC with the hierarchy of MeSH.
func halfOfMEDIC(t *testing.T) *kb.Dictionary {
	t.Helper()
	dict, _, err := kbfile.Read(realdata.File(t, "dict/biocom_half.jsonl.gz"), kbfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	same := must(kbfile.ReadConceptMap(realdata.File(t, "dict/biocom_concept_map.json.gz"), files.Limits{}))
	edges := must(kbfile.ReadParents(realdata.File(t, "dict/mesh_descriptors_c_f_tree.tsv.gz"), files.Limits{}, nil))
	dict, _ = kbfile.WithParents(kbfile.WithConceptMap(dict, same), edges)
	return dict
}
