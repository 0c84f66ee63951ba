package contrastive

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// keyOf identifies an exemplar by the document's ID, a hash of the sentence and the mention's position in it.
func keyOf(e *text.Exemplar) string {
	sentence := sampling.Hash(0, e.Sentence.Of(e.Text)) // 64 bits, so a key does not hold the text
	return fmt.Sprintf("%s %016x %d-%d", e.ID, sentence, e.Mention.Start-e.Sentence.Start, e.Mention.End-e.Sentence.Start)
}

// Sampler samples concept-balanced batches: a number of concepts and two exemplars of each, so that every row has a
// positive (section 4.2). Only one goroutine may use it at a time.
//
// A batch depends only on the seed, the batch's number and the exemplars' keys, concepts and names, so training resumes
// without any saved state of the sampler.
//
// Concepts are sampled without replacement. An epoch is a permutation of the concepts, divided into batches; concepts
// that do not fill a last batch wait for the next epoch, which has another permutation. The exemplars of a concept are
// paired without replacement in the same way, across epochs. A concept with a single exemplar has no positive and is
// never sampled.
type Sampler struct {
	concepts  []kb.ConceptID // concepts with two exemplars or more, sorted
	members   [][]int        // exemplars of each concept, in the order of their keys
	exemplars []text.Exemplar
	order     *EpochOrder // of concepts
}

// BatchItem is a row of a batch.
type BatchItem struct {
	Exemplar int          // position in the exemplars of NewSampler
	Concept  kb.ConceptID // the concept that it was sampled for
}

// NewSampler returns a sampler of batches with conceptsPerBatch concepts, at least 2. If fewer concepts have two
// exemplars, a batch holds all of these. If fewer than two do, it returns an error, because there are no negatives.
func NewSampler(exemplars []text.Exemplar, conceptsPerBatch int, seed uint64) (*Sampler, error) {
	if conceptsPerBatch < 2 {
		return nil, fmt.Errorf("sampler: concepts per batch is %d, want 2 or more", conceptsPerBatch)
	}
	s := &Sampler{exemplars: exemplars}
	members := GroupByConcept(exemplars)
	for _, id := range slices.Sorted(maps.Keys(members)) {
		if len(members[id]) >= 2 {
			s.concepts = append(s.concepts, id)
			s.members = append(s.members, members[id])
		}
	}
	if len(s.concepts) < 2 {
		return nil, fmt.Errorf("sampler: %d of %d concepts have two exemplars or more, want at least 2 such concepts "+
			"for positives and negatives",
			len(s.concepts), len(members))
	}
	s.order = NewEpochOrder(seed, "concepts", len(s.concepts), min(conceptsPerBatch, len(s.concepts)), false)
	return s, nil
}

// GroupByConcept returns the positions of the exemplars of each concept, in an order that depends only on the
// exemplars. Equal exemplars count once.
func GroupByConcept(exemplars []text.Exemplar) map[kb.ConceptID][]int {
	order, keys := make([]int, len(exemplars)), make([]string, len(exemplars))
	for i := range order {
		order[i], keys[i] = i, keyOf(&exemplars[i])
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) })
	order = slices.CompactFunc(order, func(a, b int) bool { return keys[a] == keys[b] })
	members := make(map[kb.ConceptID][]int)
	for _, i := range order {
		concepts := exemplars[i].Mention.Concepts
		for k, id := range concepts {
			if id != "" && !slices.Contains(concepts[:k], id) {
				members[id] = append(members[id], i)
			}
		}
	}
	return members
}

// Concepts returns the number of concepts in the sampler.
func (s *Sampler) Concepts() int { return len(s.concepts) }

// ConceptsPerBatch returns the number of concepts in a batch.
func (s *Sampler) ConceptsPerBatch() int { return s.order.perBatch }

// Batch returns the batch with the given number, counted from 0. Rows 2i and 2i+1 are two exemplars of the same
// concept. No concept is sampled twice. An exemplar with several concepts may occur once for each of them.
func (s *Sampler) Batch(number int) []BatchItem {
	epoch := s.order.epochOf(number)
	batch := make([]BatchItem, 0, 2*s.order.perBatch)
	for _, c := range s.order.Batch(number) {
		first, second := s.pair(c, epoch)
		batch = append(batch, BatchItem{first, s.concepts[c]}, BatchItem{second, s.concepts[c]})
	}
	return batch
}

// pair returns the two exemplars of a concept in an epoch. A pass over its n exemplars takes n/2 epochs, and leaves one
// out if n is odd. Every pass has its own order.
//
// Two contexts of the same name are near each other before any training, so there is nothing to learn from such a pair.
// The exemplars are therefore ordered by name, with the names and the exemplars of each name in random order, and
// exemplar i is paired with exemplar i + n/2: they have different names unless one name has more than half of the
// exemplars.
func (s *Sampler) pair(concept, epoch int) (first, second int) {
	members := s.members[concept]
	pairsPerPass := len(members) / 2
	pass, position := strconv.Itoa(epoch/pairsPerPass), epoch%pairsPerPass
	id := string(s.concepts[concept])
	random := NewRand(s.order.seed, "items", id, pass)
	order := random.Perm(len(members))
	nameRank := make([]uint64, len(members)) // random rank of the name of each
	for i, exemplar := range members {
		nameRank[i] = sampling.Hash(s.order.seed, "names", id, pass, s.exemplars[exemplar].Mention.Name)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(nameRank[a], nameRank[b]) })
	position = random.Perm(pairsPerPass)[position] // so successive epochs do not use the same name
	return members[order[position]], members[order[position+pairsPerPass]]
}

// NewRand returns a random generator that depends only on the seed and the parts.
func NewRand(seed uint64, parts ...string) *rand.Rand {
	return rand.New(rand.NewPCG(seed, sampling.Hash(seed, parts...)))
}
