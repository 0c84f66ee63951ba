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

// task has triplets of anchors, which are distinct pairs of a mention and its concept. Each positive
// name of an anchor makes a triplet with each of its negative names. A name with the wording of the
// mention is no positive: no name is nearer. The authors' program
// (github.com/insilicomedicine/DILBERT) leaves it out, too.
type task struct {
	contrastive.Plan
	settings Settings
	anchors  []anchor
	names    []text.Exemplar
	namesBy  map[kb.ConceptID][]int  // names of each concept, in the order of names
	triplets []triplet               // of the epoch
	order    *contrastive.EpochOrder // of triplets: an epoch has as many as another
}

// anchor is a labeled mention. Names are given by their positions.
type anchor struct {
	query   *text.Query
	concept kb.ConceptID
	own     []int // names of the concept that are not the mention's wording, in the order of names
}

// triplet is an anchor with two names, given by their positions.
type triplet struct{ anchor, positive, negative int }

// newTask returns the task on labeled mentions and the names of a dictionary. Mentions that do
// not name exactly one concept of the dictionary, with a name of another wording, are left out. It returns an error if
// none is left.
func newTask(c contrastive.Config, s Settings, mentions, names []text.Exemplar) (*task, error) {
	m := &task{settings: s, names: names, namesBy: make(map[kb.ConceptID][]int)}
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

// addAnchors makes the anchors of distinct mentions and concepts, in the order of the mentions.
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
		if len(a.own) > 0 {
			m.anchors = append(m.anchors, a)
		}
	}
}

func (m *task) isName(name int, of kb.ConceptID) bool {
	return slices.Contains(m.names[name].Mention.Concepts, of)
}

// sampleSizes returns the numbers of positive and of negative names of an anchor. They are the same
// in every epoch.
func (m *task) sampleSizes(a *anchor) (positives, negatives int) {
	return min(m.settings.Positives, len(a.own)), min(m.settings.Negatives, len(m.names)-len(m.namesBy[a.concept]))
}

// WriteData implements [contrastive.Task].
func (m *task) WriteData(w io.Writer) {
	for i := range m.anchors {
		a := &m.anchors[i]
		fmt.Fprintf(w, "%q %q\n", a.query.Surface(), a.concept)
		if m.Config.Pooling.InContext() {
			fmt.Fprintf(w, "%q %v %v\n", a.query.Text, a.query.Sentence, a.query.Mention.Span)
		}
	}
	contrastive.WriteExemplars(w, m.names)
}

// Batch implements [contrastive.Task]. Rows 3i, 3i+1 and 3i+2 are a mention, a positive and a negative name. The
// last batch of an epoch may be smaller.
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
