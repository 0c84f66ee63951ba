package dilbert

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// task holds triplets of anchors, which are distinct pairs of a mention and its concept. Each positive name of an
// anchor forms a triplet with each of its negative names. A name with the surface form of the mention is not a
// positive, because no name is nearer. The authors' program (github.com/insilicomedicine/DILBERT) also leaves it out.
type task struct {
	contrastive.Plan
	settings Settings
	anchors  []anchor
	names    []text.Exemplar
	dict     *kb.Dictionary

	hierarchy *kb.Hierarchy           // nil unless names of parents or siblings are sampled
	namesBy   map[kb.ConceptID][]int  // names of each concept, in the order of names
	triplets  []triplet               // for the current epoch
	order     *contrastive.EpochOrder // order of triplets: all epochs have the same number
}

// anchor is a labeled mention. Names are given by their positions.
type anchor struct {
	query    *text.Query
	concept  kb.ConceptID
	own      []int // names of the concept with another surface form than the mention, in the order of names
	parents  []int // names of the concept's parents
	siblings []int // names of the concept's siblings
}

// triplet is an anchor with two names, given by their positions.
type triplet struct{ anchor, positive, negative int }

// newTask returns the task on labeled mentions and the names of a dictionary. It skips mentions that do not name
// exactly one concept of the dictionary that has a name with another surface form. It returns an error if no mention is
// left, or if parents or siblings are requested and the dictionary has no hierarchy.
func newTask(c contrastive.Config, s Settings, mentions, names []text.Exemplar, dict *kb.Dictionary) (*task, error) {
	m := &task{settings: s, names: names, dict: dict, namesBy: make(map[kb.ConceptID][]int)}
	if s.Parents > 0 || s.Siblings > 0 {
		if !kb.HasHierarchy(dict) {
			return nil, errors.New("dilbert: parents and siblings need a dictionary with parents, and this one has none")
		}
		m.hierarchy = kb.NewHierarchy(dict)
	}
	for i := range names {
		for _, id := range names[i].Mention.Concepts {
			m.namesBy[id] = append(m.namesBy[id], i)
		}
	}
	m.addAnchors(mentions)
	if len(m.anchors) == 0 {
		return nil,
			fmt.Errorf("dilbert: none of %d labeled mentions has a single concept with a differently worded name",
				len(mentions))
	}
	triplets := 0
	for i := range m.anchors {
		positives, negatives := m.sampleSizes(&m.anchors[i])
		triplets += positives * negatives
	}
	if triplets == 0 {
		return nil, errors.New("dilbert: the dictionary has no names of other concepts than those of the mentions, " +
			"which are needed as negatives")
	}
	m.order = contrastive.NewEpochOrder(c.Seed, "triplets", triplets, s.TripletsPerBatch, true)
	epoch := m.order.BatchesPerEpoch()
	m.Plan = contrastive.Plan{
		Recipe: Name, Config: c, Settings: s, Steps: c.TotalSteps(s.Epochs, epoch), EpochSteps: epoch,
		RawVectors: true, // the margin is meant for vectors as the encoder pools them
	}
	return m, nil
}

// addAnchors adds the anchors of distinct mentions and concepts, in the order of the mentions.
func (m *task) addAnchors(mentions []text.Exemplar) {
	type key struct {
		normal  string
		concept kb.ConceptID
	}
	seen := make(map[key]bool)
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
		if node, ok := m.dict.Index(a.concept); ok && m.hierarchy != nil {
			a.parents = m.namesOf(m.hierarchy.Parents(int32(node)), a.concept)
			a.siblings = m.namesOf(siblingsOf(m.hierarchy, int32(node)), a.concept)
		}
		m.anchors = append(m.anchors, a)
	}
}

// siblingsOf returns the other children of a concept's parents, except those that are also its parents.
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

// namesOf returns the names of concepts that are not also names of the concept other.
func (m *task) namesOf(nodes []int32, other kb.ConceptID) (names []int) {
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

func (m *task) isName(name int, of kb.ConceptID) bool {
	return slices.Contains(m.names[name].Mention.Concepts, of)
}

// sampleSizes returns the numbers of positive and of negative names of an anchor. They are the same in every epoch.
func (m *task) sampleSizes(a *anchor) (positives, negatives int) {
	parents := min(m.settings.Parents, len(a.parents))
	negatives = m.settings.Negatives + min(m.settings.Siblings, len(a.siblings))
	positives = min(m.settings.Positives, len(a.own)) + parents
	return positives, min(negatives, len(m.names)-len(m.namesBy[a.concept])-parents)
}

// WriteData implements [contrastive.Task].
func (m *task) WriteData(w io.Writer) {
	for i := range m.anchors {
		a := &m.anchors[i]
		fmt.Fprintf(w, "%q %q %d %d\n", a.query.Surface(), a.concept, a.parents, a.siblings)
		if m.Config.Pooling.InContext() {
			fmt.Fprintf(w, "%q %v %v\n", a.query.Text, a.query.Sentence, a.query.Mention.Span)
		}
	}
	contrastive.WriteExemplars(w, m.names)
}

// Batch implements [contrastive.Task]. Rows 3i, 3i+1 and 3i+2 are a mention, a positive and a negative name. The last
// batch of an epoch may be smaller.
func (m *task) Batch(step int) (*contrastive.Batch, error) {
	order := m.order.Batch(step)
	b := &contrastive.Batch{Names: !m.Config.Pooling.InContext(), Loss: tripletBatch{m.settings.Margin, len(order)}}
	for _, i := range order {
		t := m.triplets[i]
		a, positive, negative := &m.anchors[t.anchor], &m.names[t.positive], &m.names[t.negative]
		mention := contrastive.Row{Query: a.query, Label: contrastive.LabelOf([]kb.ConceptID{a.concept})}
		b.Rows = append(b.Rows, mention, contrastive.RowOf(positive, ""), contrastive.RowOf(negative, ""))
	}
	return b, nil
}
