// Package dilbert is DILBERT: the triplet loss of labeled mentions and names of a dictionary
// (Miftahutdinov, Kadurin, Kudrin & Tutubalina, "Drug and Disease Interpretation Learning with
// Biomedical Entity Representation Transformer", ECIR 2021). [Settings] is its recipe. It links by the
// nearest name, as package sapbert does. Sections are those of the paper.
package dilbert

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// Name is the name of the recipe.
const Name = "dilbert"

// Task has triplets of anchors, which are distinct pairs of a mention and its concept. Each positive
// name of an anchor makes a triplet with each of its negative names. A name with the wording of the
// mention is no positive: no name is nearer. The authors' program
// (github.com/insilicomedicine/DILBERT) leaves it out, too.
type Task struct {
	config   contrastive.Config
	settings Settings
	anchors  []anchor
	names    []text.Exemplar
	dict     *kb.Dictionary

	namesBy   map[kb.ConceptID][]int // names of each concept, in the order of names
	triplets  []triplet              // of the epoch
	order     []int                  // permutation of triplets
	perEpoch  int                    // triplets
	firstStep int                    // of the epoch
}

// Sampling says where the names of DILBERT's triplets come from (section 4).
type Sampling string

const (
	// RandomSampling takes names of the concept, and any other names.
	RandomSampling Sampling = "random"
	// Resampling takes, from the second epoch on, the nearest names of the concept, and those that are
	// nearer than any of them.
	Resampling Sampling = "resampling"
)

// Settings are the settings of [Task] beside [Config].
type Settings struct {
	// Sampling is "random" (default) or "resampling".
	Sampling Sampling `json:"sampling"`

	// Positives and Negatives are the largest numbers of names of an anchor's concept and of
	// other names in an epoch, at least 1. Default 30 and 5 (section 5.3).
	Positives int `json:"positives"`
	Negatives int `json:"negatives"`

	// Parents is the number of names of the concept's parents that are positive too. Default
	// 0; the paper tries 1 to 5 (section 5.3), and reports 2 and 5.
	Parents int `json:"parents"`

	// Siblings is the number of names of the concept's siblings, the other children of its
	// parents, that are negative too. Default 0; the paper reports 5, with resampling.
	Siblings int `json:"siblings"`

	// Triplet is the loss. Default: Euclidean distance with margin 1 (section 5.3), of vectors
	// as the encoder pools them. MiniLM's have a length of about 6. The index holds unit vectors, whose
	// distance is at most 2.
	Triplet

	// TripletsPerBatch is the number of triplets in a batch, at least 1. Default 48 (section
	// 5.3).
	TripletsPerBatch int `json:"triplets_per_batch"`

	// Epochs is the number of passes over the anchors, at least 1, each with its own names.
	// Default 3; the paper does not say. [contrastive.Config.Steps] takes precedence.
	Epochs int `json:"epochs"`
}

// DefaultSettings returns the defaults that the comments of the fields state.
func DefaultSettings() Settings {
	return Settings{
		Sampling: RandomSampling, Positives: 30, Negatives: 5, Triplet: Triplet{Distance: Euclidean, Margin: 1},
		TripletsPerBatch: 48, Epochs: 3,
	}
}

// Config returns the configuration of DILBERT. Sections are those of its paper.
func Config() contrastive.Config {
	c := contrastive.NamesAloneConfig()
	c.LearningRate = 1e-5            // section 5.3, which names no optimizer
	c.Pooling = contrastive.PoolMean // the average over all outputs, section 5.3
	return c
}

// Name implements [contrastive.Recipe].
func (*Settings) Name() string { return Name }

// Summary implements [contrastive.Recipe].
func (*Settings) Summary() string { return "labeled mentions" }

// Config implements [contrastive.Recipe].
func (*Settings) Config() contrastive.Config { return Config() }

// Needs implements [contrastive.Recipe]. Labeled mentions become names for linking, and not for training: the paper
// links with the dictionaries of the BioSyn paper, which have the mentions of train. It writes the weights of the last
// step: a validation by names that find each other would choose others than mentions do.
func (*Settings) Needs() contrastive.Needs {
	return contrastive.Needs{Labels: contrastive.LabelsRequired, LabelsAreNames: true}
}

