package contrastive

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"

	"ctxnorm"
)

// Sampler draws concept-balanced batches: a number of concepts, and two items
// of each, so that every row has a positive (section 4.2). It is safe for
// concurrent use.
//
// A batch depends on the seed, the number of the batch and the items' keys and
// concepts alone: training that stops is resumed without a saved state.
//
// Concepts are drawn without replacement: an epoch is a permutation of them,
// cut into batches; those that do not fill a last batch wait for the next
// epoch, which has another permutation. The items of a concept are gone through
// two by two in the same way, from epoch to epoch. A concept with a single item
// has no positive to offer and is not drawn.
type Sampler struct {
	seed     uint64
	pairs    int
	concepts []ctxnorm.ConceptID // sorted; those with two items or more
	members  [][]int             // items of each concept, in the order of their keys
	names    []string            // of all items
	single   int

	mu    sync.Mutex
	epoch int   // whose permutation order is; -1 before the first batch
	order []int // of concepts
}

// Draw is a row of a batch.
type Draw struct {
	Item    int               // position among the items given to NewSampler
	Concept ctxnorm.ConceptID // the concept it was drawn for
}

// NewSampler makes a sampler of batches of so many pairs. Where fewer concepts
// than that have two items, a batch holds all of them. Fewer than two such
// concepts are an error: there would be no negatives.
func NewSampler(items []Item, pairs int, seed uint64) (*Sampler, error) {
	if pairs < 2 {
		return nil, fmt.Errorf("sampler: %d pairs a batch, want 2 or more", pairs)
	}
	s := &Sampler{seed: seed, epoch: -1, names: make([]string, len(items))}
	for i := range items {
		s.names[i] = items[i].Name
	}
	groups := groupByConcept(items)
	for _, id := range slices.Sorted(maps.Keys(groups)) {
		if len(groups[id]) < 2 {
			s.single++
			continue
		}
		s.concepts = append(s.concepts, id)
		s.members = append(s.members, groups[id])
	}
	if len(s.concepts) < 2 {
		return nil, fmt.Errorf("sampler: %d of %d concepts have two items or more, want at least 2 to draw positives and negatives",
			len(s.concepts), len(groups))
	}
	s.pairs = min(pairs, len(s.concepts))
	return s, nil
}

// groupByConcept lists the items of each concept in the order of keys, each
// key once.
func groupByConcept(items []Item) map[ctxnorm.ConceptID][]int {
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(items[a].Key, items[b].Key) })
	order = slices.CompactFunc(order, func(a, b int) bool { return items[a].Key == items[b].Key })
	groups := make(map[ctxnorm.ConceptID][]int)
	for _, i := range order {
		for k, id := range items[i].Concepts {
			if id != "" && !slices.Contains(items[i].Concepts[:k], id) {
				groups[id] = append(groups[id], i)
			}
		}
	}
	return groups
}

// Concepts is the number of concepts that are drawn.
func (s *Sampler) Concepts() int { return len(s.concepts) }

// Single is the number of concepts that are not, as they have a single item.
func (s *Sampler) Single() int { return s.single }

// Pairs is the number of concepts in a batch.
func (s *Sampler) Pairs() int { return s.pairs }

// Batch is the batch of this number, counted from 0: rows 2i and 2i+1 are two
// items of one concept, and no concept is drawn twice. An ambiguous item may
// come twice, once for each of two concepts.
func (s *Sampler) Batch(number int) []Draw {
	perEpoch := len(s.concepts) / s.pairs
	epoch, slot := number/perEpoch, number%perEpoch
	order := s.permutation(epoch)[slot*s.pairs:]
	batch := make([]Draw, 0, 2*s.pairs)
	for _, c := range order[:s.pairs] {
		first, second := s.pair(c, epoch)
		batch = append(batch, Draw{first, s.concepts[c]}, Draw{second, s.concepts[c]})
	}
	return batch
}

// permutation is the order of concepts in an epoch. The last one made is kept,
// as batches mostly come in turn; it is never written to again.
func (s *Sampler) permutation(epoch int) []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.epoch != epoch {
		s.epoch, s.order = epoch, source(s.seed, "concepts", strconv.Itoa(epoch)).Perm(len(s.concepts))
	}
	return s.order
}

// pair is the two items of a concept in an epoch: a pass over the n items takes
// n/2 epochs and leaves one out where n is odd; every pass has its own order.
//
// Two contexts of one name are near each other before any training, so that there
// is nothing to learn from them. The items are therefore ordered by name, names
// and the items of each drawn at random, and the item at place i goes with the
// one at i + n/2: these have different names unless one name has over half of the items.
func (s *Sampler) pair(concept, epoch int) (first, second int) {
	items := s.members[concept]
	perPass := len(items) / 2
	pass, slot := strconv.Itoa(epoch/perPass), epoch%perPass
	id := string(s.concepts[concept])
	random := source(s.seed, "items", id, pass)
	order := random.Perm(len(items))
	place := make([]uint64, len(items)) // of an item's name among the names
	for i, item := range items {
		place[i] = ctxnorm.Hash(s.seed, "names", id, pass, s.names[item])
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(place[a], place[b]) })
	slot = random.Perm(perPass)[slot] // so that a name is not gone through in successive epochs
	return items[order[slot]], items[order[slot+perPass]]
}

func source(seed uint64, parts ...string) *rand.Rand {
	return rand.New(rand.NewPCG(seed, ctxnorm.Hash(seed, parts...)))
}
