package matcher

import (
	"context"
	"slices"

	"ctxnorm"
	"ctxnorm/internal/cores"
)

// NameHit is a concept by the name of it that is most like a query.
type NameHit struct {
	Concept ctxnorm.ConceptID
	Name    string  // as the dictionary has it; the first of several alike
	Score   float64 // of likeness, above 0; 1 for a name that is equal in the form compared
}

// nameRows are the names of an index, one row each, those of a concept together
// and concepts in the order of IDs.
type nameRows struct {
	names    []string // by row, as the dictionary has them
	concepts []ctxnorm.ConceptID
	owner    []int32 // row -> its concept
	firstRow []int32 // concept -> its first row; one more for the end
}

// newNameRows takes the names of concepts, whose IDs ascend, for which form gives a
// form that no other name of their concept has, and gives the forms by row. All cores
// call form, which says what a name is called and keeps forms apart by a key; a name
// without one is left out.
func newNameRows[N, F any](ids []ctxnorm.ConceptID, names [][]N, form func(N) (name string, f F, key string)) (nameRows, []F) {
	type formed struct {
		names []string
		forms []F
	}
	ofConcept := make([]formed, len(ids))
	onAllCores(len(ids), func(i int) {
		keys := make([]string, 0, len(names[i]))
		c := formed{make([]string, 0, len(names[i])), make([]F, 0, len(names[i]))}
		for _, n := range names[i] {
			if name, f, key := form(n); key != "" && !slices.Contains(keys, key) {
				keys = append(keys, key)
				c.names, c.forms = append(c.names, name), append(c.forms, f)
			}
		}
		ofConcept[i] = c
	})
	r := nameRows{concepts: ids}
	var forms []F
	for i := range ofConcept {
		r.firstRow = append(r.firstRow, int32(len(r.names)))
		r.names = append(r.names, ofConcept[i].names...)
		forms = append(forms, ofConcept[i].forms...)
		for range ofConcept[i].names {
			r.owner = append(r.owner, int32(i))
		}
	}
	r.firstRow = append(r.firstRow, int32(len(r.names)))
	return r, forms
}

// namesOf are the concepts of a dictionary, in the order of IDs, and their names.
func namesOf(d *ctxnorm.Dictionary) (ids []ctxnorm.ConceptID, names [][]string) {
	ids, names = make([]ctxnorm.ConceptID, d.Len()), make([][]string, d.Len())
	for i := range ids {
		ids[i], names[i] = d.At(i).ID, d.At(i).Names()
	}
	return ids, names
}

// onAllCores calls do for 0 up to n, in no order.
func onAllCores(n int, do func(i int)) {
	_ = cores.Share(context.Background(), n, 0, do) // fails where the context is done
}

// conceptScore is a concept by its best row.
type conceptScore struct {
	score   float32
	concept int32
	row     int32
}

// best gives the k concepts with the best scores by row, ties in the order of
// IDs and none that has no row above 0. They are kept in order as they are
// found: after the first few, hardly one of thousands is better than the last of
// them.
func (r *nameRows) best(scores []float32, k int) []NameHit {
	k = max(0, min(k, len(r.concepts)))
	top := make([]conceptScore, 0, k+1)
	least := float32(0) // to be among the top
	for row := 0; row < len(scores) && k > 0; row++ {
		if scores[row] <= least {
			continue
		}
		b := conceptScore{concept: r.owner[row]}
		end := int(r.firstRow[b.concept+1])
		for ; row < end; row++ {
			if scores[row] > b.score {
				b.score, b.row = scores[row], int32(row)
			}
		}
		row-- // the concept's last
		i, _ := slices.BinarySearchFunc(top, b.score, func(t conceptScore, score float32) int {
			if t.score >= score {
				return -1
			}
			return 1
		})
		top = slices.Insert(top, i, b)
		if len(top) > k {
			top = top[:k]
		}
		if len(top) == k {
			least = top[k-1].score
		}
	}
	hits := make([]NameHit, len(top))
	for i, t := range top {
		hits[i] = NameHit{Concept: r.concepts[t.concept], Name: r.names[t.row], Score: float64(t.score)}
	}
	return hits
}
