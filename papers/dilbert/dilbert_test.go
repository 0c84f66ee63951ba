package dilbert

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// dilbertDictionary is a tree: P has the children A, B and C, and Q is alone.
//
//	P: p1 p2      A: a1 a2 a3      B: b1 b2      C: c1      Q: q1 q2 q3 q4
func dilbertDictionary() (dict *kb.Dictionary, names []text.Exemplar) {
	dict = kb.NewDictionary([]kb.Concept{
		{ID: "P", Synonyms: []string{"p1", "p2"}},
		{ID: "A", Synonyms: []string{"a1", "a2", "a3"}, Parents: []kb.ConceptID{"P"}},
		{ID: "B", Synonyms: []string{"b1", "b2"}, Parents: []kb.ConceptID{"P"}},
		{ID: "C", Synonyms: []string{"c1"}, Parents: []kb.ConceptID{"P"}},
		{ID: "Q", Synonyms: []string{"q1", "q2", "q3", "q4"}},
	})
	return dict, fixtures.Names("P:p1 p2", "A:a1 a2 a3", "B:b1 b2", "C:c1", "Q:q1 q2 q3 q4")
}

func newDILBERT(t *testing.T, mentions []text.Exemplar, change func(*Settings)) *task {
	t.Helper()
	r := Recipe()
	s := r.Values.(*Settings)
	change(s)
	dict, names := dilbertDictionary()
	return must.Get(newTask(r.Config, *s, mentions, names, dict))
}

// surfaces returns the texts of names.
func (m *task) surfaces(names []int) (surfaces []string) {
	for _, name := range names {
		surfaces = append(surfaces, m.names[name].Surface())
	}
	return surfaces
}

// TestAnchors: mentions with several concepts, none or unknown ones are skipped, and so are repeated ones and those
// whose surface form is the only name of their concept. A name with the mention's surface form is not its positive.
func TestAnchors(t *testing.T) {
	composite := text.NameExemplar("a and b", "A")
	composite.Mention.Composite = true
	m := newDILBERT(t, []text.Exemplar{
		text.NameExemplar("an A", "A"), text.NameExemplar("An  a", "A"), text.NameExemplar("an A", "B"),
		text.NameExemplar("both", "A", "B"), text.NameExemplar("none"), text.NameExemplar("unknown", "X"), composite,
		text.NameExemplar("C1", "C"), text.NameExemplar("A2", "A"),
	}, func(*Settings) {})
	var got []string
	for _, a := range m.anchors {
		got = append(got, fmt.Sprint(a.query.Surface(), " ", a.concept, " ", m.surfaces(a.own)))
	}
	must.Equal(t, got, []string{"an A A [a1 a2 a3]", "an A B [b1 b2]", "A2 A [a1 a3]"})
}

// TestData: the sentence of a mention is part of the data if it is encoded, but not if the mention is encoded alone.
func TestData(t *testing.T) {
	dict, names := dilbertDictionary()
	data := func(sentence string, pooling contrastive.Pooling) string {
		doc := &text.Document{Text: sentence, Mentions: []text.Mention{{Span: text.Span{Start: 0, End: 1}, Concepts: []kb.ConceptID{"A"}}}}
		mention := text.Exemplar{Query: text.Query{Document: doc, Mention: doc.Mentions[0], Sentence: text.Span{End: len(sentence)}}}
		r := Recipe()
		r.Config.Pooling = pooling
		m := must.Get(r.Task(r.Config, contrastive.Data{Labeled: []text.Exemplar{mention}, Names: names, Dictionary: dict}))
		var b strings.Builder
		m.WriteData(&b)
		return b.String()
	}
	for pooling, want := range map[contrastive.Pooling]bool{contrastive.PoolSpan: true, contrastive.PoolEnt: true, contrastive.PoolCLS: false, contrastive.PoolMean: false} {
		must.Equal(t, data("a here", pooling) != data("a there", pooling), want, "pooling", pooling,
			"another sentence is other data")
	}
}