// Linker implements [contrastive.Recipe]: the concept of the nearest name, section 4.
func (*Settings) Linker() string { return "nearest" }

// Settings implements [contrastive.Recipe].
func (s *Settings) Settings() []contrastive.Setting {
	return []contrastive.Setting{
		contrastive.EpochsSetting(&s.Epochs),
		{
			Flag: "negative-sampling", Field: "sampling", Value: (*string)(&s.Sampling),
			Usage: "names of a mention's triplets: random, " +
				"or resampling for the hardest by the encoder at the start of each epoch",
		},
		{
			Flag: "positives", Field: "positives", Value: &s.Positives,
			Usage: "largest number of positive names of a mention",
		},
		{
			Flag: "negatives", Field: "negatives", Value: &s.Negatives,
			Usage: "number of negative names of a mention",
		},
		{
			Flag: "positive-parents", Field: "parents", Value: &s.Parents,
			Usage: "number of names of the concept's parents that are positive too",
		},
		{
			Flag: "negative-siblings", Field: "siblings", Value: &s.Siblings,
			Usage: "number of names of the concept's siblings that are negative too",
		},
		{
			Flag: "triplet-distance", Field: "distance", Value: (*string)(&s.Distance),
			Usage: "distance of the triplet loss: euclidean or cosine",
		},
		{
			Flag: "triplet-margin", Field: "margin", Value: &s.Margin,
			Usage: "margin of the triplet loss, above 0",
		},
		{
			Flag: "triplets-per-batch", Field: "triplets_per_batch", Value: &s.TripletsPerBatch,
			Usage: "number of triplets in a batch",
		},
	}
}

// New implements [contrastive.Recipe].
func (s *Settings) New(c contrastive.Config, d contrastive.Data) (contrastive.Task, error) {
	return New(c, *s, d.Labeled, d.Names, d.Dictionary)
}

// Validate returns a [*contrastive.FieldError] for the first field with an invalid value.
func (s Settings) Validate() error {
	switch {
	case s.Sampling != RandomSampling && s.Sampling != Resampling:
		return &contrastive.FieldError{Field: "sampling", Value: s.Sampling, Want: `"random" or "resampling"`}
	case s.Positives < 1:
		return &contrastive.FieldError{Field: "positives", Value: s.Positives, Want: "1 or more"}
	case s.Negatives < 1:
		return &contrastive.FieldError{Field: "negatives", Value: s.Negatives, Want: "1 or more"}
	case s.Parents < 0:
		return &contrastive.FieldError{Field: "parents", Value: s.Parents, Want: "0 or more"}
	case s.Siblings < 0:
		return &contrastive.FieldError{Field: "siblings", Value: s.Siblings, Want: "0 or more"}
	case s.TripletsPerBatch < 1:
		return &contrastive.FieldError{Field: "triplets_per_batch", Value: s.TripletsPerBatch, Want: "1 or more"}
	case s.Epochs < 1:
		return &contrastive.FieldError{Field: "epochs", Value: s.Epochs, Want: "1 or more"}
	}
	return s.validate()
}

// usesHierarchy reports whether names of parents or siblings are samples.
func (s Settings) usesHierarchy() bool { return s.Parents > 0 || s.Siblings > 0 }

// anchor is a labeled mention. Names are given by their positions.
type anchor struct {
	query    *text.Query
	concept  kb.ConceptID
	own      []int // names of the concept that are not the mention's wording, in the order of names
	parents  []int // names of the concept's parents
	siblings []int // names of the concept's siblings
}

// triplet is an anchor with two names, given by their positions.
type triplet struct{ anchor, positive, negative int }

