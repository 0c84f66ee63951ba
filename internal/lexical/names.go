package lexical

import (
	"cmp"
	"context"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/kb"
)

// ConceptsByKey returns the concepts of a dictionary by the keys of their names, those of a key in the order of their
// IDs. A name has each of the keys that are not empty.
func ConceptsByKey(d *kb.Dictionary, keys ...func(name string) string) map[string][]kb.ConceptID {
	concepts := make(map[string][]kb.ConceptID, len(keys)*d.CountNames())
	for _, concept := range d.All() {
		for _, name := range concept.Names() {
			for _, keyOf := range keys {
				key := keyOf(name)
				have := concepts[key] // concepts come in the order of their IDs
				if n := len(have); key != "" && (n == 0 || have[n-1] != concept.ID) {
					concepts[key] = append(have, concept.ID)
				}
			}
		}
	}
	return concepts
}

// NameHit is a concept with its name that is most similar to a query.
type NameHit struct {
	Concept kb.ConceptID
	Name    string  // as the dictionary writes it; the first of several that score the same
	Score   float64 // similarity, above 0; 1 for a name that is equal in the form compared
}

// nameRows are the names of an index, one row for each name, in the order of the IDs of concepts.
type nameRows struct {
	names    []string // by row, as the dictionary writes them
	concepts []kb.ConceptID
	concept  []int32 // row -> index of its concept
}

// newNameRows returns the rows of the names of concepts, whose IDs must ascend, and
// the form of each row. form returns a name as a string, the form in which an index
// compares it, and a key of that form. A name is left out if its key is empty or equal
// to the key of an earlier name of its concept. form is called concurrently.
func newNameRows[N, F any](ids []kb.ConceptID, names [][]N,
	form func(N) (name string, f F, key string)) (nameRows, []F) {
	type conceptNames struct {
		names []string
		forms []F
	}
	perConcept := make([]conceptNames, len(ids))
	onAllCores(len(ids), func(i int) {
		seen := make(map[string]bool, len(names[i]))
		c := conceptNames{make([]string, 0, len(names[i])), make([]F, 0, len(names[i]))}
		for _, n := range names[i] {
			if name, f, key := form(n); key != "" && !seen[key] {
				seen[key] = true
				c.names, c.forms = append(c.names, name), append(c.forms, f)
			}
		}
		perConcept[i] = c
	})
	r := nameRows{concepts: ids}
	var forms []F
	for i := range perConcept {
		r.names = append(r.names, perConcept[i].names...)
		forms = append(forms, perConcept[i].forms...)
		for range perConcept[i].names {
			r.concept = append(r.concept, int32(i))
		}
	}
	return r, forms
}

// namesOf returns the concepts of a dictionary, in the order of IDs, and the names of
// each.
func namesOf(d *kb.Dictionary) (ids []kb.ConceptID, names [][]string) {
	ids, names = make([]kb.ConceptID, d.Len()), make([][]string, d.Len())
	for i, concept := range d.All() {
		ids[i], names[i] = concept.ID, concept.Names()
	}
	return ids, names
}

// onAllCores calls do for 0 up to n on all cores, in no order.
func onAllCores(n int, do func(i int)) {
	_ = parallel.For(context.Background(), n, 0, do) // fails only if the context is done
}

// conceptScore is a concept with its best row.
type conceptScore struct {
	score   float32
	concept int32
	row     int32
	place   int32 // of the row in the order of names
}

// compare orders by descending score, then by concept.
func (c conceptScore) compare(other conceptScore) int {
	return cmp.Or(cmp.Compare(other.score, c.score), cmp.Compare(c.concept, other.concept))
}

// topConcepts collects the k concepts with the highest scores, ties in the order of concepts. The score of a concept is
// that of its best row, the first of those that score the same. The list stays sorted by insertion: after the first few,
// hardly one row in thousands scores above the last of them.
type topConcepts struct {
	k     int
	least float32 // no row below it enters
	best  []conceptScore
}

// offer adds a row unless it is worse than those that are there.
func (t *topConcepts) offer(c conceptScore) {
	at := slices.IndexFunc(t.best, func(b conceptScore) bool { return b.concept == c.concept })
	if at < 0 && len(t.best) == t.k {
		if at = t.k - 1; t.k == 0 || c.compare(t.best[at]) > 0 {
			return
		}
	} else if at >= 0 && (c.score < t.best[at].score || c.score == t.best[at].score && c.place > t.best[at].place) {
		return
	}
	if at >= 0 {
		t.best = slices.Delete(t.best, at, at+1)
	}
	at, _ = slices.BinarySearchFunc(t.best, c, conceptScore.compare)
	t.best = slices.Insert(t.best, at, c)
	if len(t.best) == t.k {
		t.least = t.best[t.k-1].score
	}
}

// best returns the k concepts with the highest scores above 0, ties in the order of IDs.
func (r *nameRows) best(scores []float32, k int) []NameHit {
	top := topConcepts{k: max(0, min(k, len(r.concepts)))}
	for row, score := range scores {
		if score > 0 && score >= top.least {
			top.offer(conceptScore{score, r.concept[row], int32(row), int32(row)})
		}
	}
	hits := make([]NameHit, len(top.best))
	for i, t := range top.best {
		hits[i] = NameHit{Concept: r.concepts[t.concept], Name: r.names[t.row], Score: float64(t.score)}
	}
	return hits
}
