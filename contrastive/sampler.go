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

// Example is what a sampler needs to know of an exemplar.
type Example struct {
	// Key identifies the example. Examples of the same key are the same example.
	// Batches depend on keys and not on the order of examples.
	Key string
	// Concepts are the concepts that the example may be sampled for.
	Concepts []kb.ConceptID
	// Name is the dictionary name that the mention has. The two examples of a pair have
	// different names if their concept's examples do.
	Name string
}

// Examples returns the example of each exemplar, in order. A key is made of the
// document's ID, a hash of the sentence and the mention's position in it.
func Examples(exemplars []text.Exemplar) []Example {
	examples := make([]Example, len(exemplars))
	for i := range exemplars {
		e := &exemplars[i]
		sentence := sampling.Hash(0, e.Sentence.Of(e.Text)) // 64 bits, so that a key does not hold the text
		examples[i] = Example{
			Key: fmt.Sprintf("%s %016x %d-%d", e.ID, sentence, e.Mention.Start-e.Sentence.Start,
				e.Mention.End-e.Sentence.Start),
			Concepts: e.Mention.Concepts,
			Name:     e.Mention.Name,
		}
	}
	return examples
}

// Sampler samples concept-balanced batches: a number of concepts, and two examples of
// each, so that every row has a positive (section 4.2). It is used by one goroutine at a time.
//
// A batch depends only on the seed, the batch's number and the examples' keys,
// concepts and names, so training resumes without any saved state of the sampler.
//
// Concepts are sampled without replacement. An epoch is a permutation of the concepts,
// cut into batches; concepts that do not fill a last batch wait for the next epoch,
// which has another permutation. The examples of a concept are paired without
// replacement in the same way, across epochs. A concept with a single example has no
// positive and is never sampled.
type Sampler struct {
	seed             uint64
	conceptsPerBatch int
	concepts         []kb.ConceptID // concepts with two examples or more, sorted
	members          [][]int        // examples of each concept, in the order of their keys
	names            []string       // names of all examples

	order *EpochOrder // of concepts
}

// BatchItem is a row of a batch.
type BatchItem struct {
	Example int          // position in the examples of NewSampler
	Concept kb.ConceptID // the concept that it was sampled for
}

// NewSampler returns a sampler of batches of conceptsPerBatch concepts, at least 2. If
// fewer concepts have two examples, a batch holds all of these. If fewer than two have,
// it returns an error, as there are no negatives.
func NewSampler(examples []Example, conceptsPerBatch int, seed uint64) (*Sampler, error) {
	if conceptsPerBatch < 2 {
		return nil, fmt.Errorf("sampler: concepts per batch is %d, want 2 or more", conceptsPerBatch)
	}
	s := &Sampler{seed: seed, names: make([]string, len(examples))}
	for i := range examples {
		s.names[i] = examples[i].Name
	}
	members := GroupByConcept(examples)
	for _, id := range slices.Sorted(maps.Keys(members)) {
		if len(members[id]) >= 2 {
			s.concepts = append(s.concepts, id)
			s.members = append(s.members, members[id])
		}
	}
	if len(s.concepts) < 2 {
		return nil, fmt.Errorf("sampler: %d of %d concepts have two examples or more, want at least 2 such concepts "+
			"for positives and negatives",
			len(s.concepts), len(members))
	}
	s.conceptsPerBatch = min(conceptsPerBatch, len(s.concepts))
	s.order = NewEpochOrder(seed, "concepts", len(s.concepts), s.conceptsPerBatch, false)
	return s, nil
}

// GroupByConcept returns the positions of the examples of each concept in the order of
// keys, each key once.
func GroupByConcept(examples []Example) map[kb.ConceptID][]int {
	order := make([]int, len(examples))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(examples[a].Key, examples[b].Key) })
	order = slices.CompactFunc(order, func(a, b int) bool { return examples[a].Key == examples[b].Key })
	members := make(map[kb.ConceptID][]int)
	for _, i := range order {
		for k, id := range examples[i].Concepts {
			if id != "" && !slices.Contains(examples[i].Concepts[:k], id) {
				members[id] = append(members[id], i)
			}
		}
	}
	return members
}

// Concepts returns the number of concepts that are sampled.
func (s *Sampler) Concepts() int { return len(s.concepts) }

// ConceptsPerBatch returns the number of concepts in a batch.
func (s *Sampler) ConceptsPerBatch() int { return s.conceptsPerBatch }

// Batch returns the batch with the given number, counted from 0. Rows 2i and 2i+1 are two
// examples of the same concept. No concept is sampled twice. An example with several
// concepts may occur once for each of them.
func (s *Sampler) Batch(number int) []BatchItem {
	epoch := s.order.epochOf(number)
	batch := make([]BatchItem, 0, 2*s.conceptsPerBatch)
	for _, c := range s.order.Batch(number) {
		first, second := s.pair(c, epoch)
		batch = append(batch, BatchItem{first, s.concepts[c]}, BatchItem{second, s.concepts[c]})
	}
	return batch
}

// pair returns the two examples of a concept in an epoch. A pass over its n examples
// takes n/2 epochs, and leaves one out if n is odd. Every pass has its own order.
//
// Two contexts of the same name are near each other before any training, so there is
// nothing to learn from such a pair. The examples are therefore ordered by name, with
// the names and the examples of each name in random order, and example i is paired
// with example i + n/2: they have different names unless one name has more than half
// of the examples.
func (s *Sampler) pair(concept, epoch int) (first, second int) {
	examples := s.members[concept]
	pairsPerPass := len(examples) / 2
	pass, position := strconv.Itoa(epoch/pairsPerPass), epoch%pairsPerPass
	id := string(s.concepts[concept])
	random := NewRand(s.seed, "items", id, pass)
	order := random.Perm(len(examples))
	nameRank := make([]uint64, len(examples)) // random rank of each example's name
	for i, example := range examples {
		nameRank[i] = sampling.Hash(s.seed, "names", id, pass, s.names[example])
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(nameRank[a], nameRank[b]) })
	position = random.Perm(pairsPerPass)[position] // so that successive epochs do not use the same name
	return examples[order[position]], examples[order[position+pairsPerPass]]
}

// NewRand returns a random generator that depends on the seed and the parts only.
func NewRand(seed uint64, parts ...string) *rand.Rand {
	return rand.New(rand.NewPCG(seed, sampling.Hash(seed, parts...)))
}