// New returns the task on labeled mentions and the names of a dictionary. Mentions that do
// not name exactly one concept of the dictionary, with a name of another wording, are left out. It returns an error if
// none is left, or if parents or siblings are asked for and the dictionary has no hierarchy.
func New(c contrastive.Config, s Settings, mentions, names []text.Exemplar, dict *kb.Dictionary) (*Task, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if s.usesHierarchy() && !kb.HasHierarchy(dict) {
		return nil, errors.New("dilbert: parents and siblings need a dictionary with parents, and this one has none")
	}
	m := &Task{config: c, settings: s, names: names, dict: dict, namesBy: make(map[kb.ConceptID][]int)}
	for i := range names {
		for _, id := range names[i].Mention.Concepts {
			m.namesBy[id] = append(m.namesBy[id], i)
		}
	}
	m.addAnchors(mentions)
	if len(m.anchors) == 0 {
		return nil,
			fmt.Errorf("dilbert: none of %d labeled mentions is of one concept that has a name of another wording",
				len(mentions))
	}
	for i := range m.anchors {
		positives, negatives := m.sampleSizes(&m.anchors[i])
		m.perEpoch += positives * negatives
	}
	if m.perEpoch == 0 {
		return nil, errors.New("dilbert: the dictionary has no names of other concepts than those of the mentions, " +
			"which are needed as negatives")
	}
	return m, nil
}

// addAnchors makes the anchors of distinct mentions and concepts, in the order of the mentions.
func (m *Task) addAnchors(mentions []text.Exemplar) {
	type key struct {
		normal  string
		concept kb.ConceptID
	}
	seen := make(map[key]bool)
	var hierarchy *kb.Hierarchy
	if m.settings.usesHierarchy() {
		hierarchy = kb.NewHierarchy(m.dict)
	}
	forms := make([]string, len(m.names))
	for i := range forms {
		forms[i] = normalize.Normal(m.names[i].Surface())
	}
	for i := range mentions {
		concepts := mentions[i].Mention.Concepts
		if len(concepts) != 1 || mentions[i].Mention.Composite {
			continue
		}
		k := key{normalize.Normal(mentions[i].Surface()), concepts[0]}
		if seen[k] {
			continue
		}
		seen[k] = true
		a := anchor{query: &mentions[i].Query, concept: concepts[0]}
		for _, name := range m.namesBy[a.concept] {
			if forms[name] != k.normal {
				a.own = append(a.own, name)
			}
		}
		if len(a.own) == 0 {
			continue
		}
		if node, ok := m.dict.Index(a.concept); ok && hierarchy != nil {
			a.parents = m.namesOf(hierarchy.Parents(int32(node)), a.concept)
			a.siblings = m.namesOf(siblingsOf(hierarchy, int32(node)), a.concept)
		}
		m.anchors = append(m.anchors, a)
	}
}

// siblingsOf returns the other children of a concept's parents that are not its parents too.
func siblingsOf(h *kb.Hierarchy, node int32) []int32 {
	parents := h.Parents(node)
	var siblings []int32
	for _, parent := range parents {
		for _, child := range h.Children(parent) {
			if child != node && !slices.Contains(parents, child) {
				siblings = append(siblings, child)
			}
		}
	}
	slices.Sort(siblings)
	return slices.Compact(siblings)
}

