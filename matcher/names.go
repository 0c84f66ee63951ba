package matcher

import (
	"slices"

	"ctxnorm"
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
	firstRow []int32 // concept -> its first row; one more for the end
}

// newNameRows takes the names of d for which form gives a form that no other name
// of their concept has, and gives the forms by row.
func newNameRows[F any](d *ctxnorm.Dictionary, form func(name string) (f F, key string)) (nameRows, []F) {
	var r nameRows
	var forms []F
	for i := range d.Len() {
		concept := d.At(i)
		r.concepts = append(r.concepts, concept.ID)
		r.firstRow = append(r.firstRow, int32(len(r.names)))
		seen := map[string]bool{"": true}
		for _, name := range concept.Names() {
			if f, key := form(name); !seen[key] {
				seen[key] = true
				r.names = append(r.names, name)
				forms = append(forms, f)
			}
		}
	}
	r.firstRow = append(r.firstRow, int32(len(r.names)))
	return r, forms
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
	for concept := range r.concepts {
		first := r.firstRow[concept]
		b := conceptScore{concept: int32(concept)}
		for i, score := range scores[first:r.firstRow[concept+1]] {
			if score > b.score {
				b.score, b.row = score, first+int32(i)
			}
		}
		if b.score <= least || k == 0 {
			continue
		}
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
