package matcher

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"ctxnorm"
)

// TestBest holds the best concepts against all of them sorted.
func TestBest(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 3))
		var concepts []ctxnorm.Concept
		for i := range 40 {
			c := ctxnorm.Concept{ID: ctxnorm.ConceptID(fmt.Sprintf("C%02d", i))}
			for j := range r.IntN(4) { // some have no name
				c.Synonyms = append(c.Synonyms, fmt.Sprintf("n%d.%d", i, j))
			}
			concepts = append(concepts, c)
		}
		ids, names := namesOf(ctxnorm.NewDictionary(concepts))
		rows, forms := newNameRows(ids, names, func(name string) (string, string, string) { return name, name, name })
		if !slices.Equal(forms, rows.names) {
			t.Fatalf("forms are %q of names %q", forms, rows.names)
		}
		scores := make([]float32, len(rows.names))
		for row := range scores {
			scores[row] = float32(r.IntN(6)-1) / 4 // many equal, some not above 0
		}
		best := make(map[ctxnorm.ConceptID]NameHit)
		for row, score := range scores {
			id := rows.concepts[rows.owner[row]]
			if float64(score) > best[id].Score {
				best[id] = NameHit{id, rows.names[row], float64(score)}
			}
		}
		var all []NameHit
		for _, hit := range best {
			if hit.Score > 0 {
				all = append(all, hit)
			}
		}
		slices.SortFunc(all, func(a, b NameHit) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Concept, b.Concept))
		})
		for _, k := range []int{0, 1, 5, 100} {
			want := append([]NameHit{}, all[:min(k, len(all))]...)
			if diff := gocmp.Diff(want, rows.best(scores, k)); diff != "" {
				t.Fatalf("seed %d, k %d (-want +got):\n%s", seed, k, diff)
			}
		}
	}
}
