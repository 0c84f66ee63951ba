package bne

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/papers/bne/wordvec"
	"github.com/ctxnorm/ctxnorm/text"
)

// Task trains the name encoder: a name is pulled toward the other names of its concept, the vector of the concept and
// that of its contexts. It needs word vectors, but neither sentences nor labels.
type Task struct {
	contrastive.Plan
	Words    *wordvec.Vectors // from which the encoder starts
	settings Settings
	names    []text.Exemplar
	items    []conceptName // each name of each concept
	contexts [][]float32
	concepts map[kb.ConceptID][]float32
	members  map[kb.ConceptID][]int // positions among names

	order *contrastive.EpochOrder // of items
}

// conceptName is a name of a concept, given as a position.
type conceptName struct {
	concept kb.ConceptID
	name    int
}

// newTask returns the task on the names of a dictionary. It returns an error if fewer than two concepts have names.
func newTask(c contrastive.Config, s Settings, names []text.Exemplar, dict *kb.Dictionary, vectors *wordvec.Vectors) (
	*Task, error,
) {
	m := &Task{settings: s, Words: vectors, names: names, concepts: make(map[kb.ConceptID][]float32)}
	m.members = contrastive.GroupByConcept(names)
	if len(m.members) < 2 {
		return nil, fmt.Errorf("bne: the names have %d concepts, want at least 2", len(m.members))
	}
	targets := targetVectors{vectors, s.Targets == tokenTargets}
	for i := range names {
		m.contexts = append(m.contexts, targets.Context(names[i].Surface()))
	}
	for _, id := range slices.Sorted(maps.Keys(m.members)) {
		for _, name := range m.members[id] {
			m.items = append(m.items, conceptName{id, name})
		}
		concept := dict.Lookup(id)
		if concept == nil {
			return nil, fmt.Errorf("bne: the names have concept %s, which is not in the dictionary", id)
		}
		m.concepts[id] = targets.Concept(concept)
	}
	m.order = contrastive.NewEpochOrder(c.Seed, "names", len(m.items), min(s.NamesPerBatch, len(m.items)), false)
	// Names that do not fill the last batch of an epoch are left out of that epoch.
	m.Plan = contrastive.Plan{
		Recipe: Name, Config: c, Settings: s, Steps: c.TotalSteps(s.Epochs, m.order.BatchesPerEpoch()),
		RawVectors: true, // the loss takes dot products
	}
	return m, nil
}

// WriteData implements [contrastive.Task]. It does not write the word vectors, because training starts from them.
func (m *Task) WriteData(w io.Writer) { contrastive.WriteExemplars(w, m.names) }

// Batch implements [contrastive.Task]. The names come first, then another name of each concept that has one. Every
// epoch has its own order of names.
func (m *Task) Batch(step int) (*contrastive.Batch, error) {
	r := contrastive.NewRand(m.Config.Seed, "bne", strconv.Itoa(step))
	loss := &nameLoss{}
	b := &contrastive.Batch{Names: true, Loss: loss}
	chosen := m.order.Batch(step)
	add := func(name int, concept kb.ConceptID) {
		b.Rows = append(b.Rows, contrastive.RowOf(&m.names[name], concept))
	}
	for _, i := range chosen {
		item := m.items[i]
		add(item.name, item.concept)
		loss.targets = append(loss.targets, nameTargets{
			synonym: none, context: contrastive.Convert[float64](m.contexts[item.name]),
			concept: contrastive.Convert[float64](m.concepts[item.concept]),
		})
	}
	for i, of := range chosen {
		item, t := m.items[of], &loss.targets[i]
		if others := m.members[item.concept]; len(others) > 1 {
			other := others[r.IntN(len(others)-1)]
			if other == item.name {
				other = others[len(others)-1]
			}
			t.synonym = len(b.Rows)
			add(other, item.concept)
		}
		for offset, start := 0, r.IntN(len(chosen)); offset < len(chosen); offset++ {
			j := (start + offset) % len(chosen)
			if _, negative := contrastive.ClassifyPair(b.Rows[i].Label, b.Rows[j].Label); negative {
				t.negatives = append(t.negatives, j)
			}
		}
	}
	return b, nil
}
