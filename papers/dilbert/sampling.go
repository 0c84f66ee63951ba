package dilbert

import (
	"cmp"
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/text"
)

// samples holds the names sampled for an anchor in an epoch.
type samples struct{ positives, negatives []int }

// Resample implements [contrastive.Task].
func (m *task) Resample(ctx context.Context, epoch int, encode contrastive.Encode) error {
	var all []samples
	if epoch == 0 || m.settings.Sampling == randomSampling {
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
	return nil
}

// sampleRandom samples the names of each anchor at random: strategies 1 and 2 of section 4.
func (m *task) sampleRandom(epoch int) []samples {
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

// random returns the random generator for an anchor in an epoch.
func (m *task) random(epoch, anchor int) *rand.Rand {
	return contrastive.NewRand(m.Config.Seed, "names", strconv.Itoa(epoch), strconv.Itoa(anchor))
}

// addRelatives adds names of the parents to the positives and names of the siblings to the negatives.
func (m *task) addRelatives(a *anchor, r *rand.Rand, s *samples) {
	for _, k := range sampleDistinct(r, len(a.parents), m.settings.Parents) {
		s.positives = append(s.positives, a.parents[k])
	}
	for _, k := range sampleDistinct(r, len(a.siblings), m.settings.Siblings) {
		m.addNegative(a, s, a.siblings[k])
	}
}

// addNegative adds a name to the negatives, unless it is already a negative or a positive.
func (m *task) addNegative(a *anchor, s *samples, name int) {
	if !m.isName(name, a.concept) && !slices.Contains(s.negatives, name) && !slices.Contains(s.positives, name) {
		s.negatives = append(s.negatives, name)
	}
}

// fillNegatives adds random names of other concepts until the anchor has all its negatives.
func (m *task) fillNegatives(a *anchor, r *rand.Rand, s *samples) {
	_, want := m.sampleSizes(a)
	for range 20 * want { // misses are rare in a dictionary that is not tiny
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

// sampleHard samples the names of each anchor with the current encoder, among the names in the pairs of the first epoch
// (strategies 3 and 4 of section 4) and all other names of the anchors' concepts. It takes the nearest names of the
// concept, and the names of other concepts that are nearer than all of those, nearest first. If there are fewer of
// these than Negatives, random names are added.
func (m *task) sampleHard(ctx context.Context, epoch int, encode contrastive.Encode) ([]samples, error) {
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
	x := contrastive.Convert[float64](vectors)
	row := func(i int) []float64 { return x[i*dim : (i+1)*dim] }
	all := make([]samples, len(m.anchors))
	err = parallel.For(ctx, len(m.anchors), parallel.Workers(0), func(i int) {
		distances := make([]float64, len(names))
		for k := range names {
			distances[k] = floats.Distance(row(i), row(len(m.anchors)+k), 2)
		}
		all[i] = m.hardSamples(&m.anchors[i], m.random(epoch, i), names, distances)
	})
	return all, err
}

// hardSamples returns the samples of an anchor, given its distances to names.
func (m *task) hardSamples(a *anchor, r *rand.Rand, names []int, distances []float64) (s samples) {
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

// pairedNames returns the names in the pairs of the first epoch and all names of the anchors' concepts, in order. With
// the 30 positives of the paper these are nearly the same; with few positives, the nearest name of a concept would
// usually be missing, and too many names would count as nearer.
func (m *task) pairedNames() []int {
	paired := make(map[int]bool)
	for i, s := range m.sampleRandom(0) {
		for _, name := range slices.Concat(s.positives, s.negatives, m.anchors[i].own) {
			paired[name] = true
		}
	}
	return slices.Sorted(maps.Keys(paired))
}

// sampleDistinct returns up to count of n positions, distinct and in random order.
func sampleDistinct(r *rand.Rand, n, count int) []int {
	return r.Perm(n)[:min(n, count)]
}
