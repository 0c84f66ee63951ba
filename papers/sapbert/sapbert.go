// Package sapbert implements SapBERT: self-alignment on the names of a dictionary, which needs neither texts nor labels
// (Liu, Shareghi, Meng, Basaldella & Collier, "Self-Alignment Pretraining for Biomedical Entity Representations", NAACL
// 2021). [Recipe] is its recipe, and [Nearest] its method of linking.
package sapbert

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// Name is the name of the recipe.
const Name = "sapbert"

// Settings holds the recipe's settings apart from its [contrastive.Config]. The paper says nothing about them, so the
// defaults are those of the authors' training script.
type Settings struct {
	PairsPerBatch   int `json:"pairs_per_batch"`   // 256; a batch has twice as many names
	PairsPerConcept int `json:"pairs_per_concept"` // 50; of more pairs, this many are sampled
	Epochs          int `json:"epochs"`            // 1, unless [contrastive.Config.Steps] is set
}

// Recipe returns the recipe. Equations are those of the paper; "the script" is the authors' training script. The
// learning rate falls to 0 as in every recipe; the script's is constant.
func Recipe() *contrastive.Recipe {
	s := &Settings{PairsPerBatch: 256, PairsPerConcept: 50, Epochs: 1}
	c := contrastive.NamesAloneConfig()
	c.LearningRate = 2e-5           // the script's
	c.WeightDecay = .01             // the script's
	c.Pooling = contrastive.PoolCLS // the script's
	c.NameLoss = contrastive.MultiSimilarity{
		Alpha: 1, Beta: 60, Lambda: .5, // equation 2; the values are the script's
		TripletMargin: .2, // equation 1
	}
	return &contrastive.Recipe{
		Name: Name, Summary: "names alone", Linker: "nearest", // the concept of the nearest name
		Config: c, Needs: contrastive.Needs{Validation: true}, Values: s,
		Settings: []contrastive.Setting{
			contrastive.EpochsSetting(&s.Epochs),
			contrastive.AtLeast(2, "pairs-per-batch", "pairs_per_batch", &s.PairsPerBatch,
				"number of pairs of names in a batch, at least 2"),
		},
		New: func(c contrastive.Config, d contrastive.Data) (contrastive.Task, error) {
			return newTask(c, *s, d.Names)
		},
	}
}

// task samples batches of pairs of names of one concept, with Multi-Similarity on the pairs mined from triplets.
type task struct {
	contrastive.Plan
	names []text.Exemplar
	pairs []namePair
	order *contrastive.EpochOrder // of pairs
}

// namePair is a pair of names of a concept, given as positions.
type namePair struct {
	concept       kb.ConceptID
	first, second int
}

// newTask returns the task on the names of a dictionary. It returns an error if fewer than two concepts have two names.
func newTask(c contrastive.Config, s Settings, names []text.Exemplar) (*task, error) {
	m := &task{names: names}
	members := contrastive.GroupByConcept(names)
	concepts := 0
	for _, id := range slices.Sorted(maps.Keys(members)) {
		pairs := pairsOfNames(id, members[id], s.PairsPerConcept, c.Seed)
		m.pairs = append(m.pairs, pairs...)
		if len(pairs) > 0 {
			concepts++
		}
	}
	if concepts < 2 {
		return nil, fmt.Errorf("sapbert: %d of %d concepts have two names or more, want at least 2 such concepts",
			concepts, len(members))
	}
	m.order = contrastive.NewEpochOrder(c.Seed, "pairs", len(m.pairs), min(s.PairsPerBatch, len(m.pairs)), false)
	// Pairs that do not fill the last batch of an epoch are left out of that epoch.
	m.Plan = contrastive.Plan{
		Recipe: Name, Config: c, Settings: s, Steps: c.TotalSteps(s.Epochs, m.order.BatchesPerEpoch()),
	}
	return m, nil
}

// pairsOfNames returns all pairs of the names of a concept, or a sample of limit pairs.
func pairsOfNames(id kb.ConceptID, names []int, limit int, seed uint64) (pairs []namePair) {
	var all [][2]int // positions among names
	for i := range names {
		for j := range i {
			all = append(all, [2]int{j, i})
		}
	}
	if len(all) > limit {
		rank := func(p [2]int) uint64 {
			return sampling.Hash(seed, "pair", string(id), strconv.Itoa(p[0]), strconv.Itoa(p[1]))
		}
		slices.SortFunc(all, func(a, b [2]int) int { return cmp.Compare(rank(a), rank(b)) })
		all = all[:limit]
	}
	for _, p := range all {
		pairs = append(pairs, namePair{id, names[p[0]], names[p[1]]})
	}
	return pairs
}

// WriteData implements [contrastive.Task].
func (m *task) WriteData(w io.Writer) { contrastive.WriteExemplars(w, m.names) }

// Batch implements [contrastive.Task]. Rows 2i and 2i+1 are a pair. Every epoch has its own order of pairs.
func (m *task) Batch(step int) (*contrastive.Batch, error) {
	b := &contrastive.Batch{Names: true, Loss: m.Config.NameLoss}
	for _, i := range m.order.Batch(step) {
		pair := m.pairs[i]
		b.Rows = append(b.Rows, contrastive.RowOf(&m.names[pair.first], pair.concept),
			contrastive.RowOf(&m.names[pair.second], pair.concept))
	}
	return b, nil
}