// namesOf returns the names of concepts that are not also names of another one.
func (m *Task) namesOf(nodes []int32, other kb.ConceptID) (names []int) {
	seen := make(map[int]bool)
	for _, node := range nodes {
		for _, name := range m.namesBy[m.dict.At(int(node)).ID] {
			if !m.isName(name, other) && !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	return names
}

func (m *Task) isName(name int, of kb.ConceptID) bool {
	return slices.Contains(m.names[name].Mention.Concepts, of)
}

// sampleSizes returns the numbers of positive and of negative names of an anchor. They are the same
// in every epoch.
func (m *Task) sampleSizes(a *anchor) (positives, negatives int) {
	parents := min(m.settings.Parents, len(a.parents))
	negatives = m.settings.Negatives + min(m.settings.Siblings, len(a.siblings))
	positives = min(m.settings.Positives, len(a.own)) + parents
	return positives, min(negatives, len(m.names)-len(m.namesBy[a.concept])-parents)
}

// Name implements [contrastive.Task].
func (*Task) Name() string { return Name }

// Config implements [contrastive.Task].
func (m *Task) Config() contrastive.Config { return m.config }

// Settings implements [contrastive.Task].
func (m *Task) Settings() any { return m.settings }

// Parameters implements [contrastive.Task]: there are none.
func (*Task) Parameters() []contrastive.Parameter { return nil }

// RawVectors implements [contrastive.Task]: the margin is meant for vectors as the encoder pools them.
func (*Task) RawVectors() bool { return true }

// WriteData implements [contrastive.Task].
func (m *Task) WriteData(w io.Writer) {
	for i := range m.anchors {
		a := &m.anchors[i]
		fmt.Fprintf(w, "%q %q %d %d\n", a.query.Surface(), a.concept, a.parents, a.siblings)
		if m.config.Pooling.InContext() {
			fmt.Fprintf(w, "%q %v %v\n", a.query.Text, a.query.Sentence, a.query.Mention.Span)
		}
	}
	contrastive.WriteExemplars(w, m.names)
}

// Steps implements [contrastive.Task].
func (m *Task) Steps() (total, epoch int) {
	epoch = m.stepsPerEpoch()
	return m.config.TotalSteps(m.settings.Epochs, epoch), epoch
}

func (m *Task) stepsPerEpoch() int {
	return (m.perEpoch + m.settings.TripletsPerBatch - 1) / m.settings.TripletsPerBatch
}

// samples are the names of an anchor in an epoch.
type samples struct{ positives, negatives []int }

// Resample implements [contrastive.Task].
func (m *Task) Resample(ctx context.Context, epoch int, encode contrastive.Encode) error {
	var all []samples
	if epoch == 0 || m.settings.Sampling == RandomSampling {
		all = m.sampleRandom(epoch)
	} else {
		var err error
		if all, err = m.sampleHard(ctx, epoch, encode); err != nil {
			return err
		}
	}
	m.triplets = m.triplets[:0]
	for i, s := range all {
		for _, positive := range s.positives {
			for _, negative := range s.negatives {
				m.triplets = append(m.triplets, triplet{i, positive, negative})
			}
		}
	}
	m.order = contrastive.Permutation(m.config.Seed, "triplets", epoch, len(m.triplets))
	m.firstStep = epoch * m.stepsPerEpoch()
	return nil
}

// sampleRandom samples the names of each anchor at random: strategies 1 and 2 of section 4.
func (m *Task) sampleRandom(epoch int) []samples {
	all := make([]samples, len(m.anchors))
	for i := range m.anchors {
		a, r := &m.anchors[i], m.random(epoch, i)
		for _, k := range sampleDistinct(r, len(a.own), m.settings.Positives) {
			all[i].positives = append(all[i].positives, a.own[k])
		}
		m.addRelatives(a, r, &all[i])
		m.fillNegatives(a, r, &all[i])
	}
	return all
}

// random returns the generator of an anchor in an epoch.
func (m *Task) random(epoch, anchor int) *rand.Rand {
	return contrastive.NewRand(m.config.Seed, "names", strconv.Itoa(epoch), strconv.Itoa(anchor))
}

// addRelatives adds names of the parents to the positives and names of the siblings to the
// negatives.
func (m *Task) addRelatives(a *anchor, r *rand.Rand, s *samples) {
	for _, k := range sampleDistinct(r, len(a.parents), m.settings.Parents) {
		s.positives = append(s.positives, a.parents[k])
	}
	for _, k := range sampleDistinct(r, len(a.siblings), m.settings.Siblings) {
		m.addNegative(a, s, a.siblings[k])
	}
}

// addNegative adds a name to the negatives, unless it is one already, or a positive.
func (m *Task) addNegative(a *anchor, s *samples, name int) {
	if !m.isName(name, a.concept) && !slices.Contains(s.negatives, name) && !slices.Contains(s.positives, name) {
		s.negatives = append(s.negatives, name)
	}
}

// fillNegatives adds random names of other concepts until the anchor has all its negatives.
func (m *Task) fillNegatives(a *anchor, r *rand.Rand, s *samples) {
	_, want := m.sampleSizes(a)
	for range 20 * want { // misses are rare in a dictionary of some size
		if len(s.negatives) >= want {
			return
		}
		m.addNegative(a, s, r.IntN(len(m.names)))
	}
	for _, name := range r.Perm(len(m.names)) {
		if len(s.negatives) >= want {
			return
		}
		m.addNegative(a, s, name)
	}
}

// sampleHard samples the names of each anchor by the current encoder, among the names in the pairs of
// the first epoch (strategies 3 and 4 of section 4) and all others of the anchors' concepts: the nearest
// names of the concept, and the names of other concepts that are nearer than all of those, the nearest
// first. An anchor that has fewer of them than Negatives gets random names beside them.
func (m *Task) sampleHard(ctx context.Context, epoch int, encode contrastive.Encode) ([]samples, error) {
	names := m.pairedNames()
	queries := make([]*text.Query, 0, len(m.anchors)+len(names))
	for i := range m.anchors {
		queries = append(queries, m.anchors[i].query)
	}
	for _, name := range names {
		queries = append(queries, &m.names[name].Query)
	}
	vectors, dim, err := encode(queries)
	if err != nil {
		return nil, err
	}
	x := make([]float64, len(vectors))
	for i, v := range vectors {
		x[i] = float64(v)
	}
	row := func(i int) []float64 { return x[i*dim : (i+1)*dim] }
	all := make([]samples, len(m.anchors))
	err = parallel.For(ctx, len(m.anchors), parallel.Workers(0), func(i int) {
		distances := make([]float64, len(names))
		for k := range names {
			distances[k] = m.settings.Distance.of(row(i), row(len(m.anchors)+k))
		}
		all[i] = m.hardSamples(&m.anchors[i], m.random(epoch, i), names, distances)
	})
	return all, err
}

// hardSamples returns the samples of an anchor from its distances to names.
func (m *Task) hardSamples(a *anchor, r *rand.Rand, names []int, distances []float64) (s samples) {
	var own, nearer []int // positions among names
	nearest := math.Inf(1)
	for k, name := range names {
		if _, isOwn := slices.BinarySearch(a.own, name); isOwn {
			own = append(own, k)
			nearest = min(nearest, distances[k])
		}
	}
	for k, name := range names {
		if distances[k] < nearest && !m.isName(name, a.concept) {
			nearer = append(nearer, k)
		}
	}
	byDistance := func(i, j int) int { return cmp.Or(cmp.Compare(distances[i], distances[j]), cmp.Compare(i, j)) }
	slices.SortFunc(own, byDistance)
	slices.SortFunc(nearer, byDistance)
	for _, k := range own[:min(len(own), m.settings.Positives)] {
		s.positives = append(s.positives, names[k])
	}
	m.addRelatives(a, r, &s)
	_, want := m.sampleSizes(a)
	for _, k := range nearer {
		if len(s.negatives) >= want {
			break
		}
		m.addNegative(a, &s, names[k])
	}
	m.fillNegatives(a, r, &s)
	return s
}

// pairedNames returns the names in the pairs of the first epoch and all of the anchors' concepts, in order. With the
// 30 positives of the paper these are nearly the same; with few, the nearest name of a concept would mostly be missing,
// and names would count as nearer that are not.
func (m *Task) pairedNames() []int {
	paired := make(map[int]bool)
	for i, s := range m.sampleRandom(0) {
		for _, name := range slices.Concat(s.positives, s.negatives, m.anchors[i].own) {
			paired[name] = true
		}
	}
	return slices.Sorted(maps.Keys(paired))
}

// Batch implements [contrastive.Task]. Rows 3i, 3i+1 and 3i+2 are a mention, a positive and a negative name. The
// last batch of an epoch may be smaller.
func (m *Task) Batch(step int) (*contrastive.Batch, error) {
	start := (step - m.firstStep) * m.settings.TripletsPerBatch
	order := m.order[start:min(start+m.settings.TripletsPerBatch, len(m.order))]
	b := &contrastive.Batch{Names: !m.config.Pooling.InContext(), Loss: tripletBatch{m.settings.Triplet, len(order)}}
	for _, i := range order {
		t := m.triplets[i]
		a, positive, negative := &m.anchors[t.anchor], &m.names[t.positive], &m.names[t.negative]
		b.Rows = append(b.Rows,
			contrastive.Row{Query: a.query, Label: contrastive.LabelOf([]kb.ConceptID{a.concept})},
			contrastive.Row{Query: &positive.Query, Label: contrastive.LabelOf(positive.Mention.Concepts)},
			contrastive.Row{Query: &negative.Query, Label: contrastive.LabelOf(negative.Mention.Concepts)})
	}
	return b, nil
}

// sampleDistinct returns up to count of n positions, distinct and in random order.
func sampleDistinct(r *rand.Rand, n, count int) []int {
	return r.Perm(n)[:min(n, count)]
}
