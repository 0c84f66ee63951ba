package contrastive

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// SapBERT is self-alignment on the names of a dictionary: batches of pairs of names of one concept,
// with Multi-Similarity on the pairs that are mined from triplets. Liu, Shareghi, Meng, Basaldella &
// Collier, "Self-Alignment Pretraining for Biomedical Entity Representations", NAACL 2021. It
// needs neither texts nor labels.
type SapBERT struct {
	static
	config   Config
	settings SapBERTSettings
	names    []text.Exemplar
	pairs    []namePair
	perBatch int // pairs; fewer than the setting if there are not as many

	epoch int   // the epoch of order; -1 before the first batch
	order []int // permutation of pairs
}

// SapBERTSettings are the settings of [SapBERT] beside [SapBERTConfig]. Sections are those of the
// SapBERT paper; where the paper is silent, the value is that of the authors' training script.
type SapBERTSettings struct {
	// PairsPerBatch is the number of pairs of names in a batch, at least 2; a batch has twice
	// as many names. Default 256, the script's.
	PairsPerBatch int `json:"pairs_per_batch"`

	// PairsPerConcept is the largest number of pairs that are made of the names of a concept,
	// at least 1; more are sampled. Default 50 (the script's data).
	PairsPerConcept int `json:"pairs_per_concept"`

	// Epochs is the number of passes over all pairs, at least 1. Default 1 (the script's).
	// [Config.Steps] takes precedence.
	Epochs int `json:"epochs"`
}

// DefaultSapBERTSettings returns the defaults that the comments of the fields state.
func DefaultSapBERTSettings() SapBERTSettings {
	return SapBERTSettings{PairsPerBatch: 256, PairsPerConcept: 50, Epochs: 1}
}

// Validate returns a [*FieldError] for the first field with an invalid value.
func (s SapBERTSettings) Validate() error {
	switch {
	case s.PairsPerBatch < 2:
		return &FieldError{"pairs_per_batch", s.PairsPerBatch, "2 or more"}
	case s.PairsPerConcept < 1:
		return &FieldError{"pairs_per_concept", s.PairsPerConcept, "1 or more"}
	case s.Epochs < 1:
		return &FieldError{"epochs", s.Epochs, "1 or more"}
	}
	return nil
}

// SapBERTConfig returns the configuration of SapBERT. Equations are those of its paper; "the script"
// is the authors' training script. The learning rate falls to 0 as for every method; the script's
// is constant.
func SapBERTConfig() Config {
	c := namesAloneConfig()
	c.LearningRate = 2e-5 // the script's
	c.WeightDecay = .01   // the script's
	c.Pooling = PoolCLS   // the script's
	c.NameLoss = MultiSimilarity{
		Alpha: 1, Beta: 60, Lambda: .5, // equation 2; the values are the script's
		TripletMargin: .2, // equation 1
	}
	return c
}

// namesAloneConfig returns the settings that the published methods on names alone share.
func namesAloneConfig() Config {
	c := DefaultConfig()
	c.NameBatchRatio = 1
	c.WarmupRatio = 0
	c.ClipNorm = 0
	c.MaxTokens = 25 // BioSyn, section 4.1: covers 99.9 % of names
	c.MarkAll = false
	c.SynonymReplaceProb = 0
	c.WeightInterpolation = 0
	c.FreezeEmbeddings = false
	return c
}

// Name implements [Recipe].
func (*SapBERTSettings) Name() string { return MethodSapBERT }

// Summary implements [Recipe].
func (*SapBERTSettings) Summary() string { return "names alone" }

// Config implements [Recipe].
func (*SapBERTSettings) Config() Config { return SapBERTConfig() }

// Needs implements [Recipe].
func (*SapBERTSettings) Needs() Needs { return Needs{Validation: true} }

// Linker implements [Recipe]: the concept of the nearest name.
func (*SapBERTSettings) Linker() string { return "nearest" }

// Settings implements [Recipe].
func (s *SapBERTSettings) Settings() []Setting {
	return []Setting{
		epochsSetting(&s.Epochs),
		{"pairs-per-batch", "pairs_per_batch", &s.PairsPerBatch, "number of pairs of names in a batch, at least 2"},
		{"pairs-per-concept", "pairs_per_concept", &s.PairsPerConcept, "largest number of pairs of the names of a concept"},
	}
}

// New implements [Recipe].
func (s *SapBERTSettings) New(c Config, d Data) (Method, error) { return NewSapBERT(c, *s, d.Names) }

// namePair is two names of a concept, given as positions.
type namePair struct {
	concept       kb.ConceptID
	first, second int
}

// NewSapBERT returns the method on the names of a dictionary. It returns an error if fewer than two
// concepts have two names.
func NewSapBERT(c Config, s SapBERTSettings, names []text.Exemplar) (*SapBERT, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if err := s.Validate(); err != nil {
		return nil, err
	}
	m := &SapBERT{config: c, settings: s, names: names, epoch: -1}
	members := groupByConcept(Examples(names))
	concepts := 0
	for _, id := range slices.Sorted(maps.Keys(members)) {
		pairs := pairsOfNames(id, members[id], s.PairsPerConcept, c.Seed)
		m.pairs = append(m.pairs, pairs...)
		if len(pairs) > 0 {
			concepts++
		}
	}
	if concepts < 2 {
		return nil, fmt.Errorf("sapbert: %d of %d concepts have two names or more, want at least 2 such concepts", concepts, len(members))
	}
	m.perBatch = min(s.PairsPerBatch, len(m.pairs))
	return m, nil
}

// pairsOfNames returns all pairs of the names of a concept, or limit sampled ones.
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

// Name implements [Method].
func (*SapBERT) Name() string { return MethodSapBERT }

// Config implements [Method].
func (m *SapBERT) Config() Config { return m.config }

// Settings implements [Method].
func (m *SapBERT) Settings() any { return m.settings }

// WriteData implements [Method].
func (m *SapBERT) WriteData(w io.Writer) { WriteExemplars(w, m.names) }

// Steps implements [Method]. Pairs that do not fill the last batch of an epoch are left out of it.
func (m *SapBERT) Steps() (total, epoch int) {
	if m.config.Steps > 0 {
		return m.config.Steps, 0
	}
	return m.settings.Epochs * (len(m.pairs) / m.perBatch), 0
}

// Batch implements [Method]. Rows 2i and 2i+1 are a pair. Every epoch has its own order of pairs.
func (m *SapBERT) Batch(step int) (*Batch, error) {
	perEpoch := len(m.pairs) / m.perBatch
	epoch, position := step/perEpoch, step%perEpoch
	if m.epoch != epoch {
		m.epoch, m.order = epoch, permutation(m.config.Seed, "pairs", epoch, len(m.pairs))
	}
	b := &Batch{Names: true, Loss: m.config.NameLoss}
	for _, i := range m.order[position*m.perBatch : (position+1)*m.perBatch] {
		pair := m.pairs[i]
		for _, name := range []int{pair.first, pair.second} {
			exemplar := &m.names[name]
			b.Rows = append(b.Rows, Row{&exemplar.Query, Label{Concept: pair.concept, Concepts: exemplar.Mention.Concepts}})
		}
	}
	return b, nil
}

// permutation returns the order of n samples in an epoch.
func permutation(seed uint64, of string, epoch, n int) []int {
	return newRand(seed, of, strconv.Itoa(epoch)).Perm(n)
}

// sampleDistinct returns up to count of n positions, distinct and in random order.
func sampleDistinct(r *rand.Rand, n, count int) []int {
	return r.Perm(n)[:min(n, count)]
}