// TestRandom: the mention of A has 2 of the 3 names of A and 1 of the 2 of its parent P as positives, and 3 other names
// as negatives, so 9 triplets. The mention of C has 1 name, 1 of the parent and 3 negatives, so 6. These are 15
// triplets, in 4 batches of at most 4. Every epoch has other names.
func TestRandom(t *testing.T) {
	mentions := []text.Exemplar{text.NameExemplar("the A", "A"), text.NameExemplar("the C", "C")}
	m := newDILBERT(t, mentions, func(s *Settings) {
		s.Positives, s.Parents, s.Negatives, s.TripletsPerBatch, s.Epochs = 2, 1, 3, 4, 2
	})
	if total, epoch := m.Steps, m.EpochSteps; total != 8 || epoch != 4 {
		t.Fatalf("%d steps and %d an epoch, want 8 and 4", total, epoch)
	}
	var epochs []string
	for epoch := range 2 {
		must.Succeed(t, m.Resample(t.Context(), epoch, nil))
		count := map[string]int{}
		var rows []string
		for step := 4 * epoch; step < 4*epoch+4; step++ {
			b := must.Get(m.Batch(step))
			if want := []int{4, 4, 4, 3}[step%4]; len(b.Rows) != 3*want || b.Loss.(tripletBatch).triplets != want {
				t.Errorf("step %d has %d rows and loss %+v, want %d triplets", step, len(b.Rows), b.Loss, want)
			}
			for i := 0; i < len(b.Rows); i += 3 {
				anchor, positive, negative := b.Rows[i].Query.Surface(), b.Rows[i+1].Query.Surface(), b.Rows[i+2].Query.Surface()
				own := strings.ToLower(anchor[len(anchor)-1:])
				if positive[:1] != own && positive[:1] != "p" {
					t.Errorf("%q has the positive %q", anchor, positive)
				}
				if negative[:1] == own || negative == positive {
					t.Errorf("%q has the negative %q beside %q", anchor, negative, positive)
				}
				count[anchor]++
				rows = append(rows, anchor+positive+negative)
			}
		}
		must.Equal(t, count, map[string]int{"the A": 9, "the C": 6}, "epoch", epoch, "triplets")
		slices.Sort(rows)
		must.Equal(t, len(slices.Compact(slices.Clone(rows))), 15, "epoch", epoch, "has a triplet twice", rows)
		epochs = append(epochs, strings.Join(rows, " "))
	}
	if epochs[0] == epochs[1] {
		t.Error("both epochs have the same names")
	}
}

// TestHard ranks names by given distances:
//
//	b1 .1  q1 .2  a2 .3  c1 .4  a1 .5  q2 .6  a3 .7
//
// The best name of A is a2. So the positives are a2 and a1, the nearest two; the negatives are b1 and q1, which are
// nearer than a2, and a third name at random, because c1 is not nearer.
func TestHard(t *testing.T) {
	m := newDILBERT(t, []text.Exemplar{text.NameExemplar("the A", "A")}, func(s *Settings) {
		s.Positives, s.Negatives = 2, 3
	})
	distances := map[string]float64{"b1": .1, "q1": .2, "a2": .3, "c1": .4, "a1": .5, "q2": .6, "a3": .7}
	var names []int
	var given []float64
	for i := range m.names {
		if d, ok := distances[m.names[i].Surface()]; ok {
			names, given = append(names, i), append(given, d)
		}
	}
	s := m.hardSamples(&m.anchors[0], m.random(1, 0), names, given)
	must.Equal(t, m.surfaces(s.positives), []string{"a2", "a1"}, "positives")
	negatives := m.surfaces(s.negatives)
	if len(negatives) != 3 || negatives[0] != "b1" || negatives[1] != "q1" || negatives[2][:1] == "a" {
		t.Errorf("negatives %v, want b1, q1 and one that is not of A", negatives)
	}

	// With siblings, names of B and C become negatives first; with parents, one name of P is positive.
	m = newDILBERT(t, []text.Exemplar{text.NameExemplar("the A", "A")}, func(s *Settings) {
		s.Positives, s.Negatives, s.Parents, s.Siblings = 2, 1, 1, 3
	})
	s = m.hardSamples(&m.anchors[0], m.random(1, 0), names, given)
	positives, negatives := m.surfaces(s.positives), m.surfaces(s.negatives)
	slices.Sort(negatives)
	if len(positives) != 3 || positives[2][:1] != "p" {
		t.Errorf("positives %v, want a2, a1 and one of P", positives)
	}
	must.Equal(t, negatives, []string{"b1", "b2", "c1", "q1"}, "negatives")
}

// TestResampling: from the second epoch, the samples come from the given encoder.
func TestResampling(t *testing.T) {
	m := newDILBERT(t, []text.Exemplar{text.NameExemplar("the A", "A")}, func(s *Settings) {
		s.Sampling, s.Positives, s.Negatives = resampling, 1, 1
	})
	must.Succeed(t, m.Resample(t.Context(), 0, nil))
	first := m.triplets[0]
	must.Succeed(t, m.Resample(t.Context(), 1, func(queries []*text.Query) ([]float32, int, error) {
		if len(queries) != 5 { // the mention, the three names of A and the negative of the first epoch
			t.Errorf("%d texts are encoded, want 5", len(queries))
		}
		vectors := []float32{1, 0}
		for _, q := range queries[1:] {
			switch q.Surface() {
			case m.names[first.negative].Surface():
				vectors = append(vectors, .9, .436) // nearer than any positive
			case m.names[first.positive].Surface():
				vectors = append(vectors, 0, 1)
			default:
				vectors = append(vectors, -1, 0)
			}
		}
		return vectors, 2, nil
	}))
	if got := m.triplets[0]; got != first || len(m.triplets) != 1 {
		t.Errorf("triplets %v, want %v: its negative is nearer than the positive", m.triplets, first)
	}
}

// TestFlatDictionary: parents are requested, but the dictionary has none.
func TestFlatDictionary(t *testing.T) {
	flat, s := kb.NewDictionary([]kb.Concept{{ID: "A", Synonyms: []string{"a1"}}}), Settings{Parents: 2}
	_, err := newTask(contrastive.Config{}, s, nil, nil, flat)
	must.Fail(t, err, "this one has none")
}
